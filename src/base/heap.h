// Heap: a priority queue of 64-bit keys, the smallest first. All-zero is the empty heap.
#ifndef TARN_BASE_HEAP_H
#define TARN_BASE_HEAP_H

#include "base/vec.h"

typedef VEC(uint64_t) Heap;

void heap_push(Heap *, Mem *, uint64_t key);
uint64_t heap_pop(Heap *); // of one that is not empty
void heap_release(Heap *, Mem *);

#endif
