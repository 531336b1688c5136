#include "base/slab.h"

#include <assert.h>
#include <string.h>

enum { LEAST_PAGE_SHIFT = 14 };

static size_t page_bytes(const Slab *slab) {
  return ((size_t)SLAB_UNIT << slab->page_shift) + SLAB_SLACK;
}

// Four of the largest blocks in a page: little is wasted at its end.
void slab_init(Slab *slab, Mem *mem, size_t max_bytes) {
  *slab = (Slab){.mem = mem, .page_shift = LEAST_PAGE_SHIFT};
  while (max_bytes / SLAB_UNIT * 4 >> slab->page_shift)
    slab->page_shift++;
}

size_t slab_bytes(const Slab *slab) { return slab->pages.size * page_bytes(slab); }

void slab_free(Slab *slab, uint32_t ref, uint32_t units) {
  if (units >= SLAB_LISTS || !units)
    return; // a single huge body: too rare to be worth a list
  memcpy(slab_at(slab, ref), &slab->lists[units], sizeof(uint32_t));
  slab->lists[units] = ref;
  slab->filled[units / 64] |= (uint64_t)1 << units % 64;
  slab->largest = units > slab->largest ? units : slab->largest;
}

// A free block of at least this size, 0 if there is none.
static uint32_t reuse(Slab *slab, uint32_t units) {
  if (units > slab->largest)
    return 0;
  uint32_t word = units / 64;
  uint64_t bits = slab->filled[word] & ~(uint64_t)0 << units % 64;
  while (!bits) {
    if (++word > slab->largest / 64) {
      slab->largest = units - 1;
      return 0;
    }
    bits = slab->filled[word];
  }
  const uint32_t size = word * 64 + (uint32_t)__builtin_ctzll(bits), ref = slab->lists[size];
  memcpy(&slab->lists[size], slab_at(slab, ref), sizeof(uint32_t));
  if (!slab->lists[size])
    slab->filled[word] &= ~((uint64_t)1 << size % 64);
  slab_free(slab, ref + units, size - units);
  return ref;
}

uint32_t slab_alloc(Slab *slab, uint32_t units) {
  const uint32_t page_units = 1u << slab->page_shift;
  assert(units < page_units);
  const uint32_t reused = units < SLAB_LISTS ? reuse(slab, units) : 0;
  if (reused)
    return reused;
  if (!slab->pages.size || slab->page_used + units > page_units) {
    if (slab->pages.size == 1u << (32 - slab->page_shift)) // no references left
      mem_exhausted(slab->mem);
    // The pointer array first: if the page cannot be had, nothing is lost.
    vec_reserve(slab->mem, &slab->pages, slab->pages.size + 1);
    char *page = mem_alloc_raw(slab->mem, page_bytes(slab));
    slab->page_used = slab->pages.size ? 0 : 1; // reference 0 is "none"
    slab->pages.items[slab->pages.size++] = page;
  }
  const uint32_t ref = (slab->pages.size - 1) << slab->page_shift | slab->page_used;
  slab->page_used += units;
  return ref;
}
