#include "plan/explore.h"

#include "analysis/differences.h"
#include "answers/runs/trace.h"
#include "base/team.h"
#include "base/testbuild.h"
#include "plan/choose.h"
#include "plan/hunts.h"
#include "plan/machines.h"
#include "plan/pack.h"
#include "plan/resume.h"
#include "plan/sliced.h"
#include "search/save/restore.h"
#include "search/workers/workers.h"
#include "semantics/zone/abstraction.h"
#include "semantics/zone/zones.h"

enum {
  MOST_LOOSE = 5000000,                     // transitions in a loose slice
  MOST_FREE = 500000,                       // with one process less
  MOST_FREED = 16,                          // processes that are tried
  MOST_EXACT = LOWERED(200000, 200000, 50), // before a search for deadlocks is tried with hulls
  MOST_JOINED = 5000000,                    // transitions of that one
  FEW_ZONES = LOWERED(3, 3, 0),             // of a discrete state: hulls would not help
};

// With hunts, if they are given; `may_slice` is theirs.
static bool explore_hunting(Check *check, const Options *options, Hunts *hunts, bool may_slice,
                            ReachResult *result) {
  Tarn *tarn = check->tarn;
  check->space = choose_space(check, options);
  if (!check->space || !session_is_clean(tarn))
    return false;
  if (check->goal.ends)
    deadgoal_attach(&check->deadgoal, &tarn->mem, check->space, check->net, &check->goal,
                    abstraction_is_maximal((Abstraction)options->abstraction));
  reach_init(&check->reach, &tarn->mem, check->space, (SearchOrder)options->order, &tarn->stats);
  const uint32_t threads = options->threads ? (uint32_t)options->threads : team_processors();
  Link *link = machines_begin(check, options, threads);
  if (threads > 1 || link)
    workers_divide(&check->reach, threads, (SearchOrder)options->order, link);
  if (check->most_visited)
    check->reach.most_visited = check->most_visited;
  if (check->most_transitions)
    check->reach.most_transitions = check->most_transitions;
  if (hunts)
    hunts_attach(hunts, check, options, may_slice);
  *check->net->invalid = (VmInvalid){0};
  Checkpoint checkpoint;
  if (!machines_agree(check, resume_attach(check, options, &checkpoint)) ||
      !resume_read(check, options)) {
    explore_end(check);
    return false;
  }
  *result = reach_run(&check->reach);
  check->is_cut = *result == REACH_STOPPED && reach_is_long(&check->reach);
  resume_end(check, &checkpoint);
  check->invalid_count = check->net->invalid->count;
  check->first_invalid = check->net->invalid->first;
  return true;
}

bool explore(Check *check, const Options *options, ReachResult *result) {
  return explore_hunting(check, options, NULL, false, result);
}

void explore_end(Check *check) {
  if (check->goal.ends)
    deadgoal_release(&check->deadgoal);
  reach_release(&check->reach);
  check->space->release(check->space);
  check->space = NULL;
}

enum { HUNTS = 16, FIRST_HUNT = 500 }; // rounds; visited nodes of the first

// The same in one thread, without a pack: each search is what decides, or is given up.
static bool hunt_alone(Check *check, Options options, ReachResult *result) {
  check->most_visited = FIRST_HUNT;
  for (int i = 0; i < HUNTS; i++, check->most_visited += check->most_visited / 2) {
    options.seed++;
    options.is_focused = options.seed % 2;
    if (!explore(check, &options, result))
      return false;
    if (!check->is_cut)
      return true;
    explore_end(check);
    check->tarn->stats = (Statistics){0};
  }
  check->most_visited = 0;
  *result = REACH_NONE;
  return true;
}

// Each thread hunts with seeds of its own. What one finds is found again here.
static bool hunt_together(Check *check, Options options, uint32_t threads, ReachResult *result) {
  uint64_t most = FIRST_HUNT;
  const VmInvalid invalid = *check->net->invalid;
  options.seed++;
  for (int i = 0; i < HUNTS; i++, most += most / 2, options.seed += (int)threads) {
    const PackResult found = pack_run(check, &options, threads, most, &options.seed);
    *check->net->invalid = invalid;
    if (found == PACK_FAILED)
      return false;
    options.is_focused = options.seed % 2;
    if (found == PACK_FOUND || found == PACK_STOPPED)
      return explore(check, &options, result);
  }
  *result = REACH_NONE;
  return true;
}

