#include "check/nodezone.h"

// Every entry is the least that follows from the others, no clock is negative, and there is a
// point.
bool nodezone_is_tight(const NodeBound *m, uint32_t k) {
  for (uint32_t i = 0; i < k; i++) {
    if (m[i] > NODEBOUND_ZERO)
      return false;
    for (uint32_t j = 0; j < k; j++) {
      const NodeBound ij = m[i * k + j];
      if (ij >= NODEBOUND_INFINITE || i == j)
        continue;
      if (nodebound_sum(ij, m[j * k + i]) < NODEBOUND_ZERO)
        return false;
      bool is_loose = false;
      for (uint32_t l = 0; l < k; l++) { // nodebound_sum, with one operand known to be finite
        const NodeBound jl = m[j * k + l];
        is_loose |= (jl < NODEBOUND_INFINITE) & (m[i * k + l] > ij + jl - ((ij | jl) & 1));
      }
      if (is_loose)
        return false;
    }
  }
  return true;
}

void nodezone_universal(NodeBound *m, uint32_t k) {
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      m[i * k + j] = i == j || !i ? NODEBOUND_ZERO : NODEBOUND_INFINITE;
}

// Intersects with x_i - x_j <= bound; false if nothing is left.
bool nodezone_constrain(NodeBound *m, uint32_t k, uint32_t i, uint32_t j, NodeBound bound) {
  if (m[i * k + j] <= bound)
    return true;
  if (nodebound_sum(m[j * k + i], bound) < NODEBOUND_ZERO)
    return false;
  for (uint32_t a = 0; a < k; a++) {
    const NodeBound to = nodebound_sum(m[a * k + i], bound);
    if (to >= NODEBOUND_INFINITE)
      continue;
    for (uint32_t b = 0; b < k; b++) {
      const NodeBound way = nodebound_sum(to, m[j * k + b]);
      if (way < m[a * k + b])
        m[a * k + b] = way;
    }
  }
  return true;
}

bool nodezone_sees_diagonal(const NodeBounds *bounds, uint32_t i, uint32_t j, NodeBound bound) {
  for (uint32_t d = 0; d < bounds->diagonal_count; d++)
    if (bounds->diagonals[d].i == i && bounds->diagonals[d].j == j &&
        bounds->diagonals[d].bound == bound)
      return true;
  return bounds->lower[i] == BOUND_INFINITE && bounds->upper[i] == BOUND_INFINITE &&
         bounds->lower[j] == BOUND_INFINITE && bounds->upper[j] == BOUND_INFINITE;
}

// Whether the bounds make the node see a test (check/certify.h).
static bool is_seen(const NodeBounds *bounds, const ClockTest *test) {
  const uint32_t i = bounds->position[test->i], j = bounds->position[test->j];
  if (i == UINT32_MAX || j == UINT32_MAX)
    return false;
  if (!test->i)
    return bounds->lower[j] >= -(int64_t)test->constant;
  if (!test->j)
    return bounds->upper[i] >= test->constant || test->constant < 0 ||
           (test->constant == 0 && test->strict);
  return nodezone_sees_diagonal(bounds, i, j, nodebound_of(test));
}

// Intersects with the tests that are seen.
bool nodezone_meet(NodeBound *m, const NodeBounds *bounds, const ClockTest *tests,
                   uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        !nodezone_constrain(m, bounds->k, bounds->position[tests[t].i],
                            bounds->position[tests[t].j], nodebound_of(&tests[t])))
      return false;
  return true;
}

// Whether one of the tests that are seen misses the zone altogether: the usual case, for which
// nothing needs to be copied.
bool nodezone_misses(const NodeBound *m, const NodeBounds *bounds, const ClockTest *tests,
                     uint32_t count) {
  const uint32_t k = bounds->k;
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        nodebound_sum(m[bounds->position[tests[t].j] * k + bounds->position[tests[t].i]],
                      nodebound_of(&tests[t])) < NODEBOUND_ZERO)
      return true;
  return false;
}

