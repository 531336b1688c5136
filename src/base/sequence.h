// Sequence: a list of numbered items in which the places of any two items can be compared.
//
// Labels ascend along the list. Item 0 is both ends: it stands before the first item and behind
// the last one, and its label is higher than all others. All-zero but for `mem` is the empty
// sequence.
#pragma once

#include "base/vec.h"

typedef struct SequenceItem {
  uint64_t label;
  uint32_t previous, next;
} SequenceItem;

typedef struct Sequence {
  Mem *mem;
  VEC(SequenceItem) items;
  uint32_t free; // first number not in use, linked by `next`; 0: none
} Sequence;

// A new item directly before another one, or with 0 at the end. Its number is the lowest that was
// never used, or one that was removed.
uint32_t sequence_insert(Sequence *, uint32_t before);
void sequence_remove(Sequence *, uint32_t item);

static inline uint32_t sequence_first(const Sequence *sequence) { // 0 if there is none
  return sequence->items.size ? sequence->items.items[0].next : 0;
}
// Larger for an item behind another one; valid until the next insertion.
static inline uint64_t sequence_label(const Sequence *sequence, uint32_t item) {
  return sequence->items.items[item].label;
}
