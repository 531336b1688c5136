#include "plan/run.h"

#include "answers/runs/trace.h"
#include "base/team.h"
#include "base/testbuild.h"
#include "plan/engines.h"
#include "plan/estimating.h"
#include "plan/explain.h"
#include "plan/live.h"
#include "plan/pack.h"
#include "plan/searching.h"
#include "plan/slices.h"
#include "plan/values.h"
#include "semantics/zone/zones.h"

enum { FEW_ZONES = LOWERED(3, 3, 0) }; // of a discrete state: hulls would not help

static bool is_in_doubt(void *deadgoal) { return ((const Deadgoal *)deadgoal)->doubtful; }

// One zone for each discrete state, the hull of all that are met there. Its nodes stand for all
// reachable states, and for more: if no deadlock is possible there, there is none; and if no node
// meets the goal, no state does.
static bool search_hulls(Check *check, const Stage *stage, ReachResult *result) {
  Tarn *tarn = check->tarn;
  check->last = stage->options;
  check->space = engines_space(check, &tarn->mem, &stage->options);
  if (!check->space || !session_is_clean(tarn))
    return false;
  if (check->goal.ends)
    deadgoal_attach(&check->deadgoal, &tarn->mem, check->space, check->net, &check->goal, false);
  reach_init(&check->reach, &tarn->mem, check->space, ORDER_STAGES, &tarn->stats);
  check->reach.max_transitions = stage->max_transitions;
  check->reach.between = check->goal.ends ? is_in_doubt : NULL;
  check->reach.between_state = &check->deadgoal;
  zones_join_nodes(check->space, true);
  *result = reach_run(&check->reach);
  zones_join_nodes(check->space, false);
  return true;
}

// Whether hulls have shown that there is no such state. A value out of range need not be possible
// in a hull. If the search before has met one, that is told; else the question is open.
static bool hulls_decide(const Check *check, ReachResult result) {
  const bool may_be_invalid = check->space->invalid.count && !check->invalid.count;
  const bool is_doubtful = check->goal.ends && check->deadgoal.doubtful;
  return result == REACH_NONE && !is_doubtful && !may_be_invalid;
}

static bool is_real(Check *check) {
  Trace trace;
  const bool ok = trace_build(&trace, &check->tarn->mem, check->net, &check->goal, &check->reach,
                              REACH_GOAL, TRACE_CONCRETE, NULL);
  trace_release(&trace);
  return ok;
}

// Whether a deadlock that was found, or was not, may be so in the abstraction only.
static bool is_doubtful(Check *check, ReachResult result) {
  if (!check->goal.ends || check->deadgoal.is_m || check->last.abstraction == ABSTRACTION_NONE)
    return false;
  return result == REACH_GOAL ? !is_real(check)
                              : result == REACH_NONE && check->deadgoal.doubtful;
}

// Where clocks are stopped, a state that is found need not be reachable. Of a run-time error it
// is not known whether it can be.
static bool is_unconfirmed(Check *check, ReachResult result) {
  return check->net->traits.has_stopwatches &&
         (result == REACH_FAILED || (result == REACH_GOAL && !is_real(check)));
}

// Why the question is open after this stage; 0: it is answered, or a limit of the user came.
static unsigned find_reason(Check *check, const Stage *stage, const Hunts *hunts,
                            ReachResult result) {
  if (hunts->has_found)
    return stage->proves_reached ? OPEN_HIT : OPEN_NOTHING;
  if (hunts->has_slice)
    return OPEN_SLICES;
  if (stage->kind == STAGE_HULLS)
    return hulls_decide(check, result) ? 0 : OPEN_NOTHING;
  if (result == REACH_STOPPED)
    return reach_is_long(&check->reach) ? OPEN_LIMIT : 0;
  if (is_unconfirmed(check, result))
    return OPEN_DOUBT;
  if (result == REACH_FAILED && check->outside) // the model need not
    return OPEN_NOTHING;
  if (result == REACH_FAILED)
    return check->space->passed && check->last.trace == TRACE_NONE ? OPEN_NO_RUN : 0;
  if (result != REACH_NONE && !stage->proves_reached)
    return OPEN_NOTHING;
  return is_doubtful(check, result) ? OPEN_DOUBT : 0;
}

