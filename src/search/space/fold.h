// Fold: turns each long key into one word, and stores the parts that keys share once.
//
// The words of a key are the leaves of a tree. Each different word has a number; two neighbours
// become one word of two numbers, which has a number in turn, and so on. The last pair is the
// folded key: two keys are equal iff their folded keys are. All words of all levels lie in one
// table. A transition changes few words of a key, so only the words above these are looked up;
// the tree of one key, the *base*, is kept for the comparison (LPW11).
//
// Ownership: the fold owns the table. The table only grows.
#pragma once

#include "base/keytable.h"

enum { FOLD_MAX_LEVELS = 32 };

typedef struct Fold {
  Mem *mem;
  uint32_t words;                      // of a key, at least 2
  uint32_t levels;                     // of numbers below the last pair
  uint32_t first[FOLD_MAX_LEVELS + 1]; // where the numbers of a level begin
  KeyTable table;                      // words of all levels; what it says is their number
  uint64_t *base;                      // a key
  uint32_t *base_numbers;              // its tree, level by level
  uint32_t *numbers;                   // that of another key, only valid where they differ
  uint32_t *changed;                   // positions in a level where they differ
} Fold;

// Whether keys of so many words are to be folded. Never in the reference build.
bool fold_suits(uint32_t words);

void fold_init(Fold *, Mem *, uint32_t words);

uint64_t fold_key(Fold *, const uint64_t *key); // the folded key
// The key of a folded one. It becomes the base. The result is valid until the next call.
const uint64_t *fold_base(Fold *, uint64_t folded);
void fold_unfold(const Fold *, uint64_t folded, uint64_t *key); // the base stays

static inline size_t fold_bytes(const Fold *fold) { return keytable_bytes(&fold->table); }
