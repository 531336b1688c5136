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
// each either grow with n (`grows`) or do not: value = base + n * grows. All tests, of guards
// before and of invariants after it, become bounds on n.
#include "semantics/discrete/darts.h"

#include "base/testbuild.h" // test/fuzz/faults.sh plants faults, which a comparison must find
#include "semantics/discrete/anchor.h"
#include "semantics/discrete/tickspace.h"

#include <string.h>

typedef struct Span { // of distances; empty if low > high
  int32_t low, high;
} Span;

typedef struct Darts {
  Ticks ticks; // first: a Ticks * is a Darts *; values are anchors, `waiting` is of the current
               // dart
  bool is_global;
  uint32_t waiting_bits;
  int32_t passed_code; // that stands for DARTS_INFINITE

  // The taken dart.
  Span alive; // distances from its waiting one to the end of its invariant
  int32_t passed;

  // The transition: the points of its target for distances from `at` to `last`; beyond `jump`
  // only the last one.
  Horizon horizon;    // of the target's state
  int32_t *locations; // whose horizon it is
  int32_t *base, *grows;
  int32_t at, last, jump;

  int32_t *ones;   // `grows` of a state that is left
  int32_t *target; // of the transition, before its darts are renamed
  bool is_renamed; // the current dart is not of the target
} Darts;

// Narrows the span to the distances n at which the values base + n * grows pass the tests.
static void narrow(Span *span, const ClockTests *tests, const int32_t *base,
                   const int32_t *grows) {
  for (uint32_t k = 0; k < tests->size; k++) {
    const ClockTest *test = &tests->items[k];
    const int32_t slope = grows[test->i] - grows[test->j];
    const int32_t slack = code_narrow(test->constant) - (base[test->i] - base[test->j]);
    if (slope > 0)
      span->high = anchor_smaller(span->high, slack);
    else if (slope < 0)
      span->low = anchor_larger(span->low, -slack);
    else if (slack < 0)
      span->high = -1;
  }
}

// The horizon of `state`, unless its locations are those of the last time. With urgent channels
// it depends on variables, too, whether time may pass. A bound that does not exist is -1.
static void find_horizon(Darts *darts) {
  Horizon *horizon = &darts->horizon;
  Ticks *ticks = &darts->ticks;
  const DiagonalLimits *diagonals = &ticks->diagonals;
  const int32_t *locations = ticks->state + ticks->net->location_slot;
  const size_t bytes = ticks->net->processes.size * sizeof *locations;
  const bool is_known = !memcmp(darts->locations, locations, bytes);
  if (!is_known || joint_has_urgent(&ticks->stepper.joint))
    horizon->can_delay = joint_can_delay(&ticks->stepper.joint, ticks->state);
  memcpy(darts->locations, locations, bytes);
  if (is_known || darts->is_global) // then it is the same for every state
    return;
  clockbounds_of_state(&ticks->bounds, ticks->net, ticks->state, horizon->lower, horizon->upper);
  const int32_t wrong = PLANTED("darts-constant");
  int32_t max = 0;
  for (ClockIndex x = 1; x < ticks->n; x++) {
    const int32_t lower = anchor_larger(anchor_larger(horizon->lower[x], -1) - wrong, -1);
    const int32_t upper = anchor_larger(anchor_larger(horizon->upper[x], -1) - wrong, -1);
    horizon->lower[x] = lower;
    horizon->upper[x] = upper;
    horizon->limit[x] = anchor_larger(lower, upper + 1);
    max = anchor_larger(max, horizon->limit[x]);
  }
  for (uint32_t i = 0; i < diagonals->count; i++) {
    const ClockIndex x = diagonals->clocks[i];
    horizon->upper[x] = diagonals->max;
    horizon->lower[x] = horizon->limit[x] = diagonals->max + 1;
    max = anchor_larger(max, horizon->limit[x]);
  }
  horizon->max = max;
}

