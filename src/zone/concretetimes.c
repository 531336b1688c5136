#include "zone/concretetimes.h"

// Larger times and offsets of clocks are given up, so that nothing wraps: constants of tests are
// much smaller, and sums have three of these numbers at most.
#define MOST_TIME (INT64_C(1) << 60)

void concretetimes_init(ConcreteTimes *timing, Mem *mem, uint32_t clocks) {
  *timing = (ConcreteTimes){.mem = mem, .clocks = clocks};
  timing->origin = mem_alloc(mem, clocks * sizeof *timing->origin);
  timing->offset = mem_alloc(mem, clocks * sizeof *timing->offset);
}

void concretetimes_release(ConcreteTimes *timing) {
  mem_free(timing->mem, timing->origin);
  mem_free(timing->mem, timing->offset);
  vec_release(timing->mem, &timing->constraints);
  vec_release(timing->mem, &timing->times);
}

static void add(ConcreteTimes *timing, uint32_t u, uint32_t v, int64_t constant, bool strict) {
  vec_push(timing->mem, &timing->constraints, ((Difference){u, v, constant, strict}));
}

void concretetimes_step(ConcreteTimes *timing, bool can_delay) {
  const uint32_t before = timing->now++;
  add(timing, before, timing->now, 0, false);
  if (!can_delay)
    add(timing, timing->now, before, 0, false);
}

void concretetimes_limit(ConcreteTimes *timing, int64_t time) {
  add(timing, timing->now, 0, time, true);
}

// x_i - x_j: a clock is now - T_origin + offset; clock 0 is zero, that is now - now.
void concretetimes_test(ConcreteTimes *timing, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++) {
    const ClockTest test = tests[t];
    const uint32_t u = test.j ? timing->origin[test.j] : timing->now;
    const uint32_t v = test.i ? timing->origin[test.i] : timing->now;
    const int64_t shift =
        (test.j ? timing->offset[test.j] : 0) - (test.i ? timing->offset[test.i] : 0);
    add(timing, u, v, test.constant + shift, test.strict);
  }
}

void concretetimes_update(ConcreteTimes *timing, const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const ClockUpdate u = updates[i];
    timing->origin[u.x] = u.y ? timing->origin[u.y] : timing->now;
    timing->offset[u.x] = (u.y ? timing->offset[u.y] : 0) + u.constant;
    if (timing->offset[u.x] > MOST_TIME) { // with smaller numbers nothing wraps
      timing->offset[u.x] = MOST_TIME;
      timing->has_outgrown = true;
    }
  }
}

typedef struct Moment { // time + count * epsilon
  int64_t time, count;
} Moment;

// Raises T_v to what T_u - T_v <= c asks for; true if it changed.
static bool raise(Moment *moments, const Difference *d) {
  const int64_t time = moments[d->u].time - d->constant;
  const Moment least = {time < MOST_TIME ? time : MOST_TIME, moments[d->u].count + d->strict};
  Moment *m = &moments[d->v];
  if (m->time > least.time || (m->time == least.time && m->count >= least.count))
    return false;
  *m = least;
  return true;
}

static bool fixpoint(const ConcreteTimes *timing, Moment *moments) {
  const uint32_t count = timing->constraints.size;
  for (uint32_t round = 0; round <= timing->now + 1; round++) {
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
      changed |= raise(moments, &timing->constraints.items[i]);
    if (moments[0].time || moments[0].count)
      return false;
    if (!changed)
      return true;
    for (uint32_t i = count; i-- > 0;)
      raise(moments, &timing->constraints.items[i]);
  }
  return false;
}

static bool satisfies(const ConcreteTimes *timing, const Moment *moments, int64_t m) {
  for (uint32_t i = 0; i < timing->constraints.size; i++) {
    const Difference *d = &timing->constraints.items[i];
    const Moment u = moments[d->u], v = moments[d->v];
    const int64_t left = (u.time - v.time) * m + (u.count - v.count);
    if (d->strict ? left >= d->constant * m : left > d->constant * m)
      return false;
  }
  return true;
}

// The largest denominator with which no product wraps; 0: there is none.
static int64_t most_denominator(const ConcreteTimes *timing, const Moment *moments) {
  int64_t largest = 1;
  for (uint32_t i = 0; i <= timing->now; i++)
    largest = moments[i].time > largest ? moments[i].time : largest;
  for (uint32_t i = 0; i < timing->constraints.size; i++) {
    const int64_t constant = timing->constraints.items[i].constant;
    const int64_t size = constant < 0 ? -constant : constant;
    largest = size > largest ? size : largest;
  }
  const int64_t most = largest < MOST_TIME ? 2 * MOST_TIME / largest : 0;
  return timing->most_denominator && timing->most_denominator < most ? timing->most_denominator
                                                                     : most;
}

bool concretetimes_solve(ConcreteTimes *timing) {
  Moment *moments = mem_alloc(timing->mem, (timing->now + 1) * sizeof *moments);
  bool solved = !timing->has_outgrown && fixpoint(timing, moments);
  int64_t most = 0;
  for (uint32_t i = 0; i <= timing->now; i++)
    most = moments[i].count > most ? moments[i].count : most;
  const int64_t limit = most_denominator(timing, moments);
  int64_t m = 1;
  while (solved && (m > limit || !satisfies(timing, moments, m)))
    if (m++ > 2 * most + 2 || m > limit)
      solved = false;
  vec_clear(&timing->times);
  for (uint32_t i = 0; solved && i <= timing->now; i++)
    vec_push(timing->mem, &timing->times, moments[i].time * m + moments[i].count);
  timing->denominator = m;
  mem_free(timing->mem, moments);
  return solved;
}
