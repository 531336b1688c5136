#include "plan/valueproof.h"

#include "answers/certificates/proof.h"
#include "output/answer.h"
#include "output/jsonparts.h"
#include "plan/fingerprint.h"
#include "plan/searching.h"
#include "plan/valueclaims.h"

#include <jansson.h>
#include <string.h>

typedef struct ValueProof {
  Check *check;
  BoundsSearch *search;
  const ValueBounds *bounds;
  CertificateClaim *claims;
  json_t *results; // of the section with runs
  Options options; // of its searches
} ValueProof;

// Appends the run as the writer of answers has it, without what changes from run to run.
static void add_run(ValueProof *p, uint32_t index, const char *side, const Trace *trace) {
  Tarn *tarn = p->check->tarn;
  char shown[40];
  snprintf(shown, sizeof shown, "%u %s", index, side);
  Answer answer = {.query = p->check->answer->query,
                   .verdict = VERDICT_SATISFIED,
                   .values = shown,
                   .options = p->check->answer->options,
                   .has_trace = true,
                   .trace = *trace};
  Answers answers = {0};
  vec_push(&tarn->mem, &answers, &answer);
  json_t *object = answer_object(&tarn->mem, p->check->model, &tarn->options, &answers);
  json_t *result = json_array_get(json_object_get(object, "results"), 0);
  json_object_del(result, "stats");
  json_array_append(p->results, result);
  json_decref(object);
  vec_release(&tarn->mem, &answers);
}

Options valueproof_options(const Check *check) {
  Options options;
  options_init(&options);
  options.engine = ENGINE_ZONES;
  options.certificate = check->tarn->options.certificate;
  return options;
}

// A search for the goal of an expression.
static bool search(ValueProof *p, const Expr *expr, ReachResult *result) {
  Check *check = p->check;
  return goal_build(&check->goal, &check->arena, expr, false, check->query.place,
                    &check->tarn->report) &&
         searching_run(check, &p->options, &(Stage){0}, NULL, result);
}

// False if there is no run, which may be due to a limit.
static bool show_side(ValueProof *p, uint32_t index, bool is_low) {
  Check *check = p->check;
  Tarn *tarn = check->tarn;
  ReachResult result;
  Trace trace;
  if (!search(p,
              valueclaims_shown(&check->arena, &check->query, index, &p->claims[index], is_low),
              &result))
    return false;
  const bool ok =
      result == REACH_GOAL && trace_build(&trace, &tarn->mem, check->model, &check->goal,
                                          &check->reach, result, TRACE_CONCRETE, NULL);
  searching_end(check);
  if (ok) {
    add_run(p, index, is_low ? "low" : "high", &trace);
    trace_release(&trace);
  }
  return ok;
}

static bool show_growth(ValueProof *p, uint32_t index) {
  Trace trace;
  if (!bounds_show_growth(p->search, &p->bounds[index], &trace, &p->check->tarn->report))
    return false;
  add_run(p, index, "grows", &trace);
  trace_release(&trace);
  return true;
}

static bool show_values(ValueProof *p) {
  bool ok = true;
  for (uint32_t i = 0; ok && i < p->check->query.value_count; i++) {
    const unsigned is = p->claims[i].is;
    ok = (!(is & CERTIFY_LOW) || show_side(p, i, true)) &&
         (!(is & CERTIFY_HIGH) || show_side(p, i, false)) &&
         (!(is & CERTIFY_GROWS) || show_growth(p, i));
  }
  return ok;
}

// The search that finds nothing beyond, and the file.
static void write(ValueProof *p, const Expr *beyond) {
  Check *check = p->check;
  Tarn *tarn = check->tarn;
  unsigned char hash[SHA256_SIZE];
  Text claims = {.mem = &tarn->mem}, runs = {.mem = &tarn->mem};
  ReachResult result;
  json_t *root = json_pack("{s:O}", "results", p->results);
  jsonparts_add(&runs, root, JSON_COMPACT);
  valueclaims_encode(&claims, p->claims, check->query.value_count);
  fingerprint_model(hash, &tarn->mem, tarn->net);
  if (search(p, beyond, &result)) {
    const Proof proof = {
        .mem = &tarn->mem,
        .net = check->net,
        .goal = &check->goal,
        .options = &p->options,
        .reach = &check->reach,
        .about = {.query = check->answer->query, .hash = hash, .claims = &claims, .runs = &runs},
        .report = &tarn->report};
    check->is_proved = proof_finish(&proof, result);
    searching_end(check);
  }
  text_release(&claims);
  text_release(&runs);
}

void valueproof_write(Check *check, BoundsSearch *search, const ValueBounds *bounds) {
  Tarn *tarn = check->tarn;
  const char *path = tarn->options.certificate;
  const uint32_t count = check->query.value_count;
  ValueProof p = {.check = check,
                  .search = search,
                  .bounds = bounds,
                  .results = json_array(),
                  .options = valueproof_options(check)};
  p.claims = ARENA_ARRAY(&check->arena, CertificateClaim, count);
  bool answers = true;
  for (uint32_t i = 0; i < count; i++) {
    p.claims[i] = valueclaims_of(check->query.kind, &bounds[i]);
    answers = answers && valueclaims_answers(&check->query, i, &p.claims[i]);
  }
  const Statistics stats = tarn->stats;
  const Expr *beyond =
      answers ? valueclaims_contradiction(&check->arena, &check->query, p.claims) : NULL;
  if (!answers)
    report_error(&tarn->report, (Place){0},
                 "%s: there is no certificate: a value does not fit into 32 bits", path);
  else if (!beyond)
    report_warning(&tarn->report, (Place){0},
                   "%s: no certificate: the value grows without end; --trace concrete shows how",
                   path);
  else if (show_values(&p))
    write(&p, beyond);
  else if (!report_failed(&tarn->report))
    report_error(&tarn->report, (Place){0},
                 "%s: there is no certificate: no run to an extreme value can be shown", path);
  json_decref(p.results);
  tarn->stats = stats;
}