// --order hunt: random searches depth first, each a half longer than the one before. A bug that
// is not far off is found by most of them; a search that has gone wrong is given up soon. Every
// second one lets the processes that the query names go first: two of many processes have to meet
// by chance otherwise. In the end the default order decides.
static bool hunt(Check *check, const Options *asked, ReachResult *result) {
  Options options = *asked;
  const uint32_t threads = asked->threads ? (uint32_t)asked->threads : team_processors();
  const int last = INT32_MAX - HUNTS * (int)threads - 1;
  options.order = ORDER_DFS;
  options.threads = 1; // of each search: random orders are for one
  options.seed = asked->seed < last ? asked->seed : 0;
  options.checkpoint = options.resume = NULL; // are for the last search
  check->space = NULL;
  if (!asked->resume &&
      !(threads > 1 && !check->goal.ends ? hunt_together(check, options, threads, result)
                                         : hunt_alone(check, options, result)))
    return false;
  if (check->space)
    return true;
  options = *asked;
  options.order = ORDER_STAGES;
  options.seed = threads > 1 ? 0 : asked->seed;
  return explore(check, &options, result);
}

static bool explore_long(Check *, const Options *, bool may_slice, ReachResult *);

// Searches a slice; true if that decides the query, or an error or a limit ends it: then the
// slice stays in the check.
static bool slice_decides(Check *check, SlicedKind kind, ProcessId free, bool *ok,
                          ReachResult *result) {
  Sliced sliced;
  *ok = true;
  if (sliced_begin(&sliced, check, kind, free)) {
    check->most_transitions = kind == SLICED_LOOSE  ? MOST_LOOSE
                              : kind == SLICED_FREE ? MOST_FREE
                                                    : 0;
    *ok = explore_long(check, &check->tarn->options, false, result);
    check->most_transitions = 0;
    const bool is_found =
        *result == REACH_GOAL && kind == SLICED_WHOLE && check->tarn->options.trace == TRACE_NONE;
    if (!*ok || is_found || *result == REACH_NONE || (*result == REACH_STOPPED && !check->is_cut))
      return true;
    explore_end(check);
    check->tarn->stats = (Statistics){0};
  }
  sliced_end(&sliced, check);
  return false;
}

// The search with hunts and slices. What a hunt finds is found again by a search that is known to
// the caller.
static bool explore_long(Check *check, const Options *options, bool may_slice,
                         ReachResult *result) {
  Hunts hunts;
  bool ok;
  if (!explore_hunting(check, options, &hunts, may_slice, result))
    return false;
  if (!hunts.has_found && !hunts.has_slice)
    return true;
  explore_end(check);
  check->tarn->stats = (Statistics){0};
  if (hunts.has_found)
    return explore(check, &hunts.options, result);
  for (SlicedKind kind = SLICED_LOOSE; kind < SLICED_KINDS; kind++) {
    const uint32_t processes = kind == SLICED_FREE ? check->net->processes.size : 1;
    for (ProcessId p = 0; p < processes && p < MOST_FREED; p++)
      if (slice_decides(check, kind, p, &ok, result))
        return ok;
  }
  return explore_long(check, options, false, result);
}

static bool explore_with(Check *check, const Options *options, ReachResult *result) {
  if (options->order == ORDER_HUNT)
    return hunt(check, options, result);
  return hunts_fit(check, options) ? explore_long(check, options, true, result)
                                   : explore(check, options, result);
}

