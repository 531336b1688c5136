#include "check/stuck.h"

#include <string.h>

enum { MAX_CUTS = 4096 }; // of one node: a certificate that needs more is rejected

void stuck_init(Stuck *s, Mem *mem, const Net *net) {
  const uint32_t n = net->clock_count + 1;
  *s = (Stuck){.mem = mem, .n = n};
  ClockIndex *clocks = mem_alloc(mem, n * sizeof *clocks);
  uint32_t *position = mem_alloc(mem, n * sizeof *position);
  int64_t *bounds = mem_alloc(mem, n * sizeof *bounds);
  for (uint32_t x = 0; x < n; x++) {
    clocks[x] = position[x] = x;
    bounds[x] = BOUND_INFINITE;
  }
  bounds[0] = 0;
  s->all = (NodeBounds){
      .k = n, .clocks = clocks, .lower = bounds, .upper = bounds, .position = position};
  s->hull = mem_alloc(mem, sizeof *s->hull * n * n);
  s->zone = mem_alloc(mem, sizeof *s->zone * n * n);
}

void stuck_forget(Stuck *s) { s->has_pasts = false; }

static size_t entries(const Stuck *s) { return (size_t)s->n * s->n; }

// Time is turned back: a clock has no other lower bounds than those by its differences to others.
static void turn_back(NodeBound *m, uint32_t n) {
  for (uint32_t j = 1; j < n; j++) {
    m[j] = NODEBOUND_ZERO;
    for (uint32_t i = 1; i < n; i++)
      if (m[i * n + j] < m[j])
        m[j] = m[i * n + j];
  }
}

// Where a transition is possible, after a delay if that may be, in `zone`. False if nowhere, or
// if it is not known where: then it is as if it were not there, and the check is stricter.
static bool find_past(Stuck *s, const StateTransitions *a, const StateTransition *transition) {
  const ClockTest *tests = &a->tests.items[transition->first_test];
  if (transition->error || transition->is_blocked || transition->is_weakened ||
      !a->transitions.list.items[transition->ordinal].count)
    return false;
  nodezone_universal(s->zone, s->n);
  if (!nodezone_meet(s->zone, &s->all, a->invariant.items, a->invariant.size) ||
      !nodezone_meet(s->zone, &s->all, tests, transition->test_count))
    return false;
  for (uint32_t i = 0; i < transition->drop_count;
       i++) { // x = y + d, and no clock becomes negative
    const Origin drop = a->drops.items[transition->first_drop + i];
    if (!drop.y || !nodezone_constrain(s->zone, s->n, 0, drop.y, 1 + 2 * drop.d))
      return false;
  }
  if (a->can_delay)
    turn_back(s->zone, s->n);
  return true;
}

static bool includes(const NodeBound *big, const NodeBound *small, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (big[i] < small[i])
      return false;
  return true;
}

static void push_past(Stuck *s) {
  vec_reserve(s->mem, &s->pasts, s->pasts.size + (uint32_t)entries(s));
  memcpy(s->pasts.items + s->pasts.size, s->zone, entries(s) * sizeof(NodeBound));
  s->pasts.size += (uint32_t)entries(s);
  s->past_count++;
}

static void find_pasts(Stuck *s, const StateTransitions *a) {
  vec_clear(&s->pasts);
  s->past_count = 0;
  s->is_free = false;
  s->has_pasts = true;
  nodezone_universal(s->hull, s->n);
  if (!nodezone_meet(s->hull, &s->all, a->invariant.items, a->invariant.size))
    return;
  for (uint32_t i = 0; i < a->list.size && !s->is_free; i++) {
    if (!find_past(s, a, &a->list.items[i]))
      continue;
    push_past(s);
    s->is_free = includes(s->zone, s->hull, entries(s));
  }
}

static bool can_be_above(const NodeBound *zone, uint32_t k, uint32_t x, int64_t bound) {
  return bound != BOUND_INFINITE && zone[x * k] > 2 * bound + 1;
}

