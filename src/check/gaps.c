#include "check/gaps.h"

#include <string.h>

// The least bound on x_i - x_j among the tests; clocks are not negative.
static Room least(const GapTests *g, ClockIndex i, ClockIndex j) {
  Room room = i ? ROOM_INFINITE : ROOM_ZERO;
  for (uint32_t t = 0; t < g->count + g->more_count; t++) {
    const ClockTest *test = t < g->count ? &g->tests[t] : &g->more[t - g->count];
    if (test->i == i && test->j == j && room_of(test) < room)
      room = room_of(test);
  }
  return room;
}

// Whether x_i - x_j <= room contradicts the tests.
static bool is_against(const GapTests *g, ClockIndex i, ClockIndex j, Room room) {
  const Room direct = least(g, j, i), around = room_sum(least(g, j, 0), least(g, 0, i));
  return room_sum(direct, room) < ROOM_ZERO || room_sum(around, room) < ROOM_ZERO;
}

bool gaps_contradict(const GapTests *g, const ClockTest *test) {
  return test->i && test->j && is_against(g, test->i, test->j, room_of(test));
}

// Whether v meets y_i - y_j <= room if u does. The clocks differ; one may be the constant zero.
static bool is_carried(const NodeBounds *from, ClockIndex yi, ClockIndex yj, Room room,
                       const Room *source, const GapTests *g) {
  const uint32_t i = from->position[yi], j = from->position[yj];
  const Room c = room >> 1; // rounds down
  if (!yi)
    return room >= ROOM_ZERO || (j != UINT32_MAX && from->lower[j] >= -c);
  if (!yj)
    return room < ROOM_ZERO || (i != UINT32_MAX && from->upper[i] >= c);
  if (i != UINT32_MAX && j != UINT32_MAX && rooms_see_gap(from, i, j, room))
    return true;
  // A clock that is not listed is not negative.
  if (i != UINT32_MAX && source[i * from->k + (j == UINT32_MAX ? 0 : j)] <= room)
    return true;
  return is_against(g, yi, yj, room);
}

bool gaps_carry(const NodeBounds *from, const NodeBounds *to, const Origin *origin,
                const Room *source, const GapTests *g) {
  for (uint32_t d = 0; d < to->gap_count; d++) {
    const NodeGap gap = to->gaps[d];
    const Origin a = origin[to->clocks[gap.i]], b = origin[to->clocks[gap.j]];
    if (a.y != b.y && !is_carried(from, a.y, b.y, room_moved(gap.room, b.d - a.d), source, g))
      return false;
  }
  return true;
}

static bool is_inside(const Room *small, const Room *big, uint32_t k) {
  for (uint32_t i = 0; i < k * k; i++)
    if (small[i] > big[i])
      return false;
  return true;
}

// Of one covering: a certificate that needs more is rejected. Without a limit hostile ones take
// time that is exponential in what they list. Random networks and real models need at most 7.
enum { MOST_SPLITS = 2000 };

typedef struct Cover {
  Mem *mem;
  const NodeBounds *bounds;
  uint32_t splits; // until now
} Cover;

static bool covers(Cover *, const Room *small, const Room *big, uint32_t from);

// Splits by one constraint: where small meets it, big must; elsewhere it asks nothing.
static bool covers_parts(Cover *c, const Room *small, const Room *big, uint32_t from, Room *inner,
                         Room *outer) {
  const uint32_t k = c->bounds->k;
  const NodeGap gap = c->bounds->gaps[from];
  const size_t bytes = sizeof *small * k * k;
  memcpy(inner, small, bytes);
  memcpy(outer, big, bytes);
  if (rooms_constrain(inner, k, gap.i, gap.j, gap.room) &&
      (!rooms_constrain(outer, k, gap.i, gap.j, gap.room) || !covers(c, inner, outer, from + 1)))
    return false;
  memcpy(inner, small, bytes);
  return !rooms_constrain(inner, k, gap.j, gap.i, 1 - gap.room) ||
         covers(c, inner, big, from + 1);
}

static bool covers(Cover *c, const Room *small, const Room *big, uint32_t from) {
  const uint32_t k = c->bounds->k;
  if (is_inside(small, big, k))
    return true;
  for (; from < c->bounds->gap_count; from++) {
    const NodeGap gap = c->bounds->gaps[from];
    if (big[gap.i * k + gap.j] > gap.room &&
        room_sum(small[gap.j * k + gap.i], gap.room) >= ROOM_ZERO)
      break; // else big meets it anyway, or small does not
  }
  if (!rooms_are_covered(small, big, c->bounds))
    return false;
  if (from == c->bounds->gap_count)
    return true;
  if (c->splits++ == MOST_SPLITS)
    return false;
  Room *parts = mem_alloc(c->mem, 2 * sizeof *parts * k * k);
  const bool result = covers_parts(c, small, big, from, parts, parts + (size_t)k * k);
  mem_free(c->mem, parts);
  return result;
}

bool gaps_are_covered(Mem *mem, const Room *small, const Room *big, const NodeBounds *bounds) {
  Cover c = {.mem = mem, .bounds = bounds};
  return covers(&c, small, big, 0);
}