// A space that keeps its nodes itself knows the way to a failure only if it was told to: then the
// search is made again. It has no use for a checkpoint without ways.
bool explore_as_asked(Check *check, ReachResult *result) {
  Options options = check->tarn->options;
  if (!explore_with(check, &options, result))
    return false;
  if (*result != REACH_FAILED || !check->space->passed || options.trace != TRACE_NONE)
    return true;
  options.trace = TRACE_CONCRETE;
  options.checkpoint = options.resume = NULL;
  explore_end(check);
  check->tarn->stats = (Statistics){0};
  return explore_with(check, &options, result);
}

static bool is_real(Check *check) {
  Trace trace;
  const bool ok = trace_build(&trace, &check->tarn->mem, check->net, &check->goal, &check->reach,
                              REACH_GOAL, TRACE_CONCRETE, 0);
  trace_release(&trace);
  return ok;
}

// No option names an algorithm, or asks for what only that search knows.
static bool may_join(const Check *check, const Options *options) {
  return options->abstraction == ABSTRACTION_ALU && options->order == ORDER_STAGES &&
         !options_fix_algorithm(options) && !options->graph && !options->certificate &&
         !options->checkpoint && !options->resume && !options->compact && !check->tarn->link;
}

static bool is_in_doubt(void *deadgoal) { return ((const Deadgoal *)deadgoal)->doubtful; }

// One zone for each discrete state, the hull of all that are met there. Its nodes stand for all
// reachable states, and for more: if no deadlock is possible there, there is none. Whether
// that is so; else nothing is known, and nothing left.
static bool hulls_exclude_deadlock(Check *check, const Options *options, ReachResult *result) {
  Tarn *tarn = check->tarn;
  tarn->stats = (Statistics){0};
  check->space = choose_space(check, options);
  if (!check->space || !session_is_clean(tarn))
    return false;
  deadgoal_attach(&check->deadgoal, &tarn->mem, check->space, check->net, &check->goal, false);
  reach_init(&check->reach, &tarn->mem, check->space, ORDER_STAGES, &tarn->stats);
  check->reach.most_transitions = MOST_JOINED;
  check->reach.between = is_in_doubt;
  check->reach.between_state = &check->deadgoal;
  zones_join_nodes(check->space, true);
  *check->net->invalid = (VmInvalid){0};
  *result = reach_run(&check->reach);
  zones_join_nodes(check->space, false);
  // A value out of range need not be possible in a hull. If the search before has met one, that
  // is told; else the question is open.
  const bool may_be_invalid = check->net->invalid->count && !check->invalid_count;
  if (*result == REACH_NONE && !check->deadgoal.doubtful && !may_be_invalid)
    return true;
  explore_end(check);
  return false;
}

// A search of moderate length, then one with hulls, then without a limit. The statistics are
// those of the last one.
static bool explore_joining(Check *check, const Options *options, ReachResult *result) {
  check->most_transitions = PLANTED("hulls-lose") ? 1 : MOST_EXACT;
  const bool ok = explore(check, options, result);
  check->most_transitions = 0;
  if (!ok || *result != REACH_STOPPED || !check->is_cut)
    return ok;
  // Hulls are of use where discrete states have many zones.
  const bool is_joined = check->reach.store.stored >= FEW_ZONES * check->reach.store.groups.size;
  explore_end(check);
  if (!is_joined || !hulls_exclude_deadlock(check, options, result)) {
    check->tarn->stats = (Statistics){0};
    if (!session_is_clean(check->tarn) || !explore(check, options, result))
      return false;
  }
  return true;
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
  // Where clocks are compared with each other there is no zone that contains all that a node
  // stands for: the search begins with M bounds.
  if (options->abstraction != ABSTRACTION_NONE && differences_occur(check->net, &check->goal))
    options->abstraction = ABSTRACTION_AM;
  // The second of the searches below has written the checkpoint: it is the only one now.
  if (options->resume &&
      restore_is_of(&check->tarn->mem, options->resume, "\nabstraction am\n")) {
    options->abstraction = ABSTRACTION_AM;
    options->bounds = BOUNDS_LOCAL;
  }
  if (may_join(check, options) ? !explore_joining(check, options, result)
                               : !explore(check, options, result))
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
  Options again = *options;
  again.resume = NULL;
  return explore(check, &again, result);
}
