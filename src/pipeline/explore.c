#include "pipeline/explore.h"

#include "base/team.h"
#include "evidence/trace.h"
#include "pipeline/choose.h"
#include "pipeline/hunts.h"
#include "search/workers.h"
#include "zone/abstraction.h"

static int cut_short(void *state) {
  Check *check = state;
  check->is_cut |= check->most_visited && check->tarn->stats.visited >= check->most_visited;
  return check->is_cut;
}

// With hunts, if they are given.
static bool explore_hunting(Check *check, const Options *options, Hunts *hunts,
                            ReachResult *result) {
  Tarn *tarn = check->tarn;
  check->space = choose_space(check, options);
  if (!check->space || !session_is_clean(tarn))
    return false;
  if (check->goal.ends)
    deadgoal_attach(&check->deadgoal, &tarn->mem, check->space, &tarn->net, &check->goal,
                    abstraction_is_maximal((Abstraction)options->abstraction));
  reach_init(&check->reach, &tarn->mem, check->space, (SearchOrder)options->order, &tarn->stats);
  const uint32_t threads = options->threads ? (uint32_t)options->threads : team_processors();
  if (threads > 1)
    workers_divide(&check->reach, threads, (SearchOrder)options->order);
  if (check->most_visited) {
    check->reach.terminate = cut_short;
    check->reach.terminate_state = check;
  }
  if (hunts)
    hunts_attach(hunts, check, options);
  *tarn->net.invalid = (VmInvalid){0};
  *result = reach_run(&check->reach);
  check->invalid_count = tarn->net.invalid->count;
  check->first_invalid = tarn->net.invalid->first;
  return true;
}

bool explore(Check *check, const Options *options, ReachResult *result) {
  return explore_hunting(check, options, NULL, result);
}

void explore_end(Check *check) {
  if (check->goal.ends)
    deadgoal_release(&check->deadgoal);
  reach_release(&check->reach);
  check->space->release(check->space);
}

// --order hunt: random searches depth first, each a half longer than the one before. A bug that
// is not far off is found by most of them; a search that has gone wrong is given up soon. In the
// end the default order decides.
static bool hunt(Check *check, Options options, ReachResult *result) {
  enum { HUNTS = 16, FIRST = 500 };
  const Options asked = options;
  options.order = ORDER_DFS;
  options.threads = 1; // random orders are for one
  check->most_visited = FIRST;
  for (int i = 0; i < HUNTS; i++, check->most_visited += check->most_visited / 2) {
    options.seed = asked.seed + 1 + i > 0 ? asked.seed + 1 + i : 1;
    if (!explore(check, &options, result))
      return false;
    if (!check->is_cut)
      return true;
    explore_end(check);
    check->is_cut = false;
    check->tarn->stats = (Statistics){0};
  }
  options = asked;
  options.order = ORDER_STAGES;
  check->most_visited = 0;
  return explore(check, &options, result);
}

static bool explore_with(Check *check, const Options *options, ReachResult *result) {
  if (options->order == ORDER_HUNT)
    return hunt(check, *options, result);
  if (!hunts_fit(check, options))
    return explore(check, options, result);
  Hunts hunts;
  if (!explore_hunting(check, options, &hunts, result))
    return false;
  if (!hunts.has_found)
    return true;
  explore_end(check);
  check->tarn->stats = (Statistics){0};
  return explore(check, &hunts.options, result);
}

// A space that keeps its nodes itself knows the way to a failure only if it was told to: then the
// search is made again.
bool explore_as_asked(Check *check, ReachResult *result) {
  Options options = check->tarn->options;
  if (!explore_with(check, &options, result))
    return false;
  if (*result != REACH_FAILED || !check->space->passed || options.trace != TRACE_NONE)
    return true;
  options.trace = TRACE_CONCRETE;
  explore_end(check);
  check->tarn->stats = (Statistics){0};
  return explore_with(check, &options, result);
}

static bool is_real(Check *check) {
  Trace trace;
  const bool ok = trace_build(&trace, &check->tarn->mem, &check->tarn->net, &check->goal,
                              &check->reach, REACH_GOAL, TRACE_CONCRETE);
  trace_release(&trace);
  return ok;
}

// With the abstraction that the options name, or a_LU, deadlocks may be found that are none; and
// where there is doubt, none being found shows nothing. Then the search is made again with M
// bounds, under which neither happens.
bool explore_deadlock(Check *check, ReachResult *result) {
  Options *options = &check->answer->options;
  options->engine = ENGINE_ZONES;
  options->threads = 1;
  options->delay = DELAY_AFTER;
  if (options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY)
    options->bounds = BOUNDS_LOCAL;
  if (!explore(check, options, result))
    return false;
  const bool is_done =
      check->deadgoal.is_m || options->abstraction == ABSTRACTION_NONE ||
      (*result == REACH_GOAL ? is_real(check)
                             : *result != REACH_NONE || !check->deadgoal.doubtful);
  if (is_done)
    return true;
  options->abstraction = ABSTRACTION_AM;
  options->bounds = BOUNDS_LOCAL;
  explore_end(check);
  check->tarn->stats = (Statistics){0};
  return explore(check, options, result);
}
