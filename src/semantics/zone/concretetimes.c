#include "semantics/zone/concretetimes.h"

// Larger times and offsets of clocks are given up, so that nothing wraps: constants of tests are
// much smaller, and sums have three of these numbers at most.
#define MAX_TIME (INT64_C(1) << 60)

void concretetimes_init(ConcreteTimes *concrete, Mem *mem, uint32_t clocks) {
  *concrete = (ConcreteTimes){.mem = mem, .clocks = clocks};
  concrete->origin = mem_alloc(mem, clocks * sizeof *concrete->origin);
  concrete->offset = mem_alloc(mem, clocks * sizeof *concrete->offset);
}

static void add(ConcreteTimes *concrete, uint32_t u, uint32_t v, int64_t constant, bool strict) {
  vec_push(concrete->mem, &concrete->constraints, ((Difference){u, v, constant, strict}));
}

void concretetimes_step(ConcreteTimes *concrete, bool can_delay) {
  const uint32_t before = concrete->now++;
  add(concrete, before, concrete->now, 0, false);
  if (!can_delay)
    add(concrete, concrete->now, before, 0, false);
}

void concretetimes_limit(ConcreteTimes *concrete, int64_t time, bool is_strict) {
  add(concrete, concrete->now, 0, time, is_strict);
}

// x_i - x_j: a clock is now - T_origin + offset; clock 0 is zero, that is now - now.
void concretetimes_test(ConcreteTimes *concrete, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++) {
    const ClockTest test = tests[t];
    const uint32_t u = test.j ? concrete->origin[test.j] : concrete->now;
    const uint32_t v = test.i ? concrete->origin[test.i] : concrete->now;
    const int64_t shift =
        (test.j ? concrete->offset[test.j] : 0) - (test.i ? concrete->offset[test.i] : 0);
    add(concrete, u, v, test.constant + shift, test.strict);
  }
}

void concretetimes_test_zone(ConcreteTimes *concrete, const Bound *zone, uint32_t n,
                             Relaxed relaxed) {
  for (ClockIndex i = 0; i < concrete->clocks; i++)
    for (ClockIndex j = 0; j < concrete->clocks; j++) {
      Bound bound = zone[i * dbm_stride(n) + j];
      if (i == j || bound == BOUND_INF)
        continue;
      if ((relaxed == LOWER_RELAXED && !i) || (relaxed == UPPER_RELAXED && !j))
        bound |= 1;
      const ClockTest test = {i, j, bound_constant(bound), bound_is_strict(bound)};
      concretetimes_test(concrete, &test, 1);
    }
}

void concretetimes_update(ConcreteTimes *concrete, const ClockUpdate *updates, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const ClockUpdate u = updates[i];
    concrete->origin[u.x] = u.y ? concrete->origin[u.y] : concrete->now;
    concrete->offset[u.x] = (u.y ? concrete->offset[u.y] : 0) + u.constant;
    if (concrete->offset[u.x] > MAX_TIME) { // with smaller numbers nothing wraps
      concrete->offset[u.x] = MAX_TIME;
      concrete->has_outgrown = true;
    }
  }
}

typedef struct Moment { // time + count * epsilon
  int64_t time, count;
} Moment;

// Raises T_v to what T_u - T_v <= c asks for; true if it changed.
static bool raise(Moment *moments, const Difference *d) {
  const int64_t time = moments[d->u].time - d->constant;
  const Moment least = {time < MAX_TIME ? time : MAX_TIME, moments[d->u].count + d->strict};
  Moment *m = &moments[d->v];
  if (m->time > least.time || (m->time == least.time && m->count >= least.count))
    return false;
  *m = least;
  return true;
}

static bool fixpoint(const ConcreteTimes *concrete, Moment *moments) {
  const uint32_t count = concrete->constraints.size;
  for (uint32_t round = 0; round <= concrete->now + 1; round++) {
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
      changed |= raise(moments, &concrete->constraints.items[i]);
    if (moments[0].time || moments[0].count)
      return false;
    if (!changed)
      return true;
    for (uint32_t i = count; i-- > 0;)
      raise(moments, &concrete->constraints.items[i]);
  }
  return false;
}

static bool satisfies(const ConcreteTimes *concrete, const Moment *moments, int64_t m) {
  for (uint32_t i = 0; i < concrete->constraints.size; i++) {
    const Difference *d = &concrete->constraints.items[i];
    const Moment u = moments[d->u], v = moments[d->v];
    const int64_t left = (u.time - v.time) * m + (u.count - v.count);
    if (d->strict ? left >= d->constant * m : left > d->constant * m)
      return false;
  }
  return true;
}

// The largest denominator with which no product wraps; 0: there is none.
static int64_t max_denominator(const ConcreteTimes *concrete, const Moment *moments) {
  int64_t largest = 1;
  for (uint32_t i = 0; i <= concrete->now; i++)
    largest = moments[i].time > largest ? moments[i].time : largest;
  for (uint32_t i = 0; i < concrete->constraints.size; i++) {
    const int64_t constant = concrete->constraints.items[i].constant;
    const int64_t size = constant < 0 ? -constant : constant;
    largest = size > largest ? size : largest;
  }
  const int64_t max = largest < MAX_TIME ? 2 * MAX_TIME / largest : 0;
  return concrete->max_denominator && concrete->max_denominator < max ? concrete->max_denominator
                                                                      : max;
}

bool concretetimes_solve(ConcreteTimes *concrete) {
  Moment *moments = mem_alloc(concrete->mem, (concrete->now + 1) * sizeof *moments);
  bool solved = !concrete->has_outgrown && fixpoint(concrete, moments);
  int64_t max = 0;
  for (uint32_t i = 0; i <= concrete->now; i++)
    max = moments[i].count > max ? moments[i].count : max;
  const int64_t limit = max_denominator(concrete, moments);
  int64_t m = 1;
  while (solved && (m > limit || !satisfies(concrete, moments, m)))
    if (m++ > 2 * max + 2 || m > limit)
      solved = false;
  vec_clear(&concrete->times);
  for (uint32_t i = 0; solved && i <= concrete->now; i++)
    vec_push(concrete->mem, &concrete->times, moments[i].time * m + moments[i].count);
  concrete->denominator = m;
  mem_free(concrete->mem, moments);
  return solved;
}

ClockOrigins concretetimes_origins(const ConcreteTimes *concrete, Arena *arena) {
  const size_t n = concrete->clocks;
  return (ClockOrigins){arena_copy(arena, concrete->origin, n * sizeof *concrete->origin),
                        arena_copy(arena, concrete->offset, n * sizeof *concrete->offset)};
}

const int64_t *concretetimes_clocks(const ConcreteTimes *concrete, ClockOrigins origins,
                                    uint32_t step, Arena *arena) {
  const int64_t *times = concrete->times.items;
  int64_t *values = ARENA_ARRAY(arena, int64_t, concrete->clocks);
  for (uint32_t x = 1; x < concrete->clocks; x++)
    values[x] =
        times[step] - times[origins.origin[x]] + origins.offset[x] * concrete->denominator;
  return values;
}
