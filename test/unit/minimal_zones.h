// Random zones and their minimal forms, for the unit tests of both.
#pragma once

#include "dbm/stored/minimal.h"
#include "sample_zones.h"

enum { STRING_MAX = 4096 };

typedef struct MinimalFixture {
  Random random;
  _Alignas(64) char memory[65536];
  MinimalScratch room;
  char string[STRING_MAX], other[STRING_MAX];
  uint32_t n;
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
} MinimalFixture;

static const int minimal_maxima[] = {3, 10, 60, 8000, 1000000};

static inline void minimal_begin(MinimalFixture *f, uint64_t seed) {
  assert_true(minimal_scratch_bytes(ZONE_MAX) <= sizeof f->memory);
  assert_true(minimal_max_bytes(ZONE_MAX) <= STRING_MAX);
  random_seed(&f->random, seed);
  minimal_init(&f->room, f->memory, ZONE_MAX);
}

static inline void minimal_choose_n(MinimalFixture *f) {
  f->n = 1 + random_below(&f->random, random_below(&f->random, 3) ? 9 : ZONE_MAX);
}

// Some clocks follow others at a fixed distance, more often than chance would have it.
static inline void minimal_tie_clocks(MinimalFixture *f, Zone *zone) {
  for (uint32_t x = 1; x < f->n; x++) {
    const uint32_t y = random_below(&f->random, f->n);
    if (y != x && random_below(&f->random, 3) == 0)
      dbm_assign_clock(zone->d, f->n, x, y, random_between(&f->random, 0, 3));
  }
}

static inline void minimal_choose_zone(MinimalFixture *f, Zone *zone, int max) {
  random_zone(zone, &f->random, f->n, max);
  if (random_below(&f->random, 3) == 0)
    minimal_tie_clocks(f, zone);
}
