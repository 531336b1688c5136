// Time-darts (JLS12, Algorithm 2), for networks with invariants, urgent and committed
// locations, integer variables, clock updates and diagonal constraints.
//
// With --bounds global it is the paper's algorithm to the letter. The default goes further, by
// bounds of each discrete state that tell tests from below and from above apart: values are
// cut where both end, darts begin later, and of the points on a dart that take a transition
// only those are followed that others do not simulate. The rules and their proof are in
// doc/darts.md.
//
// A transition turns the clock values of the points at distance n on a dart into values that
// each either grow with n (`moves`) or do not: value = base + n * moves. All tests, of guards
// before and of invariants after it, become bounds on n.
#include "engine/darts.h"

#include "engine/anchor.h"
#include "engine/closed.h"
#include "engine/flat.h"
#include "engine/packing.h"
#include "engine/shuffle.h"
#include "engine/trail.h"

#include <string.h>

enum { MOST_VALUE = 1 << 28 }; // of a clock; larger ones are refused

// Faults that test/fuzz/faults.sh plants to see that the comparison with points finds them.
#ifndef DARTS_FAULT
#define DARTS_FAULT 0
#endif
enum { FAULT_CONSTANT = 1, FAULT_ONE_DART = 2, FAULT_SATURATION = 3 };

typedef struct Span { // of distances; empty if low > high
  int32_t low, high;
} Span;

typedef struct Darts {
  Space space; // first: a Space * is a Darts *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  Shuffle shuffle;
  ClockBounds bounds;
  Diagonals diagonals;
  Options options; // for siblings
  bool is_global;
  uint32_t n;         // clocks, clock 0 included
  int32_t most_limit; // of any clock in any state
  uint32_t waiting_bits;
  int32_t passed_code; // that stands for DARTS_INFINITE
  Packing packing;
  Flat flat;
  Trail trail;

  // The taken dart.
  int32_t *source, *anchor;
  Span alive; // distances from its waiting one to the end of its invariant
  int32_t passed;

  // The transition: the points of its target for distances from `at` to `last`; beyond `jump`
  // only the last one.
  int32_t *state;
  Horizon horizon;    // of that state
  int32_t *locations; // whose horizon it is
  int32_t *base, *moves;
  int32_t at, last, jump;
  ClockTests invariant;
  uint64_t *state_key;

  // The current dart.
  int32_t *values; // its anchor
  int32_t waiting;
  uint64_t *key;
  bool is_packed; // `key` is its own

  uint32_t *initial_choice;
  bool initial_started;
  uint32_t initial_count;
  int32_t *zeros, *ones; // `moves` of a state that is entered, and of one that is left
  ClockTests tests;
  ClockUpdates updates;
} Darts;

static Darts *darts_of(Space *space) { return (Darts *)space; }

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static void fail(Darts *darts, const char *reason, Place place) {
  darts->space.failure = reason;
  darts->space.failure_place = place;
}

static bool holds(Darts *darts, VmResult result) {
  if (result == VM_ERROR || (result == VM_INVALID && darts->net->invalid_is_error))
    fail(darts, darts->vm.error, darts->vm.error_place);
  return result == VM_TRUE;
}

