// Random walks over offset matrices, beside a naive full matrix: for the tests of dbm/offset and
// dbm/synced.
#pragma once

#include "dbm/offset.h"
#include "sample_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { OFFSET_CLOCKS = 10, OFFSET_TIMES = 4, OFFSET_MAX = 16, OFFSET_STRIDE = 16 };

// A zone over the clocks of `owner`, an event, the times of the processes and of one resource.
typedef struct Walk {
  OffsetShape shape;
  uint32_t rows[OFFSET_MAX], place[OFFSET_MAX];
  int32_t columns[OFFSET_STRIDE];
  uint32_t owner[OFFSET_CLOCKS]; // clock -> process that sets it
  bool dropped[OFFSET_CLOCKS];   // clocks that do not matter, until they are set
  bool frozen[OFFSET_TIMES];
  Constraint ceilings[OFFSET_CLOCKS + OFFSET_TIMES];
  uint32_t ceiling_count;
  _Alignas(64) Bound before[16];
  Bound d[OFFSET_MAX * OFFSET_STRIDE];
  Bound after[16];
  Zone naive; // no clock 0; has dropped clocks, too
} Walk;

// A Walk was copied: its arrays are its own.
static inline void walk_anchor(Walk *walk) {
  walk->shape.rows = walk->rows;
  walk->shape.place = walk->place;
  walk->shape.columns = walk->columns;
}

static inline void walk_row(Walk *walk, uint32_t variable) {
  walk->place[variable] = walk->shape.row_count;
  walk->rows[walk->shape.row_count++] = variable;
}

static inline void walk_shape(Walk *walk, uint32_t clocks, uint32_t times) {
  OffsetShape *shape = &walk->shape;
  const uint32_t n = clocks + 1 + times + 1;
  *shape = (OffsetShape){.n = n,
                         .stride = dbm_stride(n),
                         .clocks = clocks,
                         .first_time = clocks + 1,
                         .times = times};
  walk_anchor(walk);
  for (uint32_t i = 0; i < OFFSET_STRIDE; i++)
    walk->columns[i] = i < n && (i >= clocks || !walk->dropped[i]) ? -1 : 0;
  for (uint32_t x = 0; x < clocks; x++)
    if (!walk->dropped[x])
      walk_row(walk, x);
  shape->clock_rows = shape->row_count;
  walk_row(walk, clocks);
  shape->frozen_from = shape->row_count;
  for (uint32_t p = 0; p < times; p++)
    if (walk->frozen[p])
      walk_row(walk, shape->first_time + p);
}

static inline void walk_free(Zone *zone, uint32_t variable) {
  for (uint32_t j = 0; j < zone->n; j++)
    *zone_at(zone, variable, j) = variable == j ? BOUND_LE_ZERO : BOUND_INF;
}

// Local times pass, naively; the result must not be empty.
static inline void walk_elapse_naive(Walk *walk) {
  const OffsetShape *shape = &walk->shape;
  for (uint32_t p = 0; p < shape->times; p++)
    if (!walk->frozen[p])
      walk_free(&walk->naive, shape->first_time + p);
  walk_free(&walk->naive, shape->n - 1);
  for (uint32_t c = 0; c < walk->ceiling_count; c++)
    if (!walk->frozen[walk->ceilings[c].i - shape->first_time])
      naive_tighten(&walk->naive, walk->ceilings[c]);
  assert_true(naive_close(&walk->naive));
}

static inline void walk_compare(const Walk *walk) {
  const OffsetShape *shape = &walk->shape;
  for (uint32_t r = 0; r < shape->row_count; r++) {
    const uint32_t i = shape->rows[r];
    for (uint32_t j = 0; j < shape->stride; j++)
      assert_int_equal(walk->d[i * shape->stride + j],
                       walk->columns[j] ? zone_get(&walk->naive, i, j) : BOUND_INF);
  }
  assert_true(offset_is_tight(walk->d, shape));
  assert_true(offset_in_range(walk->d, shape));
}

