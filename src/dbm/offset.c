// One pass per action. All that an action asks for (equal times of its participants, guards, the
// target's invariants) are bounds between old variables and one new variable, the instant. In a
// tight matrix the shortest path from i to the instant is one old entry and one link, likewise
// from the instant to j; and a path between old variables passes the instant once at most:
//
//   column[i] = min over in-links s of [i][s] + bound,  row[j] = min over out-links of bound +
//   [s][j],  [i][j] = min([i][j], column[i] + row[j]),
//
// and there is a valuation iff no cycle through the instant is negative: row[s] + bound for
// every in-link s. Updates are a change of names, done in the same pass.
#include "dbm/offset.h"

#include "base/lanes.h"
#include "dbm/rows.h"

#include <assert.h>
#include <string.h>

void offset_zero(Bound *d, const OffsetShape *shape) {
  for (uint32_t r = 0; r < shape->row_count; r++) {
    Bound *row = d + shape->rows[r] * shape->stride;
    for (uint32_t j = 0; j < shape->stride; j++)
      row[j] = shape->columns[j] ? BOUND_LE_ZERO : BOUND_INF;
  }
}

DBM_CLONES static void leave(const Bound *d, size_t stride, const OffsetAction *action,
                             Bound *instant) {
  stride = dbm_stride((uint32_t)stride);
  for (size_t j = 0; j < stride; j++)
    instant[j] = BOUND_INF;
  for (uint32_t o = 0; o < action->out_count; o++)
    rows_relax(instant, d + action->out[o].variable * stride, action->out[o].bound, stride,
               ROWS_NO_LEAST);
}

bool offset_instant(const Bound *d, const OffsetShape *shape, const OffsetAction *action,
                    Bound *instant) {
  if (!action->out_count)
    return true; // offset_fire does not look at the row then
  leave(d, shape->stride, action, instant);
  for (uint32_t i = 0; i < action->in_count; i++)
    if (bound_sum(instant[action->in[i].variable], action->in[i].bound) < BOUND_LE_ZERO)
      return false;
  return true;
}

// bound_sum for a finite `b`, without a branch.
DBM_INLINE Bound add_finite(Bound a, Bound b) {
  const Bound sum = (b & ~1) + (a & (b | ~1));
  return a == BOUND_INF ? BOUND_INF : sum;
}

DBM_INLINE Bound since(const Bound *row, const OffsetAction *action) {
  Bound least = BOUND_INF;
  for (uint32_t i = 0; i < action->in_count; i++)
    least = bound_min(least, add_finite(row[action->in[i].variable], action->in[i].bound));
  return least;
}

Bound offset_since(const Bound *d, const OffsetShape *shape, const OffsetAction *action,
                   uint32_t i) {
  return since(d + i * shape->stride, action);
}

DBM_INLINE Lanes32 choose(Lanes32 mask, Lanes32 a, Lanes32 b) { return (a & mask) | (b & ~mask); }

typedef struct Row { // of the result
  const Bound *from; // an old row, NULL: infinite
  const Bound *via;  // the row of the instant, if the way through it may be shorter
  Bound bound;       // to the instant
} Row;

// Under new names.
DBM_INLINE void rename_row(Bound *restrict to, Row row, const OffsetShape *shape,
                           const OffsetAction *action, size_t stride) {
  const Bound even = row.bound & ~1, keep = row.bound | ~1;
  const Lanes32 infinite = (Lanes32){0} + BOUND_INF, own = (Lanes32){0} + row.bound;
  for (size_t j = 0; j < stride; j += LANES) {
    Lanes32 v = infinite;
    if (row.from)
      v = *(const Lanes32At *)(row.from + j);
    if (row.via) {
      const Lanes32 via = *(const Lanes32At *)(row.via + j);
      const Lanes32 sum = choose(via == BOUND_INF, via, even + (via & keep));
      v = choose(sum < v, sum, v);
    }
    v = choose(*(const Lanes32At *)(action->becomes + j), own, v);
    *(Lanes32At *)(to + j) = choose(*(const Lanes32At *)(shape->columns + j), v, infinite);
  }
}

