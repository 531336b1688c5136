#include "tarn.h"

#include "base/spill.h"
#include "language/format.h"
#include "language/gen/gen.h"
#include "output/estimates.h"
#include "output/expectation.h"
#include "plan/compose.h"
#include "plan/decide.h"
#include "plan/evidence.h"
#include "plan/linting.h"
#include "plan/load.h"
#include "plan/mapping.h"
#include "plan/mutating.h"
#include "plan/randomrun.h"
#include "plan/serving.h"
#include "plan/simulating.h"
#include "plan/suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *tarn_version(void) { return TARN_VERSION; }

Tarn *tarn_init(void) {
  struct {
    Tarn tarn;
    SessionUser user;
  } *both = calloc(1, sizeof *both);
  if (!both)
    return NULL;
  Tarn *tarn = &both->tarn;
  tarn->user = &both->user;
  tarn->state = EMPTY;
  tarn->verdict = -1;
  report_init(&tarn->report, &tarn->mem);
  options_init(&tarn->options);
  net_init(&tarn->loaded, &tarn->mem);
  tarn->net = &tarn->loaded;
  tarn->query_arena.mem = &tarn->mem;
  tarn->warnings.mem = tarn->errors.mem = &tarn->mem;
  tarn->lint_text.mem = tarn->lint_json.mem = &tarn->mem;
  tarn->cover_text.mem = tarn->cover_json.mem = &tarn->mem;
  tarn->mutants.mem = tarn->mutant_from.mem = tarn->mutant_text.mem = &tarn->mem;
  tarn->certified.sentences.mem = tarn->certified.results.mem = &tarn->mem;
  tarn->finding.mem = tarn->composed.mem = tarn->composed_of.mem = &tarn->mem;
  return tarn;
}

void tarn_release(Tarn *tarn) {
  if (!tarn)
    return;
  {
    ENTER(tarn); // and leave: nobody uses it
  }
  machines_leave(tarn);
  suites_release(tarn);
  mem_release(&tarn->mem);
  spill_close(tarn->mem.spill);
  free(tarn);
}

int tarn_join(Tarn *tarn) {
  REQUIRE(tarn, EMPTY);
  report_clear(&tarn->report);
  return serving_join(tarn);
}

// Texts for the engine are kept as long as the Tarn. Definitions of constants add
// up; an empty one forgets them.
static const char *keep_value(Tarn *tarn, const char *option, const char *value) {
  const OptionInfo *info = options_find(option);
  if (!value || !info || info->kind != OPTION_TEXT || info->offset == OPTION_COMMAND)
    return value;
  const char *const before = tarn->options.define;
  if (strcmp(option, "define") || !before || !*value)
    return mem_copy_text(&tarn->mem, value, strlen(value));
  Text all = {.mem = &tarn->mem};
  text_addf(&all, "%s\n%s", before, value);
  return text_chars(&all);
}

void tarn_share(Tarn *tarn, int count) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  tarn->share = count > 1 ? (uint32_t)count : 0;
}

int tarn_set(Tarn *tarn, const char *option, const char *value) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  report_clear(&tarn->report);
  if (!option) {
    options_init(&tarn->options);
    return 0;
  }
  return options_set(&tarn->options, option, keep_value(tarn, option, value), &tarn->report) ? 0
                                                                                             : -1;
}

int tarn_command_set(Tarn *tarn, const char *command, const char *option, const char *value) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  CommandName name;
  report_clear(&tarn->report);
  if (options_find_command(command, &name))
    return options_take(&tarn->options, name, option, keep_value(tarn, option, value),
                        &tarn->report)
               ? 0
               : -1;
  options_refuse_command(command, &tarn->report);
  return -1;
}

const char *tarn_error(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return text_chars(&tarn->report.error);
}

const char *tarn_warnings(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return text_chars(&tarn->report.warnings);
}

int tarn_read(Tarn *tarn, const char *path) {
  REQUIRE(tarn, EMPTY);
  return load_model(tarn, path, true);
}

int tarn_read_model(Tarn *tarn, const char *path) {
  REQUIRE(tarn, EMPTY);
  return load_model(tarn, path, false);
}

int tarn_read_text(Tarn *tarn, const char *text, const char *language) {
  REQUIRE(tarn, EMPTY);
  return load_text(tarn, text, language);
}

