// Groups: the zones of one key, in blocks (search/block.h) that grow with them.
#ifndef TARN_SEARCH_GROUP_H
#define TARN_SEARCH_GROUP_H

#include "search/block.h"
#include "space/space.h"

typedef struct Group { // one key; its words follow
  uint32_t block;      // newest block of its zones, 0 for none; if is_single, its only node
  uint32_t count : 31; // zones; if is_single, the one zone
  uint32_t is_single : 1;
} Group;

// A block of a group with room for one more zone, the current node of the space.
Block *group_find_block(Space *, Slab *, Group *);
static inline bool group_has_sketches(const Slab *slab, const Group *group) {
  return !group->is_single && group->block &&
         ((const Block *)slab_at(slab, group->block))->has_sketches;
}
void group_drop_empty(const Space *, Slab *, Group *); // unlinks blocks that have become empty

#endif
