#include "evidence/lassorun.h"

#include "check/growth.h"
#include "evidence/runsteps.h"
#include "zone/concretetimes.h"

#include <string.h>

// The times of the steps are found as for other runs (zone/concretetimes.h). Time passes from one
// part of the condition to another by a hop, which is a step of its own there, but not in the
// run.

// A clock that grows has to exceed all constants.
enum { MOST_ROUNDS = 12, MOST_GROWING = 200, MOST_STEPS = 4000 };

typedef struct Builder {
  Mem *mem;
  Arena *arena; // of the trace
  const Net *net;
  Situations *situations;
  uint32_t n; // of the zones of the search
  const PathStep *steps;
  uint32_t count; // one round
  uint32_t loop;  // UINT32_MAX: none
  bool late;      // hops are made as late as they can
  const Liveness *l;
  ConcreteTimes concrete;
  VEC(const SituationTransition *) transitions; // by step of the run, but the first
  VEC(uint32_t) times;                          // by step of the run: its step in `concrete`
  VEC(uint32_t) states;                         // by step of the run: its situation
  VEC(ClockOrigins) origins;                    // by step of the run, after it
  VEC(uint32_t) borders; // steps of the run at which a round begins or ends
  uint32_t situation, mode;
} Builder;

static const Situation *situation_of(const Builder *b, uint32_t number) {
  return situation_at(b->situations, number);
}

static const Bound *room_of(const Builder *b, uint32_t number, uint32_t mode) {
  const Situation *situation = situation_of(b, number);
  return mode ? situation_zone(b->situations, &situation->stays, mode - 1) : situation->invariant;
}

static void test_zone(Builder *b, const Bound *zone, Relaxed relaxed) {
  concretetimes_test_zone(&b->concrete, zone, b->n, relaxed);
}

static const SituationTransition *find_transition(const Situation *situation, uint32_t ordinal) {
  for (uint32_t i = 0; i < situation->transition_count; i++)
    if (situation->transitions[i].ordinal == ordinal)
      return &situation->transitions[i];
  return NULL;
}

// By a transition, but the first.
static void add_step(Builder *b, const SituationTransition *transition) {
  vec_push(b->mem, &b->transitions, transition);
  vec_push(b->mem, &b->times, b->concrete.now);
  vec_push(b->mem, &b->states, b->situation);
  vec_push(b->mem, &b->origins, concretetimes_origins(&b->concrete, b->arena));
}

static bool act(Builder *b, const PathStep *step) {
  const Situation *situation = situation_of(b, b->situation);
  const SituationTransition *transition = find_transition(situation, step->ordinal);
  if (!transition)
    return false;
  concretetimes_step(&b->concrete, situation->can_delay);
  test_zone(b, room_of(b, b->situation, b->mode), AS_IT_IS);
  for (uint32_t i = 0; i < transition->guard_count; i++) {
    const Constraint c = transition->guard[i];
    const ClockTest test = {c.i, c.j, bound_constant(c.bound), bound_is_strict(c.bound)};
    concretetimes_test(&b->concrete, &test, 1);
  }
  concretetimes_update(&b->concrete, transition->updates, transition->update_count);
  b->situation = step->situation;
  b->mode = step->mode;
  test_zone(b, room_of(b, b->situation, b->mode), AS_IT_IS);
  add_step(b, transition);
  return true;
}

// The way, of those that there are, that leaves a solution: leaving a part late, or entering the
// next early; or where the run comes under the condition.
static bool hop(Builder *b, const PathStep *step) {
  const Situation *situation = situation_of(b, b->situation);
  const uint32_t mode = step->mode;
  concretetimes_step(&b->concrete, situation->can_delay);
  const uint32_t kept = b->concrete.constraints.size;
  const uint32_t ways = b->mode ? 2 : situation->starts.count;
  for (uint32_t way = 0; way < ways; way++) {
    b->concrete.constraints.size = kept;
    const bool late = (way == 1) != b->late;
    test_zone(b, room_of(b, b->situation, b->mode), b->mode && late ? UPPER_RELAXED : AS_IT_IS);
    test_zone(b, room_of(b, b->situation, mode), b->mode && !late ? LOWER_RELAXED : AS_IT_IS);
    if (!b->mode)
      test_zone(b, situation_zone(b->situations, &situation->starts, way), AS_IT_IS);
    if (concretetimes_solve(&b->concrete)) {
      b->mode = mode;
      return true;
    }
  }
  return false;
}