// Whether the stage can do anything, now that it is its turn.
static bool is_possible(Check *check, const Stage *stage) {
  if (stage->kind == STAGE_SLICE || stage->forgets)
    return slices_enter(check, &stage->options, stage->slice, stage->freed);
  if (!stage->stays_in_slice)
    slices_leave(check);
  return true;
}

static bool run_pack(Check *check, const Stage *stage, unsigned *reason) {
  const int threads = check->tarn->options.threads;
  check->found = stage->options;
  const PackResult result =
      pack_run(check, &stage->options, threads ? (uint32_t)threads : team_processors(),
               stage->max_visited, &check->found.seed);
  check->found.is_focused = check->found.seed % 2;
  *reason = result == PACK_NOTHING ? OPEN_LIMIT : OPEN_HIT;
  return result != PACK_FAILED;
}

// The options of a search, as far as they are known only now.
static Options options_of(const Check *check, const Stage *stage, unsigned reason) {
  Options options = stage->options;
  if (stage->kind == STAGE_SLICE)
    options.is_reduced = check->choice.is_reduced;
  if (stage->kind == STAGE_SLICE && !check->goal.ends) { // deadlocks: as planned
    options.engine = (int)check->choice.engine;
    options.abstraction =
        check->choice.drops_abstraction ? ABSTRACTION_NONE : check->tarn->options.abstraction;
  }
  if (stage->kind == STAGE_REPEAT && reason == OPEN_HIT)
    options = check->found;
  if (stage->kind == STAGE_REPEAT && reason == OPEN_NO_RUN) {
    options = check->last;
    options.trace = TRACE_CONCRETE;
    options.checkpoint = options.resume = NULL;
  }
  return options;
}

// Runs a stage that is there for this reason, and finds the next one.
static bool run_stage(Check *check, const Stage *stage, unsigned *reason, ReachResult *result) {
  Hunts hunts = {0};
  if (stage->kind == STAGE_PACK)
    return run_pack(check, stage, reason);
  if (stage->kind == STAGE_INFINITE)
    return live_search(check, stage, reason, result);
  if (stage->kind == STAGE_EXTREME) {
    *reason = 0;
    return values_run(check);
  }
  if (stage->kind == STAGE_ESTIMATE) {
    *reason = 0;
    return estimating_run(check);
  }
  const Options options = options_of(check, stage, *reason);
  const bool ok =
      stage->kind == STAGE_HULLS
          ? search_hulls(check, stage, result)
          : searching_run(check, &options, stage, stage->has_hunts ? &hunts : NULL, result);
  if (!ok)
    return false;
  check->found = hunts.options;
  *reason = find_reason(check, stage, &hunts, *result);
  return true;
}

bool run_plan(Check *check, ReachResult *result) {
  unsigned reason = OPEN_START;
  *result = REACH_NONE;
  for (uint32_t i = 0; reason && i < check->plan->count; i++) {
    const Stage *stage = &check->plan->stages[i];
    if (!(stage->when & reason))
      continue;
    // Hulls are of use where discrete states have many zones.
    const bool has_few = stage->kind == STAGE_HULLS &&
                         check->reach.store.stored < FEW_ZONES * check->reach.store.groups.size;
    searching_end(check);
    if (has_few || !is_possible(check, stage))
      continue;
    check->tarn->stats = (Statistics){0};
    if (!run_stage(check, stage, &reason, result))
      return false;
    explain_stage(check, i, reason, *result);
  }
  check->is_unconfirmed = reason == OPEN_DOUBT;
  if (check->goal.ends) {
    check->answer->options = check->last;
    check->answer->options.resume = check->tarn->options.resume;
  }
  if (check->last.engine != ENGINE_AUTO)
    check->answer->options.engine = check->last.engine;
  check->answer->options.is_reduced = check->last.is_reduced && check->tarn->stats.left_out;
  return true;
}
