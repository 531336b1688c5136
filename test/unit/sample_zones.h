// Shared by the tests of src/dbm: random zones, random points of a zone, and naive versions
// that share no loop with the kernels.
#pragma once

#include "base/random.h"
#include "dbm/extra.h"
#include "dbm/stored/probe.h"

#include <string.h>

// Dimensions up to ZONE_MAX, clock 0 included. Points are multiples of 1 / ZONE_SCALE, one
// bit per clock, so that there is always room between the clocks chosen before.
enum { ZONE_MAX = 21, ZONE_STRIDE = 24, ZONE_SCALE = 1 << (ZONE_MAX - 1) };

// Zones made by random_zone_closed with constants up to this stay in range, just.
enum { ZONE_CONSTANT_MAX = BOUND_MAX - 3 };

typedef struct Zone {
  _Alignas(DBM_ALIGN) Bound d[ZONE_MAX * ZONE_STRIDE];
  uint32_t n;
} Zone;

static inline Bound *zone_at(Zone *zone, uint32_t i, uint32_t j) {
  return &zone->d[i * dbm_stride(zone->n) + j];
}

static inline Bound zone_get(const Zone *zone, uint32_t i, uint32_t j) {
  return zone->d[i * dbm_stride(zone->n) + j];
}

static inline int64_t random_up_to(Random *random, int64_t max) {
  return (int64_t)(random_next(random) % ((uint64_t)max + 1));
}

// Everything infinite, padding too, but the diagonal and x >= 0.
static inline void naive_universal(Zone *zone, uint32_t n) {
  zone->n = n;
  for (uint32_t k = 0; k < ZONE_MAX * ZONE_STRIDE; k++)
    zone->d[k] = BOUND_INF;
  for (uint32_t i = 0; i < n; i++)
    *zone_at(zone, i, i) = *zone_at(zone, 0, i) = BOUND_LE_ZERO;
}

static inline void naive_tighten(Zone *zone, Constraint c) {
  Bound *b = zone_at(zone, c.i, c.j);
  *b = c.bound < *b ? c.bound : *b;
}

// Floyd and Warshall as in the books; false at the first negative cycle.
static inline bool naive_close(Zone *zone) {
  const uint32_t n = zone->n;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++) {
      Bound *row = zone_at(zone, i, 0);
      const Bound *via = zone_at(zone, k, 0), first = row[k];
      for (uint32_t j = 0; j < n && first != BOUND_INF; j++) {
        const Bound sum = bound_sum(first, via[j]);
        row[j] = sum < row[j] ? sum : row[j];
      }
      if (row[i] < BOUND_LE_ZERO)
        return false;
    }
  return true;
}

static inline bool naive_equal(const Zone *a, const Zone *b) {
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (zone_get(a, i, j) != zone_get(b, i, j))
        return false;
  return true;
}

static inline bool naive_includes(const Zone *big, const Zone *small) {
  for (uint32_t i = 0; i < big->n; i++)
    for (uint32_t j = 0; j < big->n; j++)
      if (zone_get(small, i, j) > zone_get(big, i, j))
        return false;
  return true;
}

static inline bool naive_satisfies(const int64_t *point, Constraint c) {
  const int64_t difference = point[c.i] - point[c.j];
  const int64_t limit = (int64_t)bound_constant(c.bound) * ZONE_SCALE;
  if (c.bound == BOUND_INF)
    return true;
  return bound_is_strict(c.bound) ? difference < limit : difference <= limit;
}

static inline bool naive_contains(const Zone *zone, const int64_t *point) {
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++)
      if (!naive_satisfies(point, (Constraint){i, j, zone_get(zone, i, j)}))
        return false;
  return true;
}

// The smallest format that holds a zone.
static inline PackedFormat naive_format(const Zone *zone) {
  for (uint32_t i = 0; i < zone->n; i++)
    for (uint32_t j = 0; j < zone->n; j++) {
      const Bound b = zone_get(zone, i, j);
      if (b != BOUND_INF && (b >= INT16_MAX - 1 || b <= INT16_MIN))
        return PACKED_32;
    }
  return PACKED_16;
}

// Bounds of clocks, some missing.
static inline void random_bounds(Random *random, uint32_t n, int max, int32_t *lower,
                                 int32_t *upper) {
  lower[0] = upper[0] = 0;
  for (uint32_t x = 1; x < n; x++) {
    lower[x] = random_below(random, 4) ? random_between(random, 0, max) : CLOCK_NO_BOUND;
    upper[x] = random_below(random, 4) ? random_between(random, 0, max) : CLOCK_NO_BOUND;
  }
}

static inline Constraint random_constraint(Random *random, uint32_t n, int max, bool diagonals) {
  const uint32_t i = random_below(random, n);
  const uint32_t shift = 1 + random_below(random, n - 1);
  Constraint c = {i, (i + shift) % n, 0};
  if (!diagonals && i)
    c.j = 0;
  const int low = c.j == 0 ? 0 : -max, high = c.i == 0 ? 0 : max;
  c.bound = bound_make(random_between(random, low, high), random_below(random, 3) == 0);
  return c;
}

