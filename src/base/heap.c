#include "base/heap.h"

#include <assert.h>

void heap_push(Heap *heap, Mem *mem, HeapKey key) {
  vec_push(mem, heap, key);
  HeapKey *keys = heap->items;
  uint32_t at = heap->size - 1;
  for (; at && heap_is_less(key, keys[(at - 1) / 2]); at = (at - 1) / 2)
    keys[at] = keys[(at - 1) / 2];
  keys[at] = key;
}

HeapKey heap_pop(Heap *heap) {
  assert(heap->size);
  HeapKey *keys = heap->items;
  const HeapKey first = keys[0], last = keys[--heap->size];
  const uint32_t size = heap->size;
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < size; at = child) {
    child += child + 1 < size && heap_is_less(keys[child + 1], keys[child]);
    if (!heap_is_less(keys[child], last))
      break;
    keys[at] = keys[child];
  }
  keys[at] = last;
  return first;
}
