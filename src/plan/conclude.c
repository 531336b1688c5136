#include "plan/conclude.h"

#include "answers/certificates/proof.h"
#include "answers/runs/prefer.h"
#include "answers/runs/trace.h"
#include "base/timer.h"
#include "check/waiting.h"
#include "model/initial.h"
#include "output/obstacles.h"
#include "output/runtext.h"
#include "output/stategraph.h"
#include "plan/explain.h"
#include "plan/fingerprint.h"
#include "plan/moreruns.h"

#include <inttypes.h>
#include <string.h>

enum { CHEAP = 10000 }; // successors, which take some milliseconds

uint64_t conclude_effort(const Tarn *tarn) {
  const uint64_t cost = tarn->stats.transitions;
  return tarn->options.prefer != PREFER_AUTO ? 0 : cost > CHEAP ? cost : CHEAP;
}

bool conclude_try(Check *check, bool (*find)(void *state), void *state) {
  Tarn *tarn = check->tarn;
  const double start = timer_seconds();
  const size_t mark = mem_mark(&tarn->mem);
  jmp_buf *const outer = tarn->mem.escape;
  jmp_buf escape;
  volatile bool ok = false;
  tarn->mem.escape = &escape;
  if (setjmp(escape))
    mem_release_to(&tarn->mem, mark);
  else
    ok = find(state);
  tarn->mem.escape = outer;
  explain_part(check, "a better run", &(Statistics){.seconds = timer_seconds() - start},
               ok ? "found one" : "found none in time");
  if (!ok)
    mem_watch(&tarn->mem, NULL); // time is up, and has been of use
  return ok;
}

// What the options say about better runs.
static Preference preference_of(Check *check) {
  Tarn *tarn = check->tarn;
  return (Preference){.mem = &tarn->mem,
                      .net = check->model,
                      .goal = check->has_query ? &check->goal : NULL,
                      .kind = (TraceKind)tarn->options.trace,
                      .symmetry = &check->symmetry,
                      .searched = check->net,
                      .max = conclude_effort(tarn)};
}

typedef struct Better {
  Check *check;
  PreferFailure *failure; // NULL: it is a run to the goal
  Trace trace;
} Better;

// A better run than the one that was found, as the options ask for it.
static bool find_better(void *state) {
  Better *better = state;
  Check *check = better->check;
  Trace *trace = &better->trace;
  PreferFailure *failure = better->failure;
  Tarn *tarn = check->tarn;
  Preference preference = preference_of(check);
  Trace any_run;
  bool ok = false;
  if (failure) {
    preference.kind = TRACE_CONCRETE;
    ok = prefer_failure(trace, &preference, failure);
    if (ok && strcmp(failure->text, check->space->failure) != 0) { // of another engine, maybe
      trace_release(trace);
      *failure = (PreferFailure){check->space->failure, check->space->failure_place};
      ok = false;
    }
  } else if (tarn->options.prefer != PREFER_FASTEST) {
    ok = prefer_shortest(trace, &preference);
  } else if (trace_build(&any_run, &tarn->mem, check->model, &check->goal, &check->reach,
                         REACH_GOAL, TRACE_CONCRETE, NULL)) {
    const int64_t max =
        (any_run.run.end_time + any_run.run.denominator - 1) / any_run.run.denominator;
    Arena arena = {.mem = &tarn->mem}; // of its own: if memory ends, all of this is given back
    Net timed;
    net_measure(&timed, check->net, &arena);
    ok = prefer_fastest(trace, &preference, &timed, &check->query, max);
    arena_release(&arena);
    trace_release(&any_run);
  }
  return ok;
}

// Replaces a run by a better one, if that is wanted. If a limit is reached before there is one,
// the run stays: false.
static bool replace(Check *check, Trace *trace, PreferFailure *failure) {
  Better better = {.check = check, .failure = failure};
  if (!conclude_try(check, find_better, &better))
    return false;
  trace_release(trace);
  *trace = better.trace;
  return true;
}

static void prefer(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  if (!answer->has_trace || tarn->options.prefer == PREFER_ANY)
    return;
  if (check->model->traits.has_stopwatches) { // the shortest in zones need not be a run
    answer->is_any = true;
    return;
  }
  if (replace(check, &answer->trace, NULL)) {
    answer->preferred =
        tarn->options.prefer == PREFER_AUTO ? PREFER_SHORTEST : (Preferred)tarn->options.prefer;
    return;
  }
  answer->is_any = tarn->options.prefer == PREFER_AUTO;
  if (!answer->is_any)
    report_warning(&tarn->report, (Place){0}, "no better run was found in time: this is any run");
}

enum { LAST_STEPS = 10 }; // that are shown if the run was not asked for

