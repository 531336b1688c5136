#include "plan/estimating.h"

#include "answers/statistics/estimate.h"
#include "base/team.h"
#include "output/estimates.h"

static EstimateParameters parameters_of(const Options *o) {
  return (EstimateParameters){
      .test = {.alpha = o->alpha,
               .beta = o->beta,
               .lower_delta = o->lower_delta,
               .upper_delta = o->upper_delta,
               .u0 = o->u0,
               .u1 = o->u1,
               .epsilon = o->epsilon},
      .stop = (StopRule)o->stop,
      .seed = o->seed ? (uint64_t)o->seed : 1,
      .threads = o->threads ? (uint32_t)o->threads : team_processors(),
      .bar_width = o->bar_width,
      .bar_count = (uint32_t)o->bar_count,
  };
}

static const char *stop(void *context, const Estimate *estimate) {
  Tarn *tarn = context;
  tarn->estimate = estimate;
  return session_time_limit(tarn);
}

static Verdict verdict_of(const Estimate *estimate) {
  return !estimate->is_complete                    ? VERDICT_UNDECIDED
         : estimate->decision == DECISION_ACCEPTED ? VERDICT_SATISFIED
         : estimate->decision == DECISION_REJECTED ? VERDICT_NOT_SATISFIED
                                                   : VERDICT_ESTIMATED;
}

bool estimating_run(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const Statistical *query = check->query.statistical;
  Laws laws;
  if (!laws_make(&laws, &check->arena, query->net, &tarn->report))
    return false;
  const EstimateParameters parameters = parameters_of(&tarn->options);
  Estimate *estimate = mem_alloc(&tarn->mem, sizeof *estimate);
  const char *reason;
  mem_watch(&tarn->mem, NULL); // `stop` is asked, and what is known then is the answer
  if (!estimate_run(estimate, &tarn->mem, &laws, query, &parameters, stop, tarn, &reason,
                    &tarn->report))
    return false;
  mem_watch(&tarn->mem, &tarn->watch);
  estimate_sort(estimate);
  estimates_keep_texts(estimate, query);
  answer->estimate = estimate;
  answer->verdict = verdict_of(estimate);
  answer->reason = estimate->is_complete ? NULL : reason;
  tarn->verdict = (int)answer->verdict;
  return !tarn->options.data || estimates_write_data(estimate, tarn->options.data,
                                                     tarn->answers.size + 1, &tarn->report);
}
