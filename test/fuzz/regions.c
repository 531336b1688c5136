#include "regions.h"

#include "base/intern.h"
#include "check/transitions.h"
#include "model/state.h"

#include <string.h>

// A region: for each clock the whole part, `constant` + 1 for all that is above, and the rank of
// the fraction, 0 for none; equal fractions have equal ranks, and all ranks up to the highest
// occur. Its point has the fraction rank / (highest + 1).
typedef struct Regions {
  Mem *mem;
  const Net *net;
  const Goal *goal;
  int32_t constant;
  int32_t gap; // with differences: of clocks that are cut; else 0
  uint32_t n;  // clocks, clock 0 included
  Vm vm;
  Transitions transitions;
  Intern nodes;
  ClockTests tests;
  ClockUpdates updates;
  int32_t *state, *next; // slots, then whole parts, then ranks
  size_t bytes;
  int64_t *clocks;
  bool is_goal, fails;
} Regions;

static int32_t *wholes(const Regions *r, int32_t *state) { return state + r->net->slots.count; }
static int32_t *ranks(const Regions *r, int32_t *state) { return wholes(r, state) + r->n; }

static int32_t highest(const Regions *r, int32_t *state) {
  int32_t rank = 0;
  for (uint32_t x = 1; x < r->n; x++)
    rank = ranks(r, state)[x] > rank ? ranks(r, state)[x] : rank;
  return rank;
}

static bool is_less(const Regions *r, int32_t *state, uint32_t x, uint32_t y) {
  const int32_t *whole = wholes(r, state), *rank = ranks(r, state);
  return whole[x] < whole[y] || (whole[x] == whole[y] && rank[x] < rank[y]);
}

