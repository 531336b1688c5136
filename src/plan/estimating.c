#include "plan/estimating.h"

#include "answers/statistics/estimate.h"
#include "answers/statistics/splitting.h"
#include "answers/statistics/uniform.h"
#include "base/team.h"
#include "language/query_reader.h"
#include "output/estimates.h"
#include "plan/certain.h"

#include <math.h>
#include <string.h>

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

#define DEFAULT_ERROR 0.01 // of UPPAAL's options

// The error of integration: that of the options, if it is smaller than the usual one.
static void set_error(Laws *laws, const Options *o, Report *report) {
  const double error = fmin(o->truncation_error, o->truncation_time_error);
  laws->error = fmin(laws->error, error);
  if (!laws->has_curves)
    return;
  if (o->discretization != DEFAULT_ERROR)
    report_warning(report, (Place){0},
                   "--discretization has no effect: steps are chosen such that the error of each "
                   "is below %g",
                   laws->error);
  if (error > LAWS_ERROR && error != DEFAULT_ERROR)
    report_warning(report, (Place){0},
                   "the truncation errors have no effect: %g is kept for each step", LAWS_ERROR);
}

// What is known without runs: 0 and 1 by the zone engine, others of chains in continuous time.
static void find_exact(Check *check, const Laws *laws, const Statistical *query,
                       Estimate *estimate) {
  Tarn *tarn = check->tarn;
  Certain certain;
  const bool is_probability =
      query->kind == STATISTICAL_PROBABILITY || query->kind == STATISTICAL_TEST;
  if (!is_probability || tarn->options.exact)
    return;
  certain_find(&certain, tarn, &query->path);
  estimate->exact = certain.value;
  estimate->exact_why = certain.why;
  estimate->is_certain = certain.why;
  if (!certain.why && query->kind == STATISTICAL_PROBABILITY &&
      uniform_solve(&tarn->mem, laws, &query->path, &estimate->exact))
    estimate->exact_why = "uniformisation of a Markov chain, with an error below 1e-9";
}

// Whether there is nothing that runs could add: when a goal is reached they do.
static bool is_answered(const Estimate *estimate, const Statistical *query) {
  return estimate->is_certain && (query->kind == STATISTICAL_TEST || estimate->exact == 0 ||
                                  query->path.kind == PATH_ALWAYS);
}

static void answer_exactly(Estimate *estimate, Mem *mem, const Statistical *query,
                           const EstimateParameters *parameters) {
  const double value = estimate->exact;
  const char *why = estimate->exact_why;
  *estimate = (Estimate){.mem = mem,
                         .kind = query->kind,
                         .parameters = *parameters,
                         .is_complete = true,
                         .value = value,
                         .interval = {value, value},
                         .sequence = {value, value},
                         .exact_why = why,
                         .exact = value};
  if (query->kind == STATISTICAL_TEST)
    estimate->decision =
        (query->is_at_most ? value <= query->threshold : value >= query->threshold)
            ? DECISION_ACCEPTED
            : DECISION_REJECTED;
}

// The number of --levels, read as that of an expectation. NULL with an error.
static const Expr *read_levels(Check *check, const Statistical *query) {
  Tarn *tarn = check->tarn;
  const char *levels = tarn->options.levels;
  const bool is_path = query->kind == STATISTICAL_PROBABILITY &&
                       (query->path.kind == PATH_EVENTUALLY || query->path.kind == PATH_UNTIL);
  if (!is_path) {
    report_error(&tarn->report, (Place){0}, "--levels is for `Pr[..](<> p)` and `Pr[..](q U p)`");
    return NULL;
  }
  if (!strcmp(levels, "auto")) {
    const Expr *number = splitting_number(query->path.goal);
    if (!number)
      report_error(&tarn->report, (Place){0},
                   "--levels auto needs a goal such as `e >= 9`; name a number that grows "
                   "towards it");
    return number;
  }
  Text text = {.mem = &tarn->mem};
  Query read;
  Source *source = ARENA_NEW(&check->arena, Source);
  text_addf(&text, "E[<=1; 1](max: %s)", levels);
  *source = (Source){.name = "<levels>",
                     .text = arena_text(&check->arena, text_chars(&text), text.size),
                     .size = text.size};
  text_release(&text);
  return query_read(&read, &check->arena, tarn->net, source, &tarn->report)
             ? read.statistical->values[0]
             : NULL;
}

static bool estimate(Check *check, const Laws *laws, const Statistical *query,
                     const EstimateParameters *parameters, Estimate *found, const char **reason) {
  Tarn *tarn = check->tarn;
  const Expr *levels = NULL;
  if (tarn->options.levels && !(levels = read_levels(check, query)))
    return false;
  return levels ? splitting_run(found, &tarn->mem, laws, query, levels, parameters, stop, tarn,
                                reason, &tarn->report)
                : estimate_run(found, &tarn->mem, laws, query, parameters, stop, tarn, reason,
                               &tarn->report);
}

// One run, for the errors of a model whose answer needs none: a rate is missing, time stops.
static bool probe(Check *check, const Laws *laws, const Statistical *query,
                  const EstimateParameters *parameters) {
  Statistical once = *query;
  EstimateParameters alone = *parameters;
  Estimate unused;
  const char *reason;
  alone.threads = 1;
  once.kind = STATISTICAL_PROBABILITY;
  once.path.bound.runs = 1;
  if (!estimate_run(&unused, &check->tarn->mem, laws, &once, &alone, stop, check->tarn, &reason,
                    &check->tarn->report))
    return false;
  estimate_release(&unused);
  return true;
}

bool estimating_run(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const Statistical *query = check->query.statistical;
  Laws laws;
  if (!laws_make(&laws, &check->arena, query->net, &tarn->report))
    return false;
  set_error(&laws, &tarn->options, &tarn->report);
  const EstimateParameters parameters = parameters_of(&tarn->options);
  Estimate *found = mem_alloc(&tarn->mem, sizeof *found);
  const char *reason = NULL;
  *found = (Estimate){0};
  find_exact(check, &laws, query, found);
  const Estimate known = *found;
  mem_watch(&tarn->mem, NULL); // `stop` is asked, and what is known then is the answer
  if (is_answered(&known, query)) {
    if (!probe(check, &laws, query, &parameters))
      return false;
    answer_exactly(found, &tarn->mem, query, &parameters);
    tarn->estimate = NULL;
  } else if (!estimate(check, &laws, query, &parameters, found, &reason)) {
    return false;
  }
  found->exact = known.exact, found->exact_why = known.exact_why;
  found->is_certain = known.is_certain;
  mem_watch(&tarn->mem, &tarn->watch);
  estimate_sort(found);
  estimates_keep_texts(found, query);
  answer->estimate = found;
  answer->verdict = verdict_of(found);
  answer->reason = found->is_complete ? NULL : reason;
  tarn->verdict = (int)answer->verdict;
  return !tarn->options.data ||
         estimates_write_data(found, tarn->options.data, tarn->answers.size + 1, &tarn->report);
}
