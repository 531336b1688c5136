#include "evidence/trace.h"

#include "evidence/unfold.h"
#include "model/state.h"
#include "queries/deadlock.h"
#include "search/nodes.h"
#include "search/ranks.h"
#include "zone/concretetimes.h"
#include "zone/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Builder {
  Trace *trace;
  Mem *mem;
  const Net *net;
  Vm vm;
  Joint joint;
  Ordinals ordinals; // the initial one first
  ClockTests tests;
  ClockUpdates updates;
  ConcreteTimes concrete;
  // The last step was a delay by a transition (model/joint.h), after which these tests hold.
  bool passes;
  ClockTests after;
  int64_t before; // the goal is reached before this time; 0: any
  int32_t *state;
  RunStep *steps;            // of the trace
  VEC(ClockOrigins) origins; // after each step
} Builder;

// Of a search that keeps trails and is reduced by symmetry.
static bool collect_steps(Builder *b, const Reach *reach, ReachResult result) {
  TrailSteps steps = {0};
  if (reach->goal_parent != NODE_NONE)
    ranks_trail(reach->peers, reach->goal_parent, true, UINT32_MAX, b->mem, &steps);
  const bool ok =
      unfold_steps(reach->space, b->mem, &steps,
                   result == REACH_GOAL ? reach->goal_ordinal : SPACE_DELAY, &b->ordinals);
  vec_release(b->mem, &steps);
  return ok;
}

static bool collect(Builder *b, const Reach *reach, ReachResult result) {
  if (reach->space->orbit && reach->space->passed)
    return collect_steps(b, reach, result);
  if (result == REACH_GOAL && reach->goal_ordinal != SPACE_DELAY)
    vec_push(b->mem, &b->ordinals, reach->goal_ordinal);
  nodes_path(reach, b->mem, &b->ordinals);
  vec_reverse(&b->ordinals, 0);
  return !reach->space->orbit ||
         unfold_run(reach->space, b->mem, b->ordinals.items, b->ordinals.size);
}

static void add_step(Builder *b, bool is_initial) {
  Arena *arena = &b->trace->arena;
  const uint32_t count = is_initial ? 0 : b->joint.edge_count;
  b->steps[b->trace->run.step_count++] =
      (RunStep){.edges = arena_copy(arena, b->joint.edges, count * sizeof *b->joint.edges),
                .edge_count = count,
                .state = arena_copy(arena, b->state, b->net->slots.count * sizeof *b->state)};
  vec_push(b->mem, &b->origins, concretetimes_origins(&b->concrete, arena));
}

static bool invariant(Builder *b) {
  vec_clear(&b->tests);
  if (joint_invariant(b->net, &b->vm, b->state, &b->tests) != VM_TRUE)
    return false;
  concretetimes_test(&b->concrete, b->tests.items, b->tests.size);
  return true;
}

static bool start(Builder *b) {
  uint32_t *choice = mem_alloc(b->mem, b->net->processes.size * sizeof *choice);
  bool started = false, found = false;
  for (uint32_t i = 0; !found && state_initial(b->net, b->state, choice, &started); i++)
    found = i == b->ordinals.items[0];
  mem_free(b->mem, choice);
  if (!found)
    return false;
  const int32_t *initial = b->net->clock_initial;
  for (ClockIndex x = 1; initial && x <= b->net->clock_count; x++)
    concretetimes_update(&b->concrete, &(ClockUpdate){x, 0, initial[x]}, 1);
  add_step(b, true);
  return invariant(b);
}

// Delay in the present state up to the next step: its invariant holds at both ends, and,
// being convex, in between.
static bool delay(Builder *b) {
  concretetimes_step(&b->concrete, b->passes || joint_can_delay(&b->joint, b->state));
  if (b->passes)
    concretetimes_test(&b->concrete, b->after.items, b->after.size);
  return invariant(b);
}

static bool step(Builder *b, uint32_t ordinal) {
  if (!delay(b) || !joint_seek(&b->joint, b->state, ordinal))
    return false;
  vec_clear(&b->tests);
  if (joint_guard(&b->joint, &b->vm, b->state, &b->tests) != VM_TRUE)
    return false;
  concretetimes_test(&b->concrete, b->tests.items, b->tests.size);
  b->passes = !b->joint.edge_count;
  vec_clear(&b->after);
  for (uint32_t i = 0; b->passes && i < b->joint.after.count; i++)
    vec_push(b->mem, &b->after, b->joint.after.items[i]);
  vec_clear(&b->updates);
  if (joint_fire(&b->joint, &b->vm, b->state, &b->updates) != VM_TRUE)
    return false;
  concretetimes_update(&b->concrete, b->updates.items, b->updates.size);
  add_step(b, false);
  return invariant(b);
}