// Narrows the span to the distances n at which the values base + n * moves pass the tests.
static void narrow(Span *span, const ClockTests *tests, const int32_t *base,
                   const int32_t *moves) {
  for (uint32_t k = 0; k < tests->size; k++) {
    const ClockTest *test = &tests->items[k];
    const int32_t slope = moves[test->i] - moves[test->j];
    const int32_t room = test->constant - (base[test->i] - base[test->j]);
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
  const int32_t *locations = darts->state + darts->net->location_slot;
  const size_t bytes = darts->net->processes.size * sizeof *locations;
  if (!memcmp(darts->locations, locations, bytes))
    return;
  memcpy(darts->locations, locations, bytes);
  horizon->can_delay = state_can_delay(darts->net, darts->state);
  if (darts->is_global)
    return; // the same for every state
  clockbounds_of_state(&darts->bounds, darts->net, darts->state, horizon->lower, horizon->upper);
  const int32_t wrong = DARTS_FAULT == FAULT_CONSTANT;
  int32_t most = 0;
  for (ClockIndex x = 1; x < darts->n; x++) {
    const int32_t lower = larger(larger(horizon->lower[x], -1) - wrong, -1);
    const int32_t upper = larger(larger(horizon->upper[x], -1) - wrong, -1);
    horizon->lower[x] = lower;
    horizon->upper[x] = upper;
    horizon->limit[x] = larger(lower, upper + 1);
    most = larger(most, horizon->limit[x]);
  }
  for (uint32_t i = 0; i < darts->diagonals.count; i++) {
    const ClockIndex x = darts->diagonals.clocks[i];
    horizon->upper[x] = darts->diagonals.most;
    horizon->lower[x] = horizon->limit[x] = darts->diagonals.most + 1;
    most = larger(most, horizon->limit[x]);
  }
  horizon->most = most;
}

// Collects the invariant of `state`; false if its integer part fails.
static bool find_invariant(Darts *darts) {
  vec_clear(&darts->invariant);
  return holds(darts, joint_invariant(darts->net, &darts->vm, darts->state, &darts->invariant));
}

// The point at the given distance becomes the current dart.
static void make_dart(Darts *darts, int32_t distance) {
  darts->space.discovered++;
  darts->is_packed = false;
  for (ClockIndex x = 1; x < darts->n; x++)
    darts->values[x] = darts->base[x] + distance * darts->moves[x];
  darts->waiting = darts->is_global ? anchor_global(&darts->horizon, darts->values)
                                    : anchor_local(&darts->horizon, darts->values);
}

static bool darts_initial(Space *space) {
  Darts *darts = darts_of(space);
  while (
      state_initial(darts->net, darts->state, darts->initial_choice, &darts->initial_started)) {
    space->ordinal = darts->initial_count++;
    memset(darts->base, 0, darts->n * sizeof *darts->base);
    memset(darts->moves, 0, darts->n * sizeof *darts->moves);
    Span span = {0, 0};
    if (find_invariant(darts)) {
      narrow(&span, &darts->invariant, darts->base, darts->moves);
      if (span.low <= span.high) {
        find_horizon(darts);
        packing_state(&darts->packing, darts->state_key, darts->state);
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
  memcpy(base, darts->anchor, darts->n * sizeof *base);
  memcpy(moves, darts->ones, darts->n * sizeof *moves);
  for (uint32_t i = 0; i < darts->updates.size; i++) {
    const ClockUpdate *u = &darts->updates.items[i];
    base[u->x] = smaller(base[u->y] + u->constant, 2 * MOST_VALUE); // base[0] and moves[0] are 0
    moves[u->x] = moves[u->y];
    if (base[u->x] + low * moves[u->x] < 0) {
      fail(darts, "a clock is set to a negative value", (Place){0});
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
  if (!darts->updates.size)
    return true;
  for (ClockIndex x = 1; x < darts->n; x++)
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
  for (ClockIndex x = 1; x < darts->n; x++)
    if (darts->moves[x]) {
      below = larger(below, horizon->lower[x] - darts->base[x]);
      above = larger(above, horizon->upper[x] - darts->base[x]);
    }
  darts->last = smaller(smaller(span.high, darts->passed - 1), larger(span.low, below));
  darts->jump = above;
}

// The joint transition that the shuffle is on; false if no point of the taken dart takes it.
static bool fire(Darts *darts) {
  Joint *joint = &darts->shuffle.joint;
  Span span = darts->alive;
  vec_clear(&darts->tests);
  if (!holds(darts, joint_guard(joint, &darts->vm, darts->source, &darts->tests)))
    return false;
  narrow(&span, &darts->tests, darts->anchor, darts->ones);
  if (span.low > span.high || span.low >= darts->passed)
    return false;
  memcpy(darts->state, darts->source, darts->net->slot_count * sizeof(int32_t));
  vec_clear(&darts->updates);
  if (!holds(darts, joint_fire(joint, &darts->vm, darts->state, &darts->updates)) ||
      !update(darts, span.low) || !find_invariant(darts))
    return false;
  narrow(&span, &darts->invariant, darts->base, darts->moves);
  if (span.low > span.high || span.low >= darts->passed)
    return false;
  find_horizon(darts);
  packing_state(&darts->packing, darts->state_key, darts->state);
  choose(darts, span);
  return true;
}

static bool darts_next(Space *space) {
  Darts *darts = darts_of(space);
  while (darts->at > darts->last) {
    if (!shuffle_next(&darts->shuffle))
      return false;
    space->ordinal = darts->shuffle.joint.ordinal;
    if (!fire(darts) && space->failure)
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
    narrow(&span, &darts->invariant, darts->values, darts->ones);
  return span;
}

static bool darts_is_goal(Space *space) {
  Darts *darts = darts_of(space);
  for (uint32_t clause = 0; darts->goal; clause++) {
    vec_clear(&darts->tests);
    if (!holds(darts, goal_clause(darts->goal, &darts->vm, darts->state, &clause, &darts->tests)))
      return false;
    Span span = current_span(darts);
    narrow(&span, &darts->tests, darts->values, darts->ones);
    if (span.low <= span.high)
      return true;
  }
  return false;
}

static void write_distances(Darts *darts, uint32_t ref, int32_t waiting, int32_t passed) {
  const int32_t code = passed == DARTS_INFINITE ? darts->passed_code : passed;
  flat_set_value(&darts->flat, ref, (uint64_t)code << darts->waiting_bits | (uint32_t)waiting);
}

static void read_distances(const Darts *darts, uint32_t ref, int32_t *waiting, int32_t *passed) {
  const uint64_t value = flat_value(&darts->flat, ref);
  const int32_t code = (int32_t)(value >> darts->waiting_bits);
  *waiting = (int32_t)(value & (((uint64_t)1 << darts->waiting_bits) - 1));
  *passed = code == darts->passed_code ? DARTS_INFINITE : code;
}

static void darts_pack(Space *space) {
  Darts *darts = darts_of(space);
  packing_values(&darts->packing, darts->key, darts->state_key, darts->values);
  darts->is_packed = true;
}

static size_t darts_send(Space *space, void *message) {
  const Darts *darts = darts_of(space);
  const size_t bytes = space->key_words * sizeof *darts->key;
  memcpy(message, darts->key, bytes);
  memcpy((char *)message + bytes, &darts->waiting, sizeof darts->waiting);
  return space->message_bytes;
}

// What darts_add needs: the goal is looked for where a dart is made.
static void darts_receive(Space *space, const void *message) {
  Darts *darts = darts_of(space);
  const size_t bytes = space->key_words * sizeof *darts->key;
  memcpy(darts->key, message, bytes);
  memcpy(&darts->waiting, (const char *)message + bytes, sizeof darts->waiting);
  darts->is_packed = true;
}

static uint32_t darts_add(Space *space) {
  Darts *darts = darts_of(space);
  if (!darts->is_packed)
    darts_pack(space);
  bool is_new;
  const uint32_t ref = flat_add(&darts->flat, darts->key, &is_new);
  int32_t waiting = 0, passed = DARTS_INFINITE;
  if (!is_new) {
    read_distances(darts, ref, &waiting, &passed);
    if (darts->waiting >= waiting)
      return SPACE_NONE;
  }
  space->kept = darts->flat.size;
  write_distances(darts, ref, darts->waiting, passed);
  trail_reach(&darts->trail, ref, space->ordinal);
  return is_new || waiting == passed ? ref : SPACE_NONE;
}

static bool darts_take(Space *space, uint32_t ref) {
  Darts *darts = darts_of(space);
  int32_t waiting;
  read_distances(darts, ref, &waiting, &darts->passed);
  if (waiting >= darts->passed)
    return false;
  write_distances(darts, ref, waiting, waiting);
  flat_key(&darts->flat, ref, darts->key);
  packing_read(&darts->packing, darts->key, darts->source, darts->anchor, darts->n);
  darts->alive = (Span){waiting, INT32_MAX};
  if (!state_can_delay(darts->net, darts->source)) {
    darts->alive.high = waiting;
  } else {
    vec_clear(&darts->tests);
    holds(darts, joint_invariant(darts->net, &darts->vm, darts->source, &darts->tests));
    narrow(&darts->alive, &darts->tests, darts->anchor, darts->ones);
  }
  trail_take(&darts->trail, ref);
  shuffle_begin(&darts->shuffle, darts->source);
  darts->at = 1;
  darts->last = 0;
  return true;
}

static Space *darts_sibling(Space *space, Mem *mem) {
  const Darts *darts = darts_of(space);
  Report unused;
  report_init(&unused, mem);
  return darts_new(mem, darts->net, darts->goal, &darts->options, &unused);
}

Dart darts_at(Space *space, uint32_t ref) {
  Darts *darts = darts_of(space);
  Dart dart = {.state = darts->source, .anchor = darts->anchor};
  flat_key(&darts->flat, ref, darts->key);
  packing_read(&darts->packing, darts->key, darts->source, darts->anchor, darts->n);
  read_distances(darts, ref, &dart.waiting, &dart.passed);
  return dart;
}

static void darts_release(Space *space) {
  Darts *darts = darts_of(space);
  Mem *mem = darts->mem;
  vm_release(&darts->vm);
  shuffle_release(&darts->shuffle);
  flat_release(&darts->flat);
  trail_release(&darts->trail);
  vec_release(mem, &darts->invariant);
  vec_release(mem, &darts->tests);
  vec_release(mem, &darts->updates);
  arena_release(&darts->arena);
  mem_free(mem, darts);
}

// One horizon for all states, from the largest constant of all.
static void set_global_horizon(Darts *darts) {
  Horizon *horizon = &darts->horizon;
  int32_t constant = darts->diagonals.count ? darts->diagonals.most : 0;
  for (ClockIndex x = 1; x < darts->n; x++) {
    constant = larger(constant, darts->bounds.global_lower[x]);
    constant = larger(constant, darts->bounds.global_upper[x]);
  }
  darts->diagonals.most = constant;
  for (ClockIndex x = 1; x < darts->n; x++) {
    horizon->lower[x] = horizon->limit[x] = constant + 1;
    horizon->upper[x] = MOST_VALUE; // every distance is followed
  }
  horizon->most = constant + 1;
}

// The largest value of each clock in an anchor; false if they are too large.
static bool find_most(Darts *darts, int32_t *most, Report *report) {
  const Diagonals *diagonals = &darts->diagonals;
  if (darts->is_global)
    set_global_horizon(darts);
  const int64_t group = diagonals->most + 1 + (int64_t)diagonals->count * (diagonals->gap + 1);
  int64_t largest = 0;
  for (ClockIndex x = 1; x < darts->n; x++) {
    int64_t limit =
        larger(larger(darts->bounds.global_lower[x], darts->bounds.global_upper[x] + 1), 0);
    if (darts->is_global)
      limit = darts->horizon.limit[x];
    if (diagonals->count && diagonals->contains[x])
      limit = group;
    most[x] = limit < MOST_VALUE ? (int32_t)limit : MOST_VALUE;
    largest = limit > largest ? limit : largest;
  }
  darts->most_limit = (int32_t)(largest < MOST_VALUE ? largest : MOST_VALUE);
  if (largest < MOST_VALUE)
    return true;
  report_error(report, (Place){0},
               "the differences of clocks that matter are too large for "
               "engine darts; use --engine zones");
  return false;
}

static void allocate(Darts *darts) {
  Arena *arena = &darts->arena;
  const uint32_t n = darts->n, slots = darts->net->slot_count;
  darts->source = ARENA_ARRAY(arena, int32_t, slots);
  darts->state = ARENA_ARRAY(arena, int32_t, slots);
  darts->anchor = ARENA_ARRAY(arena, int32_t, n);
  darts->base = ARENA_ARRAY(arena, int32_t, n);
  darts->moves = ARENA_ARRAY(arena, int32_t, n);
  darts->values = ARENA_ARRAY(arena, int32_t, n);
  darts->ones = ARENA_ARRAY(arena, int32_t, n);
  for (ClockIndex x = 1; x < n; x++)
    darts->ones[x] = 1;
  darts->locations = ARENA_ARRAY(arena, int32_t, darts->net->processes.size);
  darts->locations[0] = -1; // none yet
  darts->initial_choice = ARENA_ARRAY(arena, uint32_t, darts->net->processes.size);
  darts->horizon = (Horizon){.n = n,
                             .lower = ARENA_ARRAY(arena, int32_t, n),
                             .upper = ARENA_ARRAY(arena, int32_t, n),
                             .limit = ARENA_ARRAY(arena, int32_t, n),
                             .diagonals = &darts->diagonals,
                             .sorted = ARENA_ARRAY(arena, ClockIndex, n)};
}

static bool prepare(Darts *darts, const Options *options, Report *report) {
  Arena *arena = &darts->arena;
  int32_t *most = ARENA_ARRAY(arena, int32_t, darts->n);
  if (!closed_accepts(darts->net, darts->goal, options, "darts", report) ||
      !clockbounds_compute(&darts->bounds, arena, darts->net, darts->goal, report) ||
      !diagonals_compute(&darts->diagonals, arena, darts->net, darts->goal, &darts->bounds,
                         report))
    return false;
  if (DARTS_FAULT == FAULT_SATURATION)
    darts->diagonals.count = 0;
  if (!find_most(darts, most, report))
    return false;
  darts->waiting_bits = packing_bits((uint32_t)darts->most_limit);
  darts->passed_code = darts->most_limit + 1;
  const uint32_t value_bits = darts->waiting_bits + packing_bits((uint32_t)darts->passed_code);
  packing_init(&darts->packing, arena, darts->net, most);
  flat_init(&darts->flat, darts->mem, darts->packing.bytes, (value_bits + 7) / 8);
  darts->state_key = ARENA_ARRAY(arena, uint64_t, darts->packing.words);
  darts->key = ARENA_ARRAY(arena, uint64_t, darts->packing.words);
  darts->space.trail = &darts->trail;
  darts->space.key = darts->key;
  darts->space.key_words = darts->packing.words;
  darts->space.message_bytes = darts->packing.words * sizeof *darts->key + sizeof darts->waiting;
  return true;
}

Space *darts_new(Mem *mem, const Net *net, const Goal *goal, const Options *options,
                 Report *report) {
  Darts *darts = mem_alloc(mem, sizeof *darts);
  *darts = (Darts){
      .space = {.initial = darts_initial,
                .next = darts_next,
                .is_goal = darts_is_goal,
                .add = darts_add,
                .take = darts_take,
                .sibling = darts_sibling,
                .pack = darts_pack,
                .send = darts_send,
                .receive = darts_receive,
                .release = darts_release},
      .mem = mem,
      .arena = {.mem = mem},
      .net = net,
      .goal = goal,
      .options = *options,
      .is_global = options->bounds == BOUNDS_GLOBAL,
      .n = net->clock_count + 1,
  };
  net_vm(net, &darts->vm, mem);
  shuffle_init(&darts->shuffle, mem, &darts->arena, net, options->seed);
  trail_init(&darts->trail, mem, options->trace != TRACE_NONE);
  allocate(darts);
  if (!prepare(darts, options, report)) {
    darts_release(&darts->space);
    return NULL;
  }
  return &darts->space;
}