static bool go(Builder *b, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const PathStep *step = &b->steps[i];
    if (!(step->ordinal == SPACE_DELAY ? hop(b, step) : act(b, step)))
      return false;
  }
  return true;
}

static void begin(Builder *b) {
  b->situation = b->steps[0].situation;
  b->mode = b->steps[0].mode;
  if (b->concrete.mem)
    concretetimes_release(&b->concrete);
  concretetimes_init(&b->concrete, b->mem, b->net->clock_count + 1);
  if (b->net->clock_initial)
    for (ClockIndex x = 1; x <= b->net->clock_count; x++) {
      const ClockUpdate update = {x, 0, b->net->clock_initial[x]};
      concretetimes_update(&b->concrete, &update, 1);
    }
  vec_clear(&b->transitions);
  vec_clear(&b->times);
  vec_clear(&b->states);
  vec_clear(&b->borders);
  vec_clear(&b->origins);
  add_step(b, NULL);
  test_zone(b, room_of(b, b->situation, b->mode), AS_IT_IS);
}

// In each round there is a tick, and between two of them at least 1: so in two rounds, too.
static void pass_time(Builder *b) {
  const uint32_t count = b->borders.size;
  if (count < 3)
    return;
  const Difference difference = {b->times.items[b->borders.items[count - 3]],
                                 b->times.items[b->borders.items[count - 1]], -1, false};
  vec_push(b->mem, &b->concrete.constraints, difference);
}

static bool go_rounds(Builder *b, uint32_t rounds) {
  const uint32_t first = b->loop == UINT32_MAX ? b->count : b->loop + 1;
  begin(b);
  if (!go(b, 1, first))
    return false;
  vec_push(b->mem, &b->borders, b->times.size - 1);
  for (uint32_t i = 0; i < rounds; i++) {
    if (!go(b, first, b->count))
      return false;
    vec_push(b->mem, &b->borders, b->times.size - 1);
    if (b->l->is_divergent)
      pass_time(b);
  }
  return true;
}

// The end of a run that idles, or is stuck.
static bool finish(Builder *b) {
  Situation *situation = situation_at(b->situations, b->situation);
  concretetimes_step(&b->concrete, situation->can_delay);
  test_zone(b, room_of(b, b->situation, b->mode), AS_IT_IS);
  if (b->l->end == RUNS_IDLES)
    return concretetimes_solve(&b->concrete);
  const Federation *stuck = situation_find_stuck(b->situations, situation, b->mode - 1);
  const uint32_t kept = b->concrete.constraints.size;
  for (uint32_t i = 0; stuck && i < stuck->count; i++) {
    b->concrete.constraints.size = kept;
    test_zone(b, federation_zone(stuck, i), AS_IT_IS);
    if (concretetimes_solve(&b->concrete))
      return true;
  }
  return false;
}

// The run, with the times that were found; its first `count` steps.
static bool fill(Builder *b, Trace *trace, uint32_t count) {
  const Net *net = b->net;
  const ConcreteTimes *concrete = &b->concrete;
  Arena *arena = &trace->arena;
  Joint joint;
  joint_init(&joint, net, arena);
  RunStep *steps = ARENA_ARRAY(arena, RunStep, count);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; i++) {
    RunStep *step = &steps[i];
    *step = (RunStep){
        .state = arena_copy(arena, situation_of(b, b->states.items[i])->state,
                            net->slots.count * sizeof *step->state),
        .time = concrete->times.items[b->times.items[i]],
        .clocks = concretetimes_clocks(concrete, b->origins.items[i], b->times.items[i], arena)};
    if (!i)
      continue;
    ok = joint_seek(&joint, steps[i - 1].state, b->transitions.items[i]->ordinal);
    step->edges = arena_copy(arena, joint.edges, joint.edge_count * sizeof *joint.edges);
    step->edge_count = joint.edge_count;
  }
  joint_release(&joint);
  const uint32_t end = trace->run.repeats ? b->times.items[count - 1] : concrete->now;
  trace->run.steps = steps;
  trace->run.step_count = count;
  trace->run.denominator = concrete->denominator;
  trace->run.end_time = concrete->times.items[end];
  trace->run.end_clocks = concretetimes_clocks(concrete, b->origins.items[count - 1], end, arena);
  return ok;
}

