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

#include "dbm/lanes.h"
#include "dbm/rows.h"

#include <assert.h>
#include <string.h>

void offset_zero(Bound *d, const OffsetShape *shape) {
  for (uint32_t r = 0; r < shape->row_count; r++) {
    Bound *row = d + shape->rows[r] * shape->stride;
    for (uint32_t j = 0; j < shape->stride; j++)
      row[j] = j < shape->n ? BOUND_LE_ZERO : BOUND_INF;
  }
}

DBM_CLONES static void elapse(Bound *d, const OffsetShape *shape, const Constraint *ceilings,
                              uint32_t count) {
  const size_t stride = dbm_stride(shape->stride);
  const Constraint *end = ceilings + count;
  for (uint32_t e = 0; e < shape->elapsed_count; e++) {
    const uint32_t time = shape->elapsed[e];
    Bound *row = d + time * stride;
    for (size_t j = 0; j < stride; j++)
      row[j] = BOUND_INF;
    for (; ceilings < end && ceilings->i <= time; ceilings++)
      if (ceilings->i == time)
        rows_relax(row, d + ceilings->j * stride, ceilings->bound, stride, ROWS_NO_LEAST);
    row[time] = BOUND_LE_ZERO;
  }
}

void offset_elapse(Bound *d, const OffsetShape *shape, const Constraint *ceilings,
                   uint32_t count) {
  if (shape->elapsed_count)
    elapse(d, shape, ceilings, count);
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

// A row of the result: that of an old variable, under new names. [i][instant] is `since`.
DBM_INLINE void rename_row(Bound *restrict to, const Bound *restrict from, Bound instant_bound,
                           const OffsetAction *action, uint32_t n, size_t stride) {
  if (!action->is_near) {
    DBM_WHOLE for (size_t j = 0; j < stride; j++) {
      const Bound old = from[action->origin[j]];
      to[j] = action->origin[j] == n ? instant_bound : old;
    }
    return;
  }
  Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (size_t j = 0; j < stride; j += LANES, index += LANES) {
    const Lanes32 origin = *(const Lanes32At *)(action->origin + j);
    const Lanes32 same = *(const Lanes32At *)(from + j);
    const Lanes32 moved = *(const Lanes32At *)(from + j + action->step);
    const Lanes32 old = choose(origin == index, same, moved);
    const Lanes32 instant = (Lanes32){0} + instant_bound;
    *(Lanes32At *)(to + j) = choose(origin == (int32_t)n, instant, old);
  }
}

// The row of a variable that is the instant, if the instant has no row of its own.
DBM_INLINE void open_row(Bound *to, const OffsetAction *action, uint32_t n, size_t stride) {
  DBM_WHOLE for (size_t j = 0; j < stride; j++) {
    to[j] = action->origin[j] == n ? BOUND_LE_ZERO : BOUND_INF;
  }
}

// The rows of the result from those of `from`. With `has_row` the instant has a row.
DBM_INLINE void fire(Bound *to, const OffsetShape *to_shape, const Bound *from,
                     const OffsetShape *shape, const OffsetAction *action, const Bound *instant,
                     Bound *spare, bool has_row) {
  const size_t stride = dbm_stride(shape->stride), to_stride = dbm_stride(to_shape->stride);
  for (uint32_t r = 0; r < to_shape->row_count; r++) {
    const uint32_t i = to_shape->rows[r], origin = action->origin[i];
    Bound *row = to + i * to_stride;
    Bound bound = BOUND_LE_ZERO;
    if (origin != shape->n) {
      const Bound *source = from + origin * stride;
      bound = since(source, action);
      if (has_row && bound != BOUND_INF) {
        DBM_WHOLE for (size_t j = 0; j < stride; j++) { spare[j] = source[j]; }
        rows_relax(spare, instant, bound, stride, ROWS_NO_LEAST);
        source = spare;
      }
      rename_row(row, source, bound, action, shape->n, to_stride);
    } else if (has_row) {
      rename_row(row, instant, bound, action, shape->n, to_stride);
    } else {
      open_row(row, action, shape->n, to_stride);
    }
    for (uint32_t k = 0; k < action->kept_count; k++)
      row[action->kept[k]] = bound_min(row[action->kept[k]], bound);
  }
}

DBM_CLONES static void fire_open(Bound *to, const OffsetShape *to_shape, const Bound *from,
                                 const OffsetShape *shape, const OffsetAction *action) {
  fire(to, to_shape, from, shape, action, NULL, NULL, false);
}

DBM_CLONES static void fire_closed(Bound *to, const OffsetShape *to_shape, const Bound *from,
                                   const OffsetShape *shape, const OffsetAction *action,
                                   const Bound *instant, Bound *spare) {
  fire(to, to_shape, from, shape, action, instant, spare, true);
}

static void shift_row(Bound *row, const OffsetAction *action, uint32_t i, uint32_t n) {
  for (uint32_t j = 0; j < n; j++)
    row[j] = bound_shift(row[j], action->shift[j] - action->shift[i]);
}

void offset_fire(Bound *to, const OffsetShape *to_shape, const Bound *from,
                 const OffsetShape *shape, const OffsetAction *action, Bound *instant,
                 Bound *spare) {
  if (action->out_count)
    fire_closed(to, to_shape, from, shape, action, instant, spare);
  else
    fire_open(to, to_shape, from, shape, action);
  for (uint32_t r = 0; action->shift && r < to_shape->row_count; r++)
    shift_row(to + to_shape->rows[r] * to_shape->stride, action, to_shape->rows[r], to_shape->n);
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
  for (uint32_t e = 0; e < shape->elapsed_count; e++)
    constrain_row(d + shape->elapsed[e] * shape->stride, via, shape, c);
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

// A row of a time: whether it stays behind another, and what it bounds from above.
DBM_INLINE Lanes32 meet_row(const Bound *row, const OffsetShape *shape, Bound *high) {
  for (uint32_t x = 0; x < shape->clocks; x += LANES) {
    const Lanes32 v = *(const Lanes32At *)(row + x), old = *(const Lanes32At *)(high + x);
    const Lanes32 less = v < old;
    *(Lanes32At *)(high + x) = choose(less, v, old);
  }
  return least_time(row, shape) < BOUND_LE_ZERO;
}

DBM_INLINE Bound least_lane(Lanes32 v) {
  const Lanes32 by_4 = {4, 5, 6, 7, 0, 1, 2, 3}, by_2 = {2, 3, 0, 1, 6, 7, 4, 5};
  Lanes32 other = LANES_PERMUTE(v, by_4);
  v = choose(v < other, v, other);
  other = LANES_PERMUTE(v, by_2);
  v = choose(v < other, v, other);
  return bound_min(v[0], v[1]);
}

DBM_CLONES static bool minima(const Bound *d, const OffsetShape *shape, Bound *low, Bound *high) {
  const size_t stride = dbm_stride(shape->stride);
  Lanes32 behind = {0};
  for (size_t x = 0; x < dbm_stride(shape->clocks); x++)
    high[x] = BOUND_INF;
  for (uint32_t e = 0; e < shape->elapsed_count; e++)
    behind |= meet_row(d + shape->elapsed[e] * stride, shape, high);
  for (uint32_t r = shape->row_count; r-- > 0 && shape->rows[r] >= shape->first_time;)
    behind |= meet_row(d + shape->rows[r] * stride, shape, high);
  if (lanes_any32(&behind))
    return false;
  for (uint32_t x = 0; x < shape->clocks; x++)
    low[x] = least_lane(least_time(d + x * stride, shape));
  return true;
}

bool offset_minima(const Bound *d, const OffsetShape *shape, Bound *low, Bound *high) {
  return minima(d, shape, low, high);
}

void offset_synchronise(Bound *zone, const Bound *d, const OffsetShape *shape, const Bound *low,
                        const Bound *high) {
  const uint32_t k = shape->clocks + 1, stride = dbm_stride(k);
  for (uint32_t i = 0; i < k * stride; i++)
    zone[i] = BOUND_INF;
  zone[0] = BOUND_LE_ZERO;
  for (uint32_t x = 0; x < shape->clocks; x++) {
    zone[x + 1] = low[x];
    zone[(x + 1) * stride] = high[x];
    for (uint32_t y = 0; y < shape->clocks; y++)
      zone[(y + 1) * stride + x + 1] =
          bound_min(d[x * shape->stride + y], bound_sum(low[x], high[y]));
  }
}

static bool leaves_range(Bound b) {
  return b != BOUND_INF && (b < bound_lt(-BOUND_MOST) || b > bound_le(BOUND_MOST));
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
  const uint32_t count = shape->row_count + shape->elapsed_count;
  for (uint32_t a = 0; a < count; a++) {
    const uint32_t i =
        a < shape->row_count ? shape->rows[a] : shape->elapsed[a - shape->row_count];
    if (d[i * shape->stride + i] != BOUND_LE_ZERO)
      return false;
    for (uint32_t b = 0; b < count; b++)
      if (!is_short(d, shape, i,
                    b < shape->row_count ? shape->rows[b] : shape->elapsed[b - shape->row_count]))
        return false;
  }
  return true;
}