static inline void walk_start(Walk *walk, Random *random, uint32_t clocks, uint32_t times) {
  memset(walk, 0, sizeof *walk);
  for (uint32_t x = 0; x < clocks; x++)
    walk->owner[x] = random_below(random, times);
  walk_shape(walk, clocks, times);
  walk->naive.n = walk->shape.n;
  for (uint32_t k = 0; k < ZONE_MAX * ZONE_STRIDE; k++)
    walk->naive.d[k] = BOUND_LE_ZERO;
  offset_zero(walk->d, &walk->shape);
  walk_elapse_naive(walk);
  walk_compare(walk);
}

typedef struct WalkAction {
  OffsetAction action;
  OffsetLink in[32], out[64];
  uint32_t origin[OFFSET_STRIDE], kept[1];
  int32_t becomes[OFFSET_STRIDE];
  int32_t shift[OFFSET_STRIDE];
  bool domain[OFFSET_TIMES];
} WalkAction;

static inline void walk_link(WalkAction *a, uint32_t variable, Bound in, Bound out) {
  if (in != BOUND_INF)
    a->in[a->action.in_count++] = (OffsetLink){variable, in};
  if (out != BOUND_INF)
    a->out[a->action.out_count++] = (OffsetLink){variable, out};
}

// The instant is not after the time of a process: after what bounds that.
static inline void walk_meet(WalkAction *a, const Walk *walk, uint32_t p) {
  const uint32_t time = walk->shape.first_time + p;
  walk_link(a, time, BOUND_LE_ZERO, walk->frozen[p] ? BOUND_LE_ZERO : BOUND_INF);
  for (uint32_t c = 0; !walk->frozen[p] && c < walk->ceiling_count; c++)
    if (walk->ceilings[c].i == time)
      walk_link(a, walk->ceilings[c].j, BOUND_INF, walk->ceilings[c].bound);
}

// New ceilings for the processes in the domain, which hold at the instant.
static inline void walk_ceilings(Walk *next, const Walk *walk, WalkAction *a, Random *random) {
  const OffsetShape *shape = &next->shape;
  next->ceiling_count = 0;
  for (uint32_t p = 0; p < shape->times; p++)
    for (uint32_t x = 0; x < shape->clocks; x++) {
      if (!a->domain[p]) {
        for (uint32_t c = 0; c < walk->ceiling_count; c++)
          if (walk->ceilings[c].i == walk->shape.first_time + p && walk->ceilings[c].j == x)
            next->ceilings[next->ceiling_count++] = walk->ceilings[c];
        continue;
      }
      if (next->owner[x] != p || next->dropped[x] || next->frozen[p] || random_below(random, 2))
        continue;
      const int32_t c = random_between(random, 0, 9);
      next->ceilings[next->ceiling_count++] = (Constraint){shape->first_time + p, x, bound_le(c)};
      if (a->origin[x] == walk->shape.n)
        next->ceilings[next->ceiling_count - 1].bound = bound_le(c + a->shift[x]);
      else
        walk_link(a, x, BOUND_INF, bound_le(c));
    }
}