// Whether what lies between two steps can be repeated.
static bool is_repetition(const Builder *b, const Trace *trace, LassoLimits most, uint32_t from,
                          uint32_t to) {
  const RunStep *steps = trace->run.steps;
  return b->l->kept ? growth_repeats(b->net, b->l->kept, most, &trace->run, from, to)
                    : lasso_is_alike(b->net->clock_count + 1, most, steps[from].clocks,
                                     steps[to].clocks, trace->run.denominator);
}

// Two borders with clocks that are alike; then the run ends with the second.
static bool find_repetition(Builder *b, Trace *trace, LassoLimits most) {
  for (uint32_t j = 1; j < b->borders.size; j++)
    for (uint32_t i = 0; i < j; i++) {
      const uint32_t from = b->borders.items[i], to = b->borders.items[j];
      if (from == to || !is_repetition(b, trace, most, from, to))
        continue;
      if (b->l->is_divergent && !b->l->kept &&
          trace->run.steps[to].time - trace->run.steps[from].time < trace->run.denominator)
        continue;
      trace->run.loop_from = from;
      trace->run.step_count = to + 1;
      trace->run.end_time = trace->run.steps[to].time;
      trace->run.end_clocks = trace->run.steps[to].clocks;
      return true;
    }
  return false;
}

LassoClaim lassorun_claim(const Liveness *l) {
  return (LassoClaim){.stay = l->rules.stay,
                      .start = l->rules.start,
                      .labels = l->rules.labels,
                      .label_count = l->rules.label_count};
}

static bool build(Builder *b, Trace *trace) {
  const LassoClaim claim = lassorun_claim(b->l);
  const LassoLimits most = lasso_limits(b->net, &claim);
  if (b->loop == UINT32_MAX)
    return go_rounds(b, 0) && finish(b) && fill(b, trace, b->times.size);
  trace->run.repeats = true;
  const uint32_t length = b->count - b->loop;
  const uint32_t most_rounds = b->l->kept ? MOST_GROWING : MOST_ROUNDS;
  for (uint32_t rounds = 1; rounds <= most_rounds && rounds * length <= MOST_STEPS;
       rounds += rounds < 8 ? 1 : rounds / 4) {
    if (!go_rounds(b, rounds) || !concretetimes_solve(&b->concrete))
      return false;
    if (fill(b, trace, b->times.size) && find_repetition(b, trace, most))
      return true;
  }
  return false;
}

static void check_run(const Trace *trace, Mem *mem, const Liveness *l) {
  Text why = {.mem = mem};
  const LassoClaim claim = lassorun_claim(l);
  if (!lasso_check(mem, trace->net, &claim, &trace->run, &why))
    trace_reject(&why);
  text_release(&why);
}

bool lassorun_build(Trace *trace, Mem *mem, const Net *net, Liveness *l) {
  PathSteps steps = {0};
  Builder b = {.mem = mem, .net = net, .l = l};
  Report unused;
  report_init(&unused, mem);
  const bool has_steps = runsteps_find(l, &steps, &b.loop, &unused);
  report_release(&unused);
  b.situations = l->situations;
  b.steps = steps.items;
  b.count = steps.size;
  b.n = net->clock_count + 1;
  if (b.situations)
    b.n = b.situations->n;
  bool built = false;
  for (int late = 0; has_steps && late < 2 && !built; late++) {
    *trace = (Trace){.net = net, .kind = TRACE_CONCRETE, .arena = {.mem = mem}};
    b.late = late;
    b.arena = &trace->arena;
    built = build(&b, trace);
    if (!built)
      arena_release(&trace->arena);
  }
  if (REPLAY_ALWAYS && built && !l->kept)
    check_run(trace, mem, l);
  vec_release(mem, &steps);
  vec_release(mem, &b.transitions);
  vec_release(mem, &b.times);
  vec_release(mem, &b.states);
  vec_release(mem, &b.borders);
  vec_release(mem, &b.origins);
  if (b.concrete.mem)
    concretetimes_release(&b.concrete);
  return built;
}
