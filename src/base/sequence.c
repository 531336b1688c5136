// Labels are found as by Bender, Cole, Demaine, Farach-Colton and Zito (BCDFZ02). Where there is
// none between two neighbours, the smallest range of labels around them that is sparse enough is
// spread anew: a range of 2^i labels if it has fewer than (4/3)^i items. This takes logarithmic
// time for an insertion, amortised.
//
// Departure: a new item does not go halfway but stays close to the one before it, because
// the next one mostly goes behind it: to the end, or before the same item.
#include "base/sequence.h"

enum { LABEL_BITS = 62, LEAST_STEP = 4, SHARE = 8 };
#define MAX_STEP ((uint64_t)1 << 36)

static uint32_t new_item(Sequence *sequence) {
  const uint32_t item = sequence->free;
  if (item) {
    sequence->free = sequence->items.items[item].next;
    return item;
  }
  if (!sequence->items.size)
    vec_push(sequence->mem, &sequence->items, ((SequenceItem){(uint64_t)1 << LABEL_BITS, 0, 0}));
  vec_push(sequence->mem, &sequence->items, (SequenceItem){0});
  return sequence->items.size - 1;
}

// Gives `count` items from `item` on labels at even distances.
static void spread(SequenceItem *items, uint32_t item, uint32_t count, uint64_t low,
                   uint64_t step) {
  for (uint64_t label = low + step; count; count--, label += step) {
    items[item].label = label;
    item = items[item].next;
  }
}

// Makes room between an item and its neighbours.
static void make_room(SequenceItem *items, uint32_t item) {
  uint32_t first = item, last = item, count = 1;
  double max = 1;
  for (uint32_t bits = 1;; bits++) {
    const uint64_t size = (uint64_t)1 << bits, low = items[item].label & ~(size - 1);
    for (; items[first].previous && items[items[first].previous].label >= low; count++)
      first = items[first].previous;
    for (; items[last].next && items[items[last].next].label - low < size; count++)
      last = items[last].next;
    const uint64_t step = size / (count + (uint64_t)1);
    max = max * 4 / 3;
    if (bits == LABEL_BITS || (count < max && step >= LEAST_STEP)) {
      spread(items, first, count, low, step);
      return;
    }
  }
}

uint32_t sequence_insert(Sequence *sequence, uint32_t before) {
  const uint32_t item = new_item(sequence);
  SequenceItem *items = sequence->items.items;
  const uint32_t previous = items[before].previous;
  if (items[before].label - (previous ? items[previous].label : 0) < 2)
    make_room(items, previous ? previous : before);
  const uint64_t low = previous ? items[previous].label : 0, gap = items[before].label - low;
  const uint64_t share = gap / SHARE + 1;
  items[item] = (SequenceItem){low + (share < MAX_STEP ? share : MAX_STEP), previous, before};
  items[previous].next = items[before].previous = item;
  return item;
}

void sequence_remove(Sequence *sequence, uint32_t item) {
  SequenceItem *items = sequence->items.items;
  items[items[item].previous].next = items[item].next;
  items[items[item].next].previous = items[item].previous;
  items[item].next = sequence->free;
  sequence->free = item;
}