// A constraint that the point satisfies, often with nothing to spare.
static inline Constraint random_constraint_around(Random *random, uint32_t n, int max,
                                                  const int64_t *point) {
  Constraint c = random_constraint(random, n, max, true);
  const int64_t difference = point[c.i] - point[c.j];
  const int64_t whole = difference / ZONE_SCALE - (difference % ZONE_SCALE < 0);
  const bool exact = whole * ZONE_SCALE == difference;
  const int32_t least = (int32_t)whole + !exact;
  const int32_t constant = least + (int32_t)random_below(random, 3);
  c.bound = bound_make(constant, constant * (int64_t)ZONE_SCALE > difference &&
                                     random_below(random, 2) == 0);
  return c;
}

// Closure of random constraints around a random point: never empty.
static inline void random_zone_closed(Zone *zone, Random *random, uint32_t n, int max) {
  int64_t point[ZONE_MAX] = {0};
  const int64_t step = random_below(random, 2) ? ZONE_SCALE : 1;
  for (uint32_t i = 1; i < n; i++)
    point[i] = random_up_to(random, max * (int64_t)ZONE_SCALE) / step * step;
  naive_universal(zone, n);
  const uint32_t count = random_below(random, 3 * n + 2);
  for (uint32_t c = 0; n > 1 && c < count; c++)
    naive_tighten(zone, random_constraint_around(random, n, max, point));
  naive_close(zone);
}

// What a search does: guards, resets and delays from the zero zone. Stops before an empty zone.
static inline void random_zone_run(Zone *zone, Random *random, uint32_t n, int max) {
  zone->n = n;
  naive_universal(zone, n);
  dbm_zero(zone->d, n);
  const uint32_t steps = random_below(random, 3 * n + 4);
  for (uint32_t step = 0; n > 1 && step < steps; step++) {
    const uint32_t x = 1 + random_below(random, n - 1);
    Zone before = *zone;
    switch (random_below(random, 5)) {
    case 0:
      dbm_assign(zone->d, n, x, 0);
      break;
    case 1:
      dbm_assign(zone->d, n, x, random_between(random, 0, max));
      break;
    case 2:
    case 3:
      if (!dbm_constrain(&(Mem){0}, zone->d, n, random_constraint(random, n, max, step % 4 == 0)))
        *zone = before;
      break;
    default:
      dbm_up(zone->d, n);
    }
  }
}

static inline void random_zone(Zone *zone, Random *random, uint32_t n, int max) {
  if (random_below(random, 2))
    random_zone_closed(zone, random, n, max);
  else
    random_zone_run(zone, random, n, max);
}

// A point of a tight zone, clock by clock, each within what the earlier ones leave it: in a
// tight zone that is never nothing. Clock i takes multiples of ZONE_SCALE >> i, so that an open
// interval between earlier clocks has its middle.
static inline void random_point_in(const Zone *zone, Random *random, int64_t *point) {
  point[0] = 0;
  for (uint32_t i = 1; i < zone->n; i++) {
    const int64_t step = ZONE_SCALE >> i;
    int64_t low = 0, high = INT64_MAX;
    for (uint32_t j = 0; j < i; j++) {
      const Bound above = zone_get(zone, i, j), below = zone_get(zone, j, i);
      const int64_t max =
          point[j] + (int64_t)bound_constant(above) * ZONE_SCALE - bound_is_strict(above) * step;
      const int64_t least =
          point[j] - (int64_t)bound_constant(below) * ZONE_SCALE + bound_is_strict(below) * step;
      high = above != BOUND_INF && max < high ? max : high;
      low = below != BOUND_INF && least > low ? least : low;
    }
    if (high == INT64_MAX)
      high = low + 3 * ZONE_SCALE;
    switch (random_below(random, 4)) {
    case 0:
      point[i] = low;
      break;
    case 1:
      point[i] = high;
      break;
    default:
      point[i] = low + random_up_to(random, (high - low) / step) * step;
    }
  }
}

static inline void random_point(Random *random, uint32_t n, int max, int64_t *point) {
  point[0] = 0;
  const int64_t step = random_below(random, 2) ? ZONE_SCALE : ZONE_SCALE / 2;
  for (uint32_t i = 1; i < n; i++)
    point[i] = random_up_to(random, (max + 1) * (int64_t)ZONE_SCALE) / step * step;
}

// Moves one clock a little: points just in and just out of the zone.
static inline void random_nudge(Random *random, uint32_t n, int64_t *point) {
  if (n < 2)
    return;
  const uint32_t x = 1 + random_below(random, n - 1);
  const int64_t moved = point[x] + random_between(random, -ZONE_SCALE, ZONE_SCALE);
  point[x] = moved < 0 ? 0 : moved;
}
