#include "base/heap.h"

#include <assert.h>

void heap_push(Heap *heap, Mem *mem, uint64_t key) {
  vec_push(mem, heap, key);
  uint64_t *keys = heap->items;
  uint32_t at = heap->size - 1;
  for (; at && keys[(at - 1) / 2] > key; at = (at - 1) / 2)
    keys[at] = keys[(at - 1) / 2];
  keys[at] = key;
}

uint64_t heap_pop(Heap *heap) {
  assert(heap->size);
  uint64_t *keys = heap->items;
  const uint64_t first = keys[0], last = keys[--heap->size];
  const uint32_t size = heap->size;
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < size; at = child) {
    child += child + 1 < size && keys[child + 1] < keys[child];
    if (keys[child] >= last)
      break;
    keys[at] = keys[child];
  }
  keys[at] = last;
  return first;
}

void heap_release(Heap *heap, Mem *mem) { vec_release(mem, heap); }
