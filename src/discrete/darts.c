// Time-darts (JLS12, Algorithm 2), for networks with invariants, urgent and committed
// locations, integer variables, clock updates and diagonal constraints.
//
// With --bounds global it is the paper's algorithm to the letter. The default goes further, by
// bounds of each discrete state that tell tests from below and from above apart: values are
// cut where both end, darts begin later, and of the points on a dart that take a transition
// only those are followed that others do not simulate. The rules and their proof are in
// doc/notes/darts.md.
//
// A transition turns the clock values of the points at distance n on a dart into values that
// each either grow with n (`moves`) or do not: value = base + n * moves. All tests, of guards
// before and of invariants after it, become bounds on n.
#include "discrete/darts.h"

#include "discrete/anchor.h"
#include "discrete/tickrename.h"

#include <string.h>

// Faults that test/fuzz/faults.sh plants to see that the comparison with points finds them.
#ifndef DARTS_FAULT
#define DARTS_FAULT 0
#endif
enum { FAULT_CONSTANT = 1, FAULT_ONE_DART = 2, FAULT_SATURATION = 3 };

typedef struct Span { // of distances; empty if low > high
  int32_t low, high;
} Span;

typedef struct Darts {
  Ticks ticks; // first: a Space * is a Darts *; values are the anchors of darts
  bool is_global;
  int32_t most_limit; // of any clock in any state
  uint32_t waiting_bits;
  int32_t passed_code; // that stands for DARTS_INFINITE

  // The taken dart.
  Span alive; // distances from its waiting one to the end of its invariant
  int32_t passed;

  // The transition: the points of its target for distances from `at` to `last`; beyond `jump`
  // only the last one.
  Horizon horizon;    // of the target's state
  int32_t *locations; // whose horizon it is
  int32_t *base, *moves;
  int32_t at, last, jump;
  ClockTests invariant;

  int32_t waiting; // of the current dart
  int32_t *ones;   // `moves` of a state that is left
  int32_t *target; // of the transition, before its darts are renamed
  bool is_renamed; // the current dart is not of the target
} Darts;

static Darts *darts_of(Space *space) { return (Darts *)space; }

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// Narrows the span to the distances n at which the values base + n * moves pass the tests.
static void narrow(Span *span, const ClockTests *tests, const int32_t *base,
                   const int32_t *moves) {
  for (uint32_t k = 0; k < tests->size; k++) {
    const ClockTest *test = &tests->items[k];
    const int32_t slope = moves[test->i] - moves[test->j];
    const int32_t room = code_narrow(test->constant) - (base[test->i] - base[test->j]);
    if (slope > 0)
      span->high = smaller(span->high, room);
    else if (slope < 0)
      span->low = larger(span->low, -room);
    else if (room < 0)
      span->high = -1;
  }
}

// The horizon of `state`, unless its locations are those of the last time. A bound that does
// not exist is -1.
static void find_horizon(Darts *darts) {
  Horizon *horizon = &darts->horizon;
  const int32_t *locations = darts->ticks.state + darts->ticks.net->location_slot;
  const size_t bytes = darts->ticks.net->processes.size * sizeof *locations;
  if (!memcmp(darts->locations, locations, bytes))
    return;
  memcpy(darts->locations, locations, bytes);
  horizon->can_delay = joint_can_delay(&darts->ticks.shuffle.joint, darts->ticks.state);
  if (darts->is_global)
    return; // the same for every state
  clockbounds_of_state(&darts->ticks.bounds, darts->ticks.net, darts->ticks.state, horizon->lower,
                       horizon->upper);
  const int32_t wrong = DARTS_FAULT == FAULT_CONSTANT;
  int32_t most = 0;
  for (ClockIndex x = 1; x < darts->ticks.n; x++) {
    const int32_t lower = larger(larger(horizon->lower[x], -1) - wrong, -1);
    const int32_t upper = larger(larger(horizon->upper[x], -1) - wrong, -1);
    horizon->lower[x] = lower;
    horizon->upper[x] = upper;
    horizon->limit[x] = larger(lower, upper + 1);
    most = larger(most, horizon->limit[x]);
  }
  for (uint32_t i = 0; i < darts->ticks.diagonals.count; i++) {
    const ClockIndex x = darts->ticks.diagonals.clocks[i];
    horizon->upper[x] = darts->ticks.diagonals.most;
    horizon->lower[x] = horizon->limit[x] = darts->ticks.diagonals.most + 1;
    most = larger(most, horizon->limit[x]);
  }
  horizon->most = most;
}

