#include "plan/decide.h"

#include "base/timer.h"
#include "plan/checking.h"
#include "plan/choice.h"
#include "plan/conclude.h"
#include "plan/explain.h"
#include "plan/live.h"
#include "plan/machines.h"
#include "plan/recheck.h"
#include "plan/run.h"
#include "plan/searching.h"
#include "plan/slices.h"

#include <string.h>

// Whether the query cannot be answered; then the answer says why.
static bool refuse(Check *check) {
  const Query *query = check->has_query ? &check->query : NULL;
  const Request request = {
      check->net, query, query ? &check->goal : NULL, &check->tarn->options, false, false, false};
  check->answer->reason = capabilities_refusal(&request);
  if (!check->answer->reason)
    return false;
  check->answer->verdict = VERDICT_REFUSED;
  check->tarn->verdict = VERDICT_REFUSED;
  arena_release(&check->arena);
  return true;
}

// Whether local time cannot take the query or one of the options.
static bool needs_zones(const Check *check, const Options *options) {
  const Query *query = check->has_query ? &check->query : NULL;
  const Goal *goal = query ? &check->goal : NULL;
  Options local = *options;
  local.engine = ENGINE_LOCAL;
  const Request request = {check->net, query, goal, &local, false, false, false};
  return capabilities_is_infinite(query) || capabilities_refusal(&request) ||
         capabilities_conflict(&local) || diagonals_occur(check->net, goal);
}

// Chooses and plans. False with an error if the model has no states: searches find that out by
// themselves, but not those for infinite runs and extreme values.
static bool make_plan(Check *check) {
  const Query *query = check->has_query ? &check->query : NULL;
  Options options = check->tarn->options;
  const bool is_infinite = capabilities_is_infinite(query);
  const bool is_extreme = capabilities_is_extreme(query);
  check->has_no_states = (is_infinite || is_extreme) && !conclude_has_states(check->tarn);
  if (check->has_no_states)
    return false;
  if (is_infinite)
    choice_make_infinite(check, &options);
  else if (is_extreme)
    choice_make_extreme(check);
  else if (!capabilities_is_statistical(query))
    choice_make(check, &options);
  options.engine = (int)check->choice.engine;
  if (check->choice.drops_abstraction)
    options.abstraction = ABSTRACTION_NONE;
  options.is_reduced = check->choice.is_reduced;
  check->answer->needs_zones = needs_zones(check, &options);
  const Request request = {check->net,
                           query,
                           query ? &check->goal : NULL,
                           &options,
                           check->symmetry.count > 0,
                           options.certificate && slices_are_certifiable(check, SLICE_WHOLE),
                           options.certificate && (slices_are_certifiable(check, SLICE_LOOSE) ||
                                                   slices_are_certifiable(check, SLICE_EXACT))};
  check->plan = plan_make(&check->arena, &request, check->tarn->link);
  explain_plan(check);
  return true;
}

static bool conclude_any(Check *check, ReachResult result) {
  const Query *query = check->has_query ? &check->query : NULL;
  if (capabilities_is_extreme(query) || capabilities_is_statistical(query))
    return true;
  return capabilities_is_infinite(query) ? live_conclude(check) : conclude(check, result);
}

static bool run(Check *check, TarnQuery *asked) {
  Tarn *tarn = check->tarn;
  ReachResult result;
  if (!checking_read_query(check, asked))
    return false;
  if (!check->has_query && !session_is_symbolic(check->tarn))
    return false;
  checking_keep_meta(check);
  if (refuse(check))
    return true;
  if (!session_can_write(tarn) || !make_plan(check) || !run_plan(check, &result))
    return false;
  if (result == REACH_STOPPED) // then only the graph is left to be written, of what was explored
    mem_watch(&tarn->mem, NULL);
  const bool ok = conclude_any(check, result);
  searching_end(check);
  slices_leave(check);
  arena_release(&check->arena);
  return ok;
}

static const char *copy(Mem *mem, const char *text) {
  return text ? mem_copy_text(mem, text, strlen(text)) : NULL;
}

static Answer *new_answer(Tarn *tarn, const TarnQuery *asked) {
  Answer *answer = mem_alloc(&tarn->mem, sizeof *answer);
  if (asked) {
    answer->query = copy(&tarn->mem, asked->text);
    answer->is_labels = asked->is_labels;
    answer->expectation = copy(&tarn->mem, asked->expectation);
  }
  answer->options = tarn->options;
  if (tarn->options.explain)
    answer->explanation = mem_alloc(&tarn->mem, sizeof *answer->explanation);
  return answer;
}

// There is no time or memory left: for the search, or only for the evidence.
static void give_up(Tarn *tarn, Answer *answer, const char *reason) {
  answer->has_trace = false;
  if (tarn->verdict >= 0) {
    report_error(&tarn->report, (Place){0}, "%s while the evidence was made: there is none",
                 reason);
    return;
  }
  answer->verdict = VERDICT_UNDECIDED;
  answer->reason = mem_copy_text(&tarn->mem, reason, strlen(reason));
}