// The current dart gives way to its representative. Bounds need not be symmetric, so the point
// that it begins with gets a new anchor.
static void rename_dart(Darts *darts) {
  Ticks *ticks = &darts->ticks;
  memcpy(darts->target, ticks->state, ticks->net->slots.count * sizeof *darts->target);
  darts->is_renamed = tickrename_current(ticks);
  if (!darts->is_renamed)
    return;
  for (ClockIndex x = 1; x < ticks->n; x++)
    ticks->values[x] += ticks->waiting;
  ticks_invariant(ticks, ticks->state);
  find_horizon(darts);
  ticks->waiting = anchor_find(&darts->horizon, ticks->values);
}

// The point at the given distance becomes the current dart.
static void make_dart(Darts *darts, int32_t distance) {
  Ticks *ticks = &darts->ticks;
  if (darts->is_renamed) { // the one before was
    memcpy(ticks->state, darts->target, ticks->net->slots.count * sizeof *darts->target);
    ticks_invariant(ticks, ticks->state);
    find_horizon(darts);
    darts->is_renamed = false;
  }
  ticks->space.discovered++;
  ticks->is_packed = false;
  for (ClockIndex x = 1; x < ticks->n; x++)
    ticks->values[x] = darts->base[x] + distance * darts->grows[x];
  ticks->waiting = anchor_find(&darts->horizon, ticks->values);
  if (ticks->reduction)
    rename_dart(darts);
}

// No point of the span is there, and has not been visited.
static bool is_done(const Darts *darts, Span span) {
  return span.low > span.high || span.low >= darts->passed;
}

// The target is entered, at distances of the span at which its invariant holds; false if there
// are none.
static bool enter(Darts *darts, Span *span) {
  Ticks *ticks = &darts->ticks;
  if (!ticks_invariant(ticks, ticks->state))
    return false;
  narrow(span, &ticks->invariant, darts->base, darts->grows);
  if (is_done(darts, *span))
    return false;
  find_horizon(darts);
  darts->is_renamed = false;
  return true;
}

static bool begin(Ticks *ticks) {
  Darts *darts = (Darts *)ticks;
  Span span = {0, 0};
  memcpy(darts->base, ticks->values, ticks->n * sizeof *darts->base);
  memset(darts->grows, 0, ticks->n * sizeof *darts->grows);
  darts->passed = DARTS_INFINITE;
  if (!enter(darts, &span))
    return false;
  make_dart(darts, 0);
  return true;
}

// Base and `grows` after the clock updates; false on failure.
static bool update(Darts *darts, int32_t low) {
  Ticks *ticks = &darts->ticks;
  int32_t *base = darts->base, *grows = darts->grows;
  memcpy(base, ticks->source_values, ticks->n * sizeof *base);
  memcpy(grows, darts->ones, ticks->n * sizeof *grows);
  for (uint32_t i = 0; i < ticks->stepper.updates.size; i++) {
    const ClockUpdate *u = &ticks->stepper.updates.items[i];
    base[u->x] = anchor_smaller(base[u->y] + code_narrow(u->constant),
                                2 * TICKS_MAX); // base[0] and grows[0] are 0
    grows[u->x] = grows[u->y];
    if (base[u->x] + low * grows[u->x] < 0)
      return space_fail(&ticks->space, "a clock is set to a negative value", (Place){0});
  }
  return true;
}

// Whether delay leads from the target of the first point to those of all others: so it is if
// each clock grows or has reached its limit.
static bool is_one_dart(const Darts *darts) {
  if (!darts->horizon.can_delay)
    return false;
  if (!darts->ticks.stepper.updates.size)
    return true;
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    if (!darts->grows[x] && (darts->is_global || darts->base[x] < darts->horizon.limit[x]))
      return false;
  return true;
}

// Which of the points of the span to follow.
static void choose(Darts *darts, Span span) {
  darts->at = darts->last = darts->jump = span.low;
  if (is_one_dart(darts) || PLANTED("darts-one"))
    return;
  const Horizon *horizon = &darts->horizon;
  int32_t below = -1, above = -1; // up to these some clock that grows can be told from others
  for (ClockIndex x = 1; x < darts->ticks.n; x++)
    if (darts->grows[x]) {
      below = anchor_larger(below, horizon->lower[x] - darts->base[x]);
      above = anchor_larger(above, horizon->upper[x] - darts->base[x]);
    }
  darts->last = anchor_smaller(anchor_smaller(span.high, darts->passed - 1),
                               anchor_larger(span.low, below));
  darts->jump = above;
}