// Collects the invariant of `state`; false if its integer part fails.
static bool find_invariant(Darts *darts) {
  return ticks_invariant(&darts->ticks, darts->ticks.state, &darts->invariant);
}

static int32_t find_anchor(Darts *darts) {
  return darts->is_global ? anchor_global(&darts->horizon, darts->ticks.values)
                          : anchor_local(&darts->horizon, darts->ticks.values);
}

// What depends on the discrete state of the current dart.
static void enter_state(Darts *darts) {
  find_invariant(darts);
  find_horizon(darts);
  packing_state(&darts->ticks.packing, darts->ticks.state_key, darts->ticks.state);
}

// The current dart gives way to its representative. Bounds need not be symmetric, so the point
// that it begins with gets a new anchor.
static void rename_dart(Darts *darts) {
  const size_t bytes = darts->ticks.net->slots.count * sizeof *darts->target;
  memcpy(darts->target, darts->ticks.state, bytes);
  darts->is_renamed = tickrename_current(&darts->ticks);
  if (!darts->is_renamed)
    return;
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    darts->ticks.values[x] += darts->waiting;
  enter_state(darts);
  darts->waiting = find_anchor(darts);
}

// The point at the given distance becomes the current dart.
static void make_dart(Darts *darts, int32_t distance) {
  if (darts->is_renamed) { // the one before was
    memcpy(darts->ticks.state, darts->target,
           darts->ticks.net->slots.count * sizeof *darts->target);
    enter_state(darts);
    darts->is_renamed = false;
  }
  darts->ticks.space.discovered++;
  darts->ticks.is_packed = false;
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    darts->ticks.values[x] = darts->base[x] + distance * darts->moves[x];
  darts->waiting = find_anchor(darts);
  if (darts->ticks.reduction)
    rename_dart(darts);
}

static bool darts_initial(Space *space) {
  Darts *darts = darts_of(space);
  const int32_t *initial = darts->ticks.net->clock_initial;
  while (ticks_initial(&darts->ticks)) {
    for (ClockIndex x = 0; x < darts->ticks.n; x++)
      darts->base[x] = initial ? initial[x] : 0;
    memset(darts->moves, 0, darts->ticks.n * sizeof *darts->moves);
    Span span = {0, 0};
    if (find_invariant(darts)) {
      narrow(&span, &darts->invariant, darts->base, darts->moves);
      if (span.low <= span.high) {
        find_horizon(darts);
        packing_state(&darts->ticks.packing, darts->ticks.state_key, darts->ticks.state);
        darts->is_renamed = false;
        make_dart(darts, 0);
        return true;
      }
    }
    if (space->failure)
      return false;
  }
  return false;
}

// Base and moves after the clock updates; false on failure.
static bool update(Darts *darts, int32_t low) {
  int32_t *base = darts->base, *moves = darts->moves;
  memcpy(base, darts->ticks.source_values, darts->ticks.n * sizeof *base);
  memcpy(moves, darts->ones, darts->ticks.n * sizeof *moves);
  for (uint32_t i = 0; i < darts->ticks.updates.size; i++) {
    const ClockUpdate *u = &darts->ticks.updates.items[i];
    base[u->x] = smaller(base[u->y] + code_narrow(u->constant),
                         2 * TICKS_MOST); // base[0] and moves[0] are 0
    moves[u->x] = moves[u->y];
    if (base[u->x] + low * moves[u->x] < 0) {
      ticks_fail(&darts->ticks, "a clock is set to a negative value", (Place){0});
      return false;
    }
  }
  return true;
}

// Whether delay leads from the target of the first point to those of all others: so it is if
// each clock moves or has reached its limit.
static bool is_one_dart(const Darts *darts) {
  if (!darts->horizon.can_delay)
    return false;
  if (!darts->ticks.updates.size)
    return true;
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    if (!darts->moves[x] && (darts->is_global || darts->base[x] < darts->horizon.limit[x]))
      return false;
  return true;
}