// Adds to the constraints, with which there is a solution, that the state is deadlocked or that
// it is not; false if there is none then.
static bool finish_deadlocked(Builder *b, GoalEnd end) {
  if (end == GOAL_ANY)
    return true;
  Deadlocks deadlocks;
  deadlocks_init(&deadlocks, b->mem, b->net);
  const Federation *set = deadlocks_of(&deadlocks, b->state);
  Federation wanted;
  federation_init(&wanted, b->mem, deadlocks.n);
  if (set && end == GOAL_DEADLOCKED) {
    federation_copy(&wanted, set);
  } else if (set) {
    dbm_universal(deadlocks.zone, deadlocks.n);
    federation_add(&wanted, deadlocks.zone);
    federation_subtract_all(&wanted, set);
  }
  const uint32_t kept = b->concrete.constraints.size;
  bool found = false;
  for (uint32_t i = 0; i < wanted.count && !found; i++) {
    b->concrete.constraints.size = kept;
    concretetimes_test_zone(&b->concrete, federation_zone(&wanted, i), deadlocks.n, AS_IT_IS);
    found = concretetimes_solve(&b->concrete);
  }
  federation_release(&wanted);
  deadlocks_release(&deadlocks);
  return found;
}

// The final delay, after which some clause of the goal holds: the first clause with a
// solution is taken.
static bool finish(Builder *b, const Goal *goal) {
  if (!delay(b))
    return false;
  if (b->before)
    concretetimes_limit(&b->concrete, b->before);
  if (!goal)
    return concretetimes_solve(&b->concrete);
  const uint32_t kept = b->concrete.constraints.size;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&b->tests);
    if (goal_clause(goal, &b->vm, b->state, &clause, &b->tests) != VM_TRUE)
      return false;
    concretetimes_test(&b->concrete, b->tests.items, b->tests.size);
    if (concretetimes_solve(&b->concrete) &&
        finish_deadlocked(b, goal->ends ? goal->ends[clause] : GOAL_ANY))
      return true;
    b->concrete.constraints.size = kept;
  }
}

static void fill_clocks(Builder *b) {
  Arena *arena = &b->trace->arena;
  Run *run = &b->trace->run;
  const uint32_t end = run->step_count;
  run->denominator = b->concrete.denominator;
  for (uint32_t i = 0; i < end; i++) {
    b->steps[i].time = b->concrete.times.items[i];
    b->steps[i].clocks = concretetimes_clocks(&b->concrete, b->origins.items[i], i, arena);
  }
  run->end_time = b->concrete.times.items[end];
  run->end_clocks = concretetimes_clocks(&b->concrete, b->origins.items[end - 1], end, arena);
}

// The initial state of the run, by its ordinal.
static bool find_initial(Space *space, const Net *net, const int32_t *state) {
  for (uint32_t i = 0; zones_replay_initial(space, i); i++)
    if (!memcmp(zones_state(space), state, net->slots.count * sizeof *state))
      return true;
  return false;
}

static bool follow(Space *space, Joint *joint, const RunStep *step) {
  joint_begin(joint, zones_state(space));
  while (joint_next(joint))
    if (joint->edge_count == step->edge_count &&
        !memcmp(joint->edges, step->edges, step->edge_count * sizeof *step->edges))
      return zones_replay(space, joint->ordinal);
  return false;
}

// Without the ordinals (NULL) they are found by states and edges.
static bool find_zones(const Run *run, const Net *net, const uint32_t *ordinals, Arena *arena,
                       const Bound **zones) {
  Options options;
  options_init(&options);
  options.abstraction = ABSTRACTION_NONE;
  Report report;
  report_init(&report, arena->mem);
  Space *space = zones_new(arena->mem, net, NULL, &options, &report);
  report_release(&report);
  Joint joint;
  joint_init(&joint, net, arena);
  bool ok = space && (ordinals ? zones_replay_initial(space, ordinals[0])
                               : find_initial(space, net, run->steps[0].state));
  for (uint32_t i = 0; ok && i < run->step_count; i++) {
    ok = !i ||
         (ordinals ? zones_replay(space, ordinals[i]) : follow(space, &joint, &run->steps[i]));
    zones[i] = arena_copy(arena, zones_zone(space), dbm_bytes(net->clock_count + 1));
  }
  joint_release(&joint);
  if (space)
    space->release(space);
  return ok;
}