// The same where variables come from others.
DBM_INLINE void gather_row(Bound *restrict to, Row row, const OffsetShape *shape,
                           const OffsetAction *action, Bound *spare, size_t stride) {
  for (size_t j = 0; j < stride; j++) {
    spare[j] = row.from ? row.from[j] : BOUND_INF;
    if (row.via)
      spare[j] = bound_min(spare[j], bound_sum(row.bound, row.via[j]));
  }
  for (size_t j = 0; j < stride; j++)
    to[j] = !shape->columns[j]   ? BOUND_INF
            : action->becomes[j] ? row.bound
                                 : spare[action->origin[j]];
}

// The rows of the result from those of `from`. With `has_row` the instant has a row.
DBM_INLINE void fire(Bound *to, const OffsetShape *shape, const Bound *from,
                     const OffsetAction *action, const Bound *instant, Bound *spare,
                     bool has_row) {
  const size_t stride = dbm_stride(shape->stride);
  for (uint32_t r = 0; r < shape->row_count; r++) {
    const uint32_t i = shape->rows[r];
    Bound *result = to + i * stride;
    Row row = {has_row ? instant : NULL, NULL, BOUND_LE_ZERO};
    if (!action->becomes[i]) {
      row.from = from + (action->origin ? action->origin[i] : i) * stride;
      row.bound = since(row.from, action);
      row.via = has_row && row.bound != BOUND_INF ? instant : NULL;
    }
    if (action->origin)
      gather_row(result, row, shape, action, spare, stride);
    else if (has_row && row.via)
      rename_row(result, (Row){row.from, instant, row.bound}, shape, action, stride);
    else
      rename_row(result, (Row){row.from, NULL, row.bound}, shape, action, stride);
    for (uint32_t k = 0; k < action->kept_count; k++)
      result[action->kept[k]] = bound_min(result[action->kept[k]], row.bound);
  }
}

DBM_CLONES static void fire_open(Bound *to, const OffsetShape *shape, const Bound *from,
                                 const OffsetAction *action, Bound *spare) {
  fire(to, shape, from, action, NULL, spare, false);
}

DBM_CLONES static void fire_closed(Bound *to, const OffsetShape *shape, const Bound *from,
                                   const OffsetAction *action, const Bound *instant,
                                   Bound *spare) {
  fire(to, shape, from, action, instant, spare, true);
}

static void shift_row(Bound *row, const OffsetAction *action, uint32_t i, uint32_t n) {
  for (uint32_t j = 0; j < n; j++)
    row[j] = bound_shift(row[j], action->shift[j] - action->shift[i]);
}

void offset_fire(Bound *to, const OffsetShape *shape, const Bound *from,
                 const OffsetAction *action, const Bound *instant, Bound *spare) {
  if (action->out_count)
    fire_closed(to, shape, from, action, instant, spare);
  else
    fire_open(to, shape, from, action, spare);
  for (uint32_t r = 0; action->shift && r < shape->row_count; r++)
    shift_row(to + shape->rows[r] * shape->stride, action, shape->rows[r], shape->n);
}

static void constrain_row(Bound *row, const Bound *via, const OffsetShape *shape, Constraint c) {
  if (row[c.i] == BOUND_INF)
    return;
  const Bound first = bound_sum(row[c.i], c.bound);
  if (first < row[c.j])
    rows_relax(row, via, first, shape->stride, ROWS_NO_LEAST);
}

bool offset_constrain(Bound *d, const OffsetShape *shape, Constraint c) {
  const Bound *via = d + c.j * shape->stride;
  if (bound_sum(via[c.i], c.bound) < BOUND_LE_ZERO)
    return false;
  for (uint32_t r = 0; r < shape->row_count; r++)
    if (shape->rows[r] != c.j)
      constrain_row(d + shape->rows[r] * shape->stride, via, shape, c);
  return true;
}