// The query cannot be answered: others may be. What was said becomes the reason.
static int refuse_with_report(Tarn *tarn, const TarnQuery *asked) {
  Answer *answer = new_answer(tarn, asked);
  answer->verdict = VERDICT_REFUSED;
  answer->stats.seconds = tarn->stats.seconds;
  const Text *said = &tarn->report.error;
  size_t size = said->size;
  while (size && said->chars[size - 1] == '\n')
    size--;
  answer->reason = mem_copy_text(&tarn->mem, text_chars(said), size);
  report_clear(&tarn->report);
  vec_push(&tarn->mem, &tarn->answers, answer);
  tarn->state = ANSWERED;
  return tarn->verdict = VERDICT_REFUSED;
}

// Mistakes in a query of an UPPAAL model, or of a file of queries, are no matter of the others.
static bool is_refused(const Check *check, const TarnQuery *asked) {
  return asked && !check->has_no_states &&
         (check->tarn->net->origin.uppaal || (!check->has_query && asked->is_own));
}

static void end_query(const Check *check) {
  Tarn *tarn = check->tarn;
  tarn->stats.seconds = timer_seconds() - check->start;
  tarn->stats.cpu_seconds = timer_cpu() - check->start_cpu;
  session_unlimit(tarn);
}

enum { LEAST_RECHECK = 1 }; // seconds in which each certificate may be checked

// Evidence that was asked for and is not there is an error, but the answer stands.
int decide(Tarn *tarn, TarnQuery *asked) {
  const double start = timer_seconds();
  vec_reserve(&tarn->mem, &tarn->answers, tarn->answers.size + 1);
  const size_t before = session_begin(tarn);
  Answer *answer = new_answer(tarn, asked);
  tarn->stats = (Statistics){0};
  tarn->estimate = NULL;
  tarn->verdict = -1;
  tarn->mem.peak = tarn->mem.bytes;
  session_limit(tarn);
  Check now = {.tarn = tarn,
               .answer = answer,
               .arena = {.mem = &tarn->mem},
               .start = start,
               .start_cpu = timer_cpu()};
  const size_t mark = mem_mark(&tarn->mem);
  jmp_buf escape;
  if (tarn->options.time_limit > 0 && tarn->reading > tarn->options.time_limit)
    tarn->watch.struck = "time limit"; // reading took it all
  if (GUARD(tarn, escape) || tarn->watch.struck) {
    const char *const reason = session_reason(tarn);
    session_unlimit(tarn);
    tarn->stats.peak_bytes = tarn->mem.peak;
    machines_agree(&now, false);
    handle_release_to(tarn, asked, mark);
    give_up(tarn, answer, reason);
  } else if (!run(&now, asked)) {
    end_query(&now);
    handle_release_to(tarn, asked, before);
    if (is_refused(&now, asked))
      return refuse_with_report(tarn, asked);
    session_keep_messages(tarn);
    return tarn->verdict = -1; // one that was found before the error does not stand
  } else if (now.is_proved) {
    const double spent = timer_seconds() - start;
    recheck_certificate(tarn, spent > LEAST_RECHECK ? spent : LEAST_RECHECK);
  }
  end_query(&now);
  answer->stats = tarn->stats;
  vec_push(&tarn->mem, &tarn->answers, answer);
  tarn->state = ANSWERED;
  tarn->verdict = (int)answer->verdict;
  session_is_clean(tarn);
  session_keep_messages(tarn);
  return report_failed(&tarn->report) ? -1 : tarn->verdict;
}

static bool plan_only(Check *check, TarnQuery *asked) {
  if (!checking_read_query(check, asked))
    return false;
  if (!check->has_query && !session_is_symbolic(check->tarn))
    return false;
  checking_keep_meta(check);
  if (refuse(check))
    return true;
  if (!make_plan(check))
    return false;
  explanation_write_plan(&check->tarn->planned, check->answer->explanation);
  arena_release(&check->arena);
  return true;
}

int decide_plan(Tarn *tarn, TarnQuery *asked) {
  text_release(&tarn->planned);
  const size_t mark = session_begin(tarn);
  tarn->planned = (Text){.mem = &tarn->mem};
  Explanation explanation = {0};
  Answer answer = {.options = tarn->options, .explanation = &explanation};
  Check check = {.tarn = tarn, .answer = &answer, .arena = {.mem = &tarn->mem}};
  volatile bool ok = false;
  jmp_buf escape;
  if (GUARD(tarn, escape))
    report_error(&tarn->report, (Place){0}, "out of memory");
  else
    ok = plan_only(&check, asked);
  tarn->mem.escape = NULL;
  if (!ok) {
    tarn->planned = (Text){.mem = &tarn->mem};
    handle_release_to(tarn, asked, mark);
  }
  return ok ? 0 : -1;
}

int decide_read(Tarn *tarn, TarnQuery *asked) {
  const size_t mark = session_begin(tarn);
  volatile bool ok = false;
  jmp_buf escape;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the query was read");
  else
    ok = handle_read(tarn, asked);
  session_unlimit(tarn);
  if (!ok)
    handle_release_to(tarn, asked, mark);
  return ok ? 0 : -1;
}