// Which of the points of the span to follow.
static void choose(Darts *darts, Span span) {
  darts->at = darts->last = darts->jump = span.low;
  if (is_one_dart(darts) || DARTS_FAULT == FAULT_ONE_DART)
    return;
  const Horizon *horizon = &darts->horizon;
  int32_t below = -1, above = -1; // up to these some clock that moves can be told from others
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    if (darts->moves[x]) {
      below = larger(below, horizon->lower[x] - darts->base[x]);
      above = larger(above, horizon->upper[x] - darts->base[x]);
    }
  darts->last = smaller(smaller(span.high, darts->passed - 1), larger(span.low, below));
  darts->jump = above;
}

// The joint transition that the shuffle is on; false if no point of the taken dart takes it.
static bool fire(Darts *darts) {
  Span span = darts->alive;
  const VmResult guard = ticks_guard(&darts->ticks);
  if (guard == VM_FALSE)
    return false;
  narrow(&span, &darts->ticks.tests, darts->ticks.source_values, darts->ones);
  if (span.low > span.high || span.low >= darts->passed || !ticks_holds(&darts->ticks, guard))
    return false;
  if (!ticks_fire(&darts->ticks) || !update(darts, span.low) || !find_invariant(darts))
    return false;
  narrow(&span, &darts->invariant, darts->base, darts->moves);
  if (span.low > span.high || span.low >= darts->passed)
    return false;
  find_horizon(darts);
  packing_state(&darts->ticks.packing, darts->ticks.state_key, darts->ticks.state);
  choose(darts, span);
  darts->is_renamed = false;
  return true;
}

static bool darts_next(Space *space) {
  Darts *darts = darts_of(space);
  while (darts->at > darts->last) {
    if (!shuffle_next(&darts->ticks.shuffle))
      return false;
    space->ordinal = darts->ticks.shuffle.joint.ordinal;
    if (!tickrename_prunes(&darts->ticks) && !fire(darts) && space->failure)
      return false;
  }
  if (darts->at > darts->jump)
    darts->at = darts->last;
  make_dart(darts, darts->at++);
  return true;
}

// The distances of points of the current dart, to the end of the invariant.
static Span current_span(const Darts *darts) {
  Span span = {darts->waiting, INT32_MAX};
  if (!darts->horizon.can_delay)
    span.high = span.low;
  else
    narrow(&span, &darts->invariant, darts->ticks.values, darts->ones);
  return span;
}

static bool darts_is_goal(Space *space) {
  Darts *darts = darts_of(space);
  for (uint32_t clause = 0; ticks_clause(&darts->ticks, &clause); clause++) {
    Span span = current_span(darts);
    narrow(&span, &darts->ticks.tests, darts->ticks.values, darts->ones);
    if (span.low <= span.high)
      return true;
  }
  return false;
}

static void write_distances(Darts *darts, uint32_t ref, int32_t waiting, int32_t passed) {
  const int32_t code = passed == DARTS_INFINITE ? darts->passed_code : passed;
  keytable_set_value(&darts->ticks.table, ref,
                     (uint64_t)code << darts->waiting_bits | (uint32_t)waiting);
}

static void read_distances(const Darts *darts, uint32_t ref, int32_t *waiting, int32_t *passed) {
  const uint64_t value = keytable_value(&darts->ticks.table, ref);
  const int32_t code = (int32_t)(value >> darts->waiting_bits);
  *waiting = (int32_t)(value & (((uint64_t)1 << darts->waiting_bits) - 1));
  *passed = code == darts->passed_code ? DARTS_INFINITE : code;
}

static void darts_pack(Space *space) {
  Darts *darts = darts_of(space);
  packing_values(&darts->ticks.packing, darts->ticks.key, darts->ticks.state_key,
                 darts->ticks.values);
  darts->ticks.is_packed = true;
}

static size_t darts_send(Space *space, void *message) {
  const Darts *darts = darts_of(space);
  const size_t bytes = space->key_words * sizeof *darts->ticks.key;
  memcpy(message, darts->ticks.key, bytes);
  memcpy((char *)message + bytes, &darts->waiting, sizeof darts->waiting);
  tickrename_send(&darts->ticks, (char *)message + bytes + sizeof darts->waiting);
  return space->exchange.message_bytes;
}

