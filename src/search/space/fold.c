#include "search/space/fold.h"

#include "base/testbuild.h"

#include <string.h>

// Shorter keys are better stored as they are.
enum { LEAST_WORDS = LOWERED(4, 2, 2) };

bool fold_suits(uint32_t words) { return !IS_PLAIN && words >= LEAST_WORDS; }

static uint32_t half(uint32_t count) { return (count + 1) / 2; }

static uint32_t level_size(const Fold *fold, uint32_t level) {
  return fold->first[level + 1] - fold->first[level];
}

void fold_init(Fold *fold, Mem *mem, uint32_t words) {
  *fold = (Fold){.mem = mem, .words = words};
  for (uint32_t size = words; size > 1; size = half(size), fold->levels++)
    fold->first[fold->levels + 1] = fold->first[fold->levels] + size;
  const uint32_t all = fold->first[fold->levels];
  keytable_init(&fold->table, mem, sizeof(uint64_t), 0);
  fold->base = mem_alloc(mem, words * sizeof *fold->base);
  fold->base_numbers = mem_alloc(mem, all * sizeof *fold->base_numbers);
  fold->numbers = mem_alloc(mem, all * sizeof *fold->numbers);
  fold->changed = mem_alloc(mem, words * sizeof *fold->changed);
  // The base is a key of zeroes, whose tree has to be in the table, too.
  uint64_t *zeroes = mem_alloc(mem, words * sizeof *zeroes);
  memset(fold->base, 0xff, words * sizeof *fold->base);
  fold_base(fold, fold_key(fold, zeroes));
  mem_free(mem, zeroes);
}

static uint32_t number_of(Fold *fold, uint64_t word) {
  bool is_new;
  return keytable_add(&fold->table, &word, &is_new);
}

static uint64_t word_of(const Fold *fold, uint32_t number) {
  uint64_t word;
  keytable_key(&fold->table, number, &word);
  return word;
}

static uint64_t pair(uint32_t left, uint32_t right) { return (uint64_t)left << 32 | right; }

// The numbers of words of the key that differ from the base: how many.
static uint32_t number_leaves(Fold *fold, const uint64_t *key) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < fold->words; i++)
    if (key[i] != fold->base[i]) {
      fold->numbers[i] = number_of(fold, key[i]);
      fold->changed[count++] = i;
    }
  return count;
}

// The number at a position of a level whose next change is `changed`; it moves on behind it.
static uint32_t number_at(const Fold *fold, uint32_t level, uint32_t position,
                          const uint32_t **changed, const uint32_t *end) {
  const uint32_t at = fold->first[level] + position;
  if (*changed == end || **changed != position)
    return fold->base_numbers[at];
  ++*changed;
  return fold->numbers[at];
}

// From the changes of a level those of the next one, in the same place: how many. A number
// without a neighbour is passed on.
static uint32_t climb(Fold *fold, uint32_t level, uint32_t count) {
  const uint32_t size = level_size(fold, level);
  uint32_t *above = fold->numbers + fold->first[level + 1], next = 0;
  const uint32_t *changed = fold->changed, *end = fold->changed + count;
  while (changed < end) {
    const uint32_t position = *changed / 2;
    const uint32_t left = number_at(fold, level, 2 * position, &changed, end);
    above[position] = left;
    if (2 * position + 1 < size) {
      const uint32_t right = number_at(fold, level, 2 * position + 1, &changed, end);
      above[position] = number_of(fold, pair(left, right));
    }
    fold->changed[next++] = position;
  }
  return next;
}

uint64_t fold_key(Fold *fold, const uint64_t *key) {
  const uint32_t top = fold->levels - 1;
  uint32_t count = number_leaves(fold, key);
  for (uint32_t level = 0; level < top; level++)
    count = climb(fold, level, count);
  const uint32_t *changed = fold->changed, *end = fold->changed + count;
  const uint32_t left = number_at(fold, top, 0, &changed, end);
  return pair(left, number_at(fold, top, 1, &changed, end));
}

// The numbers of a tree from the top down, then its key.
static void unfold(const Fold *fold, uint64_t folded, uint32_t *numbers, uint64_t *key) {
  const uint32_t top = fold->levels - 1;
  numbers[fold->first[top]] = (uint32_t)(folded >> 32);
  numbers[fold->first[top] + 1] = (uint32_t)folded;
  for (uint32_t level = top; level--;) {
    const uint32_t size = level_size(fold, level);
    const uint32_t *above = numbers + fold->first[level + 1];
    uint32_t *below = numbers + fold->first[level];
    for (uint32_t i = 0; i + 1 < size; i += 2) {
      const uint64_t word = word_of(fold, above[i / 2]);
      below[i] = (uint32_t)(word >> 32);
      below[i + 1] = (uint32_t)word;
    }
    if (size % 2)
      below[size - 1] = above[size / 2];
  }
  for (uint32_t i = 0; i < fold->words; i++)
    key[i] = word_of(fold, numbers[i]);
}

const uint64_t *fold_base(Fold *fold, uint64_t folded) {
  unfold(fold, folded, fold->base_numbers, fold->base);
  return fold->base;
}

void fold_unfold(const Fold *fold, uint64_t folded, uint64_t *key) {
  unfold(fold, folded, fold->numbers, key);
}