int tarn_read_queries(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return load_query_file(tarn, path, NULL);
}

int tarn_read_queries_text(Tarn *tarn, const char *text) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return load_query_file(tarn, NULL, text);
}

static TarnQuery *query_at(const Tarn *tarn, size_t index) {
  return index < tarn->queries.size ? tarn->queries.items[index] : NULL;
}

size_t tarn_query_count(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return tarn->queries.size;
}

const char *tarn_expectation(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  const TarnQuery *query = query_at(tarn, index);
  return query ? query->expectation : NULL;
}

int tarn_is_expected(const Tarn *tarn) {
  REQUIRE(tarn, ANSWERED);
  const Answer *answer = vec_last(&tarn->answers);
  return expectation_met(answer->expectation, answer->verdict);
}

const char *tarn_query_position(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  const TarnQuery *query = query_at(tarn, index);
  return query ? query->position : NULL;
}

int tarn_has_run(const Tarn *tarn) {
  REQUIRE(tarn, ANSWERED);
  return vec_last(&tarn->answers)->has_trace;
}

const char *tarn_language(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return tarn->net->origin.uppaal ? "uppaal" : "tchecker";
}

int tarn_refuses(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return tarn->net->origin.uppaal != NULL;
}

const char *tarn_query(const Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  const TarnQuery *query = query_at(tarn, index);
  return query ? query->text : NULL;
}

// A call with a query that has no handle, or has one that its address tells.
static int with_text(Tarn *tarn, const char *text, bool is_labels,
                     int (*call)(Tarn *, TarnQuery *)) {
  TarnQuery *own = text && !is_labels ? handle_own(tarn, text) : NULL;
  if (!text || own)
    return call(tarn, own);
  TarnQuery asked;
  handle_init(&asked, tarn, text, is_labels);
  const int result = call(tarn, &asked);
  handle_clear(&asked);
  return result;
}

int tarn_check(Tarn *tarn, const char *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, query, false, decide);
}

int tarn_check_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, labels, true, decide);
}

int tarn_plan(Tarn *tarn, const char *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, query, false, decide_plan);
}

int tarn_plan_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, labels, true, decide_plan);
}

int tarn_parse(Tarn *tarn, const char *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, query, false, decide_read);
}

int tarn_parse_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return with_text(tarn, labels, true, decide_read);
}

TarnQuery *tarn_query_at(Tarn *tarn, size_t index) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return query_at(tarn, index);
}

TarnQuery *tarn_query_new(Tarn *tarn, const char *text) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return handle_new(tarn, text, false);
}

TarnQuery *tarn_query_labels(Tarn *tarn, const char *labels) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return handle_new(tarn, labels, true);
}

// A handle is for the calls of its own Tarn.
static void require_own(const Tarn *tarn, const TarnQuery *query, const char *function) {
  if (query && query->arena.mem != &tarn->mem)
    session_misuse(function);
}

void tarn_query_release(Tarn *tarn, TarnQuery *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  require_own(tarn, query, __func__);
  if (!query || query->is_own)
    return;
  handle_clear(query);
  mem_free(&tarn->mem, query);
}

const char *tarn_query_text(const TarnQuery *query) { return query->text; }

const char *tarn_query_error(const TarnQuery *query) {
  return query->wrong_number ? text_chars(&query->error) : NULL;
}

const char *tarn_query_place(const TarnQuery *query) { return query->position; }

const char *tarn_query_expectation(const TarnQuery *query) { return query->expectation; }

int tarn_check_query(Tarn *tarn, TarnQuery *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  require_own(tarn, query, __func__);
  return decide(tarn, query);
}

int tarn_plan_query(Tarn *tarn, TarnQuery *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  require_own(tarn, query, __func__);
  return decide_plan(tarn, query);
}

int tarn_parse_query(Tarn *tarn, TarnQuery *query) {
  REQUIRE(tarn, LOADED | ANSWERED);
  require_own(tarn, query, __func__);
  return query ? decide_read(tarn, query) : 0;
}

int tarn_verdict(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return tarn->verdict;
}

const char *tarn_reason(const Tarn *tarn) {
  REQUIRE(tarn, ANSWERED);
  return vec_last(&tarn->answers)->reason;
}

// A certificate that is being checked.
typedef struct Reading {
  Tarn *tarn;
  Mapping mapping;
} Reading;

