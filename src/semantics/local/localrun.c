// The execution times of the actions are the unknowns. What the local semantics asks for are
// bounds on their differences, collected here once more from the rules of doc/notes/local-time.md
// and solved; any solution gives an order.
#include "semantics/local/localrun.h"

#include "model/stepper.h"
#include "semantics/local/localtransition.h"
#include "semantics/zone/concretetimes.h"
#include "semantics/zone/locvector_make.h"

#include <stdlib.h>

typedef struct RunTransition { // of the run, to be found again in another state
  uint32_t transition;         // of semantics/zone/locvector.h
  uint32_t sync;
  uint32_t step;
  int64_t time;
} RunTransition;

typedef struct Run {
  LocalVectors *vectors;
  const Net *net;
  Stepper stepper;
  ConcreteTimes concrete;
  Arena arena;
  int32_t *state;
  RunTransition *actions; // of the steps from 1 on
  uint32_t *last;         // by process: the last step it took part in
  uint32_t *written;      // by resource: the step that wrote it last
  uint32_t *known;        // by resource: the unknown that stands for its time
  uint32_t unknowns;      // the largest in use
  bool *stops;            // by process: an urgent synchronisation stops it in the present state
} Run;

// T_u - T_v <= 0.
static void before(Run *run, uint32_t u, uint32_t v) {
  vec_push(run->arena.mem, &run->concrete.constraints, ((Difference){u, v, 0, false}));
}

// The clock tests of the stepper hold now.
static void test(Run *run) {
  concretetimes_test(&run->concrete, run->stepper.tests.items, run->stepper.tests.size);
}

static bool invariant(Run *run, ProcessId p) {
  const Guard *guard = run->net->by_location.invariants[net_location_at(run->net, p, run->state)];
  if (!guard)
    return true;
  vec_clear(&run->stepper.tests);
  if (vm_guard(&run->stepper.vm, guard, run->state, &run->stepper.tests) != VM_TRUE)
    return false;
  test(run);
  return true;
}

// The process has come to the present step: its time passed under its invariant, or not at all.
static bool reach(Run *run, ProcessId p) {
  before(run, run->last[p], run->concrete.now);
  if (run->net->by_location.urgent[net_location_at(run->net, p, run->state)] || run->stops[p])
    before(run, run->concrete.now, run->last[p]);
  return invariant(run, p);
}

static void access(Run *run, const LocalUse *out) {
  const uint32_t now = run->concrete.now;
  for (uint32_t i = 0; i < out->writes.size; i++) {
    const ResourceId id = out->writes.items[i];
    before(run, run->known[id], now);
    run->written[id] = now;
    run->known[id] = ++run->unknowns;
    before(run, now, run->known[id]);
  }
  for (uint32_t i = 0; i < out->reads.size; i++) {
    before(run, run->written[out->reads.items[i]], now);
    before(run, now, run->known[out->reads.items[i]]);
  }
}

// That of the stepper.
static uint32_t find_transition(const Run *run) {
  const Joint *joint = &run->stepper.joint;
  return locvector_find_transition(run->vectors->of, joint->edges, joint->edge_count, NULL);
}

static bool step(Run *run, uint32_t ordinal) {
  Joint *joint = &run->stepper.joint;
  if (!joint_seek(joint, run->state, ordinal))
    return false;
  const uint32_t transition = find_transition(run);
  const LocalUse use = localtransition_use(run->vectors, run->state, transition, joint->sync);
  joint_stops(joint, run->state, run->stops);
  const uint32_t now = ++run->concrete.now;
  run->actions[now - 1] =
      (RunTransition){.transition = transition, .sync = joint->sync, .step = now};
  for (uint32_t i = 0; i < use.domain_count; i++)
    if (!reach(run, use.domain[i]))
      return false;
  access(run, &use);
  if (stepper_guard(&run->stepper, run->state) != VM_TRUE)
    return false;
  test(run);
  if (stepper_fire(&run->stepper, run->state) != VM_TRUE)
    return false;
  concretetimes_update(&run->concrete, run->stepper.updates.items, run->stepper.updates.size);
  for (uint32_t i = 0; i < use.domain_count; i++) {
    run->last[use.domain[i]] = now;
    if (!invariant(run, use.domain[i]))
      return false;
  }
  return true;
}

