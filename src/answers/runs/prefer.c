#include "answers/runs/prefer.h"

#include "answers/queries/deadgoal.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

// Searches in zones and, if the goal is found and `trace` is not NULL, builds the run to it, in
// the net of the preference: the ordinals of a net with one more clock are the same. Unless it is
// 0, the run ends before the given time.
static ReachResult search(const Preference *p, const Net *net, const Goal *goal, bool is_shortest,
                          int64_t before, Trace *trace) {
  Statistics stats = {0};
  Options options;
  options_init(&options);
  if (goal->ends) { // only M bounds find no deadlocks that are none
    options.abstraction = ABSTRACTION_AM;
    options.effects |= OPTION_ABSTRACTS;
  }
  Space *space =
      (net_is_wide(net) ? wide_new : zones_new)(p->mem, net, goal, &options, &(Report){0});
  if (!space)
    return REACH_STOPPED;
  Deadgoal deadgoal;
  if (goal->ends)
    deadgoal_attach(&deadgoal, p->mem, space, net, goal, true);
  else if (is_shortest && p->symmetry && p->symmetry->count)
    reduce_attach(space, p->symmetry, true);
  Reach reach;
  reach_init(&reach, p->mem, space, is_shortest ? ORDER_BFS : (SearchOrder)options.order, &stats);
  reach.store.keeps_all = is_shortest;
  if (is_shortest && p->most)
    reach.most_transitions = p->most;
  ReachResult result = reach_run(&reach);
  if (result == REACH_GOAL && trace &&
      !trace_build(trace, p->mem, p->net, p->goal, &reach, result, p->kind, before))
    result = REACH_STOPPED;
  if (goal->ends)
    deadgoal_release(&deadgoal);
  reach_release(&reach);
  space->release(space);
  return result;
}

bool prefer_shortest(Trace *trace, const Preference *p) {
  return search(p, p->net, p->goal, true, 0, trace) == REACH_GOAL;
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
                                     scale_number(NULL, &arena, place, limit));
  Query narrowed = *query;
  narrowed.kind = QUERY_REACH;
  narrowed.formula = expr_binary(&arena, place, EXPR_AND, wanted, test);
  Goal goal;
  ReachResult result = REACH_STOPPED;
  if (query_goal(&goal, &arena, timed, &narrowed, &(Report){0}))
    result = search(p, timed, &goal, false, is_strict ? limit : 0, trace);
  arena_release(&arena);
  return result;
}

bool prefer_fastest(Trace *trace, const Preference *p, const Net *timed, const Query *query,
                    int64_t most) {
  int64_t low = 0, high = most;
  if (high > (net_is_wide(timed) ? NET_MOST_WIDE : NET_MOST_CONSTANT))
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