// A random action: a domain, guards, resets; sometimes the resource is read or written.
static inline void walk_choose(Walk *next, const Walk *walk, WalkAction *a, Random *random) {
  const OffsetShape *shape = &walk->shape;
  const uint32_t n = shape->n;
  *a = (WalkAction){0};
  *next = *walk;
  for (uint32_t i = 0; i < OFFSET_STRIDE; i++)
    a->origin[i] = i;
  const uint32_t first = random_below(random, shape->times);
  for (uint32_t p = 0; p < shape->times; p++) {
    a->domain[p] = p == first || random_below(random, 4) == 0;
    if (!a->domain[p])
      continue;
    walk_meet(a, walk, p);
    a->origin[shape->first_time + p] = n;
    next->frozen[p] = random_below(random, 4) == 0;
  }
  const bool shifts = random_below(random, 4) == 0;
  for (uint32_t x = 0; x < shape->clocks; x++) {
    if (!a->domain[walk->owner[x]])
      continue;
    const int32_t low = random_between(random, 0, 4);
    if (!walk->dropped[x] && random_below(random, 3) == 0)
      walk_link(a, x, bound_make(-low, random_below(random, 2)), BOUND_INF);
    if (!walk->dropped[x] && random_below(random, 3) == 0)
      walk_link(a, x, BOUND_INF, bound_make(low + random_between(random, 0, 5), false));
    if (random_below(random, 3) == 0) {
      a->origin[x] = n;
      a->shift[x] = shifts ? random_between(random, 0, 5) : 0;
      next->dropped[x] = false;
    }
    if (random_below(random, 8) == 0)
      next->dropped[x] = true;
  }
  walk_shape(next, shape->clocks, shape->times);
  const uint32_t event = shape->clocks, resource = n - 1;
  switch (random_below(random, 3)) {
  case 0: // a write
    walk_link(a, resource, BOUND_LE_ZERO, BOUND_INF);
    a->origin[resource] = a->origin[event] = n;
    break;
  case 1: // a read
    walk_link(a, event, BOUND_LE_ZERO, BOUND_INF);
    a->kept[a->action.kept_count++] = resource;
    break;
  }
  walk_ceilings(next, walk, a, random);
  for (uint32_t i = 0; i < OFFSET_STRIDE; i++)
    a->becomes[i] = a->origin[i] == n && i < n ? -1 : 0;
  a->action.in = a->in;
  a->action.out = a->out;
  a->action.becomes = a->becomes;
  a->action.origin = random_below(random, 2) ? a->origin : NULL;
  a->action.shift = shifts ? a->shift : NULL;
  a->action.kept = a->kept;
}

// The action on the naive matrix, with one variable more for the instant.
static inline bool walk_fire_naive(Walk *next, const Walk *walk, const WalkAction *a) {
  const uint32_t n = walk->shape.n;
  Zone big = {.n = n + 1};
  for (uint32_t i = 0; i <= n; i++)
    for (uint32_t j = 0; j <= n; j++)
      *zone_at(&big, i, j) = i < n && j < n ? zone_get(&walk->naive, i, j)
                             : i == j       ? BOUND_LE_ZERO
                                            : BOUND_INF;
  for (uint32_t i = 0; i < a->action.in_count; i++)
    naive_tighten(&big, (Constraint){a->in[i].variable, n, a->in[i].bound});
  for (uint32_t i = 0; i < a->action.out_count; i++)
    naive_tighten(&big, (Constraint){n, a->out[i].variable, a->out[i].bound});
  for (uint32_t i = 0; i < a->action.kept_count; i++)
    naive_tighten(&big, (Constraint){n, a->kept[i], BOUND_LE_ZERO});
  if (!naive_close(&big))
    return false;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      *zone_at(&next->naive, i, j) =
          bound_shift(zone_get(&big, a->origin[i], a->origin[j]), a->shift[j] - a->shift[i]);
  return true;
}

// One step; false if it is not possible. Both ways must agree.
static inline bool walk_step(Walk *walk, Random *random) {
  static Walk next;
  _Alignas(64) Bound instant[OFFSET_STRIDE], spare[2 * OFFSET_STRIDE];
  WalkAction a;
  walk_choose(&next, walk, &a, random);
  const bool possible = walk_fire_naive(&next, walk, &a);
  assert_int_equal(offset_instant(walk->d, &walk->shape, &a.action, instant), possible);
  if (!possible)
    return false;
  offset_fire(next.d, &next.shape, walk->d, &a.action, instant, spare);
  walk_elapse_naive(&next);
  walk_compare(&next);
  *walk = next;
  walk_anchor(walk);
  return true;
}

// The synchronised zone by adding equalities, or nothing if there is none.
static inline bool walk_synchronise_naive(Zone *zone, const Walk *walk) {
  const OffsetShape *shape = &walk->shape;
  *zone = walk->naive;
  for (uint32_t p = 1; p < shape->times; p++) {
    naive_tighten(zone, (Constraint){shape->first_time, shape->first_time + p, BOUND_LE_ZERO});
    naive_tighten(zone, (Constraint){shape->first_time + p, shape->first_time, BOUND_LE_ZERO});
  }
  return naive_close(zone);
}
