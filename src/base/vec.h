// Vector: the one macro container. VEC(T) declares a growable array type; all-zero is
// the valid empty value; items move when the vector grows. Freed with vec_release.
#pragma once

#include "base/mem.h"

#include <assert.h>
#include <string.h>

#define VEC(T)                                                                                   \
  struct {                                                                                       \
    T *items;                                                                                    \
    uint32_t size, capacity;                                                                     \
  }

// New capacity for at least `needed` items; used by the macros only.
static inline void *vec_grow(Mem *mem, void *items, uint32_t *capacity, uint32_t needed,
                             size_t item_bytes) {
  if (needed <= *capacity)
    return items;
  uint32_t wanted = *capacity < 8 ? 8 : *capacity + *capacity / 2;
  if (wanted < needed)
    wanted = needed;
  items = mem_resize(mem, items, item_bytes * wanted);
  *capacity = wanted;
  return items;
}

// Puts the items from..size - 1, of no more than 64 bytes each, in the opposite order; used by
// vec_reverse only.
static inline void vec_turn(void *items, uint32_t from, uint32_t size, size_t item_bytes) {
  char swapped[64], *bytes = items;
  assert(item_bytes <= sizeof swapped);
  for (size_t i = from, j = size; i + 1 < j; i++) {
    char *one = bytes + i * item_bytes, *other = bytes + --j * item_bytes;
    memcpy(swapped, one, item_bytes);
    memcpy(one, other, item_bytes);
    memcpy(other, swapped, item_bytes);
  }
}

#define vec_reserve(mem, v, n)                                                                   \
  ((v)->items = vec_grow((mem), (v)->items, &(v)->capacity, (n), sizeof *(v)->items))

#define vec_push(mem, v, item)                                                                   \
  (vec_reserve((mem), (v), (v)->size + 1), (v)->items[(v)->size++] = (item))

#define vec_pop(v) ((v)->items[--(v)->size])
#define vec_last(v) ((v)->items[(v)->size - 1])
#define vec_reverse(v, from) vec_turn((v)->items, (from), (v)->size, sizeof *(v)->items)
#define vec_clear(v) ((v)->size = 0)
#define vec_release(mem, v)                                                                      \
  (mem_free((mem), (v)->items), (v)->items = NULL, (v)->size = (v)->capacity = 0)
