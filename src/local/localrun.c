// The execution times of the actions are the unknowns. What the local semantics asks for are
// bounds on their differences, collected here once more from the rules of doc/notes/local-time.md
// and solved; any solution gives an order.
#include "local/localrun.h"

#include "local/localtransition.h"

#include "zone/concretetimes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Action { // of the run, to be found again in another state
  const Transition *transition;
  uint32_t sync;
  uint32_t step;
  int64_t time;
} Action;

typedef struct Run {
  LocalVectors *vectors;
  const Net *net;
  Vm *vm;
  ConcreteTimes concrete;
  Arena arena;
  int32_t *state;
  uint64_t *packed;
  Action *actions;   // of the steps from 1 on
  uint32_t *last;    // by process: the last step it took part in
  uint32_t *written; // by resource: the step that wrote it last
  uint32_t *known;   // by resource: the unknown that stands for its time
  uint32_t unknowns; // the largest in use
  bool *stops;       // by process: an urgent synchronisation stops it in the present state
  ClockTests tests;
  ClockUpdates updates;
} Run;

// T_u - T_v <= 0.
static void before(Run *run, uint32_t u, uint32_t v) {
  vec_push(run->arena.mem, &run->concrete.constraints, ((Difference){u, v, 0, false}));
}

static bool invariant(Run *run, ProcessId p) {
  const Guard *guard = run->net->by_location.invariants[net_location_at(run->net, p, run->state)];
  if (!guard)
    return true;
  vec_clear(&run->tests);
  if (vm_guard(run->vm, guard, run->state, &run->tests) != VM_TRUE)
    return false;
  concretetimes_test(&run->concrete, run->tests.items, run->tests.size);
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

static bool step(Run *run, uint32_t ordinal) {
  Joint *joint = &run->vectors->of->joint;
  state_pack(run->vectors->of->layout, run->packed, run->state);
  LocalVector *vector = locvector_find(run->vectors->of, run->packed)->more;
  localvector_find_outgoing(run->vectors, vector);
  if (!joint_seek(joint, run->state, ordinal))
    return false;
  const LocalUse use = localtransition_use(run->vectors, vector, ordinal);
  joint_stops(joint, run->state, run->stops);
  const uint32_t now = ++run->concrete.now;
  const Outgoing *out = &vector->vector->outgoing[ordinal];
  run->actions[now - 1] = (Action){.transition = locvector_transition(run->vectors->of, out),
                                   .sync = joint->sync,
                                   .step = now};
  for (uint32_t i = 0; i < use.domain_count; i++)
    if (!reach(run, use.domain[i]))
      return false;
  access(run, &use);
  vec_clear(&run->tests);
  vec_clear(&run->updates);
  if (joint_guard(joint, run->vm, run->state, &run->tests) != VM_TRUE)
    return false;
  concretetimes_test(&run->concrete, run->tests.items, run->tests.size);
  if (joint_fire(joint, run->vm, run->state, &run->updates) != VM_TRUE)
    return false;
  concretetimes_update(&run->concrete, run->updates.items, run->updates.size);
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
  joint_stops(&run->vectors->of->joint, run->state, run->stops);
  for (ProcessId p = 0; p < run->net->processes.size; p++)
    if (!reach(run, p))
      return false;
  if (!goal)
    return solve(run);
  const uint32_t kept = run->concrete.constraints.size;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&run->tests);
    if (goal_clause(goal, run->vm, run->state, &clause, &run->tests) != VM_TRUE)
      return false;
    concretetimes_test(&run->concrete, run->tests.items, run->tests.size);
    if (solve(run))
      return true;
    run->concrete.constraints.size = kept;
  }
}

// By time; those at one time stay in order.
static int compare(const void *a, const void *b) {
  const Action *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static bool is_same(const Joint *joint, const Action *action) {
  const Transition *t = action->transition;
  return joint->sync == action->sync && joint->edge_count == t->edge_count &&
         !memcmp(joint->edges, t->edges, t->edge_count * sizeof *t->edges);
}

static bool find_again(Run *run, const Action *action, uint32_t *ordinal) {
  Joint *joint = &run->vectors->of->joint;
  for (joint_begin(joint, run->state); joint_next(joint);)
    if (is_same(joint, action)) {
      *ordinal = joint->ordinal;
      vec_clear(&run->updates);
      return joint_fire(joint, run->vm, run->state, &run->updates) == VM_TRUE;
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

bool localrun_order(LocalVectors *vectors, Vm *vm, const Goal *goal, uint32_t *ordinals,
                    uint32_t count) {
  const Net *net = vectors->net;
  const uint32_t resources = vectors->components->count;
  Run run = {.vectors = vectors, .net = net, .vm = vm, .arena = {.mem = vectors->mem}};
  Arena *arena = &run.arena;
  concretetimes_init(&run.concrete, vectors->mem, net->clock_count + 1);
  run.state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  run.packed = ARENA_ARRAY(arena, uint64_t, vectors->of->layout->words);
  run.stops = ARENA_ARRAY(arena, bool, net->processes.size);
  run.actions = ARENA_ARRAY(arena, Action, count);
  run.last = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  run.written = ARENA_ARRAY(arena, uint32_t, resources);
  run.known = ARENA_ARRAY(arena, uint32_t, resources);
  run.unknowns = count; // steps 1 .. count - 1 and the end
  for (ResourceId id = 0; id < resources; id++)
    run.known[id] = ++run.unknowns;
  const bool ordered = order(&run, goal, ordinals, count);
  concretetimes_release(&run.concrete);
  vec_release(vectors->mem, &run.tests);
  vec_release(vectors->mem, &run.updates);
  arena_release(arena);
  return ordered;
}
