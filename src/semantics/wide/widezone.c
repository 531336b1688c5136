#include "semantics/wide/widezone.h"

#include <string.h>

static WideBound sum(WideBound a, WideBound b) {
  return a == WIDE_INF || b == WIDE_INF ? WIDE_INF : a + b - ((a | b) & 1);
}

void widezone_zero(WideBound *d, uint32_t n) {
  for (size_t k = 0; k < (size_t)n * n; k++)
    d[k] = WIDE_LE_ZERO;
}

void widezone_universal(WideBound *d, uint32_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      d[i * n + j] = i && i != j ? WIDE_INF : WIDE_LE_ZERO;
}

bool widezone_in_range(const WideBound *d, uint32_t n) {
  const WideBound max = widezone_bound(WIDE_MAX, false);
  for (size_t k = 0; k < (size_t)n * n; k++)
    if (d[k] != WIDE_INF && (d[k] > max || d[k] < -max))
      return false;
  return true;
}

// A path that became shorter goes over the new edge once (dbm/dbm.c has the argument).
bool widezone_constrain(WideBound *d, uint32_t n, const ClockTest *test) {
  const size_t i = test->i, j = test->j;
  const WideBound bound = widezone_bound(test->constant, test->strict);
  if (bound >= d[i * n + j])
    return true;
  if (sum(bound, d[j * n + i]) < WIDE_LE_ZERO)
    return false;
  for (size_t k = 0; k < n; k++) {
    const WideBound first = sum(d[k * n + i], bound);
    for (size_t l = 0; l < n && first != WIDE_INF; l++) {
      const WideBound path = sum(first, d[j * n + l]);
      if (path < d[k * n + l])
        d[k * n + l] = path;
    }
  }
  return true;
}

void widezone_up(WideBound *d, uint32_t n) {
  for (size_t i = 1; i < n; i++)
    d[i * n] = WIDE_INF;
}

// x becomes another name of y, then it is moved by the constant.
bool widezone_update(WideBound *d, uint32_t n, const ClockUpdate *update) {
  const size_t x = update->x, y = update->y;
  const WideBound shift = 2 * update->constant;
  if (d[y] - shift > WIDE_LE_ZERO)
    return false;
  for (size_t k = 0; k < n && x != y; k++)
    d[x * n + k] = d[y * n + k];
  for (size_t k = 0; k < n && x != y; k++)
    d[k * n + x] = d[k * n + y];
  for (size_t k = 0; k < n; k++) {
    if (k != x && d[x * n + k] != WIDE_INF)
      d[x * n + k] += shift;
    if (k != x && d[k * n + x] != WIDE_INF)
      d[k * n + x] -= shift;
  }
  d[x * n + x] = WIDE_LE_ZERO;
  return true;
}

void widezone_free(WideBound *d, uint32_t n, ClockIndex x) {
  for (size_t k = 0; k < n; k++)
    if (k != x) {
      d[(size_t)x * n + k] = WIDE_INF;
      d[k * n + x] = d[k * n];
    }
}

static void close(WideBound *d, uint32_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n && d[i * n + k] != WIDE_INF; j++) {
        const WideBound path = sum(d[i * n + k], d[k * n + j]);
        if (path < d[i * n + j])
          d[i * n + j] = path;
      }
}

// Whether all values of x in the zone are above the bound; without a bound they are.
static bool is_above(WideBound lowest, int64_t bound) {
  return bound < 0 || lowest < widezone_bound(-bound, true);
}

// An entry [i][j] of the extrapolated zone, i and j different, from those of the zone.
static WideBound enlarged(const WideBound *d, uint32_t n, size_t i, size_t j,
                          const int64_t *lower, const int64_t *upper, bool plus) {
  const WideBound entry = d[i * n + j];
  const WideBound floor = upper[j] < 0 ? WIDE_LE_ZERO : widezone_bound(-upper[j], true);
  if (i == 0)
    return entry < floor || upper[j] < 0 ? floor : entry;
  if (lower[i] < 0 || entry > widezone_bound(lower[i], false) ||
      (plus && is_above(d[i], lower[i])))
    return WIDE_INF;
  if (j && (upper[j] < 0 || (plus && is_above(d[j], upper[j]))))
    return WIDE_INF;
  return j && entry < floor ? floor : entry;
}

void widezone_extrapolate(WideBound *d, uint32_t n, const int64_t *lower, const int64_t *upper,
                          bool plus) {
  bool changed = false;
  for (size_t i = n; i-- > 0;) // row 0 last, as the others look at it
    for (size_t j = 0; j < n; j++) {
      const WideBound entry = i == j ? d[i * n + j] : enlarged(d, n, i, j, lower, upper, plus);
      changed |= entry != d[i * n + j];
      d[i * n + j] = entry;
    }
  if (changed)
    close(d, n);
}

bool widezone_includes(const WideBound *big, const WideBound *small, uint32_t n) {
  for (size_t k = 0; k < (size_t)n * n; k++)
    if (small[k] > big[k])
      return false;
  return true;
}

// The three conditions at the head of dbm/simulation.c.
static bool fails(const WideBound *big, const WideBound *small, uint32_t n, size_t y, size_t x,
                  const int64_t *lower, const int64_t *upper) {
  return upper[x] >= 0 && lower[y] >= 0 && small[x] >= widezone_bound(-upper[x], false) &&
         big[y * n + x] < small[y * n + x] &&
         sum(big[y * n + x], widezone_bound(-lower[y], true)) < small[x];
}

bool widezone_simulates(const WideBound *big, const WideBound *small, uint32_t n,
                        const int64_t *lower, const int64_t *upper) {
  for (size_t y = 0; y < n; y++)
    for (size_t x = 0; x < n; x++)
      if (fails(big, small, n, y, x, lower, upper))
        return false;
  return true;
}
