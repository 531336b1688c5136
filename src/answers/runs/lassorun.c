#include "answers/runs/lassorun.h"

#include "answers/queries/stateruns.h"
#include "answers/runs/course.h"
#include "check/growth.h"
#include "model/meta.h"

#include <string.h>

// The times of the steps are found as for other runs (semantics/zone/concretetimes.h). Time
// passes from one part of the condition to another by a hop, which is a step of its own there,
// but not in the run.

// A clock that grows has to exceed all constants.
enum { MAX_ROUNDS = 12, MAX_GROWING = 200, MAX_STEPS = 4000 };

typedef struct Builder {
  Mem *mem;
  Arena *arena; // of the run
  const Net *net;
  const Liveness *l;
  Situations *situations; // of the search, or `own`
  Situations own;
  CycleSteps steps; // one round, the initial node first
  uint32_t loop;    // what follows steps[loop] repeats; UINT32_MAX: nothing
  uint32_t rest;    // from this step on the run goes on after what repeats; 0: it does not
  bool late;        // hops are made as late as they can
  uint32_t start;   // the part of the condition's beginning that is tried first
  uint32_t starts;  // the most that one has had
  Course course;
  VEC(uint32_t) borders; // steps of the run at which a round begins or ends
  int32_t *state;        // the present one, without what scratch variables hold
  Situation *situation;
  uint32_t mode;
} Builder;

static void add_steps(Mem *mem, CycleSteps *steps, const CycleSteps *from, uint32_t first) {
  for (uint32_t i = first; i < from->size; i++)
    vec_push(mem, steps, from->items[i]);
}

static CyclesResult is_started(Space *space) {
  return runs_starts(space) ? CYCLES_END : CYCLES_NONE;
}

// The way from the last step to where the condition holds, if a cycle leads there; else false.
static bool find_rest(Liveness *l, CycleSteps *steps) {
  const CyclesRules rules = {.all_marks = UINT32_MAX, .marks = runs_marks, .end = is_started};
  Statistics unused = {0};
  CycleSteps way = {0};
  uint32_t loop;
  if (l->rounds.source != LIVENESS_DEPTH || l->is_discrete)
    return false;
  const CycleStep *last = &vec_last(steps);
  Cycles *c = cycles_new(l->mem, l->space, &rules, &unused);
  cycles_begin_at(c, last->key, last->zone, last->ordinal);
  const bool ok = cycles_run(c, NULL, NULL) == CYCLES_END;
  if (ok)
    cycles_steps(c, l->mem, &way, &loop);
  for (uint32_t i = 1; i < way.size; i++) {
    CycleStep step = way.items[i];
    step.key = arena_copy(&l->arena, step.key, l->space->key_words * sizeof *step.key);
    vec_push(l->mem, steps, step);
  }
  vec_release(l->mem, &way);
  cycles_release(c);
  return ok;
}

// The steps that were found, wherever the search for them began.
static void find_steps(Liveness *l, CycleSteps *steps, uint32_t *loop) {
  const Space *space = l->space;
  CycleSteps inside = {0};
  switch (l->rounds.source) {
  case LIVENESS_DEPTH:
    cycles_steps(l->cycles, l->mem, steps, loop);
    break;
  case LIVENESS_INSIDE:
    cycles_steps(l->cycles, l->mem, &inside, loop);
    tour_find_way(&l->reach->store, inside.items[0].ordinal, l->mem, &l->arena, steps);
    if (*loop != UINT32_MAX)
      *loop += steps->size - 1;
    add_steps(l->mem, steps, &inside, 1);
    break;
  case LIVENESS_NODES:
    tour_find_way(&l->reach->store, l->reach->goal_parent, l->mem, &l->arena, steps);
    vec_push(l->mem, steps,
             ((CycleStep){.ordinal = space->ordinal,
                          .key = arena_copy(&l->arena, space->key,
                                            space->key_words * sizeof *space->key)}));
    break;
  case LIVENESS_ROUNDS:
    *loop = l->rounds.loop;
    add_steps(l->mem, steps, &l->rounds.steps, 0);
    break;
  }
  vec_release(l->mem, &inside);
}

static const Bound *nodebound_of(const Builder *b, uint32_t mode) {
  return mode ? situation_zone(b->situations, &b->situation->stays, mode - 1)
              : b->situation->invariant;
}

static void test_zone(Builder *b, const Bound *zone, Relaxed relaxed) {
  concretetimes_test_zone(&b->course.times, zone, b->situations->n, relaxed);
}

static uint32_t mode_of(const Builder *b, const CycleStep *step) {
  return b->l->is_discrete ? stateruns_mode(b->l->space, step->key) : runs_mode(*step->key);
}

