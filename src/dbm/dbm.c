// Tightening after a constraint. In a tight matrix every entry is a shortest path. If entry
// [i][j] sinks to b, a path that got shorter uses the new edge, and once is enough:
//
//   [k][l] = min([k][l], [k][i] + b + [j][l])
//
// Row k cannot change if [k][i] + b >= [k][j], for then [k][l] <= [k][j] + [j][l] is at least
// as short. That holds for k = j (else the zone were empty), so the row read is never
// written. Column i does not change either: b + [j][i] >= (<=, 0).
#include "dbm/dbm.h"

#include "dbm/rows.h"

#include <assert.h>
#include <string.h>

void dbm_zero(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < stride; j++)
      d[i * stride + j] = j < n ? BOUND_LE_ZERO : BOUND_INF;
  rows_paranoid(d, n);
}

void dbm_universal(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t k = 0; k < n * stride; k++)
    d[k] = BOUND_INF;
  for (size_t j = 0; j < n; j++)
    d[j] = d[j * stride + j] = BOUND_LE_ZERO;
  rows_paranoid(d, n);
}

void dbm_copy(Bound *to, const Bound *from, uint32_t n) { memcpy(to, from, dbm_bytes(n)); }

static inline bool cuts(const Bound *d, uint32_t n, Constraint c) {
  return c.bound < d[(size_t)c.i * dbm_stride(n) + c.j];
}

DBM_INLINE void cut_rows(Bound *d, uint32_t n, size_t stride, Constraint c) {
  const Bound *via = d + c.j * stride;
  for (size_t k = 0; k < n; k++) {
    Bound *row = d + k * stride;
    if (row[c.i] == BOUND_INF)
      continue;
    const Bound first = bound_sum_finite(row[c.i], c.bound);
    if (first < row[c.j])
      rows_relax(row, via, first, stride, ROWS_NO_LEAST);
  }
}

// Two functions, so that the small one, which is nearly all of the work of small models, does
// not save registers for the large one.
DBM_CLONES static void cut_narrow(Bound *d, uint32_t n, Constraint c) {
  cut_rows(d, n, DBM_LANES, c);
}

DBM_CLONES static void cut_wide(Bound *d, uint32_t n, Constraint c) {
  cut_rows(d, n, dbm_stride(n), c);
}

bool dbm_constrain(Mem *mem, Bound *d, uint32_t n, Constraint c) {
  assert(c.i != c.j && c.i < n && c.j < n);
  if (!cuts(d, n, c))
    return true;
  if (!dbm_meets(d, n, c))
    return false;
  if (n <= DBM_LANES) {
    cut_narrow(d, n, c);
  } else {
    mem_tick(mem);
    cut_wide(d, n, c);
  }
  rows_paranoid(d, n);
  return true;
}

// One after the other: a pass over all of them at once saves little, as most rows are left
// alone, and was measured to be slower. A diagonal can triple the entries, so we look at the
// range after each one.
bool dbm_constrain_all(Mem *mem, Bound *d, uint32_t n, const Constraint *list, uint32_t count) {
  for (uint32_t c = 0; c < count; c++)
    if (!dbm_meets(d, n, list[c]))
      return false;
  for (uint32_t c = 0; c < count; c++) {
    if (!cuts(d, n, list[c]))
      continue;
    if (!dbm_constrain(mem, d, n, list[c]))
      return false;
    if (list[c].i && list[c].j && !dbm_in_range(d, n))
      return true;
  }
  return true;
}

void dbm_up(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t k = 1; k < n; k++)
    d[k * stride] = BOUND_INF;
  rows_paranoid(d, n);
}

// What is left is tight: a path from a running clock to one that stands still has an infinite
// part, and other bounds are as they were.
void dbm_up_some(Bound *d, uint32_t n, const bool *stands_still) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = 0; !stands_still[i] && j < n; j++)
      if (stands_still[j])
        d[i * dbm_stride(n) + j] = BOUND_INF;
}

void dbm_down(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t j = 0; j < n; j++)
    d[j] = BOUND_LE_ZERO;
  for (size_t k = 1; k < n; k++)
    for (size_t j = 0; j < stride; j++)
      d[j] = bound_min(d[j], d[k * stride + j]);
  rows_paranoid(d, n);
}

// Row and column x become those of y, moved by c; y may be 0, or x itself.
DBM_INLINE void move(Bound *d, uint32_t n, ClockId x, ClockId y, int32_t c) {
  const size_t stride = dbm_stride(n);
  Bound *row = d + x * stride;
  if (x == y)
    rows_shift(row, c, stride); // [x][x] too; the column moves it back
  else
    rows_copy_shifted(row, d + y * stride, c, stride);
  for (size_t k = 0; k < n; k++)
    d[k * stride + x] = bound_shift(d[k * stride + y], -c);
  rows_paranoid(d, n);
}

void dbm_assign(Bound *d, uint32_t n, ClockId x, int32_t value) {
  assert(x && x < n && value >= 0);
  if (value)
    move(d, n, x, 0, value);
  else
    move(d, n, x, 0, 0); // plain copies
}

void dbm_assign_clock(Bound *d, uint32_t n, ClockId x, ClockId y, int32_t c) {
  assert(x && x < n && y < n);
  assert(bound_sum(d[y], bound_le(-c)) <= BOUND_LE_ZERO);
  move(d, n, x, y, c);
}