static bool solve(Run *run) {
  const uint32_t now = run->concrete.now;
  run->concrete.now = run->unknowns;
  const bool solved = concretetimes_solve(&run->concrete);
  run->concrete.now = now;
  return solved;
}

// All processes meet at the end, when some clause of the goal holds.
static bool finish(Run *run, const Goal *goal) {
  run->concrete.now++;
  joint_stops(&run->stepper.joint, run->state, run->stops);
  for (ProcessId p = 0; p < run->net->processes.size; p++)
    if (!reach(run, p))
      return false;
  if (!goal)
    return solve(run);
  const uint32_t kept = run->concrete.constraints.size;
  for (uint32_t clause = 0;; clause++) {
    if (stepper_goal(&run->stepper, goal, run->state, &clause) != VM_TRUE)
      return false;
    test(run);
    if (solve(run))
      return true;
    run->concrete.constraints.size = kept;
  }
}

// By time; those at one time stay in order.
static int compare(const void *a, const void *b) {
  const RunTransition *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static bool find_again(Run *run, const RunTransition *action, uint32_t *ordinal) {
  Joint *joint = &run->stepper.joint;
  for (joint_begin(joint, run->state); joint_next(joint);)
    if (joint->sync == action->sync && find_transition(run) == action->transition) {
      *ordinal = joint->ordinal;
      return stepper_fire(&run->stepper, run->state) == VM_TRUE;
    }
  return false;
}

static bool start(Run *run, uint32_t ordinal) {
  if (!state_initial(run->net, run->state, ordinal))
    return false;
  for (ProcessId p = 0; p < run->net->processes.size; p++)
    if (!invariant(run, p))
      return false;
  return true;
}

static bool order(Run *run, const Goal *goal, uint32_t *ordinals, uint32_t count) {
  if (!count || !start(run, ordinals[0]))
    return false;
  for (uint32_t i = 1; i < count; i++)
    if (!step(run, ordinals[i]))
      return false;
  if (!finish(run, goal))
    return false;
  for (uint32_t i = 1; i < count; i++)
    run->actions[i - 1].time = run->concrete.times.items[i];
  qsort(run->actions, count - 1, sizeof *run->actions, compare);
  state_initial(run->net, run->state, ordinals[0]);
  for (uint32_t i = 1; i < count; i++)
    if (!find_again(run, &run->actions[i - 1], &ordinals[i]))
      return false;
  return true;
}

bool localrun_order(LocalVectors *vectors, const Goal *goal, uint32_t *ordinals, uint32_t count) {
  const Net *net = vectors->net;
  const uint32_t resource_count = vectors->resources->count;
  Mem *mem = mem_part(vectors->mem);
  Run run = {.vectors = vectors, .net = net, .arena = {.mem = mem}};
  Arena *arena = &run.arena;
  stepper_init(&run.stepper, net, arena);
  concretetimes_init(&run.concrete, mem, net->clock_count + 1);
  run.state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  run.stops = ARENA_ARRAY(arena, bool, net->processes.size);
  run.actions = ARENA_ARRAY(arena, RunTransition, count);
  run.last = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  run.written = ARENA_ARRAY(arena, uint32_t, resource_count);
  run.known = ARENA_ARRAY(arena, uint32_t, resource_count);
  run.unknowns = count; // steps 1 .. count - 1 and the end
  for (ResourceId id = 0; id < resource_count; id++)
    run.known[id] = ++run.unknowns;
  const bool ordered = order(&run, goal, ordinals, count);
  mem_release_part(mem);
  return ordered;
}