// The present state is that after this step.
static bool enter(Builder *b, const CycleStep *step) {
  memcpy(b->state, b->course.state, b->net->slots.count * sizeof *b->state);
  meta_forget(b->net, b->state);
  const uint32_t number = situation_find(b->situations, b->state);
  if (number == UINT32_MAX)
    return false;
  b->situation = situation_at(b->situations, number);
  b->mode = mode_of(b, step);
  test_zone(b, nodebound_of(b, b->mode), AS_IT_IS);
  return true;
}

static bool act(Builder *b, const CycleStep *step) {
  if (!course_delay(&b->course))
    return false;
  test_zone(b, nodebound_of(b, b->mode), AS_IT_IS);
  return course_fire(&b->course, step->ordinal) && enter(b, step);
}

// The way, of those that there are, that leaves a solution: leaving a part late, or entering the
// next early; or where the run comes under the condition.
static bool hop(Builder *b, const CycleStep *step) {
  ConcreteTimes *times = &b->course.times;
  const uint32_t mode = mode_of(b, step);
  if (!course_delay(&b->course))
    return false;
  const uint32_t kept = times->constraints.size;
  const uint32_t ways = b->mode ? 2 : b->l->kept ? 1 : b->situation->starts.count;
  b->starts = !b->mode && ways > b->starts ? ways : b->starts;
  for (uint32_t i = 0; i < ways; i++) {
    const uint32_t way = b->mode ? i : (b->start + i) % ways;
    times->constraints.size = kept;
    const bool late = (way == 1) != b->late;
    test_zone(b, nodebound_of(b, b->mode), b->mode && late ? UPPER_RELAXED : AS_IT_IS);
    test_zone(b, nodebound_of(b, mode), b->mode && !late ? LOWER_RELAXED : AS_IT_IS);
    if (!b->mode && !b->l->kept) // a clock may be kept from anywhere on
      test_zone(b, situation_zone(b->situations, &b->situation->starts, way), AS_IT_IS);
    if (concretetimes_solve(times)) {
      b->mode = mode;
      return true;
    }
  }
  return false;
}

static bool go(Builder *b, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const CycleStep *step = &b->steps.items[i];
    if (!(step->ordinal == SPACE_DELAY ? hop(b, step) : act(b, step)))
      return false;
  }
  return true;
}

static bool begin(Builder *b) {
  const CycleStep *first = &b->steps.items[0];
  const int32_t *state = b->l->is_discrete
                             ? stateruns_state(b->l->space, first->key)
                             : situation_at(b->situations, runs_situation(*first->key))->state;
  vec_clear(&b->borders);
  return course_init(&b->course, b->net, b->arena, state) && enter(b, first);
}

// In each round there is a tick, and between two of them at least 1: so in two rounds, too.
static void pass_time(Builder *b) {
  const uint32_t *last = &vec_last(&b->borders);
  const CourseStep *steps = b->course.steps.items;
  if (b->borders.size < 3)
    return;
  const Difference difference = {steps[last[-2]].moment, steps[*last].moment, -1, false};
  vec_push(b->mem, &b->course.times.constraints, difference);
}

static uint32_t round_end(const Builder *b) { return b->rest ? b->rest : b->steps.size; }

static bool go_rounds(Builder *b, uint32_t rounds) {
  const uint32_t first = b->loop == UINT32_MAX ? b->steps.size : b->loop + 1;
  if (!begin(b) || !go(b, 1, first))
    return false;
  vec_push(b->mem, &b->borders, b->course.steps.size - 1);
  for (uint32_t i = 0; i < rounds; i++) {
    if (!go(b, first, round_end(b)))
      return false;
    vec_push(b->mem, &b->borders, b->course.steps.size - 1);
    if (b->l->is_divergent)
      pass_time(b);
  }
  return true;
}

// The end of a run that idles, or is stuck.
static bool finish(Builder *b) {
  if (!course_delay(&b->course))
    return false;
  test_zone(b, nodebound_of(b, b->mode), AS_IT_IS);
  if (b->l->end == RUNS_IDLES)
    return concretetimes_solve(&b->course.times);
  const Federation *stuck = situation_find_stuck(b->situations, b->situation, b->mode - 1);
  return stuck && course_choose(&b->course, stuck);
}

// The rest after what repeats, to where the condition holds.
static bool go_on(Builder *b) {
  ConcreteTimes *times = &b->course.times;
  if (!go(b, b->rest, b->steps.size) || !course_delay(&b->course))
    return false;
  test_zone(b, nodebound_of(b, b->mode), AS_IT_IS);
  const uint32_t kept = times->constraints.size;
  for (uint32_t i = 0; i < b->situation->starts.count; i++) {
    times->constraints.size = kept;
    test_zone(b, situation_zone(b->situations, &b->situation->starts, i), AS_IT_IS);
    if (concretetimes_solve(times))
      return true;
  }
  return false;
}