// A run-time error of the model becomes an error message with a run to it: the shortest to an
// error of this kind, if that is wanted.
static void report_failure(Check *check) {
  Tarn *tarn = check->tarn;
  const bool is_asked = tarn->options.trace != TRACE_NONE;
  PreferFailure failure = {check->space->failure, check->space->failure_place};
  Trace trace;
  const bool has_run = check->reach.goal_parent != NODE_NONE &&
                       trace_build(&trace, &tarn->mem, check->model, NULL, &check->reach,
                                   REACH_FAILED, TRACE_CONCRETE, NULL);
  if (has_run && tarn->options.prefer != PREFER_ANY)
    replace(check, &trace, &failure);
  report_error(&tarn->report, failure.place, "%s", failure.text);
  if (!has_run)
    return;
  const uint32_t steps = trace.run.step_count - 1;
  Text *text = &tarn->report.error;
  text_add(text, "after this run");
  if (!is_asked && steps > LAST_STEPS)
    text_addf(text, " of %u steps; the last %d are shown (--trace concrete shows all)", steps,
              LAST_STEPS);
  text_add(text, ":\n");
  runtext_write(text, &trace, &(RunText){.end = "it ends", .last = is_asked ? 0 : LAST_STEPS});
  trace_release(&trace);
}

// Lets time pass at the end of a run as long as it can, if the goal still holds then.
static void wait_for_end(Check *check, Simulation *s) {
  Trace *trace = &check->answer->trace;
  const int64_t delay = s->wait.high == SIMULATE_ENDLESS ? 0 : s->wait.high / 2;
  if (delay <= 0)
    return;
  int64_t *clocks = ARENA_ARRAY(&trace->arena, int64_t, trace->net->clock_count + 1);
  for (ClockIndex x = 1; x <= trace->net->clock_count; x++)
    clocks[x] = trace->run.end_clocks[x] + delay;
  Run run = trace->run;
  run.end_time += delay;
  run.end_clocks = clocks;
  Text why = {.mem = s->mem};
  if (replay_run(s->mem, trace->net, &check->goal, &run, &why) &&
      simulate_wait(s, delay, s->denominator))
    trace->run = run;
  text_release(&why);
}

bool conclude_obstacles(Check *check, bool waits) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  Text text = {.mem = &tarn->mem};
  Simulation s;
  bool can_wait = false;
  if (simulate_init(&s, &tarn->mem, check->model) && simulate_adopt(&s, &answer->trace.run)) {
    if (waits)
      wait_for_end(check, &s);
    obstacles_print(&text, &s, "      ");
    answer->obstacles = mem_copy_text(&tarn->mem, text_chars(&text), text.size);
    can_wait = s.wait.low <= s.wait.high;
  }
  simulate_release(&s);
  text_release(&text);
  return can_wait;
}

// Of a run to a deadlock: which kind it is, and why.
static void describe_deadlock(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  const Trace *trace = &answer->trace;
  const int32_t *state = trace->run.steps[trace->run.step_count - 1].state;
  Mem *mem = mem_part(&tarn->mem);
  Waiting waiting;
  waiting_init(&waiting, mem, check->model);
  const bool is_endless = waiting_is_endless(&waiting, state);
  if (waiting_is_deadlocked(&waiting, state, trace->run.end_clocks, trace->run.denominator)) {
    const bool is_fastest = answer->preferred == PREFER_FASTEST; // to the deadlock
    const bool can_wait = conclude_obstacles(check, !is_endless && !is_fastest);
    answer->ending = is_endless ? "deadlock: time can pass, but nothing else can happen"
                     : can_wait
                         ? "time-lock: time cannot go on for ever, and no action is possible"
                         : "time-lock: time cannot go on, and no action is possible";
  }
  mem_release_part(mem);
}

static void find_verdict(Check *check, ReachResult result) {
  Answer *answer = check->answer;
  const bool is_invariant = answer->is_invariant;
  if (result == REACH_STOPPED) {
    answer->verdict = VERDICT_UNDECIDED;
    answer->reason = // the search's own does not outlive it
        mem_copy_text(&check->tarn->mem, check->reach.stop_reason,
                      strlen(check->reach.stop_reason));
  } else if (!check->has_query) {
    answer->verdict = VERDICT_EXPLORED;
  } else {
    answer->verdict =
        (result == REACH_GOAL) != is_invariant ? VERDICT_SATISFIED : VERDICT_NOT_SATISFIED;
  }
  check->tarn->verdict = (int)answer->verdict; // it stands if there is no memory for evidence
  if (result != REACH_GOAL || check->tarn->options.trace == TRACE_NONE)
    return;
  answer->has_trace =
      trace_build(&answer->trace, &check->tarn->mem, check->model, &check->goal, &check->reach,
                  result, (TraceKind)check->tarn->options.trace, NULL);
  if (!answer->has_trace)
    report_error(&check->tarn->report, (Place){0},
                 net_is_wide(check->model)
                     ? "the run is there, but its times do not fit into 64 bits"
                     : "the run could not be rebuilt; please report this model as a bug");
  prefer(check);
  if (answer->has_trace && check->goal.ends && answer->trace.kind == TRACE_CONCRETE)
    describe_deadlock(check);
  if (answer->has_trace)
    moreruns_find(check, conclude_try);
}

