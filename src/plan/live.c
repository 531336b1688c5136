#include "plan/live.h"

#include "answers/certificates/proof.h"
#include "answers/queries/liveness.h"
#include "answers/runs/lassorun.h"
#include "plan/conclude.h"
#include "plan/explain.h"
#include "plan/fingerprint.h"

static void note(void *check, const char *name, const Statistics *stats, CyclesResult result) {
  explain_part(check, name, stats,
               result == CYCLES_NONE                            ? "there is no such run"
               : result == CYCLES_FOUND || result == CYCLES_END ? "found one, or a suspicion"
                                                                : "decides nothing");
}

// `E[]` and Büchi conditions hold if there is such a run; `A<>` and `-->` if there is none.
static void conclude_liveness(Check *check, const Liveness *l, CyclesResult result) {
  Answer *answer = check->answer;
  const bool is_universal =
      check->query.kind == QUERY_EVENTUALLY || check->query.kind == QUERY_LEADS_TO;
  if (result == CYCLES_STOPPED) {
    answer->verdict = VERDICT_UNDECIDED;
    answer->reason = l->stop_reason;
  } else {
    const bool found = result != CYCLES_NONE;
    answer->verdict = found != is_universal ? VERDICT_SATISFIED : VERDICT_NOT_SATISFIED;
  }
  answer->is_invariant = is_universal;
  check->tarn->verdict = (int)answer->verdict;
}

typedef struct Shorter {
  Check *check;
  const Liveness *found;
  Liveness l; // of the shorter run
  CyclesResult result;
  Trace trace;
  bool is_shortest; // the run comes back to the zone with its times, too
} Shorter;

// Whether there is a shorter run, or one that is as short, of the same kind as the one that is
// known.
static bool find_shorter(Shorter *shorter) {
  Tarn *tarn = shorter->check->tarn;
  const Trace *known = &shorter->check->answer->trace;
  Liveness *l = &shorter->l;
  uint32_t length = 0;
  if (!liveness_shorten(l, shorter->found->rules.is_m, known->run.step_count - 1,
                        conclude_effort(tarn), &shorter->result, &(Report){0}) ||
      (shorter->result != CYCLES_FOUND && shorter->result != CYCLES_END) ||
      !lassorun_build(&shorter->trace, &tarn->mem, shorter->check->model, l, known->kind))
    return false;
  for (uint32_t i = 1; i < l->rounds.steps.size; i++)
    length += l->rounds.steps.items[i].ordinal != SPACE_DELAY;
  shorter->is_shortest = shorter->trace.run.step_count - 1 == length;
  if (shorter->trace.kind == known->kind &&
      shorter->trace.run.step_count <= known->run.step_count)
    return true;
  trace_release(&shorter->trace);
  return false;
}

static bool shorten(void *state) {
  Shorter *shorter = state;
  const bool ok = find_shorter(shorter);
  liveness_release(&shorter->l);
  return ok;
}

// Replaces the run of the answer by a shortest one, if that is wanted, and tells how that ends.
static void prefer(Check *check, const Liveness *found, CyclesResult *result, RunsEnd *end) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  Statistics stats = {0};
  Shorter shorter = {.check = check,
                     .found = found,
                     .l = {.mem = &tarn->mem,
                           .net = found->net,
                           .query = found->query,
                           .is_divergent = found->is_divergent,
                           .stats = &stats}};
  if (tarn->options.prefer == PREFER_ANY)
    return;
  answer->is_any = true;
  if (!conclude_try(check, shorten, &shorter))
    return;
  trace_release(&answer->trace);
  answer->trace = shorter.trace;
  *result = shorter.result;
  *end = shorter.l.end;
  answer->is_any = !shorter.is_shortest;
  answer->preferred = shorter.is_shortest ? PREFER_SHORTEST : PREFER_ANY;
}

// The run that a search for one has found, if it is asked for.
static void show_lasso(Check *check, Liveness *l, CyclesResult result) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const TraceKind kind = (TraceKind)tarn->options.trace;
  RunsEnd end = l->end;
  if ((result != CYCLES_FOUND && result != CYCLES_END) || kind == TRACE_NONE)
    return;
  answer->has_trace = lassorun_build(&answer->trace, &tarn->mem, check->model, l, kind);
  if (!answer->has_trace) {
    report_error(&tarn->report, (Place){0},
                 "the run could not be rebuilt; please report this model as a bug");
    return;
  }
  prefer(check, l, &result, &end);
  if (answer->trace.kind != kind)
    report_warning(
        &tarn->report, (Place){0},
        "it is not found how the run repeats with exact times: it is shown with zones");
  if (result != CYCLES_END)
    return;
  answer->ending = end == RUNS_IDLES ? "from here on time can pass for ever"
                                     : "from here on nothing can happen";
  if (end != RUNS_IDLES && answer->trace.kind == TRACE_CONCRETE)
    conclude_obstacles(check, false);
}

// With --non-zeno: whether there is no run at all in which time diverges. Then every `A<>` and
// `-->` holds, and the user should know why.
static bool is_zeno(const Liveness *asked, Report *report) {
  Statistics stats = {0};
  const Query any = {.kind = QUERY_POSSIBLY, .place = asked->query->place};
  Liveness l = {.mem = asked->mem,
                .net = asked->net,
                .query = &any,
                .is_divergent = true,
                .order = asked->order,
                .stats = &stats,
                .limits = asked->limits};
  CyclesResult result;
  const bool is_none = liveness_run(&l, &result, report) && result == CYCLES_NONE;
  liveness_release(&l);
  return is_none;
}

