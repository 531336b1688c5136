#include "plan/live.h"

#include "answers/certificates/proof.h"
#include "answers/queries/liveness.h"
#include "answers/runs/lassorun.h"
#include "plan/choice.h"
#include "plan/conclude.h"

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

// With the symmetries, if there are some; a run that is to be shown is looked for without.
static bool run(Check *check, Liveness *l, CyclesResult *result) {
  Report *report = &check->tarn->report;
  if (!check->symmetry.count)
    return liveness_run(l, result, report);
  const LivenessProof proof = l->proof;
  l->symmetry = &check->symmetry;
  l->proof = LIVENESS_NO_PROOF;
  if (!liveness_run(l, result, report))
    return false;
  if ((*result != CYCLES_FOUND && *result != CYCLES_END) ||
      check->tarn->options.trace != TRACE_CONCRETE)
    return true;
  liveness_release(l);
  l->symmetry = NULL;
  l->proof = proof;
  *check->answer->symmetry = 0;
  l->stop_reason = NULL;
  return liveness_run(l, result, report);
}

bool live_run(Check *check) {
  Tarn *tarn = check->tarn;
  check->has_no_states = !conclude_has_states(tarn);
  if (check->has_no_states)
    return false;
  Liveness l = {.mem = &tarn->mem,
                .net = tarn->options.non_zeno ? checking_timed(check) : &tarn->net,
                .query = &check->query,
                .is_divergent = tarn->options.non_zeno,
                .order = (SearchOrder)tarn->options.order,
                .proof = tarn->options.certificate ? LIVENESS_CERTIFICATE
                         : REPLAY_ALWAYS           ? LIVENESS_PROOF
                                                   : LIVENESS_NO_PROOF,
                .stats = &tarn->stats,
                .limits = tarn->mem.watch};
  CyclesResult result;
  choice_make_infinite(check, &tarn->options);
  check->answer->options.engine = ENGINE_ZONES;
  bool ok = run(check, &l, &result);
  if (ok && result == CYCLES_FAILED) {
    report_error(&tarn->report, l.space->failure_place, "%s", l.space->failure);
    ok = false;
  } else if (ok) {
    conclude_liveness(check, &l, result);
    if (l.is_divergent && result == CYCLES_NONE && is_zeno(&l, &tarn->report))
      check->answer->reason = "time cannot diverge in any run of the model";
    show_lasso(check, &l, result);
    prove(check, &l, result);
  }
  liveness_release(&l);
  arena_release(&check->arena);
  return ok;
}
