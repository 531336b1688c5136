// Blocks: the zones of one key, which lie together in memory (base/slab.h) with the references of
// their nodes. So covering tests are one linear pass.
//
// A block is this header, `capacity` node references, then the zones, starting at a multiple of
// SLAB_UNIT. Either all blocks of a key have sketches (search/passed/sift.h), with one legend, or
// none has. Sketches lie behind the zones: the reference of the legend, the supplies, and the
// demands if they differ from the supplies. Speed.sketch_words says which exist; 0 means none.
#pragma once

#include "base/slab.h"

#include <stdbool.h>
#include <string.h>

typedef struct Block {
  uint32_t next; // older block of the key, 0 for none
  uint16_t count, capacity;
  uint32_t has_sketches;
} Block;

static inline size_t block_offset(uint32_t capacity) { // of the zones
  return (sizeof(Block) + capacity * sizeof(uint32_t) + SLAB_UNIT - 1) / SLAB_UNIT * SLAB_UNIT;
}

static inline uint32_t block_units(uint32_t capacity, uint32_t sketch_words) {
  const size_t words = capacity + (sketch_words ? 1 + sketch_words * capacity : 0);
  return (uint32_t)((block_offset(capacity) + words * sizeof(uint32_t) + SLAB_UNIT - 1) /
                    SLAB_UNIT);
}

static inline uint32_t *block_refs(Block *block) { return (uint32_t *)(block + 1); }

static inline uint32_t *block_zones(Block *block) {
  return (uint32_t *)(void *)((char *)block + block_offset(block->capacity));
}

static inline uint32_t *block_legend(Block *block) {
  return block_zones(block) + block->capacity;
}

static inline uint32_t *block_supplies(Block *block) { return block_legend(block) + 1; }

static inline uint32_t *block_demands(Block *block, uint32_t sketch_words) {
  return block_supplies(block) + (sketch_words - 1) * block->capacity;
}

// The block at a reference, NULL for 0: block_at(slab, block->next) is the next one of its key.
static inline Block *block_at(const Slab *slab, uint32_t ref) {
  return ref ? slab_at(slab, ref) : NULL;
}

// The last zone takes the place of the removed one.
static inline void block_remove(Block *block, uint32_t index, uint32_t sketch_words) {
  const uint32_t last = --block->count;
  block_zones(block)[index] = block_zones(block)[last];
  block_refs(block)[index] = block_refs(block)[last];
  if (block->has_sketches) {
    block_supplies(block)[index] = block_supplies(block)[last];
    block_demands(block, sketch_words)[index] = block_demands(block, sketch_words)[last];
  }
}