// The mark that a component lacks: 0 is a transition, i + 1 label i, and then a tick.
static uint32_t missing_mark(const Scc *scc, const RunsRules *rules) {
  if (!scc->has_cycle || !(scc->marks & RUNS_ACTION))
    return 0;
  uint32_t label = 0;
  while (label < rules->claim.label_count && scc->marks & (uint32_t)RUNS_FIRST_LABEL << label)
    label++;
  return label + 1;
}

// The certificate, if there is no run and it is asked for.
static void prove(Check *check, Liveness *l, CyclesResult result) {
  Tarn *tarn = check->tarn;
  const bool has_nodes = l->sccs && !l->sccs->has_suspects && !l->symmetry &&
                         !(l->rules.starts_soon && l->rules.claim.start);
  const char *path = tarn->options.certificate;
  if (result == CYCLES_NONE && !has_nodes && path)
    report_error(
        &tarn->report, (Place){0},
        "%s: there is no certificate: cycles of covering nodes hide that there is no run", path);
  if (result == CYCLES_NONE && !has_nodes)
    return;
  const uint32_t count = has_nodes ? l->sccs->list.size : 0;
  uint32_t *missing = ARENA_ARRAY(&check->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    missing[i] = missing_mark(&l->sccs->list.items[i], &l->rules);
  unsigned char hash[SHA256_SIZE];
  if (tarn->options.certificate && result == CYCLES_NONE)
    fingerprint_model(hash, &tarn->mem, tarn->net);
  const Proof proof = {.mem = &tarn->mem,
                       .net = l->net,
                       .options = &check->answer->options,
                       .reach = l->reach,
                       .about = {.query = check->answer->query,
                                 .hash = tarn->options.certificate ? hash : NULL,
                                 .is_m = l->rules.is_m,
                                 .sccs = l->sccs,
                                 .missing = missing,
                                 .is_timed = !l->is_discrete},
                       .claim = &l->rules.claim,
                       .report = &tarn->report};
  check->is_proved = proof_finish(&proof, result == CYCLES_NONE      ? REACH_NONE
                                          : result == CYCLES_STOPPED ? REACH_STOPPED
                                                                     : REACH_GOAL);
}

static void begin(Check *check, Liveness *l, LivenessPart part) {
  Tarn *tarn = check->tarn;
  *l = (Liveness){.mem = &tarn->mem,
                  .net = tarn->options.non_zeno ? checking_timed(check) : check->net,
                  .query = &check->query,
                  .is_divergent = tarn->options.non_zeno,
                  .order = (SearchOrder)tarn->options.order,
                  .part = part,
                  .proof = check->symmetry.count       ? LIVENESS_NO_PROOF
                           : tarn->options.certificate ? LIVENESS_CERTIFICATE
                           : REPLAY_ALWAYS             ? LIVENESS_PROOF
                                                       : LIVENESS_NO_PROOF,
                  .symmetry = check->symmetry.count ? &check->symmetry : NULL,
                  .stats = &tarn->stats,
                  .limits = tarn->mem.watch,
                  .note = note,
                  .note_state = check};
}

// Why the question is open after the search.
static unsigned find_reason(const Check *check, const Stage *stage) {
  const bool is_found = check->cycles == CYCLES_FOUND || check->cycles == CYCLES_END;
  if (check->cycles == CYCLES_STOPPED && stage->part == LIVENESS_SHORT &&
      liveness_is_long(check->liveness))
    return OPEN_LIMIT;
  if (check->cycles == CYCLES_FAILED && check->outside) // what it says is about the slice
    return OPEN_NOTHING;
  const bool is_shown = check->tarn->options.trace != TRACE_NONE;
  return is_found && is_shown && (check->symmetry.count || check->outside) ? OPEN_NO_RUN : 0;
}

bool live_search(Check *check, const Stage *stage, unsigned *reason, ReachResult *result) {
  CyclesResult found;
  const bool is_known = *reason == OPEN_NO_RUN;
  if (!check->liveness)
    check->liveness = ARENA_NEW(&check->arena, Liveness);
  if (is_known) {
    check->symmetry = (Symmetry){0};
    *check->answer->symmetry = 0;
  }
  begin(check, check->liveness, stage->part);
  if (!liveness_run(check->liveness, &found, &check->tarn->report)) {
    liveness_release(check->liveness);
    return false;
  }
  // The search that decided met no error of the model: it took another order.
  check->lacks_run = is_known && found == CYCLES_FAILED;
  found = check->lacks_run ? (CyclesResult)check->cycles : found;
  check->cycles = found;
  *result = found == CYCLES_NONE      ? REACH_NONE
            : found == CYCLES_STOPPED ? REACH_STOPPED
            : found == CYCLES_FAILED  ? REACH_FAILED
                                      : REACH_GOAL;
  *reason = find_reason(check, stage);
  if (*reason) // another stage follows, perhaps with another net
    liveness_release(check->liveness);
  return true;
}

bool live_conclude(Check *check) {
  Tarn *tarn = check->tarn;
  Liveness *l = check->liveness;
  const CyclesResult result = check->cycles;
  const bool ok = result != CYCLES_FAILED;
  if (!ok) {
    report_error(&tarn->report, l->space->failure_place, "%s", l->space->failure);
  } else if (check->lacks_run) {
    conclude_liveness(check, l, result);
    report_error(&tarn->report, l->space->failure_place,
                 "there is no run to show: the search for one, without symmetry, first met an "
                 "error of the model: %s",
                 l->space->failure);
  } else {
    conclude_liveness(check, l, result);
    if (l->is_divergent && result == CYCLES_NONE && is_zeno(l, &tarn->report))
      check->answer->reason = "time cannot diverge in any run of the model";
    show_lasso(check, l, result);
    prove(check, l, result);
  }
  liveness_release(l);
  return ok;
}