// Whether what lies between two steps can be repeated.
static bool is_repetition(const Builder *b, const Trace *trace, LassoLimits max, uint32_t from,
                          uint32_t to) {
  const RunStep *steps = trace->run.steps;
  return b->l->kept ? growth_repeats(b->mem, b->net, b->l->kept, max, &trace->run, from, to)
                    : lasso_is_alike(b->net->clock_count + 1, max, steps[from].clocks,
                                     steps[to].clocks, trace->run.denominator);
}

// Two borders with clocks that are alike; then the run ends with the second, or goes on.
static bool find_repetition(Builder *b, Trace *trace, LassoLimits max) {
  for (uint32_t j = b->rest ? b->borders.size - 1 : 1; j < b->borders.size; j++)
    for (uint32_t i = 0; i < j; i++) {
      const uint32_t from = b->borders.items[i], to = b->borders.items[j];
      if (from == to || !is_repetition(b, trace, max, from, to))
        continue;
      if (b->l->is_divergent && !b->l->kept &&
          trace->run.steps[to].time - trace->run.steps[from].time < trace->run.denominator)
        continue;
      trace->run.loop_from = from;
      trace->run.goes_on = b->rest;
      trace->run.loop_to = to;
      if (b->rest)
        return true;
      trace->run.step_count = to + 1;
      trace->run.end_time = trace->run.steps[to].time;
      trace->run.end_clocks = trace->run.steps[to].clocks;
      return true;
    }
  return false;
}

// Clocks that the last round does not set are beyond all constants before it: what they are after
// it makes no difference. With the earliest times that may take many rounds.
static void outgrow(Builder *b, int64_t max) {
  const CourseStep *to = &b->course.steps.items[vec_last(&b->borders)];
  const CourseStep *from = &b->course.steps.items[b->borders.items[b->borders.size - 2]];
  for (ClockIndex x = 1; x <= b->net->clock_count; x++) {
    const uint32_t origin = from->origins.origin[x];
    const int64_t offset = from->origins.offset[x];
    const Difference difference = {origin, from->moment, offset - max, true};
    if (to->origins.origin[x] == origin && to->origins.offset[x] == offset)
      vec_push(b->mem, &b->course.times.constraints, difference);
  }
}

// A run with one long delay in place of the rounds: after it all clocks exceed all constants.
static bool make_waiting(Builder *b, Trace *trace, LassoLimits limits) {
  bool ok = limits.max >= 0 && begin(b) && go(b, 1, b->loop + 1);
  const uint32_t step = b->course.steps.size - 1;
  ok = ok && course_delay(&b->course);
  const ConcreteTimes *now = &b->course.times;
  for (ClockIndex x = 1; ok && x <= b->net->clock_count; x++) {
    const Difference difference = {now->origin[x], now->now, now->offset[x] - limits.max, true};
    vec_push(b->mem, &b->course.times.constraints, difference);
  }
  if (ok)
    test_zone(b, nodebound_of(b, b->mode), AS_IT_IS);
  ok = ok && go_on(b);
  if (ok)
    course_fill(&b->course, &trace->run);
  course_release(&b->course);
  if (!ok || !growth_waits(b->mem, b->net, limits, &trace->run, step))
    return false;
  trace->run.goes_on = true;
  trace->run.loop_from = trace->run.loop_to = step;
  return true;
}

// The last rounds take at least a unit of time.
static void last_long(Builder *b, uint32_t rounds) {
  const uint32_t *last = &vec_last(&b->borders);
  const CourseStep *steps = b->course.steps.items;
  const Difference difference = {steps[last[-(int)rounds]].moment, steps[*last].moment, -1,
                                 false};
  vec_push(b->mem, &b->course.times.constraints, difference);
}

// The run with so many rounds, if there is one. Unless `max` is negative, clocks outgrow it.
static bool make(Builder *b, Trace *trace, uint32_t rounds, int64_t max) {
  bool ok = go_rounds(b, rounds);
  if (ok && max >= 0) {
    outgrow(b, max);
    if (b->l->is_divergent)
      last_long(b, 1);
  }
  ok = ok && (b->rest              ? go_on(b)
              : trace->run.repeats ? concretetimes_solve(&b->course.times)
                                   : finish(b));
  if (ok)
    course_fill(&b->course, &trace->run);
  course_release(&b->course);
  return ok;
}

