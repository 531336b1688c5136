#include "regiongraph.h"

#include "model/expr/clockuse.h"
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

static void note_max(void *context, const Expr *test) {
  const Range range = expr_range(test->c);
  int32_t *max = context;
  const int64_t here = range.high > -range.low ? range.high : -range.low;
  *max = here > *max ? (int32_t)here : *max;
}

int32_t regions_max_of(const Expr *expr) {
  int32_t max = 0;
  clockuse_tests(expr, note_max, &max);
  return max;
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

int32_t regions_max(const Net *net) {
  int32_t max = 1;
  for (uint32_t l = 0; l < net->locations.size; l++)
    max = larger(max, regions_max_of(net->locations.items[l].invariant_expr));
  for (uint32_t e = 0; e < net->edges.size; e++)
    max = larger(max, regions_max_of(net->edges.items[e].guard_expr));
  return max;
}

static bool meets(const Regions *r, const int32_t *clocks, const ClockTests *tests) {
  for (uint32_t i = 0; i < tests->size; i++) {
    const ClockTest t = tests->items[i];
    const int64_t left = (int64_t)clocks[t.i] - clocks[t.j];
    const int64_t right = (int64_t)t.constant * r->scale;
    if (t.strict ? left >= right : left > right)
      return false;
  }
  return true;
}

static bool passes(Regions *r, VmResult result) {
  if (result == VM_ERROR)
    r->has_failed = true;
  return result == VM_TRUE;
}

static bool invariant_holds(Regions *r, const int32_t *state, const int32_t *clocks) {
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const Location *location = net_location(r->net, p, state[r->net->location_slot + p]);
    r->tests.size = 0;
    if (!passes(r, vm_guard(&r->vm, &location->invariant, state, &r->tests)) ||
        !meets(r, clocks, &r->tests))
      return false;
  }
  return true;
}

// The least value above this one; -1 if there is none.
static int32_t above(const Regions *r, const int32_t *clocks, int32_t value) {
  int32_t least = -1;
  for (uint32_t x = 1; x < r->n; x++)
    if (clocks[x] > value && (least < 0 || clocks[x] < least))
      least = clocks[x];
  return least;
}

// Where neighbours are far apart those above come down by a whole number.
static void close_gaps(const Regions *r, int32_t *clocks) {
  const int32_t gap = r->max * r->scale;
  for (int32_t at = 0, next; (next = above(r, clocks, at)) >= 0; at = next) {
    int32_t too_much = 0;
    while (next - too_much - r->scale - at > gap)
      too_much += r->scale;
    for (uint32_t x = 1; x < r->n; x++)
      if (clocks[x] > at)
        clocks[x] -= too_much;
    next -= too_much;
  }
}

// The point that stands for the region of this one: with fractions spread evenly.
static void normalise(const Regions *r, int32_t *clocks) {
  int32_t fractions[REGIONS_CLOCKS + 1];
  const int32_t unit = 2;
  for (uint32_t x = 1; r->is_points && x < r->n; x++)
    clocks[x] = clocks[x] > r->max * r->scale ? (r->max + 1) * r->scale : clocks[x];
  if (r->is_points)
    return;
  const int32_t end = r->gaps ? INT32_MAX : r->max * r->scale; // of what is told apart
  if (r->gaps)
    close_gaps(r, clocks);
  for (uint32_t x = 1; x < r->n; x++) {
    if (clocks[x] > end)
      clocks[x] = (r->max + 1) * r->scale;
    fractions[x] = clocks[x] % r->scale;
  }
  for (uint32_t x = 1; x < r->n; x++) {
    if (clocks[x] > end || !fractions[x])
      continue;
    int32_t rank = 1;
    for (uint32_t y = 1; y < r->n; y++) {
      bool counts = clocks[y] <= end && fractions[y] && fractions[y] < fractions[x];
      for (uint32_t z = 1; counts && z < y; z++)
        counts = clocks[z] > end || fractions[z] != fractions[y];
      rank += counts;
    }
    clocks[x] = clocks[x] / r->scale * r->scale + rank * unit;
  }
}

static uint32_t hash(const Regions *r, const int32_t *state, const int32_t *clocks) {
  uint64_t h = 17;
  for (uint32_t i = 0; i < r->net->slots.count; i++)
    h = (h ^ (uint32_t)state[i]) * 0x9e3779b97f4a7c15;
  for (uint32_t x = 1; x < r->n; x++)
    h = (h ^ h >> 29 ^ (uint32_t)clocks[x]) * 0xd6e8feb86659fd93;
  return (uint32_t)(h >> 32);
}