bool trace_zones(const Run *run, const Net *net, Arena *arena, const Bound **zones) {
  return find_zones(run, net, NULL, arena, zones);
}

static bool fill_zones(Builder *b) {
  Trace *trace = b->trace;
  trace->zones = ARENA_ARRAY(&trace->arena, const Bound *, trace->run.step_count);
  return find_zones(&trace->run, b->net, b->ordinals.items, &trace->arena, trace->zones);
}

// Delays by transitions are no steps: time just passes. A symbolic step has the zone after them.
static void drop_delays(Builder *b) {
  Trace *trace = b->trace;
  uint32_t kept = 1;
  for (uint32_t i = 1; i < trace->run.step_count; i++) {
    if (b->steps[i].edge_count)
      b->steps[kept++] = b->steps[i];
    if (trace->zones)
      trace->zones[kept - 1] = trace->zones[i];
  }
  trace->run.step_count = kept;
}

static bool build(Builder *b, const Goal *goal, TraceKind kind) {
  if (!b->ordinals.size || !start(b))
    return false;
  for (uint32_t i = 1; i < b->ordinals.size; i++)
    if (!step(b, b->ordinals.items[i]))
      return false;
  if (!finish(b, goal))
    return false;
  if (kind != TRACE_SYMBOLIC)
    fill_clocks(b);
  const bool filled = kind != TRACE_SYMBOLIC || fill_zones(b);
  drop_delays(b);
  return filled;
}

void trace_reject(const Text *why) {
  fprintf(stderr, "a run that was found is rejected: %s\n", text_chars(why));
  abort();
}

static void check_run(const Trace *trace, Mem *mem, const Goal *goal) {
  Text why = {.mem = mem};
  if (!replay_run(mem, trace->net, goal, &trace->run, &why))
    trace_reject(&why);
  text_release(&why);
}

bool trace_build_before(Trace *trace, Mem *mem, const Net *net, const Goal *goal,
                        const Reach *reach, ReachResult result, TraceKind kind, int64_t before) {
  *trace = (Trace){.net = net, .kind = kind, .arena = {.mem = mem}};
  Builder b = {.trace = trace, .mem = mem, .net = net, .before = before};
  net_vm(net, &b.vm, mem);
  b.vm.most_constant = NET_MOST_WIDE;
  joint_init(&b.joint, net, &trace->arena);
  concretetimes_init(&b.concrete, mem, net->clock_count + 1);
  b.concrete.most_denominator = replay_most_denominator(net);
  b.state = ARENA_ARRAY(&trace->arena, int32_t, net->slots.count);
  const bool collected = collect(&b, reach, result);
  trace->run.steps = b.steps = ARENA_ARRAY(&trace->arena, RunStep, b.ordinals.size);
  if (result != REACH_GOAL)
    goal = NULL;
  const Space *space = reach->space;
  const bool built = collected &&
                     (!space->order_run ||
                      space->order_run(reach->space, goal, b.ordinals.items, b.ordinals.size)) &&
                     build(&b, goal, kind);
  if (REPLAY_ALWAYS && built && kind == TRACE_CONCRETE)
    check_run(trace, mem, goal);
  if (result == REACH_FAILED)
    trace->run.end_clocks = NULL; // nothing holds there
  vm_release(&b.vm);
  joint_release(&b.joint);
  concretetimes_release(&b.concrete);
  vec_release(mem, &b.ordinals);
  vec_release(mem, &b.tests);
  vec_release(mem, &b.after);
  vec_release(mem, &b.updates);
  vec_release(mem, &b.origins);
  return built;
}

bool trace_build(Trace *trace, Mem *mem, const Net *net, const Goal *goal, const Reach *reach,
                 ReachResult result, TraceKind kind) {
  return trace_build_before(trace, mem, net, goal, reach, result, kind, 0);
}

void trace_release(Trace *trace) { arena_release(&trace->arena); }
