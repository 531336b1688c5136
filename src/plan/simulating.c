#include "plan/simulating.h"

#include "check/replay.h"
#include "language/query_reader.h"
#include "model/stopwatches.h"
#include "output/page.h"
#include "output/prompt.h"
#include "output/runtext.h"
#include "plan/conclude.h"
#include "plan/run_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Reads the query of a run; false if it has none that is understood.
static bool read_query(Tarn *tarn, Arena *arena, const StoredRun *stored, Query *query) {
  if (!stored->query || stored->is_labels)
    return false;
  Report unused;
  report_init(&unused, &tarn->mem);
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){.name = "<query>", .text = stored->query, .size = strlen(stored->query)};
  const bool ok = query_read(query, arena, tarn->net, source, &unused);
  report_release(&unused);
  return ok;
}

// Whether the run shows that its query does not hold. Only the reader of queries can tell: the
// text may begin with blanks.
static bool is_refutation(Tarn *tarn, Arena *arena, const StoredRun *stored) {
  Query query;
  return read_query(tarn, arena, stored, &query) &&
         (query.kind == QUERY_INVARIANT || query.kind == QUERY_EVENTUALLY ||
          query.kind == QUERY_LEADS_TO);
}

static void add_run(Tarn *tarn, Arena *arena, const StoredRun *stored) {
  Answer *answer = ARENA_NEW(arena, Answer);
  answer->query = stored->query;
  answer->is_labels = stored->is_labels;
  answer->reason = stored->reason;
  answer->is_invariant = is_refutation(tarn, arena, stored);
  answer->verdict = answer->is_invariant ? VERDICT_NOT_SATISFIED : VERDICT_SATISFIED;
  answer->has_trace = true;
  answer->trace = (Trace){.net = stored->net,
                          .kind = TRACE_CONCRETE,
                          .arena = {.mem = &tarn->mem},
                          .run = stored->run};
  vec_push(&tarn->mem, &tarn->answers, answer);
}

// That with the rates of clocks which the query of the run reads.
static const Net *model_of(void *state, const StoredRun *stored) {
  Tarn *tarn = state;
  Arena arena = {.mem = &tarn->mem};
  Query query;
  const bool reads_rates = tarn->net->traits.has_unread_rates &&
                           read_query(tarn, &arena, stored, &query) &&
                           stopwatches_are_read(tarn->net, &query);
  arena_release(&arena);
  return units_net(&tarn->units, NULL, reads_rates);
}

int simulating_read_runs(Tarn *tarn, const char *path, const char *given) {
  vec_reserve(&tarn->mem, &tarn->answers, 8);
  session_begin(tarn);
  jmp_buf escape;
  Source source;
  StoredRuns runs = {0};
  Arena arena = {.mem = &tarn->mem}; // as long as the session
  int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the runs were read");
  } else if (session_is_symbolic(tarn) && session_take_evidence(tarn, &source, path, given) &&
             run_read(&runs, &arena, model_of, tarn, &source, &tarn->report)) {
    for (uint32_t i = 0; i < runs.size; i++)
      add_run(tarn, &arena, &runs.items[i]);
    tarn->state = ANSWERED;
    result = 0;
  }
  session_unlimit(tarn);
  return result;
}

static void end_symbolic(Tarn *tarn) {
  if (tarn->symbolic)
    symbolic_release(tarn->symbolic);
  mem_free(&tarn->mem, tarn->symbolic);
  tarn->symbolic = NULL;
}

static void end_simulation(Tarn *tarn) {
  if (tarn->simulation)
    simulate_release(tarn->simulation);
  mem_free(&tarn->mem, tarn->simulation);
  tarn->simulation = NULL;
}

static bool runs_clocks(Tarn *tarn, const Net *net) {
  if (net->traits.has_stopwatches)
    report_error(&tarn->report, net->traits.stopwatch_place,
                 "models in which clocks are stopped are not simulated");
  return !net->traits.has_stopwatches;
}

bool simulating_start_symbolic(Tarn *tarn) {
  const Net *net = units_net(&tarn->units, NULL, false);
  end_symbolic(tarn);
  end_simulation(tarn);
  if (!session_is_symbolic(tarn) || !runs_clocks(tarn, net))
    return false;
  Symbolic *symbolic = mem_alloc(&tarn->mem, sizeof *symbolic);
  if (!symbolic_init(symbolic, &tarn->mem, net, &tarn->report)) {
    symbolic_release(symbolic);
    return false;
  }
  tarn->symbolic = symbolic;
  return true;
}

bool simulating_start(Tarn *tarn, const char *path, const char *text) {
  end_symbolic(tarn);
  Source source;
  StoredRuns runs = {0};
  Text why = {.mem = &tarn->mem};
  Arena arena = {.mem = &tarn->mem}; // as long as the session
  const Net *net = units_net(&tarn->units, NULL, false);
  if (!session_is_symbolic(tarn))
    return false;
  const bool has_run = path || text;
  if (has_run) {
    if (!session_take_evidence(tarn, &source, path, text) ||
        !run_read(&runs, &arena, model_of, tarn, &source, &tarn->report))
      return false;
    net = runs.items[0].net;
  }
  if (!runs_clocks(tarn, net))
    return false;
  if (has_run && !replay_run(&tarn->mem, net, NULL, &runs.items[0].run, &why))
    return report_error(&tarn->report, (Place){0}, "%s: %s", source.name, text_chars(&why));
  Simulation *simulation = mem_alloc(&tarn->mem, sizeof *simulation);
  if (!simulate_init(simulation, &tarn->mem, net)) {
    if (conclude_has_states(tarn))
      report_error(&tarn->report, (Place){0}, "no initial state satisfies its invariant");
    return false;
  }
  if (has_run)
    simulate_adopt(simulation, &runs.items[0].run);
  end_simulation(tarn);
  tarn->simulation = simulation;
  return true;
}

