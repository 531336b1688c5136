// Buckets: a priority queue like base/heap.h, for references that often share a key.
//
// The lower half of HeapKey.low is the reference; the rest, the *class*, says in which bucket it
// waits. Most references arrive in ascending order. They form a list in their bucket, and only
// the buckets are in a heap, so a push and a pop take constant time. Other references wait in a
// second heap. The links take 4 bytes for each reference up to the highest one.
#pragma once

#include "base/heap.h"
#include "base/pool.h"

typedef struct Bucket {
  uint64_t high;
  uint32_t low;         // upper half
  uint32_t next;        // in its chain; of one that is free, the next one that is
  uint32_t first, last; // references; first is BUCKETS_NONE if it is empty
} Bucket;

#define BUCKETS_NONE UINT32_MAX

typedef struct Buckets {
  Mem *mem;
  VEC(Bucket) items;
  uint32_t free;   // first bucket that is not in use
  uint32_t *table; // by hash of the class: first bucket of a chain
  uint32_t mask;
  Heap heap;  // of buckets in use, whose numbers are in place of references; some may be empty
  Heap late;  // what came after a higher reference of its class
  Pool after; // by reference: the next one in its bucket
} Buckets;

void buckets_init(Buckets *, Mem *);

// References are below BUCKETS_NONE. One may wait several times, but always has the same class.
void buckets_push(Buckets *, HeapKey);
bool buckets_pop(Buckets *, HeapKey *); // the smallest; false if nothing waits
// References that are likely to be popped next, in this order; how many, at most `max`.
uint32_t buckets_peek(const Buckets *, uint32_t *refs, uint32_t max);
bool buckets_ok(const Buckets *); // the invariants, for assertions in tests
