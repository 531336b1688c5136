#include "answers/runs/trace.h"

#include "answers/queries/deadlock.h"
#include "answers/runs/course.h"
#include "answers/runs/unfold.h"
#include "model/state.h"
#include "search/passed/nodes.h"
#include "search/workers/ranks.h"
#include "semantics/zone/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The ordinals of the run, the initial one first.
static bool collect(Ordinals *ordinals, Mem *mem, const Reach *reach, ReachResult result) {
  Space *space = reach->space;
  const uint32_t last = result == REACH_GOAL ? reach->goal_ordinal : SPACE_DELAY;
  if (space->orbit && space->passed) { // it keeps trails
    TrailSteps steps = {0};
    if (reach->goal_parent != NODE_NONE)
      ranks_trail(reach->peers, reach->goal_parent, true, UINT32_MAX, mem, &steps);
    const bool ok = unfold_steps(space, mem, &steps, last, ordinals);
    vec_release(mem, &steps);
    return ok;
  }
  if (last != SPACE_DELAY)
    vec_push(mem, ordinals, last);
  nodes_path(reach, mem, ordinals);
  vec_reverse(ordinals, 0);
  return !space->orbit || unfold_run(space, mem, ordinals->items, ordinals->size);
}

// Adds to the constraints, with which there is a solution, that the state is deadlocked or that
// it is not; false if there is none then.
static bool finish_deadlocked(Course *c, GoalEnd end) {
  if (end == GOAL_ANY)
    return true;
  Deadlocks deadlocks;
  deadlocks_init(&deadlocks, c->arena->mem, c->net);
  const Federation *set = deadlocks_of(&deadlocks, c->state);
  Federation rest;
  federation_init(&rest, c->arena->mem, deadlocks.n);
  if (set && end != GOAL_DEADLOCKED) {
    dbm_universal(deadlocks.zone, deadlocks.n);
    federation_add(&rest, deadlocks.zone);
    federation_subtract_all(&rest, set);
  }
  const bool found = course_choose(c, set && end == GOAL_DEADLOCKED ? set : &rest);
  federation_release(&rest);
  deadlocks_release(&deadlocks);
  return found;
}

// The final delay, after which some clause of the goal holds: the first clause with a
// solution is taken.
static bool finish(Course *c, const Goal *goal, const TraceLimit *limit) {
  if (!course_delay(c))
    return false;
  if (limit)
    concretetimes_limit(&c->times, limit->time, limit->is_strict);
  if (!goal)
    return course_solve(c);
  const uint32_t kept = course_tests(c);
  for (uint32_t clause = 0;; clause++) {
    if (stepper_goal(&c->stepper, goal, c->state, &clause) != VM_TRUE)
      return false;
    course_test(c, &c->stepper.tests);
    if (course_solve(c) && finish_deadlocked(c, goal->ends ? goal->ends[clause] : GOAL_ANY))
      return true;
    course_forget_tests(c, kept);
  }
}

// The exact zones after each step, by the ordinals of a run. Delays by transitions are no steps:
// a step has the zone after them.
static bool find_zones(const Net *net, const Ordinals *ordinals, Arena *arena,
                       const Bound **zones) {
  Options options;
  options_init(&options);
  options.abstraction = ABSTRACTION_NONE;
  Space *space = zones_new(arena->mem, net, NULL, &options, &(Report){0});
  bool ok = space && zones_replay_initial(space, ordinals->items[0]);
  for (uint32_t i = 0, at = 0; ok && i < ordinals->size; i++) {
    ok = !i || zones_replay(space, ordinals->items[i]);
    at += i && ok && !zones_is_delay(space);
    zones[at] = arena_copy(arena, zones_zone(space), dbm_bytes(net->clock_count + 1));
  }
  if (space)
    space_release(space);
  return ok;
}

