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
#include "engine/points.h"

#include "engine/closed.h"
#include "engine/flat.h"
#include "engine/packing.h"
#include "engine/shuffle.h"
#include "engine/trail.h"
#include "model/clockbounds.h"
#include "model/diagonals.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUE = 1 << 28 }; // of a clock; larger ones are refused

typedef struct Points {
  Space space; // first: a Space * is a Points *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  Shuffle shuffle;
  ClockBounds bounds;
  Diagonals diagonals;
  BoundsScope scope;
  Options options;  // for siblings
  uint32_t n;       // clocks, clock 0 included
  int32_t constant; // MC
  int32_t widest;   // gap between values, see cut_gaps
  Packing packing;
  Flat flat;
  Trail trail;

  // The taken point.
  int32_t *source;
  int32_t *source_values;
  bool is_delay_next;

  // The current point.
  int32_t *state;
  int32_t *values;
  bool is_packed; // `key` is its own

  uint32_t *initial_choice;
  bool initial_started;
  uint32_t initial_count;
  int32_t *lower, *upper;
  uint64_t *state_key, *key;
  ClockIndex *sorted;
  ClockTests tests;
  ClockUpdates updates;
} Points;

static Points *points_of(Space *space) { return (Points *)space; }

static bool holds(Points *points, VmResult result) {
  if (result == VM_ERROR || (result == VM_INVALID && points->net->invalid_is_error)) {
    points->space.failure = points->vm.error;
    points->space.failure_place = points->vm.error_place;
  }
  return result == VM_TRUE;
}