// It is looked at from its beginning to its end, but for covering nodes: what was looked at is
// not kept in memory.
static const char *let_go(void *state) {
  Reading *reading = state;
  mapping_let_go(&reading->mapping);
  return session_time_limit(reading->tarn);
}

static int check_evidence(Tarn *tarn, const char *path, const char *text, Reading *reading) {
  Mapping *const mapping = &reading->mapping;
  const EvidenceKeep keep = {&tarn->certified, tarn->source.name};
  Source source;
  const bool is_mapped = path && mapping_open(mapping, &tarn->mem, path);
  if (!is_mapped && !session_take_evidence(tarn, &source, path, text))
    return -1;
  if (!is_mapped && randomrun_is_one(&source))
    return randomrun_check(tarn, &source);
  if (!session_is_symbolic(tarn))
    return -1;
  if (!is_mapped)
    return evidence_check(&tarn->mem, tarn->net, &source, &tarn->finding, keep, &tarn->report);
  tarn->watch = (MemWatch){.reached = let_go, .state = reading};
  mem_watch(&tarn->mem, &tarn->watch);
  const int result = evidence_check(&tarn->mem, tarn->net, &mapping->source, &tarn->finding, keep,
                                    &tarn->report);
  if (mapping_close(mapping))
    return result;
  report_error(&tarn->report, (Place){0}, "%s: the file was changed while it was checked", path);
  return -1;
}

static int certify(Tarn *tarn, const char *path, const char *text) {
  text_clear(&tarn->finding);
  text_add(&tarn->finding, "");
  text_add(&tarn->certified.sentences, "");
  text_add(&tarn->certified.results, "");
  const size_t mark = session_begin(tarn);
  Reading *const reading = mem_alloc(&tarn->mem, sizeof *reading);
  *reading = (Reading){.tarn = tarn, .mapping = {.file = -1}};
  jmp_buf escape;
  int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the evidence was checked");
    mapping_close(&reading->mapping);
  } else {
    result = check_evidence(tarn, path, text, reading);
  }
  session_unlimit(tarn);
  mem_release_to(&tarn->mem, mark);
  return result;
}

int tarn_certify(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return certify(tarn, path, NULL);
}

int tarn_certify_text(Tarn *tarn, const char *text) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return certify(tarn, NULL, text);
}

int tarn_lint(Tarn *tarn, const char *const *queries, size_t count) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return linting_run(tarn, queries, count);
}

int tarn_cover(Tarn *tarn, const char *goal) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return suites_run(tarn, goal);
}

long tarn_mutate(Tarn *tarn, const char *operators) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return mutating_find(tarn, operators);
}

int tarn_mutant(Tarn *tarn, size_t index, TarnMutant *mutant) {
  REQUIRE(tarn, LOADED | ANSWERED);
  const Mutants *all = &tarn->mutants;
  if (index >= all->list.size)
    return -1;
  const Mutant *found = &all->list.items[index];
  uint32_t line, column;
  mutants_place(all, found, &line, &column);
  text_clear(&tarn->mutant_from);
  text_clear(&tarn->mutant_text);
  text_add_bytes(&tarn->mutant_from, all->text + found->begin, found->end - found->begin);
  mutants_write(all, found, &tarn->mutant_text);
  *mutant = (TarnMutant){.kind = mutants_kind(found->kind),
                         .line = line,
                         .column = column,
                         .from = text_chars(&tarn->mutant_from),
                         .to = found->by,
                         .text = text_chars(&tarn->mutant_text)};
  return 0;
}

int tarn_is_alike(Tarn *tarn, Tarn *other, size_t *states, int *is_all) {
  REQUIRE(tarn, LOADED | ANSWERED);
  if (!other || !(other->state & (LOADED | ANSWERED)))
    session_misuse(__func__);
  return mutating_compare(tarn, other, states, is_all);
}

const char *tarn_finding(const Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return text_chars(&tarn->finding);
}

int tarn_read_runs(Tarn *tarn, const char *path) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return simulating_read_runs(tarn, path, NULL);
}

int tarn_read_runs_text(Tarn *tarn, const char *text) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return simulating_read_runs(tarn, NULL, text);
}