// The joint transition that the shuffle is on; false if no point of the taken dart takes it.
static bool fire(Darts *darts) {
  Ticks *ticks = &darts->ticks;
  Span span = darts->alive;
  const VmResult guard = stepper_guard(&ticks->stepper, ticks->source);
  if (guard == VM_FALSE)
    return false;
  narrow(&span, &ticks->stepper.tests, ticks->source_values, darts->ones);
  if (is_done(darts, span) || !ticks_holds(ticks, guard) || !ticks_fire(ticks) ||
      !update(darts, span.low) || !enter(darts, &span))
    return false;
  choose(darts, span);
  return true;
}

static bool next(Space *space) {
  Darts *darts = (Darts *)space;
  Ticks *ticks = &darts->ticks;
  while (darts->at > darts->last) {
    if (!shuffle_next(&ticks->shuffle))
      return false;
    space->ordinal = ticks->stepper.joint.ordinal;
    if (!tickrename_prunes(ticks) && !fire(darts) && space->failure)
      return false;
  }
  if (darts->at > darts->jump)
    darts->at = darts->last;
  make_dart(darts, darts->at++);
  return true;
}

// The distances of the points from the waiting one on, to the end of the invariant.
static Span alive_span(const Darts *darts, int32_t waiting, bool can_delay,
                       const int32_t *values) {
  Span span = {waiting, can_delay ? INT32_MAX : waiting};
  if (can_delay)
    narrow(&span, &darts->ticks.invariant, values, darts->ones);
  return span;
}

static bool meets(const Ticks *ticks) {
  const Darts *darts = (const Darts *)ticks;
  Span span = alive_span(darts, ticks->waiting, darts->horizon.can_delay, ticks->values);
  narrow(&span, &ticks->stepper.tests, ticks->values, darts->ones);
  return span.low <= span.high;
}

static void write_distances(Darts *darts, uint32_t ref, int32_t waiting, int32_t passed) {
  const int32_t code = passed == DARTS_INFINITE ? darts->passed_code : passed;
  keytable_set_value(&darts->ticks.table, ref,
                     (uint64_t)code << darts->waiting_bits | (uint32_t)waiting);
}

void darts_distances(const Space *space, uint32_t ref, int32_t *waiting, int32_t *passed) {
  const Darts *darts = (const Darts *)space;
  const uint64_t value = keytable_value(&darts->ticks.table, ref);
  const int32_t code = (int32_t)(value >> darts->waiting_bits);
  *waiting = (int32_t)(value & (((uint64_t)1 << darts->waiting_bits) - 1));
  *passed = code == darts->passed_code ? DARTS_INFINITE : code;
}

static NodeRef add(Passed *list, NodeRef parent) {
  Ticks *ticks = ticks_of(list);
  Darts *darts = (Darts *)ticks;
  (void)parent; // the trail knows it
  bool is_new;
  const uint32_t ref = ticks_add(ticks, &is_new);
  int32_t waiting = 0, passed = DARTS_INFINITE;
  if (!is_new) {
    darts_distances(&ticks->space, ref, &waiting, &passed);
    if (ticks->waiting >= waiting)
      return ticks_covered(ticks);
  }
  write_distances(darts, ref, ticks->waiting, passed);
  trail_reach(&ticks->trail, ref, ticks->space.ordinal);
  return is_new || waiting == passed ? ref : ticks_covered(ticks); // it waits already
}

static bool open(Passed *list, NodeRef ref) {
  Ticks *ticks = ticks_of(list);
  Darts *darts = (Darts *)ticks;
  int32_t waiting;
  darts_distances(&ticks->space, ref, &waiting, &darts->passed);
  if (waiting >= darts->passed)
    return false;
  write_distances(darts, ref, waiting, waiting);
  tickspace_take(ticks, ref);
  const bool can_delay = joint_can_delay(&ticks->stepper.joint, ticks->source);
  if (can_delay)
    ticks_invariant(ticks, ticks->source);
  darts->alive = alive_span(darts, waiting, can_delay, ticks->source_values);
  darts->at = 1;
  darts->last = 0;
  return true;
}