// A part of a run with that many rounds, between two borders, that the checker sees can be
// repeated at other times. The more rounds are possible after the first, the more likely it is.
static bool vary_rounds(Builder *b, Trace *trace, uint32_t rounds, uint32_t width) {
  if (!make(b, trace, rounds, -1))
    return false;
  Run *run = &trace->run;
  LassoClaim claim = b->l->rules.claim;
  run->varies = true;
  claim.diverges = b->l->is_divergent;
  for (uint32_t i = 0; i + width < b->borders.size;
       i += i ? b->borders.size : b->borders.size / 2) {
    const uint32_t to = b->borders.items[i + width];
    Text why = {.mem = b->mem};
    run->loop_from = b->borders.items[i];
    run->step_count = to + 1;
    run->end_time = run->steps[to].time;
    run->end_clocks = run->steps[to].clocks;
    const bool ok = run->loop_from < to && lasso_check(b->mem, b->net, &claim, run, &why);
    text_release(&why);
    if (ok)
      return true;
  }
  run->varies = false;
  return false;
}

// The times of the part that repeats differ from round to round.
static bool vary(Builder *b, Trace *trace) {
  const uint32_t length = b->steps.size - b->loop;
  if (b->l->kept)
    return false;
  for (uint32_t rounds = 1; rounds == 1 || rounds * length <= MAX_STEPS; rounds *= 2)
    for (uint32_t width = 1; width <= (b->l->is_divergent ? 2 : 1) && width <= rounds; width++)
      if (vary_rounds(b, trace, rounds, width))
        return true;
  return false;
}

static bool build(Builder *b, Trace *trace) {
  const LassoLimits max = lasso_limits(b->net, &b->l->rules.claim);
  trace->run.repeats = b->loop != UINT32_MAX;
  if (!trace->run.repeats)
    return make(b, trace, 0, -1);
  if (b->rest && make_waiting(b, trace, max))
    return true;
  const uint32_t length = round_end(b) - b->loop;
  const uint32_t max_rounds = b->l->kept ? MAX_GROWING : MAX_ROUNDS;
  for (uint32_t rounds = 1; rounds <= max_rounds && rounds * length <= MAX_STEPS;
       rounds += rounds < 8 ? 1 : rounds / 4) {
    if (!make(b, trace, rounds, -1))
      return false;
    if (find_repetition(b, trace, max))
      return true;
    if (!b->l->kept && max.max >= 0 && make(b, trace, rounds, max.max) &&
        find_repetition(b, trace, max))
      return true;
  }
  return vary(b, trace);
}

// The zones along one round, which repeats for ever.
static bool build_zones(Builder *b, Trace *trace) {
  Run *run = &trace->run;
  run->repeats = b->loop != UINT32_MAX;
  if (!make(b, trace, run->repeats, -1))
    return false;
  run->loop_from = b->borders.items[0];
  run->end_clocks = NULL;
  trace->zones = ARENA_ARRAY(b->arena, const Bound *, run->step_count);
  return trace_zones(run, b->net, b->arena, trace->zones);
}

// Those of a search of answers/queries/stateruns.h are made for the run; false if they cannot be.
static bool find_situations(Builder *b) {
  if (!b->l->is_discrete) {
    b->situations = runs_situations(b->l->space);
    return true;
  }
  b->situations = &b->own;
  return situations_init(&b->own, b->mem, b->l->net, b->l->rules.claim.stay,
                         b->l->rules.claim.start, &(Report){0});
}

// A hop takes the first way that the steps so far allow. What follows may not be possible then,
// so the others come first in turn.
static bool build_kind(Builder *b, Trace *trace, TraceKind kind) {
  for (b->start = 0; !b->start || b->start < b->starts; b->start++)
    for (int late = 0; late < 2; late++) {
      *trace = (Trace){.net = b->net, .kind = kind, .arena = {.mem = b->mem}};
      b->late = late;
      b->arena = &trace->arena;
      if (kind == TRACE_CONCRETE ? build(b, trace) : build_zones(b, trace))
        return true;
      arena_release(&trace->arena);
    }
  return false;
}

bool lassorun_build(Trace *trace, Mem *mem, const Net *net, Liveness *l, TraceKind kind) {
  Builder b = {.mem = mem, .net = net, .l = l, .loop = UINT32_MAX};
  const bool ok = find_situations(&b);
  b.state = mem_alloc(mem, net->slots.count * sizeof *b.state);
  find_steps(l, &b.steps, &b.loop);
  b.rest = l->kept && !l->is_shown ? b.steps.size : 0;
  const bool leads = !b.rest || (b.loop != UINT32_MAX && find_rest(l, &b.steps));
  const bool built = ok && leads &&
                     ((kind == TRACE_CONCRETE && build_kind(&b, trace, kind)) ||
                      (!l->kept && build_kind(&b, trace, TRACE_SYMBOLIC)));
  Text why = {.mem = mem};
  if (REPLAY_ALWAYS && built && !l->kept && trace->kind == TRACE_CONCRETE)
    trace_expect(lasso_check(mem, net, &l->rules.claim, &trace->run, &why),
                 "a run that was found", &why);
  if (l->is_discrete)
    situations_release(&b.own);
  vec_release(mem, &b.steps);
  vec_release(mem, &b.borders);
  mem_free(mem, b.state);
  return built;
}