// What darts_add needs: the goal is looked for where a dart is made.
static void darts_receive(Space *space, const void *message) {
  Darts *darts = darts_of(space);
  const size_t bytes = space->key_words * sizeof *darts->ticks.key;
  memcpy(darts->ticks.key, message, bytes);
  memcpy(&darts->waiting, (const char *)message + bytes, sizeof darts->waiting);
  tickrename_receive(&darts->ticks, (const char *)message + bytes + sizeof darts->waiting);
  darts->ticks.is_packed = true;
}

static NodeRef darts_add(Passed *list, NodeRef parent) {
  Darts *darts = (Darts *)ticks_of(list);
  (void)parent; // the trail knows it
  if (!darts->ticks.is_packed)
    darts_pack(&darts->ticks.space);
  bool is_new;
  const uint32_t ref = ticks_add(&darts->ticks, &is_new);
  int32_t waiting = 0, passed = DARTS_INFINITE;
  if (!is_new) {
    read_distances(darts, ref, &waiting, &passed);
    if (darts->waiting >= waiting)
      return ticks_covered(&darts->ticks);
  }
  write_distances(darts, ref, darts->waiting, passed);
  trail_reach(&darts->ticks.trail, ref, darts->ticks.space.ordinal);
  return is_new || waiting == passed ? ref : ticks_covered(&darts->ticks); // it waits already
}

static bool darts_open(Passed *list, NodeRef ref) {
  Darts *darts = (Darts *)ticks_of(list);
  int32_t waiting;
  read_distances(darts, ref, &waiting, &darts->passed);
  if (waiting >= darts->passed)
    return false;
  write_distances(darts, ref, waiting, waiting);
  ticks_take(&darts->ticks, ref);
  if (darts->ticks.reduction)
    tickrename_take(&darts->ticks);
  darts->alive = (Span){waiting, INT32_MAX};
  if (!joint_can_delay(&darts->ticks.shuffle.joint, darts->ticks.source)) {
    darts->alive.high = waiting;
  } else {
    ticks_invariant(&darts->ticks, darts->ticks.source, &darts->ticks.tests);
    narrow(&darts->alive, &darts->ticks.tests, darts->ticks.source_values, darts->ones);
  }
  darts->at = 1;
  darts->last = 0;
  return true;
}

static Space *darts_sibling(Space *space, Mem *mem) {
  const Darts *darts = darts_of(space);
  Report unused;
  report_init(&unused, mem);
  Space *sibling =
      darts_new(mem, darts->ticks.net, darts->ticks.goal, &darts->ticks.options, &unused);
  if (darts->ticks.reduction)
    darts_reduce(sibling, darts->ticks.reduction->symmetry);
  return sibling;
}

void darts_reduce(Space *space, const Symmetry *symmetry) {
  Darts *darts = darts_of(space);
  darts->target = ARENA_ARRAY(&darts->ticks.arena, int32_t, darts->ticks.net->slots.count);
  tickrename_attach(&darts->ticks, symmetry);
}

Dart darts_at(Space *space, uint32_t ref) {
  Darts *darts = darts_of(space);
  Dart dart = {.state = darts->ticks.source, .anchor = darts->ticks.source_values};
  ticks_read(&darts->ticks, ref);
  read_distances(darts, ref, &dart.waiting, &dart.passed);
  return dart;
}

static void darts_release(Space *space) {
  Darts *darts = darts_of(space);
  Mem *mem = darts->ticks.mem;
  vec_release(mem, &darts->invariant);
  ticks_release(&darts->ticks);
  mem_free(mem, darts);
}