static bool tests_hold(const Points *points, const int32_t *values) {
  for (uint32_t i = 0; i < points->tests.size; i++) {
    const ClockTest *test = &points->tests.items[i];
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
  int32_t *values = points->values;
  for (uint32_t i = 1; i < points->n; i++) {
    uint32_t at = i;
    for (; at > 1 && values[points->sorted[at - 1]] > values[i]; at--)
      points->sorted[at] = points->sorted[at - 1];
    points->sorted[at] = i;
  }
  int32_t before = 0, cut = 0;
  for (uint32_t i = 1; i < points->n; i++) {
    const int32_t value = values[points->sorted[i]], gap = value - before;
    cut += gap < widest ? gap : widest;
    values[points->sorted[i]] = cut;
    before = value;
  }
}

static void cut(Points *points) {
  if (points->diagonals.count) {
    cut_gaps(points);
    return;
  }
  if (points->scope == BOUNDS_LOCAL)
    clockbounds_of_state(&points->bounds, points->net, points->state, points->lower,
                         points->upper);
  for (ClockIndex x = 1; x < points->n; x++) {
    const int32_t limit = limit_of(points, x);
    if (points->values[x] > limit)
      points->values[x] = limit;
  }
}

// Whether state and values are those of a point; then they are cut and become the current one.
static bool enter(Points *points) {
  vec_clear(&points->tests);
  if (!holds(points, joint_invariant(points->net, &points->vm, points->state, &points->tests)) ||
      !tests_hold(points, points->values))
    return false;
  cut(points);
  points->is_packed = false;
  return true;
}

static bool points_initial(Space *space) {
  Points *points = points_of(space);
  while (state_initial(points->net, points->state, points->initial_choice,
                       &points->initial_started)) {
    space->ordinal = points->initial_count++;
    memset(points->values, 0, points->n * sizeof *points->values);
    if (enter(points))
      return true;
    if (space->failure)
      return false;
  }
  return false;
}

static bool update(Points *points) {
  int32_t *values = points->values;
  for (uint32_t i = 0; i < points->updates.size; i++) {
    const ClockUpdate *u = &points->updates.items[i];
    values[u->x] = (u->y ? values[u->y] : 0) + u->constant;
    if (values[u->x] < 0) {
      points->space.failure = "a clock is set to a negative value";
      points->space.failure_place = (Place){0};
      return false;
    }
    if (values[u->x] > 2 * MOST_VALUE) // far beyond all limits
      values[u->x] = 2 * MOST_VALUE;
  }
  return true;
}

static bool fire(Points *points) {
  Joint *joint = &points->shuffle.joint;
  vec_clear(&points->tests);
  if (!holds(points, joint_guard(joint, &points->vm, points->source, &points->tests)) ||
      !tests_hold(points, points->source_values))
    return false;
  memcpy(points->state, points->source, points->net->slot_count * sizeof(int32_t));
  memcpy(points->values, points->source_values, points->n * sizeof(int32_t));
  vec_clear(&points->updates);
  return holds(points, joint_fire(joint, &points->vm, points->state, &points->updates)) &&
         update(points) && enter(points);
}

// One unit of time; false if none may pass or nothing changes by it.
static bool delay(Points *points) {
  points->is_delay_next = false;
  if (!state_can_delay(points->net, points->source))
    return false;
  memcpy(points->state, points->source, points->net->slot_count * sizeof(int32_t));
  for (ClockIndex x = 1; x < points->n; x++)
    points->values[x] = points->source_values[x] + 1;
  return enter(points) &&
         memcmp(points->values, points->source_values, points->n * sizeof(int32_t)) != 0;
}

static bool points_next(Space *space) {
  Points *points = points_of(space);
  while (points->is_delay_next && shuffle_next(&points->shuffle)) {
    space->ordinal = points->shuffle.joint.ordinal;
    if (fire(points)) {
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
  for (uint32_t clause = 0; points->goal; clause++) {
    vec_clear(&points->tests);
    if (!holds(points,
               goal_clause(points->goal, &points->vm, points->state, &clause, &points->tests)))
      return false;
    if (tests_hold(points, points->values))
      return true;
  }
  return false;
}

static void points_pack(Space *space) {
  Points *points = points_of(space);
  packing_state(&points->packing, points->state_key, points->state);
  packing_values(&points->packing, points->key, points->state_key, points->values);
  points->is_packed = true;
}

static size_t points_send(Space *space, void *message) {
  memcpy(message, space->key, space->message_bytes);
  return space->message_bytes;
}

// No more than the key: the goal is looked for where a point is made.
static void points_receive(Space *space, const void *message) {
  Points *points = points_of(space);
  memcpy(points->key, message, space->message_bytes);
  points->is_packed = true;
}

static uint32_t points_add(Space *space) {
  Points *points = points_of(space);
  if (!points->is_packed)
    points_pack(space);
  bool is_new;
  const uint32_t ref = flat_add(&points->flat, points->key, &is_new);
  space->kept = points->flat.size;
  if (!is_new)
    return SPACE_NONE;
  trail_reach(&points->trail, ref, space->ordinal);
  return ref;
}

static bool points_take(Space *space, uint32_t ref) {
  Points *points = points_of(space);
  flat_key(&points->flat, ref, points->key);
  packing_read(&points->packing, points->key, points->source, points->source_values, points->n);
  trail_take(&points->trail, ref);
  shuffle_begin(&points->shuffle, points->source);
  points->is_delay_next = true;
  return true;
}

static Space *points_sibling(Space *space, Mem *mem) {
  const Points *points = points_of(space);
  Report unused;
  report_init(&unused, mem);
  return points_new(mem, points->net, points->goal, &points->options, &unused);
}

static void points_release(Space *space) {
  Points *points = points_of(space);
  Mem *mem = points->mem;
  vm_release(&points->vm);
  shuffle_release(&points->shuffle);
  flat_release(&points->flat);
  trail_release(&points->trail);
  vec_release(mem, &points->tests);
  vec_release(mem, &points->updates);
  arena_release(&points->arena);
  mem_free(mem, points);
}

// The largest value of each clock after `cut`; false if they are too large.
static bool find_most(Points *points, int32_t *most, Report *report) {
  const ClockBounds *bounds = &points->bounds;
  memcpy(points->lower, bounds->global_lower, points->n * sizeof(int32_t));
  memcpy(points->upper, bounds->global_upper, points->n * sizeof(int32_t));
  for (ClockIndex x = 1; x < points->n; x++) {
    points->constant = points->lower[x] > points->constant ? points->lower[x] : points->constant;
    points->constant = points->upper[x] > points->constant ? points->upper[x] : points->constant;
  }
  const Diagonals *diagonals = &points->diagonals;
  const int32_t constant =
      points->constant > diagonals->most ? points->constant : diagonals->most;
  points->widest = constant + diagonals->gap + 1;
  const int64_t all = (int64_t)points->widest * points->n;
  for (ClockIndex x = 1; x < points->n; x++)
    most[x] = diagonals->count ? (int32_t)all : limit_of(points, x);
  if (!diagonals->count || all < MOST_VALUE)
    return true;
  report_error(report, (Place){0},
               "the differences of clocks that matter are too large for "
               "engine points; use --engine zones");
  return false;
}

static bool prepare(Points *points, const Options *options, Report *report) {
  Arena *arena = &points->arena;
  const uint32_t n = points->n, slots = points->net->slot_count;
  points->lower = ARENA_ARRAY(arena, int32_t, n);
  points->upper = ARENA_ARRAY(arena, int32_t, n);
  int32_t *most = ARENA_ARRAY(arena, int32_t, n);
  if (!closed_accepts(points->net, points->goal, options, "points", report) ||
      !clockbounds_compute(&points->bounds, arena, points->net, points->goal, report) ||
      !diagonals_compute(&points->diagonals, arena, points->net, points->goal, &points->bounds,
                         report) ||
      !find_most(points, most, report))
    return false;
  packing_init(&points->packing, arena, points->net, most);
  flat_init(&points->flat, points->mem, points->packing.bytes, 0);
  points->source = ARENA_ARRAY(arena, int32_t, slots);
  points->state = ARENA_ARRAY(arena, int32_t, slots);
  points->source_values = ARENA_ARRAY(arena, int32_t, n);
  points->values = ARENA_ARRAY(arena, int32_t, n);
  points->sorted = ARENA_ARRAY(arena, ClockIndex, n);
  points->initial_choice = ARENA_ARRAY(arena, uint32_t, points->net->processes.size);
  points->state_key = ARENA_ARRAY(arena, uint64_t, points->packing.words);
  points->key = ARENA_ARRAY(arena, uint64_t, points->packing.words);
  points->space.trail = &points->trail;
  points->space.key = points->key;
  points->space.key_words = points->packing.words;
  points->space.message_bytes = points->packing.words * sizeof *points->key;
  return true;
}

Space *points_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                  Report *report) {
  Points *points = mem_alloc(mem, sizeof *points);
  *points = (Points){
      .space = {.initial = points_initial,
                .next = points_next,
                .is_goal = points_is_goal,
                .add = points_add,
                .take = points_take,
                .sibling = points_sibling,
                .pack = points_pack,
                .send = points_send,
                .receive = points_receive,
                .release = points_release},
      .mem = mem,
      .arena = {.mem = mem},
      .net = net,
      .goal = goal,
      .options = *options,
      .scope = (BoundsScope)options->bounds,
      .n = net->clock_count + 1,
  };
  net_vm(net, &points->vm, mem);
  shuffle_init(&points->shuffle, mem, &points->arena, net, options->seed);
  trail_init(&points->trail, mem, options->trace != TRACE_NONE);
  if (!prepare(points, options, report)) {
    points_release(&points->space);
    return NULL;
  }
  return &points->space;
}
