// Groups: the zones of one key, in blocks (search/passed/block.h) that grow with them. Many zones
// of a space with sketches (search/passed/sift.h) are in clusters: blocks of zones whose sketches
// are alike.
#pragma once

#include "search/passed/block.h"
#include "search/space/space.h"

typedef struct Group { // one key; its words follow
  uint32_t block;      // newest block of its zones, 0 for none; if is_single, its only node
  uint32_t count : 31; // zones; if is_single, the one zone
  uint32_t is_single : 1;
} Group;

// The only zone of a group, as a block of capacity 1.
typedef struct GroupSingle {
  Block block;
  uint32_t ref, zone;
} GroupSingle;
_Static_assert(sizeof(Block) % sizeof(uint32_t) == 0 &&
                   (sizeof(Block) + sizeof(uint32_t)) % SLAB_UNIT == 0,
               "the zone follows the reference");

// The first block of a group, NULL for none; a group without blocks has that which is given.
static inline Block *group_first(const Slab *slab, const Group *group, GroupSingle *single) {
  if (!group->is_single)
    return block_at(slab, group->block);
  *single = (GroupSingle){{.count = 1, .capacity = 1}, group->block, group->count};
  return (Block *)(void *)single;
}

// Adds the space's current node, with the number of its zone. Where it has no sketches, another
// node than the current one can be added.
bool group_makes_sketches(const Space *, const Slab *, const Group *);
void group_add(Space *, Slab *, Group *, uint32_t ref, uint32_t zone);
static inline bool group_has_sketches(const Slab *slab, const Group *group) {
  return !group->is_single && group->block &&
         ((const Block *)slab_at(slab, group->block))->has_sketches;
}
void group_drop_empty(const Space *, Slab *, Group *); // unlinks blocks that have become empty