static int simulate(Tarn *tarn, const char *path, const char *text) {
  session_begin(tarn);
  jmp_buf escape;
  int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the simulation was started");
  else
    result = simulating_start(tarn, path, text) ? 0 : -1;
  session_unlimit(tarn);
  return result;
}

int tarn_random_run(Tarn *tarn, TarnQuery *query, unsigned long long run,
                    unsigned long long seed) {
  REQUIRE(tarn, LOADED | ANSWERED);
  session_begin(tarn);
  jmp_buf escape;
  int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the run was made");
  else
    result = randomrun_make(tarn, query, run, seed) ? 0 : -1;
  session_unlimit(tarn);
  return result;
}

int tarn_simulate(Tarn *tarn, const char *run) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return simulate(tarn, run, NULL);
}

int tarn_simulate_text(Tarn *tarn, const char *run) {
  REQUIRE(tarn, LOADED | ANSWERED);
  return simulate(tarn, NULL, run);
}

int tarn_simulate_symbolically(Tarn *tarn) {
  REQUIRE(tarn, LOADED | ANSWERED);
  session_begin(tarn);
  jmp_buf escape;
  int result = -1;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the simulation was started");
  else
    result = simulating_start_symbolic(tarn) ? 0 : -1;
  session_unlimit(tarn);
  return result;
}

static Simulation *simulation_of(Tarn *tarn, const char *function) {
  if (!tarn || (!tarn->simulation && !tarn->symbolic))
    session_misuse(function);
  session_begin(tarn);
  return tarn->simulation;
}

static uint32_t to_number(size_t number) {
  return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

int tarn_step(Tarn *tarn, size_t choice, const char *delay) {
  ENTER(tarn);
  simulation_of(tarn, __func__);
  Move move = {.kind = MOVE_STEP, .number = to_number(choice), .over = -1, .under = 1};
  return delay && !simulating_delay(tarn, delay, &move.over, &move.under)
             ? -1
             : simulating_move(tarn, &move);
}

int tarn_wait(Tarn *tarn, const char *delay) {
  ENTER(tarn);
  simulation_of(tarn, __func__);
  Move move = {.kind = MOVE_WAIT};
  return simulating_delay(tarn, delay, &move.over, &move.under) ? simulating_move(tarn, &move)
                                                                : -1;
}

int tarn_step_to(Tarn *tarn, size_t step) {
  ENTER(tarn);
  simulation_of(tarn, __func__);
  return simulating_move(tarn, &(Move){.kind = MOVE_GO, .number = to_number(step)});
}

const char *tarn_stuck(Tarn *tarn) {
  ENTER(tarn);
  Simulation *simulation = simulation_of(tarn, __func__);
  text_clear(&tarn->finding);
  if (!simulation)
    return tarn->symbolic->choices.size ? NULL : "no transition is possible from the zone";
  return simulate_stuck(simulation, &tarn->finding) ? text_chars(&tarn->finding) : NULL;
}

int tarn_step_back(Tarn *tarn) {
  ENTER(tarn);
  simulation_of(tarn, __func__);
  return simulating_move(tarn, &(Move){.kind = MOVE_BACK});
}

int tarn_step_randomly(Tarn *tarn, int count, int seed) {
  ENTER(tarn);
  simulation_of(tarn, __func__);
  return simulating_move(tarn, &(Move){.kind = MOVE_RANDOMLY,
                                       .number = count > 0 ? (uint32_t)count : 0,
                                       .seed = (uint64_t)seed});
}

double tarn_statistic(const Tarn *tarn, const char *name) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  if (!strcmp(name, "limit_bytes"))
    return (double)tarn->limit;
  if (estimates_is_number(name))
    return estimates_number(tarn->estimate, name);
  for (uint32_t i = 0; i < statistics_count(); i++)
    if (!strcmp(statistics_at(i)->name, name))
      return statistics_value(&tarn->stats, statistics_at(i));
  return NAN;
}

void tarn_set_terminate(Tarn *tarn, void *state, int (*terminate)(void *state)) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  tarn->terminate_state = state;
  tarn->terminate = terminate;
}

int tarn_write(Tarn *tarn, FILE *file, const char *what, const char *format) {
  ENTER(tarn);
  Text text = {.mem = tarn ? &tarn->mem : NULL};
  return compose(tarn, &text, what, format, __func__) ? compose_put(&tarn->report, file, &text)
                                                      : -1;
}