// Of clock x against y, where both are clocks of the node: an entry of the hull.
static NodeBound hull_entry(const NodeBound *zone, const NodeBounds *bounds, uint32_t x,
                            uint32_t y) {
  const uint32_t k = bounds->k;
  const NodeBound entry = zone[x * k + y];
  if (x && can_be_above(zone, k, x, bounds->lower[x]))
    return NODEBOUND_INFINITE;
  if (!y || !can_be_above(zone, k, y, bounds->upper[y]))
    return entry;
  const NodeBound sunk = bounds->upper[y] == BOUND_NONE ? NODEBOUND_ZERO : -2 * bounds->upper[y];
  const NodeBound max = nodebound_sum(x ? zone[x * k] : NODEBOUND_ZERO, sunk);
  return max > entry ? max : entry;
}

// A zone over all clocks that contains a_LU(zone); the clocks that the node does not list can be
// anything. It is closed: each entry is the least that follows.
static void make_hull(Stuck *s, const NodeBound *zone, const NodeBounds *bounds) {
  const uint32_t n = s->n;
  nodezone_universal(s->hull, n);
  for (uint32_t x = 0; x < bounds->k; x++)
    for (uint32_t y = 0; y < bounds->k; y++)
      if (x != y)
        s->hull[bounds->clocks[x] * n + bounds->clocks[y]] = hull_entry(zone, bounds, x, y);
  for (uint32_t j = 1; j < n; j++) // no clock is negative
    if (s->hull[j] > NODEBOUND_ZERO)
      s->hull[j] = NODEBOUND_ZERO;
  for (uint32_t l = 0; l < n; l++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++) {
        const NodeBound way = nodebound_sum(s->hull[i * n + l], s->hull[l * n + j]);
        if (way < s->hull[i * n + j])
          s->hull[i * n + j] = way;
      }
}

static void push_left(Stuck *s, const NodeBound *zone) {
  const uint32_t size = s->left.size;
  vec_reserve(s->mem, &s->left, size + (uint32_t)entries(s));
  memcpy(s->left.items + size, zone, entries(s) * sizeof *zone);
  s->left.size += (uint32_t)entries(s);
}

// Takes the past away from the zones from number `from` on, up to `to`; what is left of them is
// behind.
static void subtract(Stuck *s, uint32_t from, uint32_t to, const NodeBound *past) {
  const uint32_t n = s->n;
  for (uint32_t z = from; z < to; z += (uint32_t)entries(s)) {
    mem_tick(s->mem);
    if (includes(past, s->left.items + z, entries(s)))
      continue;
    memcpy(s->zone, s->left.items + z, entries(s) * sizeof(NodeBound));
    bool is_over = false;
    for (uint32_t i = 0; i < n && !is_over; i++)
      for (uint32_t j = 0; j < n && !is_over; j++) {
        const NodeBound bound = past[i * n + j];
        if (i == j || bound >= s->zone[i * n + j])
          continue;
        // x_j - x_i beyond -bound: outside of the past.
        const uint32_t size = s->left.size;
        push_left(s, s->zone);
        if (!nodezone_constrain(s->left.items + size, n, j, i, 1 - bound))
          s->left.size = size;
        is_over = !nodezone_constrain(s->zone, n, i, j, bound);
      }
  }
}

// The past of what meets the invariant and does not meet a test is a past like those of
// transitions.
static void add_leaving(Stuck *s, const StateTransitions *a, const ClockTest *test) {
  const ClockTest outside = {test->j, test->i, -test->constant, !test->strict};
  nodezone_universal(s->zone, s->n);
  if (!nodezone_meet(s->zone, &s->all, a->invariant.items, a->invariant.size) ||
      !nodezone_meet(s->zone, &s->all, &outside, 1))
    return;
  turn_back(s->zone, s->n);
  push_past(s);
}