// The least of the columns of the local times, lane by lane; lanes beyond are infinite. Reads
// past the row, but not past the matrix: rows are followed by others, or by slack.
DBM_INLINE Lanes32 least_time(const Bound *row, const OffsetShape *shape) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  Lanes32 least = {0};
  least += BOUND_INF;
  for (uint32_t t = 0; t < shape->times; t += LANES) {
    const Lanes32 v = *(const Lanes32At *)(row + shape->first_time + t);
    const Lanes32 less = (v < least) & (index < (int32_t)(shape->times - t));
    least = choose(less, v, least);
  }
  return least;
}

DBM_INLINE Bound least_lane(Lanes32 v) {
  const Lanes32 by_4 = {4, 5, 6, 7, 0, 1, 2, 3}, by_2 = {2, 3, 0, 1, 6, 7, 4, 5};
  Lanes32 other = LANES_PERMUTE(v, by_4);
  v = choose(v < other, v, other);
  other = LANES_PERMUTE(v, by_2);
  v = choose(v < other, v, other);
  return bound_min(v[0], v[1]);
}

DBM_CLONES static void find_low(const Bound *d, const OffsetShape *shape, Bound *low) {
  const size_t stride = dbm_stride(shape->stride);
  for (size_t x = 0; x < dbm_stride(shape->clocks); x++)
    low[x] = BOUND_LE_ZERO;
  for (uint32_t r = 0; r < shape->clock_rows; r++)
    low[shape->rows[r]] = least_lane(least_time(d + shape->rows[r] * stride, shape));
}

void offset_low(const Bound *d, const OffsetShape *shape, Bound *low) { find_low(d, shape, low); }

static bool stays_behind(const Bound *row, const OffsetShape *shape) {
  for (uint32_t t = 0; t < shape->times; t++)
    if (row[shape->first_time + t] < BOUND_LE_ZERO)
      return true;
  return false;
}

// [t][t'] for a time with ceilings is the least of bound + [clock][t'].
bool offset_can_meet(const Bound *d, const OffsetShape *shape, const Bound *low,
                     const Constraint *ceilings, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (bound_sum(low[ceilings[i].j], ceilings[i].bound) < BOUND_LE_ZERO)
      return false;
  for (uint32_t r = shape->frozen_from; r < shape->row_count; r++)
    if (stays_behind(d + shape->rows[r] * shape->stride, shape))
      return false;
  return true;
}

static bool leaves_range(Bound b) {
  return b != BOUND_INF && (b < bound_lt(-BOUND_MAX) || b > bound_le(BOUND_MAX));
}

bool offset_in_range(const Bound *d, const OffsetShape *shape) {
  for (uint32_t r = 0; r < shape->row_count; r++)
    for (uint32_t j = 0; j < shape->n; j++)
      if (leaves_range(d[shape->rows[r] * shape->stride + j]))
        return false;
  return true;
}

static bool is_short(const Bound *d, const OffsetShape *shape, uint32_t i, uint32_t via) {
  const Bound *row = d + i * shape->stride, *next = d + via * shape->stride;
  for (uint32_t j = 0; j < shape->n; j++)
    if (bound_sum(row[via], next[j]) < row[j])
      return false;
  return true;
}

bool offset_is_tight(const Bound *d, const OffsetShape *shape) {
  for (uint32_t a = 0; a < shape->row_count; a++) {
    const uint32_t i = shape->rows[a];
    if (d[i * shape->stride + i] != BOUND_LE_ZERO)
      return false;
    for (uint32_t b = 0; b < shape->row_count; b++)
      if (!is_short(d, shape, i, shape->rows[b]))
        return false;
  }
  return true;
}
