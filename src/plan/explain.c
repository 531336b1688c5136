#include "plan/explain.h"

#include "output/lawtext.h"
#include "plan/capabilities.h"

#include <stdio.h>

static const char *const names[] = {[STAGE_SEARCH] = "search",
                                    [STAGE_PACK] = "random searches",
                                    [STAGE_REPEAT] = "search again",
                                    [STAGE_SLICE] = "slice",
                                    [STAGE_HULLS] = "hulls",
                                    [STAGE_INFINITE] = "infinite runs",
                                    [STAGE_EXTREME] = "extreme values",
                                    [STAGE_ESTIMATE] = "random runs"};

// When a stage comes, by the reason that stands for the others.
static const char *when(unsigned reasons) {
  return reasons & OPEN_START    ? ""
         : reasons & OPEN_HIT    ? "if a random search finds something"
         : reasons & OPEN_SLICES ? "if the search becomes long"
         : reasons & OPEN_LIMIT  ? "if that reaches its limit"
         : reasons & OPEN_DOUBT  ? "if there is doubt"
                                 : "if the path is not known";
}

// The laws of statistical queries. Warnings are for the check, not for the plan before it.
static void explain_laws(Check *check, Explanation *e) {
  Tarn *tarn = check->tarn;
  Laws laws;
  Report unused;
  Text text = {.mem = &tarn->mem};
  report_init(&unused, &tarn->mem);
  e->laws = "";
  if (laws_make(&laws, &check->arena, check->query.statistical->net, &unused)) {
    lawtext_write(&text, &laws);
    e->laws = mem_copy_text(&tarn->mem, text_chars(&text), text.size);
    if (check->start > 0)
      lawtext_warn(&laws, &tarn->report);
  }
  text_release(&text);
  report_release(&unused);
}

void explain_plan(Check *check) {
  Explanation *e = check->answer->explanation;
  if (!e)
    return;
  e->is_planned = true;
  if (check->has_query && capabilities_is_statistical(&check->query))
    explain_laws(check, e);
  e->options = check->plan->stages[0].options;
  e->options.is_reduced = check->choice.is_reduced; // hunts, which may come first, are not
  e->engine_why = check->choice.engine_why;
  e->symmetry_why = check->choice.symmetry_why;
  e->partial_why = check->choice.partial_why;
  snprintf(e->symmetry, sizeof e->symmetry, "%s", check->answer->symmetry);
  for (uint32_t i = 0; i < check->plan->count; i++) {
    const Stage *stage = &check->plan->stages[i];
    explanation_plan(e, (PlannedStage){names[stage->kind], when(stage->when), stage->purpose,
                                       stage->max_visited, stage->max_transitions});
  }
}

static const char *outcome(unsigned reason, ReachResult result) {
  switch (reason) {
  case OPEN_LIMIT:
    return "its limit was reached";
  case OPEN_HIT:
    return "a random search found something";
  case OPEN_SLICES:
    return "it became long, and a smaller network may decide";
  case OPEN_NOTHING:
    return "this proves nothing about the model";
  case OPEN_DOUBT:
    return "it is possible in the abstraction, perhaps not in the model";
  case OPEN_NO_RUN:
    return "found, but the way is not known";
  default:
    return result == REACH_GOAL     ? "found: this decides"
           : result == REACH_NONE   ? "explored to the end, found nothing: this decides"
           : result == REACH_FAILED ? "the model fails"
                                    : "stopped";
  }
}

void explain_stage(Check *check, uint32_t index, unsigned reason, ReachResult result) {
  Explanation *e = check->answer->explanation;
  if (e)
    explanation_done(e, (DoneStage){.number = index + 1,
                                    .name = names[check->plan->stages[index].kind],
                                    .outcome = check->plan->stages[index].kind == STAGE_ESTIMATE
                                                   ? "enough runs were made, or none were needed"
                                                   : outcome(reason, result),
                                    .stats = check->tarn->stats});
}

void explain_part(Check *check, const char *name, const Statistics *stats, const char *said) {
  Explanation *e = check->answer->explanation;
  if (e)
    explanation_done(e, (DoneStage){.name = name, .outcome = said, .stats = *stats});
}
