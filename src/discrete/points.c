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
#include "discrete/points.h"

#include "discrete/tickrename.h"

#include <string.h>

typedef struct Points {
  Ticks ticks; // first: a Space * is a Points *
  BoundsScope scope;
  int32_t constant;   // MC
  int32_t widest;     // gap between values, see cut_gaps
  bool is_delay_next; // of the taken point
  int32_t *lower, *upper;
  ClockIndex *sorted;
} Points;

static Points *points_of(Space *space) { return (Points *)space; }

static bool tests_hold(const Points *points, const int32_t *values) {
  for (uint32_t i = 0; i < points->ticks.tests.size; i++) {
    const ClockTest *test = &points->ticks.tests.items[i];
    if (values[test->i] - values[test->j] > test->constant)
      return false;
  }
  return true;
}

// The least value from which on all values of x are alike.
static int32_t limit_of(const Points *points, ClockIndex x) {
  if (points->scope == BOUNDS_GLOBAL)
    return points->constant + 1;
  const int32_t lower = points->lower[x], upper = points->upper[x];
  const int32_t above = upper == CLOCK_UNBOUNDED ? 0 : upper + 1;
  return lower > above ? lower : above;
}

// With diagonals: sorted ascending, no value is further above its predecessor (the first, above
// zero) than `widest`, a number above all constants and tested differences. A gap that was cut
// exceeds those differences before and after; a value behind one, those constants.
static void cut_gaps(Points *points) {
  const int32_t widest = points->widest;
  int32_t *values = points->ticks.values;
  for (uint32_t i = 1; i < points->ticks.n; i++) {
    uint32_t at = i;
    for (; at > 1 && values[points->sorted[at - 1]] > values[i]; at--)
      points->sorted[at] = points->sorted[at - 1];
    points->sorted[at] = i;
  }
  int32_t before = 0, cut = 0;
  for (uint32_t i = 1; i < points->ticks.n; i++) {
    const int32_t value = values[points->sorted[i]], gap = value - before;
    cut += gap < widest ? gap : widest;
    values[points->sorted[i]] = cut;
    before = value;
  }
}

static void find_bounds(Points *points, const int32_t *state) {
  if (points->scope == BOUNDS_LOCAL)
    clockbounds_of_state(&points->ticks.bounds, points->ticks.net, state, points->lower,
                         points->upper);
}

static void cut(Points *points) {
  if (points->ticks.diagonals.count) {
    cut_gaps(points);
    return;
  }
  find_bounds(points, points->ticks.state);
  for (ClockIndex x = 1; x < points->ticks.n; x++) {
    const int32_t limit = limit_of(points, x);
    if (points->ticks.values[x] > limit)
      points->ticks.values[x] = limit;
  }
}

// Whether state and values are those of a point; then they are cut and become the current one.
static bool enter(Points *points) {
  if (!ticks_invariant(&points->ticks, points->ticks.state, &points->ticks.tests) ||
      !tests_hold(points, points->ticks.values))
    return false;
  cut(points);
  if (points->ticks.reduction && tickrename_current(&points->ticks))
    cut(points); // bounds need not be symmetric
  points->ticks.is_packed = false;
  return true;
}

