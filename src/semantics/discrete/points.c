// The naive reachability algorithm over bounded discrete valuations (JLS12, Algorithm 1), for
// networks: from a point its joint transitions, then one unit of delay, if the invariant
// allows it and something changes.
//
// It is written straight from the semantics, for closed models are checked against it: tests are
// evaluated on values, updates are run one after the other. The one approximation is `cut`,
// which makes the values finite. A value of x that no test can tell from larger ones becomes
// the least such value: MC + 1 with --bounds global, MC being the largest constant of all, as
// in the paper; with --bounds local max(L, U + 1) for the largest constants that x can still be
// compared with from below and above. Where differences of clocks are tested all values are cut
// together, see cut_gaps.
#include "semantics/discrete/points.h"

#include "semantics/discrete/tickspace.h"

#include <string.h>

typedef struct Points {
  Ticks ticks;        // first: a Space * is a Points *
  int32_t constant;   // MC
  int32_t widest;     // gap between values, see cut_gaps
  bool is_delay_next; // of the taken point
  int32_t *lower, *upper;
  ClockIndex *sorted;
} Points;

static bool tests_hold(const ClockTests *tests, const int32_t *values) {
  for (uint32_t i = 0; i < tests->size; i++) {
    const ClockTest *test = &tests->items[i];
    if (values[test->i] - values[test->j] > test->constant)
      return false;
  }
  return true;
}

// The least value from which on all values of x are alike.
static int32_t limit_of(const Points *points, ClockIndex x) {
  if (points->ticks.options.bounds == BOUNDS_GLOBAL)
    return points->constant + 1;
  const int32_t lower = points->lower[x], upper = points->upper[x];
  const int32_t above = upper == CLOCK_UNBOUNDED ? 0 : upper + 1;
  return lower > above ? lower : above;
}

// With diagonals: sorted ascending, no value is further above its predecessor (the first, above
// zero) than `widest`, a number above all constants and tested differences. A gap that was cut
// exceeds those differences before and after; a value behind one, those constants.
static void cut_gaps(Points *points) {
  const uint32_t n = points->ticks.n;
  int32_t *values = points->ticks.values;
  for (uint32_t i = 1; i < n; i++) {
    uint32_t at = i;
    for (; at > 1 && values[points->sorted[at - 1]] > values[i]; at--)
      points->sorted[at] = points->sorted[at - 1];
    points->sorted[at] = i;
  }
  int32_t before = 0, cut = 0;
  for (uint32_t i = 1; i < n; i++) {
    const int32_t value = values[points->sorted[i]], difference = value - before;
    cut += difference < points->widest ? difference : points->widest;
    values[points->sorted[i]] = cut;
    before = value;
  }
}

static void find_bounds(Points *points, const int32_t *state) {
  if (points->ticks.options.bounds == BOUNDS_LOCAL)
    clockbounds_of_state(&points->ticks.bounds, points->ticks.net, state, points->lower,
                         points->upper);
}

static void cut(Points *points) {
  const Ticks *ticks = &points->ticks;
  if (ticks->diagonals.count) {
    cut_gaps(points);
    return;
  }
  find_bounds(points, ticks->state);
  for (ClockIndex x = 1; x < ticks->n; x++) {
    const int32_t limit = limit_of(points, x);
    if (ticks->values[x] > limit)
      ticks->values[x] = limit;
  }
}

// Whether state and values are those of a point; then they are cut and become the current one.
static bool enter(Ticks *ticks) {
  Points *points = (Points *)ticks;
  if (!ticks_invariant(ticks, ticks->state) || !tests_hold(&ticks->invariant, ticks->values))
    return false;
  cut(points);
  if (ticks->reduction && tickrename_current(ticks))
    cut(points); // bounds need not be symmetric
  ticks->is_packed = false;
  return true;
}

static bool update(Ticks *ticks) {
  int32_t *values = ticks->values;
  for (uint32_t i = 0; i < ticks->stepper.updates.size; i++) {
    const ClockUpdate *u = &ticks->stepper.updates.items[i];
    values[u->x] = (u->y ? values[u->y] : 0) + code_narrow(u->constant);
    if (values[u->x] < 0)
      return space_fail(&ticks->space, "a clock is set to a negative value", (Place){0});
    if (values[u->x] > 2 * TICKS_MAX) // far beyond all limits
      values[u->x] = 2 * TICKS_MAX;
  }
  return true;
}

