#include "answers/runs/prefer.h"

#include "answers/queries/deadgoal.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/abstraction.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

Space *prefer_space(Mem *mem, const Net *net, const Goal *goal, Options *options) {
  options_init(options);
  if (goal && goal->ends) // only M bounds find no deadlocks that are none
    options->abstraction = ABSTRACTION_AM;
  else if (net_is_wide(net) && !abstraction_is_sound(ABSTRACTION_ALU, net, goal, false))
    options->abstraction = ABSTRACTION_NONE;
  return (net_is_wide(net) ? wide_new : zones_new)(mem, net, goal, options, &(Report){0});
}

// What a search is for.
typedef struct Aim {
  bool is_shortest;
  const TraceLimit *limit; // of the run; NULL: none
  Trace *trace;            // the run; NULL: none is built
  PreferFailure *failure;  // an error of the model is looked for; NULL: the goal is
} Aim;

// Searches in zones and builds the run, in the net of the preference: the ordinals of a net with
// one more clock are the same.
static ReachResult search(const Preference *p, const Net *net, const Goal *goal, const Aim *aim) {
  const bool is_shortest = aim->is_shortest, has_ends = goal && goal->ends;
  const ReachResult wanted = aim->failure ? REACH_FAILED : REACH_GOAL;
  Statistics stats = {0};
  Options options;
  Space *space = prefer_space(p->mem, net, goal, &options);
  if (!space)
    return REACH_STOPPED;
  Deadgoal deadgoal;
  if (has_ends)
    deadgoal_attach(&deadgoal, p->mem, space, net, goal, true);
  else if (is_shortest && p->symmetry && p->symmetry->count)
    reduce_attach(space, p->symmetry, true);
  Reach reach;
  reach_init(&reach, p->mem, space, is_shortest ? ORDER_BFS : (SearchOrder)options.order, &stats);
  reach.store.keeps_all = is_shortest;
  if (is_shortest && p->max)
    reach.max_transitions = p->max;
  ReachResult result = reach_run(&reach);
  if (result == wanted && aim->trace &&
      !trace_build(aim->trace, p->mem, p->net, p->goal, &reach, result, p->kind, aim->limit))
    result = REACH_STOPPED;
  if (result == REACH_FAILED && aim->failure)
    *aim->failure = (PreferFailure){space->failure, space->failure_place};
  if (has_ends)
    deadgoal_release(&deadgoal);
  reach_release(&reach);
  space_release(space);
  return result;
}

bool prefer_shortest(Trace *trace, const Preference *p) {
  const Aim aim = {.is_shortest = true, .trace = trace};
  return search(p, p->searched ? p->searched : p->net, p->goal, &aim) == REACH_GOAL;
}

bool prefer_failure(Trace *trace, const Preference *p, PreferFailure *failure) {
  const Aim aim = {.is_shortest = true, .trace = trace, .failure = failure};
  return search(p, p->searched ? p->searched : p->net, p->goal, &aim) == REACH_FAILED;
}

// Whether the goal can be reached at a time <= limit, or < limit.
static ReachResult try_limit(const Preference *p, const Net *timed, const Query *query,
                             int64_t limit, bool is_strict, Trace *trace) {
  Arena arena = {.mem = p->mem};
  const Place place = {0};
  const Expr *wanted = query->formula;
  if (query->kind == QUERY_INVARIANT)
    wanted = expr_unary(&arena, place, EXPR_NOT, wanted);
  const Expr *clock =
      expr_storage(&arena, place, EXPR_CLOCK, "", type_clock(&arena), timed->clock_count);
  const Expr *test = expr_clock_test(&arena, place, clock, NULL, is_strict ? EXPR_LT : EXPR_LE,
                                     expr_time(&arena, place, limit));
  Query narrowed = *query;
  narrowed.kind = QUERY_REACH;
  narrowed.formula = expr_binary(&arena, place, EXPR_AND, wanted, test);
  Goal goal;
  ReachResult result = REACH_STOPPED;
  if (query_goal(&goal, &arena, timed, &narrowed, &(Report){0}))
    result =
        search(p, timed, &goal, &(Aim){.limit = &(TraceLimit){limit, is_strict}, .trace = trace});
  arena_release(&arena);
  return result;
}

bool prefer_fastest(Trace *trace, const Preference *p, const Net *timed, const Query *query,
                    int64_t max) {
  int64_t low = 0, high = max;
  if (high > (net_is_wide(timed) ? NET_MAX_WIDE : NET_MAX_CONSTANT))
    return false;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const ReachResult result = try_limit(p, timed, query, middle, false, NULL);
    if (result == REACH_GOAL)
      high = middle;
    else if (result == REACH_NONE)
      low = middle + 1;
    else
      return false;
  }
  return (high && try_limit(p, timed, query, high, true, trace) == REACH_GOAL) ||
         try_limit(p, timed, query, high, false, trace) == REACH_GOAL;
}
