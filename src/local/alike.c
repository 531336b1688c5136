#include "local/alike.h"

#include <string.h>

enum { MOST_BYTES = ALIKE_WORDS * 8, PIECE = 16, FEW = 1 << 7 };

Alike *alike_new(Mem *mem) {
  Alike *alike = mem_alloc_raw(mem, sizeof *alike);
  alike->mask = FEW - 1;
  alike->missed = 0;
  alike_clear(alike);
  return alike;
}

void alike_clear(Alike *alike) {
  memset(alike->entries, 0, (alike->mask + 1) * sizeof *alike->entries);
}

// The place for a zone that was not found.
static AlikeEntry *make_place(Alike *alike, uint64_t hash) {
  if (++alike->missed > 2 * alike->mask && alike->mask < ALIKE_ENTRIES - 1) {
    alike->mask = alike->mask * 4 + 3;
    alike_clear(alike);
  }
  return &alike->entries[hash >> 32 & alike->mask];
}

// What counts of a zone, one row behind the other; its size in words, with zeros at the end. Rows
// are copied in pieces, beyond their end: zones have slack behind them.
static uint32_t gather(uint64_t *words, const OffsetShape *shape, const int8_t *body) {
  char *to = (char *)words;
  const uint32_t clocks = shape->clocks;
  memcpy(to, body, PIECE);
  to += clocks;
  for (uint32_t r = 0; r < shape->row_count; r++) {
    if (r >= shape->clock_rows && r < shape->frozen_from)
      continue;
    memcpy(to, body + clocks + (size_t)r * shape->n, PIECE);
    to += clocks;
  }
  memset(to, 0, 8);
  return (uint32_t)(to - (char *)words + 7) / 8;
}

AlikeEntry *alike_find(Alike *alike, const OffsetShape *shape, uint32_t setting,
                       const int8_t *body) {
  const uint32_t rows = shape->clock_rows + shape->row_count - shape->frozen_from;
  if (shape->clocks > PIECE || (rows + 1) * shape->clocks > MOST_BYTES)
    return NULL;
  uint64_t words[ALIKE_WORDS + PIECE / 8 + 1], hash = setting;
  const uint32_t size = gather(words, shape, body);
  for (uint32_t i = 0; i < size; i++) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  AlikeEntry *entry = &alike->entries[hash >> 32 & alike->mask];
  if (entry->setting == setting && entry->sync) {
    uint64_t differs = 0;
    for (uint32_t i = 0; i < size; i++)
      differs |= entry->words[i] ^ words[i];
    if (!differs)
      return entry;
  }
  entry = make_place(alike, hash);
  *entry = (AlikeEntry){.setting = setting};
  memcpy(entry->words, words, size * sizeof *words);
  return entry;
}