// Brings clocks nearer that are more than gap + 1 above the one before, and all above them.
static void close_gaps(const Regions *r, int32_t *state) {
  int32_t *whole = wholes(r, state), *rank = ranks(r, state);
  uint32_t order[16] = {0}; // clock 0, which is 0, comes first
  for (uint32_t x = 1; x < r->n; x++) {
    uint32_t at = x;
    for (; at > 1 && is_less(r, state, x, order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = x;
  }
  for (uint32_t i = 1; i < r->n; i++) {
    const uint32_t below = order[i - 1], x = order[i];
    const int32_t apart = whole[x] - whole[below];
    const int32_t excess = apart - r->gap - (rank[x] <= rank[below]);
    for (uint32_t k = i; excess > 0 && k < r->n; k++)
      whole[order[k]] -= excess;
  }
}

// Clocks above the constant have no fraction; ranks become dense.
static void normalise(const Regions *r, int32_t *state) {
  int32_t *whole = wholes(r, state), *rank = ranks(r, state);
  if (r->gap)
    close_gaps(r, state);
  for (uint32_t x = 1; x < r->n; x++)
    if (whole[x] > r->constant || (whole[x] == r->constant && rank[x])) {
      whole[x] = r->constant + 1;
      rank[x] = 0;
    }
  for (int32_t k = 1; k <= highest(r, state);) {
    bool occurs = false;
    for (uint32_t x = 1; x < r->n; x++)
      occurs |= rank[x] == k;
    for (uint32_t x = 1; x < r->n && !occurs; x++)
      rank[x] -= rank[x] > k;
    k += occurs;
  }
}

// The point of a region, with denominator 2 * (highest + 1): a clock above the constant is half
// above it.
static TransitionPoint point_of(const Regions *r, int32_t *state) {
  const int64_t unit = highest(r, state) + 1;
  for (uint32_t x = 1; x < r->n; x++) {
    const bool is_above = wholes(r, state)[x] > r->constant;
    r->clocks[x] = is_above ? 2 * unit * r->constant + unit
                            : 2 * (unit * wholes(r, state)[x] + ranks(r, state)[x]);
  }
  return (TransitionPoint){state, r->clocks, 2 * unit};
}

static bool hold(Regions *r, const TransitionPoint *at) {
  for (uint32_t i = 0; i < r->tests.size; i++) {
    const ClockTest *test = &r->tests.items[i];
    const int64_t left = at->clocks[test->i] - at->clocks[test->j];
    const int64_t right = test->constant * at->denominator;
    if (test->strict ? left >= right : left > right)
      return false;
  }
  return true;
}

static bool is_error(Regions *r, VmResult result) {
  const bool is = result == VM_ERROR;
  r->fails |= is;
  return is;
}

static bool guard_holds(Regions *r, const Guard *guard, const TransitionPoint *at) {
  vec_clear(&r->tests);
  const VmResult result = vm_guard(&r->vm, guard, at->state, &r->tests);
  return !is_error(r, result) && result == VM_TRUE && hold(r, at);
}

static bool invariants_hold(Regions *r, const TransitionPoint *at) {
  for (ProcessId p = 0; p < r->net->processes.size; p++) {
    const int32_t index = at->state[r->net->location_slot + p];
    if (!guard_holds(r, &net_location(r->net, p, index)->invariant, at))
      return false;
  }
  return true;
}

// Adds the region in `next`, if its invariants hold.
static void add(Regions *r) {
  normalise(r, r->next);
  const TransitionPoint at = point_of(r, r->next);
  if (!invariants_hold(r, &at))
    return;
  intern_number(&r->nodes, r->next, r->bytes);
  for (uint32_t i = 0; r->goal && i < r->goal->clause_count; i++)
    r->is_goal |= guard_holds(r, &r->goal->clauses[i], &at);
}

// The next region in time: the clocks without a fraction get one or, if there is none, those with
// the highest become whole. All clocks above: time changes nothing.
static void pass_time(Regions *r) {
  memcpy(r->next, r->state, r->bytes);
  int32_t *whole = wholes(r, r->next), *rank = ranks(r, r->next);
  const int32_t top = highest(r, r->next);
  bool has_whole = false;
  for (uint32_t x = 1; x < r->n; x++)
    has_whole |= whole[x] <= r->constant && !rank[x];
  for (uint32_t x = 1; x < r->n; x++) {
    if (whole[x] > r->constant)
      continue;
    if (has_whole) {
      rank[x]++;
    } else if (rank[x] == top) {
      rank[x] = 0;
      whole[x]++;
    }
  }
  if (!has_whole && !top)
    return;
  const TransitionPoint at = point_of(r, r->state);
  // From whole clocks on, into the open region; else up to the whole ones, where they are.
  const int64_t delay = has_whole ? 1 : 2;
  if (transitions_can_delay(&r->transitions, r->state) &&
      !transitions_urgent(&r->transitions, &r->vm, &at, delay))
    add(r);
}

static void set_clocks(Regions *r) {
  int32_t *whole = wholes(r, r->next), *rank = ranks(r, r->next);
  for (uint32_t i = 0; i < r->updates.size; i++) {
    const ClockUpdate u = r->updates.items[i];
    whole[u.x] = (u.y ? whole[u.y] : 0) + code_narrow(u.constant);
    rank[u.x] = u.y ? rank[u.y] : 0;
  }
}

// False if the transition is not possible: a value out of range, which may be an error.
static bool run(Regions *r, const Update *update) {
  const VmResult result = vm_update(&r->vm, update, r->next, &r->updates);
  return !is_error(r, result) && result == VM_TRUE;
}

static void fire(Regions *r, const Edge *const *edges, uint32_t count) {
  const Net *net = r->net;
  memcpy(r->next, r->state, r->bytes);
  vec_clear(&r->updates);
  bool is_possible = run(r, &net->hooks.before);
  for (uint32_t i = 0; i < count && is_possible; i++)
    is_possible = run(r, &edges[i]->update);
  if (!is_possible || !run(r, &net->hooks.after))
    return;
  for (uint32_t slot = 0; slot < net->location_slot && net->slots.is_meta; slot++)
    if (net->slots.is_meta[slot])
      r->next[slot] = net->slots.initial[slot];
  for (uint32_t i = 0; i < count; i++)
    r->next[net->location_slot + edges[i]->process] = net_index(net, edges[i]->target);
  set_clocks(r);
  add(r);
}

static bool guards_hold(Regions *r, const Edge *const *edges, uint32_t count,
                        const TransitionPoint *at) {
  for (uint32_t i = 0; i < count; i++)
    if (!guard_holds(r, &edges[i]->guard, at))
      return false;
  return true;
}

// Channels are of UPPAAL; without them locations decide which joint transitions there are.
static void visit(Regions *r, uint32_t number) {
  memcpy(r->state, r->nodes.items.items[number].bytes, r->bytes);
  const bool has_channels = r->net->channels.size;
  const TransitionPoint at = point_of(r, r->state);
  if (!has_channels)
    transitions_find(&r->transitions, r->state);
  else if (!transitions_at(&r->transitions, &r->vm, &at, NULL, 0))
    r->fails = true;
  for (uint32_t m = 0; m < r->transitions.list.size && !r->fails && !r->is_goal; m++) {
    const TransitionEdges transition = r->transitions.list.items[m];
    const Edge *const *edges = &r->transitions.edges.items[transition.first];
    const TransitionPoint here = point_of(r, r->state);
    if (has_channels || guards_hold(r, edges, transition.count, &here))
      fire(r, edges, transition.count);
  }
  if (!r->fails && !r->is_goal)
    pass_time(r);
}

static void start(Regions *r) {
  for (uint32_t i = 0; state_initial(r->net, r->next, i); i++) {
    memset(wholes(r, r->next), 0, 2 * r->n * sizeof(int32_t));
    for (uint32_t x = 1; x < r->n && r->net->clock_initial; x++)
      wholes(r, r->next)[x] = r->net->clock_initial[x];
    add(r);
  }
}

static RegionsResult search(Mem *mem, const Net *net, const Goal *goal, int32_t constant,
                            int32_t gap, uint32_t max, uint32_t *visited) {
  Regions r = {.mem = mem,
               .net = net,
               .goal = goal,
               .constant = constant,
               .gap = gap,
               .n = net->clock_count + 1,
               .bytes = (net->slots.count + 2 * (net->clock_count + 1)) * sizeof(int32_t)};
  net_vm(net, &r.vm, mem);
  transitions_init(&r.transitions, mem_part(mem), net);
  intern_init(&r.nodes, mem);
  r.state = mem_alloc(mem, r.bytes);
  r.next = mem_alloc(mem, r.bytes);
  r.clocks = mem_alloc(mem, r.n * sizeof *r.clocks);
  start(&r);
  uint32_t at = 0;
  for (; at < r.nodes.items.size && at < max && !r.is_goal && !r.fails; at++)
    visit(&r, at);
  *visited = at;
  const RegionsResult result = r.fails                    ? REGIONS_FAILED
                               : r.is_goal                ? REGIONS_GOAL
                               : at == r.nodes.items.size ? REGIONS_NONE
                                                          : REGIONS_MANY;
  vm_release(&r.vm);
  mem_release_part(r.transitions.mem);
  intern_release(&r.nodes);
  vec_release(mem, &r.tests);
  vec_release(mem, &r.updates);
  mem_free(mem, r.state);
  mem_free(mem, r.next);
  mem_free(mem, r.clocks);
  return result;
}

RegionsResult regions_search(Mem *mem, const Net *net, const Goal *goal, int32_t constant,
                             uint32_t max, uint32_t *visited) {
  return search(mem, net, goal, constant, 0, max, visited);
}

RegionsResult regions_search_gaps(Mem *mem, const Net *net, const Goal *goal, int32_t gap,
                                  uint32_t max, uint32_t *visited) {
  return search(mem, net, goal, INT32_MAX / 4, gap, max, visited);
}
