#include "plan/live.h"

#include "answers/certificates/proof.h"
#include "answers/queries/liveness.h"
#include "answers/runs/lassorun.h"
#include "plan/conclude.h"
#include "plan/explain.h"

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

// The run that a search for one has found, if it is asked for.
static void show_lasso(Check *check, Liveness *l, CyclesResult result) {
  Answer *answer = check->answer;
  if ((result != CYCLES_FOUND && result != CYCLES_END) ||
      check->tarn->options.trace != TRACE_CONCRETE)
    return;
  answer->has_trace = lassorun_build(&answer->trace, &check->tarn->mem, &check->tarn->net, l);
  if (!answer->has_trace)
    report_warning(&check->tarn->report, (Place){0},
                   "the run has no part that repeats after a few rounds, and is not shown");
  else if (result == CYCLES_END)
    answer->ending = l->end == RUNS_IDLES ? "from here on time can pass for ever"
                                          : "from here on nothing can happen any more";
  if (answer->has_trace && result == CYCLES_END && l->end != RUNS_IDLES)
    conclude_obstacles(check, false);
}

// With --non-zeno: whether there is no run at all in which time diverges. Then every `A<>` and
// `-->` holds, and whoever asks should know why.
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

// The mark that a component lacks: 0 is a transition, i + 1 label i.
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
  const bool has_nodes = l->is_discrete && l->sccs && !l->sccs->has_suspects && !l->symmetry &&
                         !(l->rules.starts_soon && l->rules.claim.start);
  const char *path = tarn->options.certificate;
  if (result == CYCLES_NONE && !has_nodes && path)
    report_error(&tarn->report, (Place){0}, "%s: there is no certificate: %s", path,
                 l->is_discrete ? "cycles of covering nodes hide that there is no run"
                                : "the query or `--non-zeno` compares clocks");
  if (result == CYCLES_NONE && !has_nodes)
    return;
  const uint32_t count = has_nodes ? l->sccs->list.size : 0;
  uint32_t *missing = ARENA_ARRAY(&check->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    missing[i] = missing_mark(&l->sccs->list.items[i], &l->rules);
  const Proof proof = {.mem = &tarn->mem,
                       .net = &tarn->net,
                       .options = &check->answer->options,
                       .reach = l->reach,
                       .about = {.query = check->answer->query,
                                 .is_m = l->rules.is_m,
                                 .sccs = l->sccs,
                                 .missing = missing},
                       .claim = &l->rules.claim,
                       .report = &tarn->report};
  check->is_proved = proof_finish(&proof, result == CYCLES_NONE      ? REACH_NONE
                                          : result == CYCLES_STOPPED ? REACH_STOPPED
                                                                     : REACH_GOAL);
}

static void begin(Check *check, Liveness *l) {
  Tarn *tarn = check->tarn;
  *l = (Liveness){.mem = &tarn->mem,
                  .net = tarn->options.non_zeno ? checking_timed(check) : &tarn->net,
                  .query = &check->query,
                  .is_divergent = tarn->options.non_zeno,
                  .order = (SearchOrder)tarn->options.order,
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

bool live_search(Check *check, unsigned *reason, ReachResult *result) {
  CyclesResult found;
  if (*reason == OPEN_NO_RUN) {
    liveness_release(check->liveness);
    check->symmetry = (Symmetry){0};
    *check->answer->symmetry = 0;
  } else {
    check->liveness = ARENA_NEW(&check->arena, Liveness);
  }
  begin(check, check->liveness);
  if (!liveness_run(check->liveness, &found, &check->tarn->report)) {
    liveness_release(check->liveness);
    return false;
  }
  const bool is_found = found == CYCLES_FOUND || found == CYCLES_END;
  check->cycles = found;
  *result = found == CYCLES_NONE      ? REACH_NONE
            : found == CYCLES_STOPPED ? REACH_STOPPED
            : found == CYCLES_FAILED  ? REACH_FAILED
                                      : REACH_GOAL;
  *reason = check->symmetry.count && is_found && check->tarn->options.trace == TRACE_CONCRETE
                ? OPEN_NO_RUN
                : 0;
  return true;
}

bool live_conclude(Check *check) {
  Tarn *tarn = check->tarn;
  Liveness *l = check->liveness;
  const CyclesResult result = check->cycles;
  const bool ok = result != CYCLES_FAILED;
  if (!ok) {
    report_error(&tarn->report, l->space->failure_place, "%s", l->space->failure);
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