int tarn_is_cut(const Tarn *tarn) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  return tarn->is_cut;
}

// Whether the text of these words is still there, because it had no room a moment ago.
static bool is_composed(const Tarn *tarn, const char *words) {
  return tarn && tarn->composed_of.size && !strcmp(text_chars(&tarn->composed_of), words);
}

// Fills the buffer; what has no room is kept for the next call.
static long fill_or_keep(Tarn *tarn, char *buffer, size_t size, const char *words) {
  const long length = compose_fill(buffer, size, &tarn->composed);
  text_release(&tarn->composed_of);
  if (tarn->composed.size >= size)
    text_add(&tarn->composed_of, words);
  else
    text_release(&tarn->composed);
  return length;
}

long tarn_write_buffer(Tarn *tarn, char *buffer, size_t size, const char *what,
                       const char *format) {
  ENTER(tarn);
  char words[64];
  snprintf(words, sizeof words, "%s %s", what, format);
  if (!is_composed(tarn, words) && !compose(tarn, &tarn->composed, what, format, __func__))
    return -1;
  return fill_or_keep(tarn, buffer, size, words);
}

static bool generate(Tarn *tarn, Text *text, const char *family, int count,
                     const char *const *arguments) {
  session_begin(tarn);
  jmp_buf escape;
  bool ok = false;
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the model was generated");
  } else if (!family) {
    gen_list(text);
    ok = true;
  } else {
    ok = gen_write(text, &tarn->report, family, count, arguments);
  }
  session_unlimit(tarn);
  if (!ok)
    text_release(text);
  return ok;
}

int tarn_generate(Tarn *tarn, FILE *file, const char *family, int count,
                  const char *const *arguments) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  Text text = {.mem = &tarn->mem};
  return generate(tarn, &text, family, count, arguments) ? compose_put(&tarn->report, file, &text)
                                                         : -1;
}

long tarn_generate_buffer(Tarn *tarn, char *buffer, size_t size, const char *family, int count,
                          const char *const *arguments) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  if (!generate(tarn, &tarn->composed, family, count, arguments))
    return -1;
  const long length = compose_fill(buffer, size, &tarn->composed);
  text_release(&tarn->composed);
  return length;
}

static int format(Tarn *tarn, Text *text, const char *path) {
  session_begin(tarn);
  jmp_buf escape;
  int result = -1;
  Source source;
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while the file was laid out");
  else if (session_read_source(tarn, &source, path) && format_text(text, &source, &tarn->report))
    result = text->size != source.size || memcmp(text_chars(text), source.text, source.size);
  session_unlimit(tarn);
  return result;
}

int tarn_format(Tarn *tarn, FILE *file, const char *path) {
  REQUIRE(tarn, EMPTY | LOADED | ANSWERED);
  const size_t mark = session_begin(tarn);
  Text text = {.mem = &tarn->mem};
  int result = format(tarn, &text, path);
  if (file && result >= 0 && text.size && fwrite(text.chars, 1, text.size, file) != text.size) {
    report_error(&tarn->report, (Place){0}, "the output could not be written");
    result = -1;
  }
  mem_release_to(&tarn->mem, mark);
  return result;
}

int tarn_option(size_t index, TarnOption *option) {
  return tarn_command_option("check", index, option);
}

int tarn_command_option(const char *command, size_t index, TarnOption *option) {
  CommandName name;
  const OptionInfo *info = index < UINT32_MAX && options_find_command(command, &name)
                               ? options_of_command(name, (uint32_t)index)
                               : NULL;
  if (!info)
    return -1;
  *option = (TarnOption){.name = info->name,
                         .letter = info->letter,
                         .argument = info->values,
                         .initial = info->initial,
                         .help = info->help,
                         .is_engine = info->offset != OPTION_COMMAND};
  return 0;
}

int tarn_help(FILE *file, const char *topic, const char *format) {
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Text text = {.mem = &mem};
  const int result = compose_help(&text, topic, format) ? compose_put(&report, file, &text) : -1;
  mem_release(&mem);
  return result;
}

long tarn_help_buffer(char *buffer, size_t size, const char *topic, const char *format) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  const long length = compose_help(&text, topic, format) ? compose_fill(buffer, size, &text) : -1;
  mem_release(&mem);
  return length;
}
