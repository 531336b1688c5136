#include "check/nodediagonals.h"

#include <string.h>

// The least bound on x_i - x_j among the tests; clocks are not negative.
static NodeBound least(const DiagonalTests *g, ClockIndex i, ClockIndex j) {
  NodeBound bound = i ? NODEBOUND_INFINITE : NODEBOUND_ZERO;
  for (uint32_t t = 0; t < g->count + g->more_count; t++) {
    const ClockTest *test = t < g->count ? &g->tests[t] : &g->more[t - g->count];
    if (test->i == i && test->j == j && nodebound_of(test) < bound)
      bound = nodebound_of(test);
  }
  return bound;
}

// Whether x_i - x_j <= bound contradicts the tests.
static bool is_against(const DiagonalTests *g, ClockIndex i, ClockIndex j, NodeBound bound) {
  const NodeBound direct = least(g, j, i), around = nodebound_sum(least(g, j, 0), least(g, 0, i));
  return nodebound_sum(direct, bound) < NODEBOUND_ZERO ||
         nodebound_sum(around, bound) < NODEBOUND_ZERO;
}

bool nodediagonals_contradict(const DiagonalTests *g, const ClockTest *test) {
  return test->i && test->j && is_against(g, test->i, test->j, nodebound_of(test));
}

// Whether v meets y_i - y_j <= bound if u does. The clocks differ; one may be the constant zero.
static bool is_carried(const NodeBounds *from, ClockIndex yi, ClockIndex yj, NodeBound bound,
                       const NodeBound *source, const DiagonalTests *g) {
  const uint32_t i = from->position[yi], j = from->position[yj];
  const NodeBound c = bound >> 1; // rounds down
  if (!yi)
    return bound >= NODEBOUND_ZERO || (j != UINT32_MAX && from->lower[j] >= -c);
  if (!yj)
    return bound < NODEBOUND_ZERO || (i != UINT32_MAX && from->upper[i] >= c);
  if (i != UINT32_MAX && j != UINT32_MAX && nodezone_sees_diagonal(from, i, j, bound))
    return true;
  // A clock that is not listed is not negative.
  if (i != UINT32_MAX && source[i * from->k + (j == UINT32_MAX ? 0 : j)] <= bound)
    return true;
  return is_against(g, yi, yj, bound);
}

bool nodediagonals_carry(const NodeBounds *from, const NodeBounds *to, const Origin *origin,
                         const NodeBound *source, const DiagonalTests *g) {
  for (uint32_t d = 0; d < to->diagonal_count; d++) {
    const NodeDiagonal diagonal = to->diagonals[d];
    const Origin a = origin[to->clocks[diagonal.i]], b = origin[to->clocks[diagonal.j]];
    if (a.y != b.y &&
        !is_carried(from, a.y, b.y, nodebound_moved(diagonal.bound, b.d - a.d), source, g))
      return false;
  }
  return true;
}

static bool is_inside(const NodeBound *small, const NodeBound *big, uint32_t k) {
  for (uint32_t i = 0; i < k * k; i++)
    if (small[i] > big[i])
      return false;
  return true;
}

// Of one covering: a certificate that needs more is rejected. Without a limit hostile ones take
// time that is exponential in what they list. Random networks and real models need at most 7.
enum { MAX_SPLITS = 2000 };

typedef struct Cover {
  Mem *mem;
  const NodeBounds *bounds;
  uint32_t splits; // until now
} Cover;

static bool covers(Cover *, const NodeBound *small, const NodeBound *big, uint32_t from);

// ZoneDiagonals by one constraint: where small meets it, big must; elsewhere it asks nothing.
static bool covers_parts(Cover *c, const NodeBound *small, const NodeBound *big, uint32_t from,
                         NodeBound *inner, NodeBound *outer) {
  const uint32_t k = c->bounds->k;
  const NodeDiagonal diagonal = c->bounds->diagonals[from];
  const size_t bytes = sizeof *small * k * k;
  memcpy(inner, small, bytes);
  memcpy(outer, big, bytes);
  if (nodezone_constrain(inner, k, diagonal.i, diagonal.j, diagonal.bound) &&
      (!nodezone_constrain(outer, k, diagonal.i, diagonal.j, diagonal.bound) ||
       !covers(c, inner, outer, from + 1)))
    return false;
  memcpy(inner, small, bytes);
  return !nodezone_constrain(inner, k, diagonal.j, diagonal.i, 1 - diagonal.bound) ||
         covers(c, inner, big, from + 1);
}

static bool covers(Cover *c, const NodeBound *small, const NodeBound *big, uint32_t from) {
  const uint32_t k = c->bounds->k;
  if (is_inside(small, big, k))
    return true;
  for (; from < c->bounds->diagonal_count; from++) {
    const NodeDiagonal diagonal = c->bounds->diagonals[from];
    if (big[diagonal.i * k + diagonal.j] > diagonal.bound &&
        nodebound_sum(small[diagonal.j * k + diagonal.i], diagonal.bound) >= NODEBOUND_ZERO)
      break; // else big meets it anyway, or small does not
  }
  if (!nodezone_is_covered(small, big, c->bounds))
    return false;
  if (from == c->bounds->diagonal_count)
    return true;
  if (c->splits++ == MAX_SPLITS)
    return false;
  NodeBound *parts = mem_alloc(c->mem, 2 * sizeof *parts * k * k);
  const bool result = covers_parts(c, small, big, from, parts, parts + (size_t)k * k);
  mem_free(c->mem, parts);
  return result;
}

bool nodediagonals_are_covered(Mem *mem, const NodeBound *small, const NodeBound *big,
                               const NodeBounds *bounds) {
  Cover c = {.mem = mem, .bounds = bounds};
  return covers(&c, small, big, 0);
}