static uint32_t find(Regions *r, const int32_t *state, const int32_t *clocks) {
  uint32_t at = hash(r, state, clocks) & r->mask;
  for (; r->table[at]; at = (at + 1) & r->mask) {
    const Region *known = &r->list.items[r->table[at] - 1];
    if (!memcmp(known->state, state, r->net->slots.count * sizeof *state) &&
        !memcmp(known->clocks, clocks, r->n * sizeof *clocks))
      return r->table[at] - 1;
  }
  Region region = {0};
  memcpy(region.state, state, r->net->slots.count * sizeof *state);
  memcpy(region.clocks, clocks, r->n * sizeof *clocks);
  vec_push(&r->mem, &r->list, region);
  r->table[at] = r->list.size;
  return r->list.size - 1;
}

// The next region in time; false if time does not lead out of this one.
static bool later(const Regions *r, int32_t *clocks, int32_t *delay) {
  int32_t max = -1;
  bool is_whole = false;
  for (uint32_t x = 1; x < r->n; x++)
    if (clocks[x] <= r->max * r->scale) {
      is_whole |= clocks[x] % r->scale == 0;
      max = larger(max, clocks[x] % r->scale);
    }
  if (max < 0)
    return false;
  *delay = is_whole || r->is_points ? 1 : r->scale - max;
  for (uint32_t x = 1; x < r->n; x++)
    clocks[x] += *delay;
  normalise(r, clocks);
  return true;
}

static void add_edge(Regions *r, uint32_t from, uint32_t target, bool is_action, bool is_tick) {
  const RegionEdge edge = {target, is_action, is_tick};
  vec_push(&r->mem, &r->edges, edge);
  r->list.items[from].edge_count++;
}

// With channels or priorities what happens depends on all that could.
static bool is_listed(const Regions *r) {
  return r->net->channels.size || r->net->priority.is_used;
}

static TransitionPoint point_of(const Regions *r, const int32_t *state, const int32_t *clocks,
                                int64_t *wide) {
  for (uint32_t x = 0; x < r->n; x++)
    wide[x] = x ? clocks[x] : 0;
  return (TransitionPoint){state, wide, r->scale};
}

static void find_transitions(Regions *r, uint32_t from) {
  int64_t wide[REGIONS_CLOCKS + 1];
  const Region *region = &r->list.items[from];
  const TransitionPoint at = point_of(r, region->state, region->clocks, wide);
  if (!is_listed(r))
    transitions_find(&r->transitions, region->state);
  else if (!transitions_at(&r->transitions, &r->vm, &at, NULL, 0))
    r->has_failed = true;
}

// Whether something urgent stands in the way of a delay to these clocks.
static bool is_held(Regions *r, uint32_t from, int64_t delay) {
  int64_t wide[REGIONS_CLOCKS + 1];
  const Region *region = &r->list.items[from];
  const TransitionPoint at = point_of(r, region->state, region->clocks, wide);
  return is_listed(r) && transitions_urgent(&r->transitions, &r->vm, &at, delay);
}

static void add_delay(Regions *r, uint32_t from) {
  int32_t state[REGIONS_SLOTS], clocks[REGIONS_CLOCKS + 1];
  memcpy(state, r->list.items[from].state, sizeof state);
  memcpy(clocks, r->list.items[from].clocks, sizeof clocks);
  if (!transitions_can_delay(&r->transitions, state))
    return;
  int32_t delay = 1;
  if (!later(r, clocks, &delay))
    r->list.items[from].idles = !is_held(r, from, 1);
  else if (!is_held(r, from, delay) && invariant_holds(r, state, clocks))
    add_edge(r, from, find(r, state, clocks), false, false);
}

static void add_action(Regions *r, uint32_t from, const TransitionEdges *transition) {
  int32_t state[REGIONS_SLOTS], clocks[REGIONS_CLOCKS + 1];
  memcpy(state, r->list.items[from].state, sizeof state);
  memcpy(clocks, r->list.items[from].clocks, sizeof clocks);
  for (uint32_t i = 0; i < transition->count; i++) {
    const Edge *edge = r->transitions.edges.items[transition->first + i];
    r->tests.size = 0;
    if (!is_listed(r) && (!passes(r, vm_guard(&r->vm, &edge->guard, state, &r->tests)) ||
                          !meets(r, clocks, &r->tests)))
      return;
  }
  r->updates.size = 0;
  if (!passes(r, vm_update(&r->vm, &r->net->hooks.before, state, &r->updates)))
    return;
  for (uint32_t i = 0; i < transition->count; i++)
    if (!passes(r, vm_update(&r->vm, &r->transitions.edges.items[transition->first + i]->update,
                             state, &r->updates)))
      return;
  if (!passes(r, vm_update(&r->vm, &r->net->hooks.after, state, &r->updates)))
    return;
  for (uint32_t slot = 0; slot < r->net->location_slot && r->net->slots.is_meta; slot++)
    if (r->net->slots.is_meta[slot])
      state[slot] = r->net->slots.initial[slot];
  for (uint32_t i = 0; i < transition->count; i++) {
    const Edge *edge = r->transitions.edges.items[transition->first + i];
    state[r->net->location_slot + edge->process] = net_index(r->net, edge->target);
  }
  for (uint32_t i = 0; i < r->updates.size; i++) {
    const ClockUpdate u = r->updates.items[i];
    clocks[u.x] = (u.y ? clocks[u.y] : 0) + (int32_t)(u.constant * r->scale);
  }
  const bool can_tick = r->has_ticks && clocks[r->n - 1] >= r->scale;
  normalise(r, clocks);
  if (!invariant_holds(r, state, clocks))
    return;
  add_edge(r, from, find(r, state, clocks), true, false);
  if (!can_tick)
    return;
  clocks[r->n - 1] = 0;
  normalise(r, clocks);
  add_edge(r, from, find(r, state, clocks), true, true);
}