static bool fire(Ticks *ticks) {
  const VmResult guard = stepper_guard(&ticks->stepper, ticks->source);
  if (guard == VM_FALSE || !tests_hold(&ticks->stepper.tests, ticks->source_values) ||
      !ticks_holds(ticks, guard))
    return false;
  memcpy(ticks->values, ticks->source_values, ticks->n * sizeof(int32_t));
  return ticks_fire(ticks) && update(ticks) && enter(ticks);
}

// One unit of time; false if none may pass or nothing changes by it.
static bool delay(Ticks *ticks) {
  if (!joint_can_delay(&ticks->stepper.joint, ticks->source))
    return false;
  memcpy(ticks->state, ticks->source, ticks->net->slots.count * sizeof(int32_t));
  for (ClockIndex x = 1; x < ticks->n; x++)
    ticks->values[x] = ticks->source_values[x] + 1;
  return enter(ticks) &&
         memcmp(ticks->values, ticks->source_values, ticks->n * sizeof(int32_t)) != 0;
}

static bool next(Space *space) {
  Points *points = (Points *)space;
  Ticks *ticks = &points->ticks;
  while (points->is_delay_next && shuffle_next(&ticks->shuffle)) {
    space->ordinal = ticks->stepper.joint.ordinal;
    if (!tickrename_prunes(ticks) && fire(ticks)) {
      space->discovered++;
      return true;
    }
    if (space->failure)
      return false;
  }
  if (!points->is_delay_next)
    return false;
  points->is_delay_next = false;
  space->ordinal = SPACE_DELAY;
  const bool changed = delay(ticks);
  space->discovered += changed;
  return changed;
}

static bool meets(const Ticks *ticks) { return tests_hold(&ticks->stepper.tests, ticks->values); }

static NodeRef add(Passed *passed, NodeRef parent) {
  Ticks *ticks = ticks_of(passed);
  (void)parent; // the trail knows it
  bool is_new;
  const uint32_t ref = ticks_add(ticks, &is_new);
  if (!is_new)
    return ticks_covered(ticks);
  trail_reach(&ticks->trail, ref, ticks->space.ordinal);
  return ref;
}

static bool open(Passed *passed, NodeRef ref) {
  Ticks *ticks = ticks_of(passed);
  tickspace_take(ticks, ref);
  ((Points *)ticks)->is_delay_next = true;
  return true;
}

uint32_t points_count(const Space *space) { return ((const Ticks *)space)->table.size; }

void points_limits(Space *space, const int32_t *state, int32_t *limits) {
  Points *points = (Points *)space;
  find_bounds(points, state);
  limits[0] = 0;
  for (ClockIndex x = 1; x < points->ticks.n; x++)
    limits[x] = limit_of(points, x);
}

// The largest value of each clock is that after `cut`.
static bool prepare(Ticks *ticks, int32_t *max, uint32_t *value_bytes) {
  Points *points = (Points *)ticks;
  const DiagonalLimits *diagonals = &ticks->diagonals;
  const uint32_t n = ticks->n;
  (void)value_bytes; // none
  points->lower = ARENA_ARRAY(&ticks->arena, int32_t, n);
  points->upper = ARENA_ARRAY(&ticks->arena, int32_t, n);
  points->sorted = ARENA_ARRAY(&ticks->arena, ClockIndex, n);
  for (ClockIndex x = 0; x < n; x++) {
    const int32_t lower = points->lower[x] = code_narrow(ticks->bounds.global_lower[x]);
    const int32_t upper = points->upper[x] = code_narrow(ticks->bounds.global_upper[x]);
    points->constant = lower > points->constant ? lower : points->constant;
    points->constant = upper > points->constant ? upper : points->constant;
  }
  points->widest = (points->constant > diagonals->max ? points->constant : diagonals->max) +
                   diagonals->difference + 1;
  const int64_t all = (int64_t)points->widest * n;
  for (ClockIndex x = 1; x < n; x++)
    max[x] = diagonals->count ? (int32_t)all : limit_of(points, x);
  return !diagonals->count || all < TICKS_MAX;
}

Space *points_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                  Report *report) {
  static const TickKind kind = {.engine = "points",
                                .bytes = sizeof(Points),
                                .prepare = prepare,
                                .begin = enter,
                                .next = next,
                                .meets = meets,
                                .add = add,
                                .open = open};
  return tickspace_new(&kind, mem, net, goal, options, report);
}
