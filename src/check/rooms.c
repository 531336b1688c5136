#include "check/rooms.h"

// Every entry is the least that follows from the others, no clock is negative, and there is a
// point.
bool rooms_are_tight(const Room *m, uint32_t k) {
  for (uint32_t i = 0; i < k; i++) {
    if (m[i] > ROOM_ZERO)
      return false;
    for (uint32_t j = 0; j < k; j++) {
      const Room ij = m[i * k + j];
      if (ij >= ROOM_INFINITE || i == j)
        continue;
      if (room_sum(ij, m[j * k + i]) < ROOM_ZERO)
        return false;
      bool is_loose = false;
      for (uint32_t l = 0; l < k; l++) { // room_sum, of which one is known to be finite
        const Room jl = m[j * k + l];
        is_loose |= (jl < ROOM_INFINITE) & (m[i * k + l] > ij + jl - ((ij | jl) & 1));
      }
      if (is_loose)
        return false;
    }
  }
  return true;
}

// Intersects with x_i - x_j <= room; false if nothing is left.
bool rooms_constrain(Room *m, uint32_t k, uint32_t i, uint32_t j, Room room) {
  if (m[i * k + j] <= room)
    return true;
  if (room_sum(m[j * k + i], room) < ROOM_ZERO)
    return false;
  for (uint32_t a = 0; a < k; a++) {
    const Room to = room_sum(m[a * k + i], room);
    if (to >= ROOM_INFINITE)
      continue;
    for (uint32_t b = 0; b < k; b++) {
      const Room way = room_sum(to, m[j * k + b]);
      if (way < m[a * k + b])
        m[a * k + b] = way;
    }
  }
  return true;
}

bool rooms_see_gap(const NodeBounds *bounds, uint32_t i, uint32_t j, Room room) {
  for (uint32_t d = 0; d < bounds->gap_count; d++)
    if (bounds->gaps[d].i == i && bounds->gaps[d].j == j && bounds->gaps[d].room == room)
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
  return rooms_see_gap(bounds, i, j, room_of(test));
}

// Intersects with the tests that are seen.
bool rooms_meet(Room *m, const NodeBounds *bounds, const ClockTest *tests, uint32_t count) {
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        !rooms_constrain(m, bounds->k, bounds->position[tests[t].i], bounds->position[tests[t].j],
                         room_of(&tests[t])))
      return false;
  return true;
}

// Whether one of the tests that are seen misses the zone altogether: the usual case, for which
// nothing needs to be copied.
bool rooms_miss(const Room *m, const NodeBounds *bounds, const ClockTest *tests, uint32_t count) {
  const uint32_t k = bounds->k;
  for (uint32_t t = 0; t < count; t++)
    if (is_seen(bounds, &tests[t]) &&
        room_sum(m[bounds->position[tests[t].j] * k + bounds->position[tests[t].i]],
                 room_of(&tests[t])) < ROOM_ZERO)
      return true;
  return false;
}

// Whether `small` is a subset of a_LU(big), by the criterion of HSW12: it is not iff for some y
// and x some point of small has x <= U_x, where big[y][x] is less than small[y][x] and
// remains too small with y lowered to just above L_y.
bool rooms_are_covered(const Room *small, const Room *big, const NodeBounds *bounds) {
  const uint32_t k = bounds->k;
  for (uint32_t y = 0; y < k; y++) {
    if (bounds->lower[y] == BOUND_NONE)
      continue;
    for (uint32_t x = 0; x < k; x++) {
      const Room b = big[y * k + x];
      if (b >= small[y * k + x] || bounds->upper[x] == BOUND_NONE)
        continue;
      if (small[x] >= 1 - 2 * bounds->upper[x] && room_sum(b, -2 * bounds->lower[y]) < small[x])
        return false;
    }
  }
  return true;
}

// The bounds of the covering node do not ask for more than those of the source can promise.
bool rooms_carry(const NodeBounds *from, const NodeBounds *to, const Origin *origin) {
  for (uint32_t i = 1; i < to->k; i++) {
    const Origin o = origin[to->clocks[i]];
    if (!o.y)
      continue;
    const uint32_t y = from->position[o.y];
    const int64_t lower = y == UINT32_MAX ? BOUND_NONE : from->lower[y];
    const int64_t upper = y == UINT32_MAX ? BOUND_NONE : from->upper[y];
    const int64_t least = to->lower[i] == BOUND_INFINITE ? BOUND_INFINITE : to->lower[i] - o.d;
    const int64_t most = to->upper[i] == BOUND_INFINITE ? BOUND_INFINITE : to->upper[i] - o.d;
    if ((to->lower[i] != BOUND_NONE && least >= 0 && lower < least) ||
        (to->upper[i] != BOUND_NONE && most >= 0 && upper < most))
      return false;
  }
  return true;
}

// The zone after the updates, over the clocks of the covering node. A clock that the source does
// not know can be anything that is not negative: it is at least d, and 0. So its column is that
// of clock 0. `columns` is room for one entry per clock: y is a position in the source. Rows of
// clocks without a lower bound are not looked at by rooms_are_covered, and are left as they are.
void rooms_enter(const Room *m, const NodeBounds *from, const NodeBounds *to,
                 const Origin *origin, Origin *columns, Room *entry) {
  const uint32_t k = to->k;
  for (uint32_t j = 0; j < k; j++) {
    const Origin b = origin[to->clocks[j]];
    const uint32_t q = from->position[b.y];
    columns[j] = q == UINT32_MAX ? (Origin){0, b.d > 0 ? b.d : 0} : (Origin){q, b.d};
  }
  for (uint32_t i = 0; i < k; i++, entry += k) {
    const Origin a = origin[to->clocks[i]];
    const uint32_t p = from->position[a.y];
    if (to->lower[i] == BOUND_NONE && !to->gap_count)
      continue;
    const Room *row = p == UINT32_MAX ? NULL : m + p * from->k;
    for (uint32_t j = 0; j < k; j++)
      entry[j] = row ? room_moved(row[columns[j].y], a.d - columns[j].d) : ROOM_INFINITE;
    entry[i] = ROOM_ZERO;
  }
}

void rooms_delay(Room *m, uint32_t k) {
  for (uint32_t i = 1; i < k; i++)
    m[i * k] = ROOM_INFINITE;
}