// Deadlocked is what is not in the past of an action.
static void find_deadlocks(Regions *r) {
  for (uint32_t i = 0; i < r->list.size; i++)
    r->list.items[i].is_deadlocked = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = r->list.size; i-- > 0;) {
      Region *region = &r->list.items[i];
      for (uint32_t e = 0; region->is_deadlocked && e < region->edge_count; e++) {
        const RegionEdge edge = r->edges.items[region->first_edge + e];
        if (edge.is_action || !r->list.items[edge.target].is_deadlocked) {
          region->is_deadlocked = false;
          changed = true;
        }
      }
    }
  }
}

static void add_initials(Regions *r) {
  int32_t state[REGIONS_SLOTS] = {0}, clocks[REGIONS_CLOCKS + 1] = {0};
  for (uint32_t x = 1; x < r->n && r->net->clock_initial; x++)
    clocks[x] = r->net->clock_initial[x] * r->scale;
  normalise(r, clocks);
  for (uint32_t i = 0; state_initial(r->net, state, i); i++)
    if (invariant_holds(r, state, clocks))
      find(r, state, clocks);
  r->initial_count = r->list.size;
}

bool regions_make(Regions *r, const Net *net, int32_t max, bool has_ticks, uint32_t limit) {
  *r = (Regions){.net = net,
                 .n = net->clock_count + 1,
                 .max = max,
                 .gaps = r->gaps,
                 .is_points = r->is_points,
                 .has_ticks = has_ticks};
  if (net->clock_count > REGIONS_CLOCKS || net->slots.count > REGIONS_SLOTS)
    return false;
  r->scale = (r->is_points ? 1 : 2) * (int32_t)r->n;
  transitions_init(&r->transitions, &r->mem, net);
  net_vm(net, &r->vm, &r->mem);
  r->mask = 1;
  while (r->mask < 4 * limit)
    r->mask = 2 * r->mask + 1;
  r->table = mem_alloc(&r->mem, (r->mask + 1) * sizeof *r->table);
  add_initials(r);
  for (uint32_t i = 0; i < r->list.size && r->list.size < limit; i++) {
    r->list.items[i].first_edge = r->edges.size;
    find_transitions(r, i);
    for (uint32_t m = 0; m < r->transitions.list.size; m++) {
      const TransitionEdges transition = r->transitions.list.items[m];
      add_action(r, i, &transition);
    }
    add_delay(r, i);
  }
  if (r->list.size >= limit)
    return false;
  find_deadlocks(r);
  return true;
}

void regions_release(Regions *r) {
  if (r->vm.mem)
    vm_release(&r->vm);
  mem_release(&r->mem);
}

// Integer parts are evaluated by the interpreter, all that has clocks in it here.
static bool truth(Regions *r, const Region *region, const Expr *expr) {
  Arena arena = {.mem = &r->mem};
  const Guard guard = code_guard(&arena, expr, 0);
  r->tests.size = 0;
  const bool holds = vm_guard(&r->vm, &guard, region->state, &r->tests) == VM_TRUE;
  arena_release(&arena);
  return holds;
}

int64_t regions_value(Regions *r, const Region *region, const Expr *expr) {
  Arena arena = {.mem = &r->mem};
  const Range range = expr_range(expr);
  int64_t low = range.low, high = range.high;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    const Expr *bound = expr_const(&arena, expr->place, (int32_t)middle);
    if (truth(r, region, expr_binary(&arena, expr->place, EXPR_GE, expr, bound)))
      low = middle;
    else
      high = middle - 1;
  }
  arena_release(&arena);
  return low;
}

