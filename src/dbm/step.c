#include "dbm/step.h"

#include "dbm/cut.h"
#include "dbm/rows.h"

#include <string.h>

// Intersects with one constraint that meets the zone; as dbm_constrain.
DBM_INLINE void cut(Bound *d, uint32_t n, Constraint c) {
  const Bound *via = d + c.j * LANES;
  for (uint32_t k = 0; k < n; k++) {
    Bound *row = d + k * LANES;
    if (row[c.i] == BOUND_INF)
      continue;
    const Bound first = bound_sum_finite(row[c.i], c.bound);
    if (first < row[c.j])
      rows_relax(row, via, first, LANES, ROWS_NO_LEAST);
  }
}

// Several constraints, each with the tests of dbm_constrain. *zone moves to scratch before it is
// changed.
DBM_INLINE bool cut_all(const Bound **zone, Bound *scratch, uint32_t n, const Constraint *list,
                        uint32_t count) {
  for (uint32_t c = 0; c < count; c++) {
    const Constraint now = list[c];
    const Bound *d = *zone;
    if (now.bound >= d[now.i * LANES + now.j])
      continue;
    if (bound_sum(d[now.j * LANES + now.i], now.bound) < BOUND_LE_ZERO)
      return false;
    if (d != scratch) {
      memcpy(scratch, d, n * LANES * sizeof(Bound));
      *zone = scratch;
    }
    cut(scratch, n, now);
  }
  return true;
}

DBM_INLINE void delay(Bound *d, uint32_t k, const Constraint *upper, uint32_t count) {
  for (uint32_t i = 1; i < k; i++)
    d[i * LANES] = BOUND_INF;
  for (uint32_t c = 0; c < count; c++) {
    const Bound even = upper[c].bound & ~1, keep = upper[c].bound | ~1;
    const Bound *column = d + upper[c].i;
    for (uint32_t i = 1; i < k; i++) {
      const Bound v = column[i * LANES], sum = v == BOUND_INF ? BOUND_INF : even + (v & keep);
      d[i * LANES] = sum < d[i * LANES] ? sum : d[i * LANES];
    }
  }
}

// Extra_LU+; see dbm/extra.c for the rules, for R (dead rows), F (infinite columns), W (loose
// rows), and for why the closure may leave out what it does.
DBM_INLINE void extrapolate(Bound *d, uint32_t k, const int32_t *lower, const int32_t *upper) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  const Lanes32 zero = *(const Lanes32At *)d, most = *(const Lanes32At *)upper;
  const Lanes32 missing = most == CLOCK_NO_BOUND;
  // (<, -U), above everything where U is missing.
  const Lanes32 below = (missing & INT32_MAX) | (~missing & (-2 * (most & ~missing)));
  const Lanes32 free = (zero < below) & (index > 0) & (index < (int32_t)k);
  unsigned live = 0, loose = 0;
  for (uint32_t i = 1; i < k; i++) {
    Bound *row = d + i * LANES;
    if (lower[i] == CLOCK_NO_BOUND || d[i] < bound_lt(-lower[i])) {
      *(Lanes32At *)row = (Lanes32){0} + BOUND_INF;
    } else {
      const Lanes32 v = *(const Lanes32At *)row, high = v > bound_le(lower[i]);
      const Lanes32 raised = high | free;
      *(Lanes32At *)row = (v & ~raised) | (BOUND_INF & raised);
      const Lanes32 rose = high & ~free & (v != BOUND_INF) & (index < (int32_t)k);
      live |= 1u << i;
      loose |= (unsigned)lanes_any32(&rose) << i;
    }
    row[i] = BOUND_LE_ZERO;
  }
  if (lanes_any32(&free)) {
    const Lanes32 floor = (below & ~missing) | (BOUND_LE_ZERO & missing);
    *(Lanes32At *)d = (zero & ~free) | (floor & free);
    for (uint32_t i = 1; i < k; i++)
      if (d[i * LANES] != BOUND_INF)
        rows_relax(d + i * LANES, d, d[i * LANES], LANES, ROWS_NO_LEAST);
  }
  for (unsigned pivots = live; pivots; pivots &= pivots - 1) {
    const unsigned p = (unsigned)__builtin_ctz(pivots);
    for (unsigned rows = loose; rows; rows &= rows - 1) {
      Bound *row = d + (unsigned)__builtin_ctz(rows) * LANES;
      if (row != d + p * LANES && row[p] != BOUND_INF)
        rows_relax(row, d + p * LANES, row[p], LANES, ROWS_NO_LEAST);
    }
  }
}

DBM_INLINE void permute(Bound *to, const Bound *from, uint32_t k, const ClockId *origin) {
  const Lanes32 index = *(const Lanes32At *)origin;
  for (uint32_t i = 0; i < k; i++) {
    const Lanes32 row = *(const Lanes32At *)(from + origin[i] * LANES);
    *(Lanes32At *)(to + i * LANES) = LANES_PERMUTE(row, index);
  }
}

DBM_CLONES static bool run(const Step *step, Bound *to, Bound *scratch, int16_t *image,
                           bool *fits) {
  const uint32_t k = step->k;
  const Bound *zone = step->from;
  if (!cut_all(&zone, scratch, step->n, step->guard, step->guard_count))
    return false;
  if (step->origin)
    permute(to, zone, k, step->origin);
  else
    memcpy(to, zone, k * LANES * sizeof(Bound));
  const Bound *settled = to;
  if (!cut_all(&settled, to, k, step->invariant, step->invariant_count))
    return false;
  if (step->can_delay)
    delay(to, k, step->invariant, step->invariant_count);
  if (step->lower)
    extrapolate(to, k, step->lower, step->upper);
  *fits = cut_rows(image, to, k, LANES);
  return true;
}

bool step_run(const Step *step, Bound *to, Bound *scratch, int16_t *image, bool *fits) {
  const bool result = run(step, to, scratch, image, fits);
  if (result)
    rows_paranoid(to, step->k);
  return result;
}
