// SPEED: nineteen of twenty covering tests in long lists. Without it (MODE=plain): all zones of a
// key are tested (search/store.c).
//
// Sifting: covering tests of the current node against long lists of zones. Beside each zone
// there is its sketch (Speed.sketch, space/space.h); only zones whose sketches allow a covering
// are tested, and several together. What a sketch means, the *plan*, is chosen from the zones of
// the key.
//
// The blocks of a very long list are in a directory, which has for each block what its sketches
// have in common. A zone that covers has all bits of the current demand in its supply, so that
// its block has them in `most`. Of a zone that is covered the current supply has all bits of the
// demand, and so those that its block has in `least`. Other blocks are passed over.
#ifndef TARN_SEARCH_SIFT_H
#define TARN_SEARCH_SIFT_H

#include "base/bitsets.h"
#include "search/block.h"
#include "space/space.h"

enum { SIFT_ROUND = 128 }; // zones that are sifted at once

typedef struct SiftPlan { // in the slab; the space's plan follows
  uint32_t count;         // zones when it was made
  uint32_t directory;     // the newest part, 0 for none
} SiftPlan;

typedef struct SiftDirectory { // a part, in the slab; also for zones that were removed
  uint32_t next, count;
  uint32_t most[SIFT_ROUND];   // by block: bits of any supply
  uint32_t least[SIFT_ROUND];  // of all demands
  uint32_t common[SIFT_ROUND]; // of all supplies
  uint32_t blocks[SIFT_ROUND]; // references
} SiftDirectory;

typedef struct Sketch {
  uint32_t supply, demand;
} Sketch;

static inline uint32_t sift_plan_units(const Space *space) {
  return (uint32_t)((sizeof(SiftPlan) + space->speed.plan_bytes + SLAB_UNIT - 1) / SLAB_UNIT);
}

static inline SiftPlan *sift_plan_of(const Slab *slab, uint32_t first) {
  return slab_at(slab, *block_plan(slab_at(slab, first)));
}

// In all that follows `first` is the newest block of a key, and the blocks have sketches.

// Chooses what the sketches of `count` zones are, from zones of all parts, and makes them.
void sift_plan(Space *, const Slab *, uint32_t first, uint32_t count);
// The sketch of a zone, or of the current node (0).
Sketch sift_sketch(Space *, const Slab *, Block *, uint32_t zone);
// The same, put in its place.
void sift_put(Space *, const Slab *, Block *, uint32_t index, uint32_t zone);

// The node of a zone that covers the current node; UINT32_MAX if there is none.
uint32_t sift_subsumer(Space *, const Slab *, uint32_t first);
// Which of the zones from..end - 1 of a block, no more than a round, the current node covers,
// whose supply is given: their number, and their places, which have room for SIFT_ROUND +
// BITSETS_OVER.
uint32_t sift_subsumed(Space *, Block *, uint32_t from, uint32_t end, uint32_t supply,
                       uint32_t *places);

// The blocks in which the current node, whose supply is given, may cover zones.
typedef struct SiftWalk {
  const Slab *slab;
  bool has_directory;
  uint32_t next; // block, or part of the directory
  const SiftDirectory *part;
  uint32_t found; // blocks of the part that are still to come
  uint32_t supply, places[SIFT_ROUND + BITSETS_OVER];
} SiftWalk;
void sift_walk(SiftWalk *, const Slab *, uint32_t first, uint32_t supply);
Block *sift_walk_next(SiftWalk *); // NULL: no more

#endif