// One horizon for all states, from the largest constant of all.
static void set_global_horizon(Darts *darts) {
  Horizon *horizon = &darts->horizon;
  Ticks *ticks = &darts->ticks;
  int32_t constant = ticks->diagonals.count ? ticks->diagonals.max : 0;
  for (ClockIndex x = 1; x < ticks->n; x++) {
    constant = anchor_larger(constant, code_narrow(ticks->bounds.global_lower[x]));
    constant = anchor_larger(constant, code_narrow(ticks->bounds.global_upper[x]));
  }
  ticks->diagonals.max = constant;
  for (ClockIndex x = 1; x < ticks->n; x++) {
    ticks->bounds.global_lower[x] = horizon->lower[x] = horizon->limit[x] = constant + 1;
    horizon->upper[x] = TICKS_MAX; // every distance is followed
  }
  horizon->max = constant + 1;
}

// The largest value of each clock in an anchor, and of them all.
static int64_t find_max(Darts *darts, int32_t *max) {
  const Ticks *ticks = &darts->ticks;
  const DiagonalLimits *diagonals = &ticks->diagonals;
  const int64_t group =
      diagonals->max + 1 + (int64_t)diagonals->count * (diagonals->difference + 1);
  int64_t largest = 0;
  for (ClockIndex x = 1; x < ticks->n; x++) {
    const int64_t lower = ticks->bounds.global_lower[x], upper = ticks->bounds.global_upper[x];
    const int64_t limit = diagonals->count && diagonals->contains[x]
                              ? group
                              : clockflow_larger(clockflow_larger(lower, upper + 1), 0);
    max[x] = (int32_t)(limit < TICKS_MAX ? limit : TICKS_MAX);
    largest = clockflow_larger(largest, limit);
  }
  return largest;
}

static bool prepare(Ticks *ticks, int32_t *max, uint32_t *value_bytes) {
  Darts *darts = (Darts *)ticks;
  Arena *arena = &ticks->arena;
  const uint32_t n = ticks->n;
  darts->is_global = ticks->options.bounds == BOUNDS_GLOBAL;
  darts->target = ARENA_ARRAY(arena, int32_t, ticks->net->slots.count);
  darts->base = ARENA_ARRAY(arena, int32_t, n);
  darts->grows = ARENA_ARRAY(arena, int32_t, n);
  darts->ones = ARENA_ARRAY(arena, int32_t, n);
  for (ClockIndex x = 1; x < n; x++)
    darts->ones[x] = 1;
  darts->locations = ARENA_ARRAY(arena, int32_t, ticks->net->processes.size);
  darts->locations[0] = -1; // none yet
  darts->horizon = (Horizon){.n = n,
                             .lower = ARENA_ARRAY(arena, int32_t, n),
                             .upper = ARENA_ARRAY(arena, int32_t, n),
                             .limit = ARENA_ARRAY(arena, int32_t, n),
                             .diagonals = &ticks->diagonals,
                             .sorted = ARENA_ARRAY(arena, ClockIndex, n)};
  if (PLANTED("darts-saturation"))
    ticks->diagonals.count = 0;
  if (darts->is_global)
    set_global_horizon(darts);
  const int64_t largest = find_max(darts, max);
  if (largest >= TICKS_MAX)
    return false;
  darts->waiting_bits = state_bits((uint32_t)largest);
  darts->passed_code = (int32_t)largest + 1;
  *value_bytes = (darts->waiting_bits + state_bits((uint32_t)darts->passed_code) + 7) / 8;
  return true;
}

Space *darts_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  static const TickKind kind = {.engine = "darts",
                                .bytes = sizeof(Darts),
                                .prepare = prepare,
                                .begin = begin,
                                .next = next,
                                .meets = meets,
                                .add = add,
                                .open = open};
  return tickspace_new(&kind, mem, net, goal, options, report);
}