static void prove(Check *check, ReachResult result) {
  Tarn *tarn = check->tarn;
  unsigned char hash[SHA256_SIZE];
  if (tarn->options.certificate && result == REACH_NONE)
    fingerprint_model(hash, &tarn->mem, tarn->net);
  // A slice has a proof of its own, if it is not one that a certificate can be of.
  const Outside *outside = check->outside;
  if (outside && !outside->forgotten && !outside->left_out)
    outside = NULL;
  const Goal *goal = outside ? &outside->goal : &check->goal;
  const Proof proof = {.mem = &tarn->mem,
                       .net = outside ? outside->net : check->net,
                       .goal = check->has_query ? goal : NULL,
                       .query = check->has_query ? &check->query : NULL,
                       .options = &check->answer->options,
                       .reach = &check->reach,
                       .about = {.query = check->answer->query,
                                 .hash = tarn->options.certificate ? hash : NULL,
                                 .is_labels = check->answer->is_labels,
                                 .forgotten = outside ? outside->forgotten : NULL,
                                 .left_out = outside ? outside->left_out : NULL,
                                 .is_m = check->goal.ends && check->deadgoal.is_m},
                       .report = &tarn->report};
  const double start = timer_seconds();
  check->is_proved = proof_finish(&proof, result);
  if (tarn->options.certificate)
    explain_part(check, "certificate", &(Statistics){.seconds = timer_seconds() - start},
                 check->is_proved ? "written" : "there is none");
}

static const char *drawn_long_enough(void *start) {
  return timer_seconds() - *(double *)start > 0.03 ? "time limit" : NULL;
}

// The explored graph, if it is asked for. After a search that a limit has ended it gets a moment
// more.
static void draw(Check *check, ReachResult result) {
  Tarn *tarn = check->tarn;
  if (!tarn->options.graph)
    return;
  double start = timer_seconds();
  MemWatch watch = {.reached = drawn_long_enough, .state = &start};
  if (result == REACH_STOPPED)
    mem_watch(&tarn->mem, &watch);
  stategraph_write_file(tarn->options.graph, check->model, &check->reach, result, &tarn->report);
  mem_watch(&tarn->mem, NULL);
}

// What holds of all states holds of none, too: such an answer would mean nothing.
bool conclude_has_states(Tarn *tarn) {
  if (tarn->stats.max_stored || initial_exists(&tarn->mem, tarn->net))
    return true;
  const Process *process = initial_lacking(tarn->net);
  const Location *location = process ? NULL : initial_obstacle(&tarn->mem, tarn->net);
  if (process)
    report_error(
        &tarn->report, process->place,
        "there is no initial state, so nothing can be reached and every `A[]` would hold: "
        "process `%s` has no initial location",
        process->name);
  else if (location)
    report_error(
        &tarn->report, location->place,
        "there is no initial state, so nothing can be reached and every `A[]` would hold: "
        "the invariant of %s.%s does not hold at the beginning",
        tarn->net->processes.items[location->process].name, location->name);
  else
    report_error(
        &tarn->report, tarn->net->origin.place,
        "there is no initial state, so nothing can be reached and every `A[]` would hold: "
        "the invariants of the initial locations do not hold together");
  return false;
}

// In TChecker's format an update out of range disables its edge. That may be meant, or a mistake.
static void warn_of_ranges(Check *check) {
  Tarn *tarn = check->tarn;
  if (check->invalid.count && !tarn->net->invalid_is_error)
    report_warning(&tarn->report, check->invalid.first,
                   "a value out of the range of its variable made %" PRIu64
                   " transition%s impossible; this is the first",
                   check->invalid.count, check->invalid.count == 1 ? "" : "s");
}

// Where clocks are stopped: no run that was found is exact, or a run-time error was met.
static void leave_open(Check *check, ReachResult result) {
  Tarn *tarn = check->tarn;
  Text reason = {.mem = &tarn->mem};
  if (result == REACH_FAILED)
    text_addf(&reason, "clocks are stopped, and this may happen or not: %s",
              check->space->failure);
  else
    text_addf(&reason, "clocks are stopped, and none of %u runs to such a state has exact times",
              check->plan->count);
  check->answer->verdict = VERDICT_UNDECIDED;
  check->answer->reason = mem_copy_text(&tarn->mem, text_chars(&reason), reason.size);
  tarn->verdict = VERDICT_UNDECIDED;
  text_release(&reason);
}

bool conclude(Check *check, ReachResult result) {
  if (check->is_unconfirmed) {
    leave_open(check, result);
    return true;
  }
  if (result == REACH_FAILED) {
    report_failure(check);
    return false;
  }
  check->has_no_states = result == REACH_NONE && !conclude_has_states(check->tarn);
  if (check->has_no_states)
    return false;
  warn_of_ranges(check);
  find_verdict(check, result);
  prove(check, result);
  draw(check, result);
  return true;
}
