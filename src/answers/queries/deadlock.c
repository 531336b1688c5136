#include "answers/queries/deadlock.h"

#include "base/testbuild.h"
#include "dbm/simulation.h"

#include <string.h>

// A state is not deadlocked if after some delay, in which the invariant holds, a transition is
// possible: its guard holds, and the target's invariant after the updates. The invariant is
// convex, so it holds in between if it holds at both ends. So the states that are not deadlocked
// are the past, within the invariant, of the zones where transitions are possible. What is left
// when all these are subtracted from the invariant is deadlocked. Most states have a transition
// that is always possible: then there is nothing to subtract from.
//
// Subtracting pasts from the whole invariant can be exponential: of n timers, each with an edge
// when it expires, any order of expiry is a part of its own. So where an upper bound of the
// invariant stops time in the end, we look at those ends first. A state is deadlocked only if
// the state in which its time ends is. There nothing but the present counts: no pasts are
// subtracted, and a timer that has expired enables its edge at once. Mostly no end is left, and
// no state is deadlocked. Else only the past of the ends that are left can be.
//
// All of this takes n^2 for a matrix and n^4 for n timers. So a test without matrices comes first
// (answers/queries/alive.h), and only states that it leaves open are looked at, and kept.

enum { NEWEST = 16 }; // zones of possible transitions that are compared

void deadlocks_init(Deadlocks *d, Mem *owner, const Net *net) {
  Mem *mem = mem_part(owner);
  *d = (Deadlocks){.mem = mem, .net = net, .n = net->clock_count + 1};
  d->arena.mem = mem;
  net_vm(net, &d->vm, mem);
  joint_init(&d->joint, net, &d->arena);
  alive_init(&d->alive, &d->arena, net, &d->vm, &d->joint);
  intern_init(&d->states, mem);
  federation_init(&d->none, mem, d->n);
  federation_init(&d->left, mem, d->n);
  federation_init(&d->possible, mem, d->n);
  d->state = ARENA_ARRAY(&d->arena, int32_t, net->slots.count);
  d->origins = ARENA_ARRAY(&d->arena, AliveOrigin, d->n);
  d->invariant = arena_align(&d->arena, dbm_bytes(d->n), 0);
  d->zone = arena_align(&d->arena, dbm_bytes(d->n), 0);
  d->hull = arena_align(&d->arena, dbm_bytes(d->n), 0);
}

void deadlocks_release(Deadlocks *d) { mem_release_part(d->mem); }

const char deadlock_split[] =
    "this query is not answered where an urgent channel has clock guards";

static bool fail(Deadlocks *d) {
  d->failure = d->vm.error;
  d->failure_place = d->vm.error_place;
  return false;
}

static bool constrain(const Deadlocks *d, Bound *zone, const ClockTest *test) {
  return dbm_constrain(
      d->mem, zone, d->n,
      (Constraint){test->i, test->j, bound_make(code_narrow(test->constant), test->strict)});
}

// Intersects with what the updates of the transition turn into this test; false if nothing is
// left.
static bool constrain_before(const Deadlocks *d, const ClockTest *test, Bound *zone) {
  const AliveOrigin a = d->origins[test->i], b = d->origins[test->j];
  const int64_t constant = test->constant - a.added + b.added;
  if (a.clock == b.clock)
    return test->strict ? constant > 0 : constant >= 0;
  if (constant > BOUND_MAX)
    return true;
  const ClockTest before = {a.clock, b.clock, constant < -BOUND_MAX ? -BOUND_MAX : constant,
                            test->strict};
  return constrain(d, zone, &before);
}

static void find_origins(Deadlocks *d) {
  for (ClockIndex x = 0; x < d->n; x++)
    d->origins[x] = (AliveOrigin){x, 0};
  for (uint32_t i = 0; i < d->updates.size; i++) {
    const ClockUpdate u = d->updates.items[i];
    d->origins[u.x] = (AliveOrigin){d->origins[u.y].clock, d->origins[u.y].added + u.constant};
  }
}

// Where the present transition is possible, in `zone`. False if nowhere, or on failure.
static bool find_possible(Deadlocks *d, const int32_t *state) {
  vec_clear(&d->tests);
  vec_clear(&d->updates);
  d->is_always = false;
  VmResult result = joint_guard(&d->joint, &d->vm, state, &d->tests);
  const bool has_tests = d->tests.size;
  if (result != VM_TRUE && result != VM_ERROR)
    return false;
  dbm_copy(d->zone, d->invariant, d->n);
  for (uint32_t i = 0; i < d->tests.size; i++)
    if (!constrain(d, d->zone, &d->tests.items[i]))
      return false;
  if (result == VM_ERROR)
    return true; // the search reports it: here it is a transition
  memcpy(d->state, state, d->net->slots.count * sizeof *state);
  result = joint_fire(&d->joint, &d->vm, d->state, &d->updates);
  if (result != VM_TRUE)
    return result == VM_ERROR;
  vec_clear(&d->tests);
  result = joint_invariant(d->net, &d->vm, d->state, &d->tests);
  if (result != VM_TRUE)
    return result == VM_ERROR;
  d->is_always = !has_tests && !d->tests.size;
  if (d->is_always)
    return true;
  find_origins(d);
  for (uint32_t i = 0; i < d->tests.size; i++)
    if (!constrain_before(d, &d->tests.items[i], d->zone))
      return false;
  return true;
}