void dbm_free(Bound *d, uint32_t n, ClockId x) {
  assert(x && x < n);
  const size_t stride = dbm_stride(n);
  for (size_t j = 0; j < stride; j++)
    d[x * stride + j] = BOUND_INF;
  for (size_t k = 0; k < n; k++)
    d[k * stride + x] = d[k * stride];
  d[x * stride + x] = BOUND_LE_ZERO;
  rows_paranoid(d, n);
}

// Floyd and Warshall. We stop at the first negative cycle, before the numbers explode. What is
// left to explode in a matrix of huge constants stays at or above -BOUND_INF: no sum wraps, and
// dbm_in_range shows it.
DBM_CLONES static bool close_over(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) {
      Bound *row = d + i * stride;
      if (i == k || row[k] == BOUND_INF)
        continue;
      rows_relax(row, d + k * stride, row[k], stride, -BOUND_INF);
      if (row[i] < BOUND_LE_ZERO)
        return false;
    }
  }
  return true;
}

bool dbm_close(Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++) {
    if (d[i * stride + i] < BOUND_LE_ZERO)
      return false;
    d[i * stride + i] = BOUND_LE_ZERO;
    d[i] = bound_min(d[i], BOUND_LE_ZERO);
  }
  return close_over(d, n);
}

// All at once: a shortest way comes to clock 0 by one of the bounds at most, and goes on as
// before.
DBM_CLONES static bool cut_above(Bound *d, uint32_t n, const Bound *most) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++) {
    Bound *row = d + i * stride, least = row[0];
    for (size_t j = 0; j < n; j++)
      least = bound_min(least, bound_sum(row[j], most[j]));
    if (least == row[0])
      continue;
    if (!i)
      return false; // clock 0 is below itself
    for (size_t j = 0; j < n; j++)
      row[j] = bound_min(row[j], bound_sum(least, d[j]));
    if (row[i] < BOUND_LE_ZERO)
      return false;
  }
  return true;
}

bool dbm_cut_above(Bound *d, uint32_t n, const Bound *most) { return cut_above(d, n, most); }

// By blocks of columns; what padding says is not asked for.
DBM_CLONES static bool exceeds(const Bound *a, const Bound *b, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (uint32_t block = 0; block < n; block += DBM_LANES) {
    int32_t lanes[DBM_LANES] = {0};
    for (size_t k = block; k < n * stride; k += stride)
      DBM_WHOLE for (size_t l = 0; l < DBM_LANES; l++) { lanes[l] |= a[k + l] > b[k + l]; }
    if (rows_any(lanes, n - block))
      return true;
  }
  return false;
}

bool dbm_includes(const Bound *big, const Bound *small, uint32_t n) {
  return !exceeds(small, big, n);
}

void dbm_join(Bound *d, const Bound *other, uint32_t n) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (d[i * stride + j] < other[i * stride + j])
        d[i * stride + j] = other[i * stride + j];
}

bool dbm_equal(const Bound *a, const Bound *b, uint32_t n) {
  for (size_t k = 0; k < n; k++)
    if (memcmp(a + k * dbm_stride(n), b + k * dbm_stride(n), n * sizeof(Bound)) != 0)
      return false;
  return true;
}

DBM_CLONES static bool leaves_range(const Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (uint32_t block = 0; block < n; block += DBM_LANES) {
    Bound least[DBM_LANES] = {0}, max[DBM_LANES] = {0};
    for (size_t k = block; k < n * stride; k += stride)
      DBM_WHOLE for (size_t l = 0; l < DBM_LANES; l++) {
        const Bound b = d[k + l] == BOUND_INF ? 0 : d[k + l];
        least[l] = b < least[l] ? b : least[l];
        max[l] = b > max[l] ? b : max[l];
      }
    for (uint32_t l = 0; l < DBM_LANES && block + l < n; l++)
      if (least[l] < bound_lt(-BOUND_MAX) || max[l] > bound_le(BOUND_MAX))
        return true;
  }
  return false;
}

bool dbm_in_range(const Bound *d, uint32_t n) { return !leaves_range(d, n); }

// Whether some path over one clock is shorter than the direct bound.
DBM_CLONES static bool has_shortcut(const Bound *d, uint32_t n) {
  const uint32_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++) {
    const Bound *row = d + i * stride;
    for (size_t k = 0; k < n; k++) {
      const Bound *via = d + k * stride, first = row[k];
      if (first == BOUND_INF)
        continue;
      int found = 0;
      for (uint32_t l = 0; l < stride; l++)
        found |= (l < n) & (via[l] != BOUND_INF) & (bound_sum_finite(first, via[l]) < row[l]);
      if (found)
        return true;
    }
  }
  return false;
}

bool dbm_is_tight(const Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++)
    if (d[i * stride + i] != BOUND_LE_ZERO || d[i] > BOUND_LE_ZERO)
      return false;
  return !has_shortcut(d, n);
}

bool dbm_is_universal(const Bound *d, uint32_t n) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (d[i * stride + j] != (i == 0 || i == j ? BOUND_LE_ZERO : BOUND_INF))
        return false;
  return true;
}

bool dbm_contains(const Bound *d, uint32_t n, const int64_t *point, int64_t scale) {
  const size_t stride = dbm_stride(n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const Bound b = d[i * stride + j];
      if (b == BOUND_INF)
        continue;
      const int64_t slack = bound_constant(b) * scale - (point[i] - point[j]);
      if (bound_is_strict(b) ? slack <= 0 : slack < 0)
        return false;
    }
  return true;
}
