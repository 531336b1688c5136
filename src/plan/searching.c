#include "plan/searching.h"

#include "base/team.h"
#include "plan/engines.h"
#include "plan/machines.h"
#include "plan/resume.h"
#include "search/space/masked.h"
#include "search/workers/workers.h"
#include "semantics/zone/abstraction.h"

bool searching_run(Check *check, const Options *options, const Stage *stage, Hunts *hunts,
                   ReachResult *result) {
  Tarn *tarn = check->tarn;
  check->last = *options;
  check->space = engines_space(check, &tarn->mem, options);
  if (!check->space || !session_is_clean(tarn))
    return false;
  if (check->goal.ends)
    deadgoal_attach(&check->deadgoal, &tarn->mem, masked_inner(check->space), check->net,
                    &check->goal, abstraction_is_maximal((Abstraction)options->abstraction));
  reach_init(&check->reach, &tarn->mem, check->space, (SearchOrder)options->order, &tarn->stats);
  const uint32_t threads = options->threads ? (uint32_t)options->threads : team_processors();
  Link *link = machines_begin(check, options, stage->max_visited, threads);
  if (threads > 1 || link)
    workers_divide(&check->reach, threads, (SearchOrder)options->order, link);
  if (stage->max_visited)
    check->reach.max_visited = stage->max_visited;
  if (stage->max_transitions)
    check->reach.max_transitions = stage->max_transitions;
  if (hunts)
    hunts_attach(hunts, check, options, stage->may_slice);
  Checkpoint checkpoint;
  if (!resume_begin(check, options, &checkpoint)) {
    searching_end(check);
    return false;
  }
  *result = reach_run(&check->reach);
  resume_end(check, &checkpoint);
  check->invalid = check->space->invalid;
  return true;
}

void searching_end(Check *check) {
  if (!check->space)
    return;
  if (check->goal.ends)
    deadgoal_release(&check->deadgoal);
  reach_release(&check->reach);
  space_release(check->space);
  check->space = NULL;
}