static bool find_invariant(Deadlocks *d, const int32_t *state) {
  vec_clear(&d->tests);
  const VmResult result = joint_invariant(d->net, &d->vm, state, &d->tests);
  dbm_universal(d->invariant, d->n);
  if (result != VM_TRUE)
    return result != VM_ERROR ? false : fail(d);
  for (uint32_t i = 0; i < d->tests.size; i++)
    if (!constrain(d, d->invariant, &d->tests.items[i]))
      return false;
  return true;
}

// Whether time ends in the invariant, in states that belong to it.
static bool time_ends(const Deadlocks *d) {
  const uint32_t stride = dbm_stride(d->n);
  bool ends = false;
  for (ClockIndex x = 1; x < d->n; x++) {
    const Bound max = d->invariant[x * stride];
    if (max < BOUND_INF && bound_is_strict(max))
      return false;
    ends |= max < BOUND_INF;
  }
  return ends;
}

// The ends of time, as disjoint zones: a clock has its largest value, and those before it do not.
static void find_ends(Deadlocks *d, Federation *ends) {
  const uint32_t n = d->n, stride = dbm_stride(n);
  for (ClockIndex x = 1; x < n; x++) {
    const Bound max = d->invariant[x * stride];
    if (max == BOUND_INF || (x > 1 && PLANTED("deadlock-ends")))
      continue;
    dbm_copy(d->zone, d->invariant, n);
    bool is_possible =
        dbm_constrain(d->mem, d->zone, n, (Constraint){0, x, bound_le(-bound_constant(max))});
    for (ClockIndex y = 1; y < x && is_possible; y++)
      if (d->invariant[y * stride] < BOUND_INF)
        is_possible =
            dbm_constrain(d->mem, d->zone, n,
                          (Constraint){y, 0, bound_lt(bound_constant(d->invariant[y * stride]))});
    if (is_possible)
      federation_add(ends, d->zone);
  }
}

// Whether one of the newest zones includes this one. All of them would take long where there are
// many, and others are seldom found.
static bool is_in_one(const Federation *f, const Bound *zone) {
  const uint32_t first = f->count > NEWEST ? f->count - NEWEST : 0;
  for (uint32_t i = f->count; i-- > first;)
    if (dbm_includes(federation_zone(f, i), zone, f->n))
      return true;
  return false;
}

// Where the transitions are possible, in `possible`; if time can pass, only as long as it takes
// to see that no state is deadlocked. Returns false if so, or on failure.
static bool find_all_possible(Deadlocks *d, const int32_t *state, bool flows) {
  federation_clear(&d->possible);
  joint_begin(&d->joint, state);
  while (joint_next(&d->joint)) {
    if (!find_possible(d, state)) {
      if (d->failure)
        return false;
      continue;
    }
    if (d->is_always)
      return false;
    // Many transitions are possible in the same states, as where each of many has two ways.
    if (is_in_one(&d->possible, d->zone))
      continue;
    federation_add(&d->possible, d->zone);
    if (flows)
      dbm_down(d->zone, d->n);
    if (dbm_includes(d->zone, d->invariant, d->n))
      return false;
  }
  return true;
}

static void subtract_pasts(Deadlocks *d, Federation *left, bool flows) {
  for (uint32_t i = 0; i < d->possible.count && left->count; i++) {
    dbm_copy(d->zone, federation_zone(&d->possible, i), d->n);
    if (flows)
      dbm_down(d->zone, d->n);
    federation_subtract(left, d->zone);
  }
}

static void compute(Deadlocks *d, const int32_t *state, Federation *left) {
  if (!find_invariant(d, state))
    return;
  const JointDelay delay = joint_delay(&d->joint, state);
  if (delay == JOINT_SPLIT) {
    d->failure = deadlock_split;
    return;
  }
  const bool flows = delay == JOINT_FLOWS && !PLANTED("deadlock-past");
  if (!find_all_possible(d, state, flows))
    return;
  if (flows && time_ends(d)) {
    find_ends(d, left);
    federation_subtract_all(left, &d->possible);
    federation_down(left);
    federation_intersect(left, d->invariant);
  } else {
    federation_add(left, d->invariant);
  }
  subtract_pasts(d, left, flows);
}

enum { MANY_STATES = LOWERED(100000, 100000, 16) };
enum { FEW_ASKED = LOWERED(1000, 1000, 4) }; // before it is known whether the cheap test helps

// The set of a state that is not known yet.
static uint32_t add_set(Deadlocks *d, const int32_t *state) {
  federation_clear(&d->left);
  compute(d, state, &d->left);
  if (!d->left.count)
    return 0;
  Federation set;
  federation_init(&set, d->mem, d->n);
  federation_copy(&set, &d->left);
  vec_push(d->mem, &d->sets, set);
  return d->sets.size;
}

