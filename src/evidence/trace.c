#include "evidence/trace.h"

#include "evidence/course.h"
#include "evidence/unfold.h"
#include "model/state.h"
#include "queries/deadlock.h"
#include "search/nodes.h"
#include "search/ranks.h"
#include "zone/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Builder {
  Trace *trace;
  Ordinals ordinals; // the initial one first
  Course course;
} Builder;

// Of a search that keeps trails and is reduced by symmetry.
static bool collect_steps(Builder *b, const Reach *reach, ReachResult result) {
  TrailSteps steps = {0};
  if (reach->goal_parent != NODE_NONE)
    ranks_trail(reach->peers, reach->goal_parent, true, UINT32_MAX, b->course.mem, &steps);
  const bool ok =
      unfold_steps(reach->space, b->course.mem, &steps,
                   result == REACH_GOAL ? reach->goal_ordinal : SPACE_DELAY, &b->ordinals);
  vec_release(b->course.mem, &steps);
  return ok;
}

static bool collect(Builder *b, const Reach *reach, ReachResult result) {
  if (reach->space->orbit && reach->space->passed)
    return collect_steps(b, reach, result);
  if (result == REACH_GOAL && reach->goal_ordinal != SPACE_DELAY)
    vec_push(b->course.mem, &b->ordinals, reach->goal_ordinal);
  nodes_path(reach, b->course.mem, &b->ordinals);
  vec_reverse(&b->ordinals, 0);
  return !reach->space->orbit ||
         unfold_run(reach->space, b->course.mem, b->ordinals.items, b->ordinals.size);
}

// Adds to the constraints, with which there is a solution, that the state is deadlocked or that
// it is not; false if there is none then.
static bool finish_deadlocked(Course *c, GoalEnd end) {
  if (end == GOAL_ANY)
    return true;
  Deadlocks deadlocks;
  deadlocks_init(&deadlocks, c->mem, c->net);
  const Federation *set = deadlocks_of(&deadlocks, c->state);
  Federation wanted;
  federation_init(&wanted, c->mem, deadlocks.n);
  if (set && end == GOAL_DEADLOCKED) {
    federation_copy(&wanted, set);
  } else if (set) {
    dbm_universal(deadlocks.zone, deadlocks.n);
    federation_add(&wanted, deadlocks.zone);
    federation_subtract_all(&wanted, set);
  }
  const bool found = course_choose(c, &wanted);
  federation_release(&wanted);
  deadlocks_release(&deadlocks);
  return found;
}

// The final delay, after which some clause of the goal holds: the first clause with a
// solution is taken.
static bool finish(Course *c, const Goal *goal, int64_t before) {
  if (!course_delay(c))
    return false;
  if (before)
    concretetimes_limit(&c->times, before);
  if (!goal)
    return concretetimes_solve(&c->times);
  const uint32_t kept = c->times.constraints.size;
  for (uint32_t clause = 0;; clause++) {
    vec_clear(&c->tests);
    if (goal_clause(goal, &c->vm, c->state, &clause, &c->tests) != VM_TRUE)
      return false;
    concretetimes_test(&c->times, c->tests.items, c->tests.size);
    if (concretetimes_solve(&c->times) &&
        finish_deadlocked(c, goal->ends ? goal->ends[clause] : GOAL_ANY))
      return true;
    c->times.constraints.size = kept;
  }
}

// The initial state of the run. Those whose invariant does not hold have no node.
static bool find_initial(Space *space, const Net *net, const int32_t *state) {
  space->next_initial = 0;
  while (space->initial(space))
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

// By the transitions of a builder or, without one (NULL), by the states and edges of the run.
// Delays by transitions are no steps: a step has the zone after them.
static bool find_zones(const Run *run, const Net *net, const Builder *b, Arena *arena,
                       const Bound **zones) {
  Options options;
  options_init(&options);
  options.abstraction = ABSTRACTION_NONE;
  Space *space = zones_new(arena->mem, net, NULL, &options, &(Report){0});
  Joint joint;
  joint_init(&joint, net, arena);
  bool ok = space && (b ? zones_replay_initial(space, b->ordinals.items[0])
                        : find_initial(space, net, run->steps[0].state));
  const uint32_t count = b ? b->ordinals.size : run->step_count;
  for (uint32_t i = 0, at = 0; ok && i < count; i++) {
    ok = !i ||
         (b ? zones_replay(space, b->ordinals.items[i]) : follow(space, &joint, &run->steps[i]));
    at += at + 1 < run->step_count && (b ? b->course.steps.items[at + 1].moment == i : i > 0);
    zones[at] = arena_copy(arena, zones_zone(space), dbm_bytes(net->clock_count + 1));
  }
  joint_release(&joint);
  if (space)
    space->release(space);
  return ok;
}

bool trace_zones(const Run *run, const Net *net, Arena *arena, const Bound **zones) {
  return find_zones(run, net, NULL, arena, zones);
}

static bool build(Builder *b, const Goal *goal, TraceKind kind, int64_t before) {
  Trace *trace = b->trace;
  int32_t *state = ARENA_ARRAY(&trace->arena, int32_t, b->course.net->slots.count);
  if (!b->ordinals.size || !state_initial(b->course.net, state, b->ordinals.items[0]) ||
      !course_begin(&b->course, state))
    return false;
  for (uint32_t i = 1; i < b->ordinals.size; i++)
    if (!course_delay(&b->course) || !course_fire(&b->course, b->ordinals.items[i]))
      return false;
  if (!finish(&b->course, goal, before))
    return false;
  course_fill(&b->course, &trace->run);
  if (kind != TRACE_SYMBOLIC)
    return true;
  trace->run.end_clocks = NULL;
  trace->zones = ARENA_ARRAY(&trace->arena, const Bound *, trace->run.step_count);
  return find_zones(&trace->run, b->course.net, b, &trace->arena, trace->zones);
}

void trace_expect(bool is_accepted, const char *what, Text *why) {
  if (!is_accepted) {
    fprintf(stderr, "%s is rejected: %s\n", what, text_chars(why));
    abort();
  }
  text_release(why);
}

bool trace_build(Trace *trace, Mem *mem, const Net *net, const Goal *goal, const Reach *reach,
                 ReachResult result, TraceKind kind, int64_t before) {
  *trace = (Trace){.net = net, .kind = kind, .arena = {.mem = mem}};
  Builder b = {.trace = trace};
  course_init(&b.course, mem, net, &trace->arena);
  const bool collected = collect(&b, reach, result);
  if (result != REACH_GOAL)
    goal = NULL;
  const Space *space = reach->space;
  const bool built = collected &&
                     (!space->order_run ||
                      space->order_run(reach->space, goal, b.ordinals.items, b.ordinals.size)) &&
                     build(&b, goal, kind, before);
  Text why = {.mem = mem};
  if (REPLAY_ALWAYS && built && kind == TRACE_CONCRETE)
    trace_expect(replay_run(mem, net, goal, &trace->run, &why), "a run that was found", &why);
  if (result == REACH_FAILED)
    trace->run.end_clocks = NULL; // nothing holds there
  course_release(&b.course);
  vec_release(mem, &b.ordinals);
  return built;
}

void trace_release(Trace *trace) { arena_release(&trace->arena); }
