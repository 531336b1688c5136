// Slab: memory for blocks of many sizes, in units of 8 bytes, addressed by 32-bit unit numbers
// (32 GiB); 0 is none. Pages are large and never move, so blocks do not. Freed blocks are kept in
// lists by size. An allocation takes the smallest free block that fits, and the rest of that
// block stays free.
#pragma once

#include "base/vec.h"

enum { SLAB_UNIT = 8, SLAB_LISTS = 4097 }; // larger blocks are lost when they are freed
enum { SLAB_SLACK = 64 };                  // readable bytes behind each page

typedef struct Slab {
  Mem *mem;
  VEC(char *) pages;
  uint32_t page_shift;                  // units per page, as a power of two
  uint32_t page_used;                   // units used of the newest page
  uint32_t lists[SLAB_LISTS];           // free blocks by size in units
  uint64_t filled[SLAB_LISTS / 64 + 1]; // bitmap: which lists are not empty
  uint32_t largest;                     // no free block is larger
} Slab;

void slab_init(Slab *, Mem *, size_t max_bytes); // of any block
size_t slab_bytes(const Slab *);                 // memory in use

// A block of so many units, which is not cleared.
uint32_t slab_alloc(Slab *, uint32_t units);
void slab_free(Slab *, uint32_t ref, uint32_t units);

static inline void *slab_at(const Slab *slab, uint32_t ref) {
  const uint32_t mask = (1u << slab->page_shift) - 1;
  return slab->pages.items[ref >> slab->page_shift] + (size_t)(ref & mask) * SLAB_UNIT;
}