static bool clock_test(Regions *r, const Region *region, const Expr *test) {
  const int64_t left =
      (int64_t)region->clocks[test->a->base] - (test->b ? region->clocks[test->b->base] : 0);
  const int64_t right = regions_value(r, region, test->c) * r->scale;
  switch (test->op) {
  case EXPR_EQ:
    return left == right;
  case EXPR_NE:
    return left != right;
  case EXPR_LT:
    return left < right;
  case EXPR_LE:
    return left <= right;
  case EXPR_GT:
    return left > right;
  default:
    return left >= right;
  }
}

bool regions_holds(Regions *r, const Region *region, const Expr *expr) {
  if (!expr_has_clock_test(expr))
    return truth(r, region, expr);
  switch (expr->kind) {
  case EXPR_NOT:
    return !regions_holds(r, region, expr->a);
  case EXPR_AND:
    return regions_holds(r, region, expr->a) && regions_holds(r, region, expr->b);
  case EXPR_OR:
    return regions_holds(r, region, expr->a) || regions_holds(r, region, expr->b);
  case EXPR_DEADLOCK:
    return region->is_deadlocked;
  default:
    return clock_test(r, region, expr);
  }
}

// Marks what can be reached from `seen`, within `allowed`.
static void spread(const Regions *r, bool *seen, const bool *allowed) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < r->list.size; i++) {
      const Region *region = &r->list.items[i];
      for (uint32_t e = 0; seen[i] && e < region->edge_count; e++) {
        const uint32_t target = r->edges.items[region->first_edge + e].target;
        if (allowed[target] && !seen[target])
          seen[target] = changed = true;
      }
    }
  }
}

// Whether from region i, within the allowed ones, a cycle through i exists that has an edge of
// each kind: an action; with ticks, a tick; and visits each condition.
static bool cycles(Regions *r, uint32_t i, const bool *allowed, const Expr *const *conditions,
                   uint32_t count, bool *forth, bool *back) {
  const uint32_t size = r->list.size;
  memset(forth, 0, size);
  forth[i] = true;
  spread(r, forth, allowed);
  memset(back, 0, size);
  back[i] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = size; k-- > 0;)
      for (uint32_t e = 0; allowed[k] && !back[k] && e < r->list.items[k].edge_count; e++)
        if (back[r->edges.items[r->list.items[k].first_edge + e].target])
          back[k] = changed = true;
  }
  bool action = false, tick = !r->has_ticks;
  for (uint32_t k = 0; k < size; k++)
    for (uint32_t e = 0; forth[k] && back[k] && e < r->list.items[k].edge_count; e++) {
      const RegionEdge edge = r->edges.items[r->list.items[k].first_edge + e];
      if (!forth[edge.target] || !back[edge.target])
        continue;
      action |= edge.is_action;
      tick |= edge.is_tick;
    }
  for (uint32_t c = 0; action && tick && c < count; c++) {
    bool visited = false;
    for (uint32_t k = 0; k < size && !visited; k++)
      visited = forth[k] && back[k] && regions_holds(r, &r->list.items[k], conditions[c]);
    action = visited;
  }
  return action && tick;
}

// Tarjan would be faster; this is what the definition says, from each region once.
static bool some_cycle(Regions *r, bool *seen, const bool *allowed, const Expr *const *conditions,
                       uint32_t count) {
  const uint32_t size = r->list.size;
  bool *forth = malloc(size), *back = malloc(size), *done = calloc(size, 1);
  bool found = false;
  for (uint32_t i = 0; i < size && !found; i++) {
    if (!seen[i] || done[i])
      continue;
    found = cycles(r, i, allowed, conditions, count, forth, back);
    for (uint32_t k = 0; k < size; k++)
      done[k] |= forth[k] && back[k];
  }
  free(forth);
  free(back);
  free(done);
  return found;
}

static bool is_stuck(const Regions *r, const Region *region) {
  return !r->has_ticks && !region->edge_count && !region->idles;
}

bool regions_stays(Regions *r, const bool *from, const Expr *condition, bool negated) {
  const uint32_t size = r->list.size;
  bool *allowed = calloc(size, 1), *seen = calloc(size, 1), found = false;
  for (uint32_t i = 0; i < size; i++) {
    allowed[i] = regions_holds(r, &r->list.items[i], condition) != negated;
    seen[i] = allowed[i] && (from ? from[i] : i < r->initial_count);
  }
  spread(r, seen, allowed);
  for (uint32_t i = 0; i < size && !found; i++)
    found = seen[i] && (r->list.items[i].idles || is_stuck(r, &r->list.items[i]));
  found = found || some_cycle(r, seen, allowed, NULL, 0);
  free(allowed);
  free(seen);
  return found;
}

bool regions_recurs(Regions *r, const Expr *const *conditions, uint32_t count) {
  const uint32_t size = r->list.size;
  bool *allowed = malloc(size);
  memset(allowed, 1, size);
  const bool found = some_cycle(r, allowed, allowed, conditions, count);
  free(allowed);
  return found;
}