// Where states have many zones their sets are asked for again and again. Where each has few, to
// keep and find them would take more time than to compute them, and most of the memory.
static bool forgets(Deadlocks *d) {
  d->looked_up++;
  if (!d->is_forgetful && d->numbers.size >= MANY_STATES &&
      d->looked_up < 4 * (uint64_t)d->numbers.size) {
    d->is_forgetful = true;
    intern_clear(&d->states);
  }
  return d->is_forgetful;
}

// What is out of range the search counts when it tries the transition.
static bool is_sure(Deadlocks *d, const int32_t *state, bool is_static) {
  const JointDelay delay = joint_delay(&d->joint, state);
  VmInvalid *const invalid = d->vm.invalid;
  d->vm.invalid = NULL;
  const bool is_sure = !IS_PLAIN && delay != JOINT_SPLIT &&
                       alive_is_sure(&d->alive, state, delay == JOINT_FLOWS, is_static);
  d->vm.invalid = invalid;
  return is_sure;
}

// If the test mostly fails, the sets that are kept are looked up first.
bool deadlocks_are_none(Deadlocks *d, const int32_t *state) {
  if (d->asked >= FEW_ASKED && d->sure * 4 < d->asked)
    return false;
  d->asked++;
  const bool none = is_sure(d, state, false);
  d->sure += none;
  return none;
}

bool deadlocks_are_never(Deadlocks *d, const int32_t *state) { return is_sure(d, state, true); }

const Federation *deadlocks_of(Deadlocks *d, const int32_t *state) {
  if (deadlocks_are_none(d, state))
    return &d->none;
  if (forgets(d)) {
    federation_clear(&d->left);
    compute(d, state, &d->left);
    return d->failure ? NULL : &d->left;
  }
  const uint32_t index =
      intern_number(&d->states, state, d->net->slots.count * sizeof *state) - 1;
  if (index == d->numbers.size) {
    const uint32_t number = add_set(d, state);
    vec_push(d->mem, &d->numbers, number);
  }
  if (d->failure)
    return NULL;
  const uint32_t number = d->numbers.items[index];
  return number ? &d->sets.items[number - 1] : &d->none;
}

// One clause, whose clock tests are in `goal_tests`; `zone` is what they are to hold in.
static bool meets_clause(Deadlocks *d, const Bound *zone, GoalEnd end, const Federation *set) {
  dbm_copy(d->zone, zone, d->n);
  for (uint32_t i = 0; i < d->goal_tests.size; i++)
    if (!constrain(d, d->zone, &d->goal_tests.items[i]))
      return false;
  if (end == GOAL_DEADLOCKED)
    return federation_meets(set, d->zone);
  if (end == GOAL_ANY || !set->count)
    return true;
  Federation rest;
  federation_init(&rest, d->mem, d->n);
  federation_add(&rest, d->zone);
  federation_subtract_all(&rest, set);
  const bool meets = rest.count;
  federation_release(&rest);
  return meets;
}

// One clause that holds as far as variables are concerned.
static DeadlockAnswer meet_clause(Deadlocks *d, GoalEnd end, const int32_t *state, bool is_alive,
                                  const DeadlockZone *zone) {
  const Federation *set = &d->none;
  const int32_t *lower, *upper;
  if (end != GOAL_ANY && !is_alive && !(set = deadlocks_of(d, state)))
    return DEADLOCK_FAILED;
  if (end == GOAL_DEADLOCKED && !set->count)
    return DEADLOCK_NO;
  if (end != GOAL_DEADLOCKED && !set->count && !d->goal_tests.size)
    return DEADLOCK_YES;
  const Bound *matrix = zone->zone(zone->context);
  if (meets_clause(d, matrix, end, set))
    return DEADLOCK_YES;
  if (end != GOAL_DEADLOCKED || PLANTED("deadlock-hull") || !zone->bounds ||
      !zone->bounds(zone->context, &lower, &upper))
    return DEADLOCK_NO;
  simulation_alu_hull(d->hull, matrix, d->n, lower, upper);
  return meets_clause(d, d->hull, end, set) ? DEADLOCK_DOUBT : DEADLOCK_NO;
}

// Variables are looked at first, then the deadlocked set, then the zone.
DeadlockAnswer deadlocks_meet(Deadlocks *d, const Goal *goal, const int32_t *state, bool is_alive,
                              const DeadlockZone *zone) {
  DeadlockAnswer answer = DEADLOCK_NO;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&d->goal_tests);
    const VmResult result = goal_clause(goal, &d->vm, state, &clause, &d->goal_tests);
    if (result == VM_ERROR)
      fail(d);
    if (result != VM_TRUE)
      return result == VM_ERROR ? DEADLOCK_FAILED : answer;
    const GoalEnd end = goal->ends ? goal->ends[clause] : GOAL_ANY;
    const DeadlockAnswer met = meet_clause(d, end, state, is_alive, zone);
    if (met == DEADLOCK_YES || met == DEADLOCK_FAILED)
      return met;
    answer = met == DEADLOCK_DOUBT ? met : answer;
  }
}