// One horizon for all states, from the largest constant of all.
static void set_global_horizon(Darts *darts) {
  Horizon *horizon = &darts->horizon;
  int32_t constant = darts->ticks.diagonals.count ? darts->ticks.diagonals.most : 0;
  for (ClockIndex x = 1; x < darts->ticks.n; x++) {
    constant = larger(constant, code_narrow(darts->ticks.bounds.global_lower[x]));
    constant = larger(constant, code_narrow(darts->ticks.bounds.global_upper[x]));
  }
  darts->ticks.diagonals.most = constant;
  for (ClockIndex x = 1; x < darts->ticks.n; x++) {
    horizon->lower[x] = horizon->limit[x] = constant + 1;
    horizon->upper[x] = TICKS_MOST; // every distance is followed
  }
  horizon->most = constant + 1;
}

// The largest value of each clock in an anchor; false if they are too large.
static bool find_most(Darts *darts, int32_t *most, Report *report) {
  const Diagonals *diagonals = &darts->ticks.diagonals;
  if (darts->is_global)
    set_global_horizon(darts);
  const int64_t group = diagonals->most + 1 + (int64_t)diagonals->count * (diagonals->gap + 1);
  int64_t largest = 0;
  for (ClockIndex x = 1; x < darts->ticks.n; x++) {
    int64_t limit = clockflow_larger(darts->ticks.bounds.global_lower[x],
                                     darts->ticks.bounds.global_upper[x] + 1);
    limit = clockflow_larger(limit, 0);
    if (darts->is_global)
      limit = darts->horizon.limit[x];
    if (diagonals->count && diagonals->contains[x])
      limit = group;
    most[x] = limit < TICKS_MOST ? (int32_t)limit : TICKS_MOST;
    largest = limit > largest ? limit : largest;
  }
  darts->most_limit = (int32_t)(largest < TICKS_MOST ? largest : TICKS_MOST);
  return largest < TICKS_MOST || ticks_refuse("darts", report);
}

static void allocate(Darts *darts) {
  Arena *arena = &darts->ticks.arena;
  const uint32_t n = darts->ticks.n;
  darts->base = ARENA_ARRAY(arena, int32_t, n);
  darts->moves = ARENA_ARRAY(arena, int32_t, n);
  darts->ones = ARENA_ARRAY(arena, int32_t, n);
  for (ClockIndex x = 1; x < n; x++)
    darts->ones[x] = 1;
  darts->locations = ARENA_ARRAY(arena, int32_t, darts->ticks.net->processes.size);
  darts->locations[0] = -1; // none yet
  darts->horizon = (Horizon){.n = n,
                             .lower = ARENA_ARRAY(arena, int32_t, n),
                             .upper = ARENA_ARRAY(arena, int32_t, n),
                             .limit = ARENA_ARRAY(arena, int32_t, n),
                             .diagonals = &darts->ticks.diagonals,
                             .sorted = ARENA_ARRAY(arena, ClockIndex, n)};
}

static bool prepare(Darts *darts, Report *report) {
  int32_t *most = ARENA_ARRAY(&darts->ticks.arena, int32_t, darts->ticks.n);
  if (!ticks_accept(&darts->ticks, "darts", report))
    return false;
  if (DARTS_FAULT == FAULT_SATURATION)
    darts->ticks.diagonals.count = 0;
  if (!find_most(darts, most, report))
    return false;
  darts->waiting_bits = packing_bits((uint32_t)darts->most_limit);
  darts->passed_code = darts->most_limit + 1;
  const uint32_t value_bits = darts->waiting_bits + packing_bits((uint32_t)darts->passed_code);
  ticks_keep(&darts->ticks, most, (value_bits + 7) / 8);
  darts->ticks.space.exchange.message_bytes += sizeof darts->waiting;
  return true;
}

Space *darts_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  Darts *darts = mem_alloc(mem, sizeof *darts);
  *darts = (Darts){
      .ticks.space = {.initial = darts_initial,
                      .next = darts_next,
                      .is_goal = darts_is_goal,
                      .exchange = {.sibling = darts_sibling,
                                   .pack = darts_pack,
                                   .send = darts_send,
                                   .receive = darts_receive},
                      .release = darts_release},
      .ticks.passed = {.add = darts_add, .open = darts_open},
      .is_global = options->bounds == BOUNDS_GLOBAL,
  };
  ticks_init(&darts->ticks, mem, net, goal, options);
  allocate(darts);
  if (!prepare(darts, report)) {
    darts_release(&darts->ticks.space);
    return NULL;
  }
  return &darts->ticks.space;
}