// Whether something of the hull is left that meets invariant and tests.
static bool is_some_left(Stuck *s, const StateTransitions *a, const ClockTest *tests,
                         uint32_t count) {
  if (!nodezone_meet(s->hull, &s->all, a->invariant.items, a->invariant.size) ||
      !nodezone_meet(s->hull, &s->all, tests, count))
    return false;
  vec_clear(&s->left);
  push_left(s, s->hull);
  uint32_t from = 0;
  for (uint32_t i = 0; i < s->past_count && from < s->left.size; i++) {
    const uint32_t to = s->left.size;
    subtract(s, from, to, s->pasts.items + i * entries(s));
    from = to;
  }
  return from < s->left.size;
}

static bool look(Stuck *s, const StateTransitions *a, const NodeBound *zone,
                 const NodeBounds *bounds, const ClockTest *tests, uint32_t count);

// Whether a clock can be on both sides of a bound: then both parts are looked at. *is_cut says
// whether there was such a bound.
static bool look_at_parts(Stuck *s, const StateTransitions *a, const NodeBound *zone,
                          const NodeBounds *bounds, const ClockTest *tests, uint32_t count,
                          bool *is_cut) {
  const uint32_t k = bounds->k;
  bool found = false;
  for (uint32_t x = 1; x < k && !*is_cut; x++)
    for (int which = 0; which < 2 && !*is_cut; which++) {
      const int64_t bound = which ? bounds->upper[x] : bounds->lower[x];
      if (bound == BOUND_NONE || !can_be_above(zone, k, x, bound) || zone[x] < 1 - 2 * bound)
        continue;
      *is_cut = true;
      NodeBound *part = mem_alloc(s->mem, sizeof *part * k * k);
      for (int side = 0; side < 2 && !found; side++) {
        memcpy(part, zone, sizeof *part * k * k);
        if (side ? nodezone_constrain(part, k, 0, x, -2 * bound)
                 : nodezone_constrain(part, k, x, 0, 2 * bound + 1))
          found = look(s, a, part, bounds, tests, count);
      }
      mem_free(s->mem, part);
    }
  return found;
}

static bool look(Stuck *s, const StateTransitions *a, const NodeBound *zone,
                 const NodeBounds *bounds, const ClockTest *tests, uint32_t count) {
  mem_tick(s->mem);
  make_hull(s, zone, bounds);
  if (!is_some_left(s, a, tests, count))
    return false;
  bool is_cut = false;
  if (++s->cuts > MAX_CUTS)
    return true;
  const bool found = look_at_parts(s, a, zone, bounds, tests, count, &is_cut);
  return found || !is_cut;
}

bool stuck_is_possible(Stuck *s, const StateTransitions *a, const NodeBound *zone,
                       const NodeBounds *bounds, const ClockTest *tests, uint32_t count) {
  if (!s->has_pasts)
    find_pasts(s, a);
  s->cuts = 0;
  return !s->is_free && look(s, a, zone, bounds, tests, count);
}

bool stuck_stays(Stuck *s, const StateTransitions *a, const NodeBound *zone,
                 const NodeBounds *bounds, const ClockTest *tests, uint32_t count) {
  if (!s->has_pasts)
    find_pasts(s, a);
  const uint32_t known = s->past_count;
  for (uint32_t t = 0; t < count && a->can_delay; t++)
    add_leaving(s, a, &tests[t]);
  const bool found = stuck_is_possible(s, a, zone, bounds, tests, count);
  s->past_count = known;
  s->pasts.size = known * (uint32_t)entries(s);
  return found;
}

static bool has_upper(const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (tests[i].i && !tests[i].j)
      return true;
  return false;
}

bool stuck_can_idle(const StateTransitions *a, const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < a->list.size; i++)
    if (!a->transitions.list.items[a->list.items[i].ordinal].count)
      return true; // it passes in pieces of the clock space, perhaps for ever
  return a->can_delay && !has_upper(a->invariant.items, a->invariant.size) &&
         !has_upper(tests, count);
}