// The delay in the unit of the net.
static bool in_unit(Tarn *tarn, int64_t *over, int64_t *under) {
  const int64_t unit = net_unit(units_net(&tarn->units, NULL, false)),
                common = text_divisor(*over, unit);
  *over /= common;
  if (!__builtin_mul_overflow(*under, unit / common, under))
    return true;
  return report_error(&tarn->report, (Place){0}, "the delay is too fine for this model");
}

// A delay such as `3/2`.
bool simulating_delay(Tarn *tarn, const char *delay, int64_t *over, int64_t *under) {
  char *end = NULL;
  errno = 0;
  *under = 1;
  *over = strtoll(delay, &end, 10);
  if (*end == '/')
    *under = strtoll(end + 1, &end, 10);
  if (end != delay && !*end && !errno && *over >= 0 && *under >= 1)
    return in_unit(tarn, over, under);
  return report_error(&tarn->report, (Place){0}, "`%s` is not a delay: write 3 or 3/2", delay);
}

static int no_step(Tarn *tarn, uint32_t step, uint32_t known) {
  report_error(&tarn->report, (Place){0}, "there is no step %u: the last one is %u", step,
               known - 1);
  return -1;
}

static int make_symbolic_move(Tarn *tarn, const Move *move) {
  Symbolic *s = tarn->symbolic;
  Random random;
  const uint32_t last = s->steps.size - 1;
  switch (move->kind) {
  case MOVE_STEP:
    if (symbolic_step(s, move->number))
      return 0;
    report_error(&tarn->report, (Place){0}, "there is no such choice");
    return -1;
  case MOVE_WAIT:
    report_error(&tarn->report, (Place){0}, "zones have all delays: there is no waiting");
    return -1;
  case MOVE_RANDOMLY:
    random_seed(&random, move->seed);
    return (int)symbolic_random(s, move->number, &random);
  case MOVE_BACK:
    if (last && symbolic_go(s, last - 1))
      return 0;
    report_error(&tarn->report, (Place){0}, "this is the beginning");
    return -1;
  case MOVE_GO:
    break;
  }
  return symbolic_go(s, move->number) ? 0 : no_step(tarn, move->number, s->known);
}

static int make_move(Tarn *tarn, const Move *move) {
  if (tarn->symbolic)
    return make_symbolic_move(tarn, move);
  Simulation *s = tarn->simulation;
  Random random;
  s->error = "this is the beginning";
  switch (move->kind) {
  case MOVE_STEP:
    return simulate_step(s, move->number, move->over, move->under) ? 0 : -1;
  case MOVE_WAIT:
    return simulate_wait(s, move->over, move->under) ? 0 : -1;
  case MOVE_BACK:
    return simulate_back(s) ? 0 : -1;
  case MOVE_RANDOMLY:
    random_seed(&random, move->seed);
    return (int)simulate_random(s, move->number, &random);
  case MOVE_GO:
    break;
  }
  if (simulate_go(s, move->number))
    return 0;
  return no_step(tarn, move->number, s->known);
}

int simulating_move(Tarn *tarn, const Move *move) {
  volatile int result = -1;
  jmp_buf escape;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the choices were found");
    if (tarn->symbolic)
      vec_clear(&tarn->symbolic->choices);
    else
      simulate_lose_choices(tarn->simulation);
  } else {
    result = make_move(tarn, move);
  }
  session_unlimit(tarn);
  if (result < 0 && !report_failed(&tarn->report))
    report_error(&tarn->report, (Place){0}, "%s", tarn->simulation->error);
  return result;
}

// A concrete run with the transitions of the symbolic one.
static bool write_symbolic(Tarn *tarn, Text *text, const char *what) {
  if (!strcmp(what, "simulation")) {
    prompt_symbolic_json(text, tarn->symbolic);
    return true;
  }
  Answer answer = {.verdict = VERDICT_UNDECIDED, .reason = ANSWER_SIMULATED, .has_trace = true};
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  answer.trace =
      (Trace){.net = tarn->symbolic->net, .kind = TRACE_CONCRETE, .arena = {.mem = &tarn->mem}};
  const bool ok = !strcmp(what, "run") &&
                  symbolic_run(tarn->symbolic, &answer.trace.arena, &answer.trace.run);
  if (ok)
    answer_json(text, tarn->net, &tarn->options, &answers);
  trace_release(&answer.trace);
  return ok;
}

bool simulating_write(Tarn *tarn, Text *text, const char *what, const char *format) {
  if (tarn->symbolic && !strcmp(format, "json"))
    return write_symbolic(tarn, text, what);
  const bool is_json = !strcmp(format, "json"), is_page = !strcmp(format, "html");
  const bool is_full = !strcmp(format, "full");
  if (!tarn->simulation || (!is_json && !is_page && !is_full && strcmp(format, "text")))
    return false;
  if (!strcmp(what, "simulation") && !is_page) {
    if (is_json)
      prompt_json(text, tarn->simulation);
    else
      prompt_text(text, tarn->simulation, is_full);
    return true;
  }
  if (strcmp(what, "run"))
    return false;
  Answer answer;
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  prompt_answer(&answer, &tarn->mem, tarn->simulation);
  if (is_json)
    answer_json(text, tarn->net, &tarn->options, &answers);
  else if (is_page)
    tarn->is_cut = page_write(text, tarn->net, &tarn->options, &answers);
  else {
    if (!tarn->simulation->waited)
      answer.trace.run.end_clocks = NULL; // the last step is the end
    runtext_write(text, &answer.trace, &(RunText){.end = "it ends", .is_full = is_full});
  }
  trace_release(&answer.trace);
  return true;
}