static bool points_initial(Space *space) {
  Points *points = points_of(space);
  const int32_t *initial = points->ticks.net->clock_initial;
  while (ticks_initial(&points->ticks)) {
    for (ClockIndex x = 0; x < points->ticks.n; x++)
      points->ticks.values[x] = initial ? initial[x] : 0;
    if (enter(points))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

static bool update(Points *points) {
  int32_t *values = points->ticks.values;
  for (uint32_t i = 0; i < points->ticks.updates.size; i++) {
    const ClockUpdate *u = &points->ticks.updates.items[i];
    values[u->x] = (u->y ? values[u->y] : 0) + code_narrow(u->constant);
    if (values[u->x] < 0) {
      ticks_fail(&points->ticks, "a clock is set to a negative value", (Place){0});
      return false;
    }
    if (values[u->x] > 2 * TICKS_MOST) // far beyond all limits
      values[u->x] = 2 * TICKS_MOST;
  }
  return true;
}

static bool fire(Points *points) {
  const VmResult guard = ticks_guard(&points->ticks);
  if (guard == VM_FALSE || !tests_hold(points, points->ticks.source_values) ||
      !ticks_holds(&points->ticks, guard))
    return false;
  memcpy(points->ticks.values, points->ticks.source_values, points->ticks.n * sizeof(int32_t));
  return ticks_fire(&points->ticks) && update(points) && enter(points);
}

// One unit of time; false if none may pass or nothing changes by it.
static bool delay(Points *points) {
  points->is_delay_next = false;
  if (!joint_can_delay(&points->ticks.shuffle.joint, points->ticks.source))
    return false;
  memcpy(points->ticks.state, points->ticks.source,
         points->ticks.net->slots.count * sizeof(int32_t));
  for (ClockIndex x = 1; x < points->ticks.n; x++)
    points->ticks.values[x] = points->ticks.source_values[x] + 1;
  return enter(points) && memcmp(points->ticks.values, points->ticks.source_values,
                                 points->ticks.n * sizeof(int32_t)) != 0;
}

static bool points_next(Space *space) {
  Points *points = points_of(space);
  while (points->is_delay_next && shuffle_next(&points->ticks.shuffle)) {
    space->ordinal = points->ticks.shuffle.joint.ordinal;
    if (!tickrename_prunes(&points->ticks) && fire(points)) {
      space->discovered++;
      return true;
    }
    if (space->failure)
      return false;
  }
  if (!points->is_delay_next)
    return false;
  space->ordinal = SPACE_DELAY;
  const bool changed = delay(points);
  space->discovered += changed;
  return changed;
}

static bool points_is_goal(Space *space) {
  Points *points = points_of(space);
  for (uint32_t clause = 0; ticks_clause(&points->ticks, &clause); clause++)
    if (tests_hold(points, points->ticks.values))
      return true;
  return false;
}

static void points_pack(Space *space) {
  Points *points = points_of(space);
  packing_state(&points->ticks.packing, points->ticks.state_key, points->ticks.state);
  packing_values(&points->ticks.packing, points->ticks.key, points->ticks.state_key,
                 points->ticks.values);
  points->ticks.is_packed = true;
}

static size_t points_send(Space *space, void *message) {
  const size_t bytes = space->key_words * sizeof *space->key;
  memcpy(message, space->key, bytes);
  tickrename_send(&points_of(space)->ticks, (char *)message + bytes);
  return space->exchange.message_bytes;
}

// No more than the key: the goal is looked for where a point is made.
static void points_receive(Space *space, const void *message) {
  Points *points = points_of(space);
  const size_t bytes = space->key_words * sizeof *space->key;
  memcpy(points->ticks.key, message, bytes);
  tickrename_receive(&points->ticks, (const char *)message + bytes);
  points->ticks.is_packed = true;
}

static NodeRef points_add(Passed *passed, NodeRef parent) {
  Points *points = (Points *)ticks_of(passed);
  (void)parent; // the trail knows it
  if (!points->ticks.is_packed)
    points_pack(&points->ticks.space);
  bool is_new;
  const uint32_t ref = ticks_add(&points->ticks, &is_new);
  if (!is_new)
    return ticks_covered(&points->ticks);
  trail_reach(&points->ticks.trail, ref, points->ticks.space.ordinal);
  return ref;
}

static bool points_open(Passed *passed, NodeRef ref) {
  Points *points = (Points *)ticks_of(passed);
  ticks_take(&points->ticks, ref);
  if (points->ticks.reduction)
    tickrename_take(&points->ticks);
  points->is_delay_next = true;
  return true;
}

static Space *points_sibling(Space *space, Mem *mem) {
  const Points *points = points_of(space);
  Report unused;
  report_init(&unused, mem);
  Space *sibling =
      points_new(mem, points->ticks.net, points->ticks.goal, &points->ticks.options, &unused);
  if (points->ticks.reduction)
    points_reduce(sibling, points->ticks.reduction->symmetry);
  return sibling;
}

uint32_t points_count(const Space *space) { return ((const Points *)space)->ticks.table.size; }

TickPoint points_at(Space *space, uint32_t ref) {
  Ticks *ticks = &points_of(space)->ticks;
  ticks_read(ticks, ref);
  return (TickPoint){ticks->source, ticks->source_values};
}

void points_limits(Space *space, const int32_t *state, int32_t *limits) {
  Points *points = points_of(space);
  find_bounds(points, state);
  limits[0] = 0;
  for (ClockIndex x = 1; x < points->ticks.n; x++)
    limits[x] = limit_of(points, x);
}

void points_reduce(Space *space, const Symmetry *symmetry) {
  tickrename_attach(&points_of(space)->ticks, symmetry);
}

static void points_release(Space *space) {
  Points *points = points_of(space);
  Mem *mem = points->ticks.mem;
  ticks_release(&points->ticks);
  mem_free(mem, points);
}

// The largest value of each clock after `cut`; false if they are too large.
static bool find_most(Points *points, int32_t *most, Report *report) {
  const ClockBounds *bounds = &points->ticks.bounds;
  for (ClockIndex x = 0; x < points->ticks.n; x++) {
    points->lower[x] = code_narrow(bounds->global_lower[x]);
    points->upper[x] = code_narrow(bounds->global_upper[x]);
    points->constant = points->lower[x] > points->constant ? points->lower[x] : points->constant;
    points->constant = points->upper[x] > points->constant ? points->upper[x] : points->constant;
  }
  const Diagonals *diagonals = &points->ticks.diagonals;
  const int32_t constant =
      points->constant > diagonals->most ? points->constant : diagonals->most;
  points->widest = constant + diagonals->gap + 1;
  const int64_t all = (int64_t)points->widest * points->ticks.n;
  for (ClockIndex x = 1; x < points->ticks.n; x++)
    most[x] = diagonals->count ? (int32_t)all : limit_of(points, x);
  return !diagonals->count || all < TICKS_MOST || ticks_refuse("points", report);
}

static bool prepare(Points *points, Report *report) {
  Arena *arena = &points->ticks.arena;
  const uint32_t n = points->ticks.n;
  points->lower = ARENA_ARRAY(arena, int32_t, n);
  points->upper = ARENA_ARRAY(arena, int32_t, n);
  points->sorted = ARENA_ARRAY(arena, ClockIndex, n);
  int32_t *most = ARENA_ARRAY(arena, int32_t, n);
  if (!ticks_accept(&points->ticks, "points", report) || !find_most(points, most, report))
    return false;
  ticks_keep(&points->ticks, most, 0);
  return true;
}

Space *points_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                  Report *report) {
  Points *points = mem_alloc(mem, sizeof *points);
  *points = (Points){
      .ticks.space = {.initial = points_initial,
                      .next = points_next,
                      .is_goal = points_is_goal,
                      .exchange = {.sibling = points_sibling,
                                   .pack = points_pack,
                                   .send = points_send,
                                   .receive = points_receive},
                      .release = points_release},
      .ticks.passed = {.add = points_add, .open = points_open},
      .scope = (BoundsScope)options->bounds,
  };
  ticks_init(&points->ticks, mem, net, goal, options);
  if (!prepare(points, report)) {
    points_release(&points->ticks.space);
    return NULL;
  }
  return &points->ticks.space;
}
