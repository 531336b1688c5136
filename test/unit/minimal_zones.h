// Random zones and their minimal forms, for the unit tests of both.
#ifndef TARN_TEST_UNIT_MINIMAL_ZONES_H
#define TARN_TEST_UNIT_MINIMAL_ZONES_H

#include "dbm/stored/minimal.h"
#include "sample_zones.h"

enum { STRING_MOST = 4096 };

typedef struct MinimalFixture {
  Random random;
  _Alignas(64) char memory[65536];
  MinimalRoom room;
  char string[STRING_MOST], other[STRING_MOST];
  uint32_t n;
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
} MinimalFixture;

static const int minimal_mosts[] = {3, 10, 60, 8000, 1000000};

static inline void minimal_begin(MinimalFixture *f, uint64_t seed) {
  assert_true(minimal_room_bytes(ZONE_MOST) <= sizeof f->memory);
  assert_true(minimal_most_bytes(ZONE_MOST) <= STRING_MOST);
  random_seed(&f->random, seed);
  minimal_init(&f->room, f->memory, ZONE_MOST);
}

static inline void minimal_choose_n(MinimalFixture *f) {
  f->n = 1 + random_below(&f->random, random_below(&f->random, 3) ? 9 : ZONE_MOST);
}

// Some clocks follow others at a fixed distance, more often than chance would have it.
static inline void minimal_tie_clocks(MinimalFixture *f, Zone *zone) {
  for (uint32_t x = 1; x < f->n; x++) {
    const uint32_t y = random_below(&f->random, f->n);
    if (y != x && random_below(&f->random, 3) == 0)
      dbm_assign_clock(zone->d, f->n, x, y, random_between(&f->random, 0, 3));
  }
}

static inline void minimal_choose_zone(MinimalFixture *f, Zone *zone, int most) {
  random_zone(zone, &f->random, f->n, most);
  if (random_below(&f->random, 3) == 0)
    minimal_tie_clocks(f, zone);
}

#endif
