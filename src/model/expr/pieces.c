#include "model/expr/pieces.h"

#include <string.h>

void pieces_init(Pieces *pieces, Mem *mem) { *pieces = (Pieces){.mem = mem}; }

void pieces_begin(Pieces *pieces) {
  vec_clear(&pieces->tests);
  vec_clear(&pieces->ends);
  vec_push(pieces->mem, &pieces->ends, 0);
}

ClockTest pieces_negate(ClockTest test) {
  return (ClockTest){test.j, test.i, -test.constant, !test.strict};
}

static ClockIndex largest(const ClockTest *tests, uint32_t count, ClockIndex max) {
  for (uint32_t t = 0; t < count; t++) {
    max = tests[t].i > max ? tests[t].i : max;
    max = tests[t].j > max ? tests[t].j : max;
  }
  return max;
}

// One round of Bellman and Ford; true if a distance changed. Weights are the constants, times
// `unit`, less 1 if strict: no cycle has as many as `unit` strict tests.
static bool relax(int64_t *distances, const ClockTest *tests, uint32_t count, int64_t unit) {
  bool changed = false;
  for (uint32_t t = 0; t < count; t++) {
    const int64_t way = distances[tests[t].j] + tests[t].constant * unit - tests[t].strict;
    if (way < distances[tests[t].i]) {
      distances[tests[t].i] = way;
      changed = true;
    }
  }
  return changed;
}

static bool has_differences(const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    if (tests[t].i && tests[t].j)
      return true;
  return false;
}

// Meets the bounds of single clocks with more tests; false if nothing is left. Bounds are twice
// the constant, less 1 if strict: upper ones by clock, then those of 0 - x.
static bool narrow(int64_t *upper, int64_t *lower, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++) {
    const int64_t bound = 2 * tests[t].constant - tests[t].strict;
    const ClockIndex x = tests[t].i ? tests[t].i : tests[t].j;
    int64_t *side = tests[t].i ? &upper[x] : &lower[x];
    *side = bound < *side ? bound : *side;
    if (upper[x] + lower[x] < 0)
      return false;
  }
  return true;
}

static bool contradict_by_clock(Pieces *pieces, ClockIndex max, const ClockTest *tests,
                                uint32_t count, const ClockTest *more, uint32_t more_count) {
  vec_reserve(pieces->mem, &pieces->distances, 2 * (max + 1));
  int64_t *upper = pieces->distances.items, *lower = upper + max + 1;
  for (ClockIndex x = 0; x <= max; x++) {
    upper[x] = x ? INT64_MAX / 4 : 0;
    lower[x] = 0;
  }
  return !narrow(upper, lower, tests, count) || !narrow(upper, lower, more, more_count);
}

bool pieces_contradict(Pieces *pieces, const ClockTest *tests, uint32_t count,
                       const ClockTest *more, uint32_t more_count) {
  const ClockIndex max = largest(more, more_count, largest(tests, count, 0));
  if (!has_differences(tests, count) && !has_differences(more, more_count))
    return contradict_by_clock(pieces, max, tests, count, more, more_count);
  const int64_t unit = (int64_t)count + more_count + 1;
  vec_reserve(pieces->mem, &pieces->distances, max + 1);
  int64_t *distances = pieces->distances.items;
  memset(distances, 0, sizeof *distances * (max + 1));
  for (uint32_t round = 0; round <= max + 1; round++) {
    bool changed = relax(distances, tests, count, unit);
    if (relax(distances, more, more_count, unit))
      changed = true;
    for (ClockIndex x = 1; x <= max; x++) // 0 - x <= 0: no clock is negative
      if (distances[x] < distances[0]) {
        distances[0] = distances[x];
        changed = true;
      }
    if (!changed)
      return false;
  }
  return true;
}

static void keep(Pieces *pieces, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    vec_push(pieces->mem, &pieces->scratch, tests[t]);
}

// The part of a piece that meets the first `at` tests of the conjunction but not the next one.
static void cut(Pieces *pieces, const ClockTest *piece, uint32_t size,
                const ClockTest *conjunction, uint32_t at, const ClockTest *context,
                uint32_t context_count) {
  const uint32_t before = pieces->scratch.size;
  keep(pieces, piece, size);
  keep(pieces, conjunction, at);
  const ClockTest negated = pieces_negate(conjunction[at]);
  keep(pieces, &negated, 1);
  if (pieces_contradict(pieces, pieces->scratch.items + before, pieces->scratch.size - before,
                        context, context_count))
    pieces->scratch.size = before;
  else
    vec_push(pieces->mem, &pieces->scratch_ends, pieces->scratch.size);
}

void pieces_subtract(Pieces *pieces, const ClockTest *conjunction, uint32_t count,
                     const ClockTest *context, uint32_t context_count) {
  vec_clear(&pieces->scratch);
  vec_clear(&pieces->scratch_ends);
  for (uint32_t p = 0; p < pieces->ends.size; p++) {
    uint32_t size;
    const ClockTest *piece = pieces_at(pieces, p, &size);
    mem_tick(pieces->mem); // there can be many: each test may double them
    if (pieces_contradict(pieces, piece, size, conjunction, count)) {
      keep(pieces, piece, size);
      vec_push(pieces->mem, &pieces->scratch_ends, pieces->scratch.size);
      continue;
    }
    for (uint32_t at = 0; at < count; at++)
      cut(pieces, piece, size, conjunction, at, context, context_count);
  }
  const Pieces old = *pieces;
  pieces->tests = old.scratch;
  pieces->scratch = old.tests;
  pieces->ends = old.scratch_ends;
  pieces->scratch_ends = old.ends;
}