// The ordinal of a step from a state; of none if there is no such transition.
static uint32_t find_ordinal(Joint *joint, const int32_t *state, const RunStep *step) {
  joint_begin(joint, state);
  while (joint_next(joint))
    if (joint->edge_count == step->edge_count &&
        !memcmp(joint->edges, step->edges, step->edge_count * sizeof *step->edges))
      return joint->ordinal;
  return UINT32_MAX;
}

bool trace_zones(const Run *run, const Net *net, Arena *arena, const Bound **zones) {
  const RunStep *steps = run->steps;
  int32_t *state = ARENA_ARRAY(arena, int32_t, net->slots.count);
  uint32_t first = 0;
  while (state_initial(net, state, first) &&
         memcmp(state, steps[0].state, net->slots.count * sizeof *state))
    first++;
  Ordinals ordinals = {0};
  vec_push(arena->mem, &ordinals, first);
  Joint joint;
  joint_init(&joint, net, arena);
  for (uint32_t i = 1; i < run->step_count; i++)
    vec_push(arena->mem, &ordinals, find_ordinal(&joint, steps[i - 1].state, &steps[i]));
  joint_release(&joint);
  const bool ok = find_zones(net, &ordinals, arena, zones);
  vec_release(arena->mem, &ordinals);
  return ok;
}

static bool build(Trace *trace, const Ordinals *ordinals, const Goal *goal,
                  const TraceLimit *limit) {
  Arena *arena = &trace->arena;
  Run *run = &trace->run;
  int32_t *state = ARENA_ARRAY(arena, int32_t, trace->net->slots.count);
  if (!ordinals->size || !state_initial(trace->net, state, ordinals->items[0]))
    return false;
  Course c;
  bool ok = course_init(&c, trace->net, arena, state);
  for (uint32_t i = 1; ok && i < ordinals->size; i++)
    ok = course_delay(&c) && course_fire(&c, ordinals->items[i]);
  ok = ok && finish(&c, goal, limit);
  if (ok)
    course_fill(&c, run);
  course_release(&c);
  if (!ok || trace->kind != TRACE_SYMBOLIC)
    return ok;
  run->end_clocks = NULL;
  trace->zones = ARENA_ARRAY(arena, const Bound *, run->step_count);
  return find_zones(trace->net, ordinals, arena, trace->zones);
}

void trace_expect(bool is_accepted, const char *what, Text *why) {
  if (!is_accepted) {
    fprintf(stderr, "%s is rejected: %s\n", what, text_chars(why));
    abort();
  }
  text_release(why);
}

bool trace_build(Trace *trace, Mem *mem, const Net *net, const Goal *goal, const Reach *reach,
                 ReachResult result, TraceKind kind, const TraceLimit *limit) {
  *trace = (Trace){.net = net, .kind = kind, .arena = {.mem = mem}};
  Ordinals ordinals = {0};
  Space *space = reach->space;
  if (result != REACH_GOAL)
    goal = NULL;
  const bool built =
      collect(&ordinals, mem, reach, result) &&
      (!space->order_run || space->order_run(space, goal, ordinals.items, ordinals.size)) &&
      build(trace, &ordinals, goal, limit);
  vec_release(mem, &ordinals);
  Text why = {.mem = mem};
  if (REPLAY_ALWAYS && built && kind == TRACE_CONCRETE)
    trace_expect(replay_run(mem, net, goal, &trace->run, &why), "a run that was found", &why);
  if (result == REACH_FAILED)
    trace->run.end_clocks = NULL; // nothing holds there
  return built;
}

bool trace_follow(Trace *trace, Mem *mem, const Net *net, const Goal *goal,
                  const Ordinals *ordinals, TraceKind kind) {
  *trace = (Trace){.net = net, .kind = kind, .arena = {.mem = mem}};
  const bool built = build(trace, ordinals, goal, NULL);
  Text why = {.mem = mem};
  if (REPLAY_ALWAYS && built && kind == TRACE_CONCRETE)
    trace_expect(replay_run(mem, net, goal, &trace->run, &why), "a run that was found", &why);
  return built;
}

void trace_release(Trace *trace) { arena_release(&trace->arena); }
