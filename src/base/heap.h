// Heap: a priority queue of 128-bit keys, the smallest first. All-zero is the empty heap.
#pragma once

#include "base/vec.h"

typedef struct HeapKey {
  uint64_t high, low;
} HeapKey;

typedef VEC(HeapKey) Heap;

static inline bool heap_is_less(HeapKey a, HeapKey b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

void heap_push(Heap *, Mem *, HeapKey);
HeapKey heap_pop(Heap *); // of one that is not empty
