// SPEED: nineteen of twenty covering tests in long lists. Without it (MODE=plain): all zones of a
// key are tested (search/passed/store.c).
//
// Sifting: covering tests of the current node against long lists of zones. Beside each zone lies
// its sketch (Speed.sketch, search/space/space.h). Only zones whose sketches allow a covering are
// tested, several at once. The *legend*, which says what a sketch means, is chosen from the zones
// of the key.
//
// A directory lists the blocks and, for each block, what its sketches have in common. A covering
// zone has all bits of the current demand in its supply, so its block has them in `max`. A
// covered zone has a demand whose bits are all in the current supply, so the current supply has
// the bits in `least` of its block. All other blocks are skipped.
#pragma once

#include "base/bitsets.h"
#include "search/passed/block.h"
#include "search/space/space.h"

enum { SIFT_MAX = 64 };     // zones of a block with sketches
enum { SIFT_ENTRIES = 32 }; // of a part of a directory

typedef struct SiftLegend { // in the slab; the space's legend follows
  uint32_t count;           // zones when it was made
  uint32_t directory;       // the newest part, 0 for none
} SiftLegend;

typedef struct SiftDirectory { // a part, in the slab; also for zones that were removed
  uint32_t next, count;
  uint32_t max[SIFT_ENTRIES];    // by block: bits of any supply
  uint32_t least[SIFT_ENTRIES];  // of all demands
  uint32_t common[SIFT_ENTRIES]; // of all supplies
  uint32_t blocks[SIFT_ENTRIES]; // references
} SiftDirectory;

typedef struct Sketch {
  uint32_t supply, demand;
} Sketch;

static inline uint32_t sift_legend_units(const Space *space) {
  return (uint32_t)((sizeof(SiftLegend) + space->speed.legend_bytes + SLAB_UNIT - 1) / SLAB_UNIT);
}

static inline SiftLegend *sift_legend_of(const Slab *slab, uint32_t first) {
  return slab_at(slab, *block_legend(slab_at(slab, first)));
}

static inline SiftDirectory *sift_part(const Slab *slab, uint32_t ref) { // NULL for 0
  return ref ? slab_at(slab, ref) : NULL;
}

// Chooses what the sketches of `count` zones are, those of the blocks from `first` on.
void sift_choose(Space *, const Slab *, SiftLegend *, uint32_t first, uint32_t count);
// The sketch of a zone, or of the current node (0).
Sketch sift_sketch(Space *, const SiftLegend *, uint32_t zone);
// The node of a zone that covers the current node, in the clusters that begin with the newest
// block, `first`; UINT32_MAX if there is none.
uint32_t sift_subsumer(Space *, const Slab *, uint32_t first);
// Which of the zones of a block the current node covers, whose supply is given: their number, and
// their places, which have room for SIFT_MAX + BITSETS_OVER.
uint32_t sift_subsumed(Space *, Block *, uint32_t supply, uint32_t *places);