// Whether `small` is a subset of a_LU(big), by the criterion of HSW12: it is not iff for some y
// and x some point of small has x <= U_x, where big[y][x] is less than small[y][x] and
// remains too small with y lowered to just above L_y.
bool nodezone_is_covered(const NodeBound *small, const NodeBound *big, const NodeBounds *bounds) {
  const uint32_t k = bounds->k;
  for (uint32_t y = 0; y < k; y++) {
    if (bounds->lower[y] == BOUND_NONE)
      continue;
    for (uint32_t x = 0; x < k; x++) {
      const NodeBound b = big[y * k + x];
      if (b >= small[y * k + x] || bounds->upper[x] == BOUND_NONE)
        continue;
      if (small[x] >= 1 - 2 * bounds->upper[x] &&
          nodebound_sum(b, -2 * bounds->lower[y]) < small[x])
        return false;
    }
  }
  return true;
}

// The bounds of the covering node do not ask for more than those of the source can promise.
bool nodezone_carries(const NodeBounds *from, const NodeBounds *to, const Origin *origin) {
  for (uint32_t i = 1; i < to->k; i++) {
    const Origin o = origin[to->clocks[i]];
    if (!o.y)
      continue;
    const uint32_t y = from->position[o.y];
    const int64_t lower = y == UINT32_MAX ? BOUND_NONE : from->lower[y];
    const int64_t upper = y == UINT32_MAX ? BOUND_NONE : from->upper[y];
    const int64_t least = to->lower[i] == BOUND_INFINITE ? BOUND_INFINITE : to->lower[i] - o.d;
    const int64_t max = to->upper[i] == BOUND_INFINITE ? BOUND_INFINITE : to->upper[i] - o.d;
    if ((to->lower[i] != BOUND_NONE && least >= 0 && lower < least) ||
        (to->upper[i] != BOUND_NONE && max >= 0 && upper < max))
      return false;
  }
  return true;
}

// The zone after the updates, over the clocks of the covering node. A clock that the source does
// not know can be anything that is not negative: it is at least d, and 0. So its column is that
// of clock 0. `columns` is room for one entry per clock: y is a position in the source. Rows of
// clocks without a lower bound are not looked at by nodezone_is_covered, and are left as they
// are.
void nodezone_enter(const NodeBound *m, const NodeBounds *from, const NodeBounds *to,
                    const Origin *origin, Origin *columns, NodeBound *entry) {
  const uint32_t k = to->k;
  for (uint32_t j = 0; j < k; j++) {
    const Origin b = origin[to->clocks[j]];
    const uint32_t q = from->position[b.y];
    columns[j] = q == UINT32_MAX ? (Origin){0, b.d > 0 ? b.d : 0} : (Origin){q, b.d};
  }
  for (uint32_t i = 0; i < k; i++, entry += k) {
    const Origin a = origin[to->clocks[i]];
    const uint32_t p = from->position[a.y];
    if (to->lower[i] == BOUND_NONE && !to->diagonal_count)
      continue;
    const NodeBound *row = p == UINT32_MAX ? NULL : m + p * from->k;
    for (uint32_t j = 0; j < k; j++)
      entry[j] =
          row ? nodebound_moved(row[columns[j].y], a.d - columns[j].d) : NODEBOUND_INFINITE;
    entry[i] = NODEBOUND_ZERO;
  }
}

// An upper bound of x_i - x_j is lost if x_i runs and x_j does not. Clock 0 never does.
void nodezone_delay(NodeBound *m, const NodeBounds *bounds, const bool *stands_still) {
  const uint32_t k = bounds->k;
  for (uint32_t i = 1; i < k; i++)
    for (uint32_t j = 0; j < k && !stands_still[bounds->clocks[i]]; j++)
      if (!j || stands_still[bounds->clocks[j]])
        m[i * k + j] = NODEBOUND_INFINITE;
}
