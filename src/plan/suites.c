#define _POSIX_C_SOURCE 200809L // mkstemp
#include "plan/suites.h"

#include "answers/certificates/proof.h"
#include "answers/runs/cover.h"
#include "base/timer.h"
#include "output/cover_writer.h"
#include "output/page.h"
#include "plan/capabilities.h"
#include "plan/conclude.h"
#include "plan/decide.h"
#include "plan/fingerprint.h"
#include "plan/taken.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const goals[] = {"edges", "locations", "pairs", "queries"};
static const char *const statuses[] = {[COVER_UNREACHABLE] = "unreachable",
                                       [COVER_UNDECIDED] = "undecided",
                                       [COVER_COVERED] = "covered"};

// The limit of a phase of a search (answers/runs/cover.h).
typedef struct Phase {
  Tarn *tarn;
  double end; // by timer_seconds
  MemWatch watch;
} Phase;

typedef struct Covering {
  Tarn *tarn;
  Cover cover;
  Phase phases[COVER_PHASES];
  double stopped; // when the caller asked to stop; 0: it did not
  bool is_accepted;
  char missing[256]; // why there is no certificate of what is unreachable; empty: there is
  uint32_t certificates;
  char scratch[32]; // a file to be removed; empty: none
} Covering;

// What is said to be unreachable: no transition of a node of the certificate takes it.
static bool is_shown(const Cover *cover, const CoverSpace *space, const Taken *taken) {
  const Net *net = cover->net;
  bool ok = true;
  for (uint32_t i = 0; ok && i < cover->item_count; i++) {
    const CoverItem *item = &cover->items[i];
    if (item->status != COVER_UNREACHABLE)
      continue;
    if (cover->goal == COVER_EDGES)
      ok = !taken_has(taken, NET_NONE, item->edge);
    if (cover->goal == COVER_PAIRS && space->own[item->edge])
      ok = !taken_has(taken, item->before, item->edge);
    for (EdgeId e = 0; cover->goal == COVER_LOCATIONS && ok && e < net->edges.size; e++)
      ok = net->edges.items[e].target != item->location || !taken_has(taken, NET_NONE, e);
    if (cover->goal == COVER_LOCATIONS)
      ok = ok && !net->locations.items[item->location].initial;
  }
  return ok;
}

// Whether the checker accepts the file, and finds that what is said to be unreachable is.
static bool is_proved(Covering *c, const CoverSpace *space, const Source *file) {
  Mem *mem = &c->tarn->mem;
  Text why = {.mem = mem};
  Taken taken;
  CertifyCounts counts;
  int32_t count = 0;
  for (EdgeId e = 0; space->own && e < space->net->edges.size; e++)
    count = space->own[e] > count ? space->own[e] : count;
  const bool ok = taken_find(&taken, mem, space->net, space->own, count, file->text, file->size,
                             &counts, &why) &&
                  is_shown(&c->cover, space, &taken);
  snprintf(c->missing, sizeof c->missing, "%s",
           ok         ? ""
           : why.size ? text_chars(&why)
                      : "it does not show it");
  mem_free(mem, taken.table);
  text_release(&why);
  return ok;
}

static bool is_some_unreachable(const Cover *cover, const CoverSpace *space) {
  for (uint32_t i = 0; i < cover->item_count; i++)
    if (cover->items[i].status == COVER_UNREACHABLE &&
        (!space->own || space->own[cover->items[i].edge]))
      return true;
  return false;
}

// The file for the certificate, as long as the session: that of the option, with a number if
// there may be several; else a scratch file. NULL: it cannot be made.
static const char *certificate_path(Covering *c) {
  const char *path = c->tarn->options.certificate;
  c->certificates++;
  if (path && c->cover.goal != COVER_PAIRS)
    return path;
  if (path) {
    Text text = {.mem = &c->tarn->mem};
    text_addf(&text, "%s-%u", path, c->certificates);
    return text_chars(&text);
  }
  if (!*c->scratch) {
    char scratch[] = "/tmp/tarn-cover-XXXXXX";
    const int file = mkstemp(scratch);
    if (file < 0)
      return NULL;
    snprintf(c->scratch, sizeof c->scratch, "%s", scratch); // a jump may end this
    close(file);
  }
  return c->scratch;
}

// After a search of all states: a certificate of them, if something is unreachable.
static void explored(void *state, const CoverSpace *space) {
  Covering *c = state;
  Tarn *tarn = c->tarn;
  if (!is_some_unreachable(&c->cover, space))
    return;
  const bool was_accepted = c->is_accepted || !c->certificates;
  const char *path = certificate_path(c);
  c->is_accepted = false;
  snprintf(c->missing, sizeof c->missing, "a limit was reached"); // until what follows is over
  unsigned char hash[SHA256_SIZE];
  fingerprint_model(hash, &tarn->mem, tarn->net);
  Options options;
  options_init(&options);
  options.engine = ENGINE_ZONES;
  options.certificate = path;
  const Proof proof = {.mem = &tarn->mem,
                       .net = space->net,
                       .options = &options,
                       .reach = space->reach,
                       .about = {.hash = hash, .marked = space->own ? space->process + 1 : 0},
                       .report = &tarn->report};
  Source source = {0};
  c->is_accepted = path && proof_finish(&proof, REACH_NONE) &&
                   session_read_evidence(tarn, &source, path) && is_proved(c, space, &source) &&
                   was_accepted;
}

static const char *phase_over(void *state) {
  const Phase *phase = state;
  const char *limit = session_time_limit(phase->tarn);
  return limit ? limit : timer_seconds() > phase->end ? "time limit" : NULL;
}

// The last phase goes on for a moment if the caller asks to stop, so that runs are made to what
// was found.
static const char *last_phase_over(void *state) {
  enum { MOMENT = 1 };
  const Phase *phase = state;
  Covering *c = (Covering *)((char *)state - offsetof(Covering, phases[COVER_RUNS]));
  const char *limit = session_time_limit(phase->tarn);
  if (limit && !strcmp(limit, "interrupted")) {
    c->stopped = c->stopped > 0 ? c->stopped : timer_seconds();
    return timer_seconds() > c->stopped + MOMENT ? limit : NULL;
  }
  return limit ? limit : timer_seconds() > phase->end ? "time limit" : NULL;
}

// Each search gets an equal share of the time that is left, but not less than an eighth: with
// less, many searches would find nothing. Half of it is to search, a quarter for detours, a
// quarter for runs without.
static void begins(void *state, uint32_t left) {
  enum { MAX_SHARES = 8 };
  static const double shares[] = {0.5, 0.75, 1};
  Covering *c = state;
  Tarn *tarn = c->tarn;
  const double now = timer_seconds(), limit = tarn->options.time_limit,
               rest = tarn->began + limit - tarn->reading - now;
  for (int i = 0; i < COVER_PHASES; i++) {
    Phase *phase = &c->phases[i];
    phase->tarn = tarn;
    phase->end =
        limit > 0 ? now + rest / (left < MAX_SHARES ? left : MAX_SHARES) * shares[i] : HUGE_VAL;
    phase->watch =
        (MemWatch){.reached = i == COVER_RUNS ? last_phase_over : phase_over, .state = phase};
    c->cover.limits[i] = &phase->watch;
  }
}

static void add_run(Tarn *tarn, Arena *arena, Covered *covered, const Trace *trace) {
  Answer *answer = ARENA_NEW(arena, Answer);
  answer->verdict = VERDICT_EXPLORED;
  answer->reason = "covers what is listed";
  answer->options = tarn->options;
  answer->options.engine = ENGINE_ZONES;
  answer->has_trace = true;
  answer->trace = *trace;
  vec_push(&tarn->mem, &covered->runs, answer);
}

// The runs of a suite, for its page: it is only made if it is asked for, as it shows what can
// happen after each run.
struct KeptSuite {
  Mem mem;
  Arena arena;
  const Net *net;
  Answers runs;
};

void suites_release(Tarn *tarn) {
  if (!tarn->suite)
    return;
  mem_release(&tarn->suite->mem);
  free(tarn->suite);
  tarn->suite = NULL;
}

static Run keep_run(Arena *arena, const Net *net, const Run *run) {
  const size_t slots = sizeof(int32_t) * net->slots.count,
               clocks = sizeof(int64_t) * (net->clock_count + 1);
  Run kept = *run;
  RunStep *steps = arena_copy(arena, run->steps, run->step_count * sizeof *steps);
  for (uint32_t i = 0; i < run->step_count; i++) {
    RunStep *step = &steps[i];
    if (step->edge_count)
      step->edges = arena_copy(arena, step->edges, step->edge_count * sizeof *step->edges);
    step->state = arena_copy(arena, step->state, slots);
    step->clocks = step->clocks ? arena_copy(arena, step->clocks, clocks) : NULL;
  }
  kept.steps = steps;
  kept.end_clocks = run->end_clocks ? arena_copy(arena, run->end_clocks, clocks) : NULL;
  return kept;
}

static void keep_suite(Tarn *tarn, const Net *net, const Covered *covered) {
  suites_release(tarn);
  struct KeptSuite *suite = tarn->suite = calloc(1, sizeof *suite);
  if (!suite)
    mem_exhausted(&tarn->mem);
  suite->mem.escape = tarn->mem.escape;
  suite->arena.mem = &suite->mem;
  suite->net = net;
  for (uint32_t i = 0; i < covered->runs.size; i++) {
    Answer *answer = arena_copy(&suite->arena, covered->runs.items[i], sizeof *answer);
    const Trace *trace = &covered->runs.items[i]->trace;
    answer->trace = (Trace){.net = trace->net,
                            .kind = trace->kind,
                            .run = keep_run(&suite->arena, trace->net, &trace->run)};
    answer->more_count = 0;
    if (answer->query)
      answer->query = arena_text(&suite->arena, answer->query, strlen(answer->query));
    vec_push(&suite->mem, &suite->runs, answer);
  }
  suite->mem.escape = NULL;
}

static void write_cover(Tarn *tarn, const Net *net, const Covered *covered) {
  text_clear(&tarn->cover_text);
  text_clear(&tarn->cover_json);
  cover_text(&tarn->cover_text, covered);
  cover_json(&tarn->cover_json, net, &tarn->options, covered);
  keep_suite(tarn, net, covered);
}

// What is not accepted is no evidence, whether a checker rejects it or a limit came first.
static void remove_certificates(const Covering *c) {
  const char *path = c->tarn->options.certificate;
  for (uint32_t i = 1; path && i <= c->certificates; i++) {
    Text text = {.mem = &c->tarn->mem};
    text_add(&text, path);
    if (c->cover.goal == COVER_PAIRS)
      text_addf(&text, "-%u", i);
    unlink(text_chars(&text));
    text_release(&text);
  }
}

static void conclude_cover(Covering *c) {
  Tarn *tarn = c->tarn;
  const Cover *cover = &c->cover;
  if (!c->is_accepted)
    remove_certificates(c);
  Arena arena = {.mem = &tarn->mem};
  CoveredItem *items = ARENA_ARRAY(&arena, CoveredItem, cover->item_count);
  Covered covered = {.goal = goals[cover->goal],
                     .items = items,
                     .item_count = cover->item_count,
                     .reason = cover->failure ? cover->failure : cover->stop_reason,
                     .certificate = c->is_accepted ? tarn->options.certificate : NULL,
                     .certificates = cover->goal == COVER_PAIRS ? c->certificates : 0,
                     .is_accepted = c->is_accepted,
                     .missing = c->missing,
                     .stats = &tarn->stats};
  for (uint32_t i = 0; i < cover->item_count; i++) {
    const CoverItem *item = &cover->items[i];
    Text name = {.mem = &tarn->mem};
    cover_name(&name, cover->net, cover->goal, item);
    items[i] =
        (CoveredItem){.name = arena_text(&arena, text_chars(&name), name.size),
                      .status = statuses[item->status],
                      .run = item->run,
                      .before = item->before,
                      .index = cover->goal == COVER_LOCATIONS ? item->location : item->edge};
    text_release(&name);
  }
  for (uint32_t i = 0; i < cover->runs.size; i++)
    add_run(tarn, &arena, &covered, &cover->runs.items[i]);
  write_cover(tarn, cover->net, &covered);
  vec_release(&tarn->mem, &covered.runs);
  arena_release(&arena);
}

// A model whose states cannot be searched is refused, as `check` does.
static bool can_search(Tarn *tarn, const Net *net) {
  Options options;
  options_init(&options);
  const Request request = {.net = net, .options = &options};
  const char *refusal = capabilities_refusal(&request);
  if (refusal)
    report_error(&tarn->report, (Place){0}, "%s", refusal);
  return !refusal;
}

static int cover_model(Tarn *tarn, CoverGoal goal) {
  const size_t mark = session_begin(tarn);
  const double cpu = timer_cpu();
  Covering c = {.tarn = tarn};
  volatile int result = -1;
  jmp_buf escape;
  tarn->stats = (Statistics){0};
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, " while the runs were found");
  } else if (session_is_symbolic(tarn) && conclude_has_states(tarn)) {
    c.cover = (Cover){.mem = &tarn->mem,
                      .net = units_net(&tarn->units, NULL, false),
                      .goal = goal,
                      .begins = begins,
                      .exhausted = session_reason(tarn),
                      .stats = &tarn->stats,
                      .state = &c,
                      .explored = explored};
    if (can_search(tarn, c.cover.net) && cover_find(&c.cover, &tarn->report)) {
      session_unlimit(tarn); // what was found is small
      tarn->stats.seconds = timer_seconds() - tarn->began;
      tarn->stats.cpu_seconds = timer_cpu() - cpu;
      conclude_cover(&c);
      result = 0;
    }
  }
  if (*c.scratch)
    unlink(c.scratch);
  session_unlimit(tarn);
  handle_release_to(tarn, NULL, mark);
  session_keep_messages(tarn);
  return result;
}

// Each query is checked; one whose answer has a run is covered by it.
static int cover_queries(Tarn *tarn) {
  const uint32_t first = tarn->answers.size;
  const int trace = tarn->options.trace;
  const char *const certificate = tarn->options.certificate;
  Statistics stats = {0};
  if (!tarn->queries.size) {
    session_begin(tarn);
    report_error(&tarn->report, (Place){0},
                 "the model has no queries: there is nothing to cover");
    return -1;
  }
  tarn->options.trace = TRACE_CONCRETE;
  bool ok = true;
  for (uint32_t i = 0; ok && i < tarn->queries.size; i++) {
    Text path = {.mem = &tarn->mem}; // as long as the session
    if (certificate)
      text_addf(&path, "%s-%u", certificate, i + 1);
    tarn->options.certificate = certificate ? text_chars(&path) : NULL;
    ok = decide(tarn, tarn->queries.items[i]) >= 0;
    statistics_follow(&stats, &tarn->stats);
  }
  tarn->options.trace = trace;
  tarn->options.certificate = certificate;
  if (!ok)
    return -1;
  Arena arena = {.mem = &tarn->mem};
  CoveredItem *items = ARENA_ARRAY(&arena, CoveredItem, tarn->queries.size);
  Covered covered = {.goal = goals[3],
                     .items = items,
                     .item_count = tarn->queries.size,
                     .stats = &stats,
                     .certificate = certificate,
                     .certificates = tarn->queries.size};
  for (uint32_t i = 0; i < covered.item_count; i++) {
    Answer *answer = tarn->answers.items[first + i];
    const bool is_open =
        answer->verdict != VERDICT_SATISFIED && answer->verdict != VERDICT_NOT_SATISFIED;
    items[i] = (CoveredItem){.name = tarn->queries.items[i]->text,
                             .status = answer->has_trace ? "covered"
                                       : is_open         ? "undecided"
                                                         : "unreachable",
                             .index = i};
    if (is_open && !covered.reason)
      covered.reason = answer->reason;
    if (answer->has_trace) {
      vec_push(&tarn->mem, &covered.runs, answer);
      items[i].run = covered.runs.size;
    }
    covered.is_accepted |= certificate && !strcmp(items[i].status, "unreachable");
  }
  write_cover(tarn, tarn->net, &covered);
  vec_release(&tarn->mem, &covered.runs);
  arena_release(&arena);
  return 0;
}

int suites_run(Tarn *tarn, const char *goal) {
  text_add(&tarn->cover_text, ""); // they outlive what follows
  text_add(&tarn->cover_json, "");
  if (!strcmp(goal, goals[3]))
    return cover_queries(tarn);
  for (int i = 0; i < 3; i++)
    if (!strcmp(goal, goals[i]))
      return cover_model(tarn, (CoverGoal)i);
  session_begin(tarn);
  report_error(&tarn->report, (Place){0},
               "there is no goal `%s`; use edges, locations, pairs or queries", goal);
  return -1;
}

bool suites_write(Tarn *tarn, Text *text, const char *format) {
  struct KeptSuite *suite = tarn->suite;
  const Text *made = !strcmp(format, "text")   ? &tarn->cover_text
                     : !strcmp(format, "json") ? &tarn->cover_json
                                               : NULL;
  if (!strcmp(format, "html") && suite)
    tarn->is_cut = page_write(text, suite->net, &tarn->options, &suite->runs);
  else if (made && made->size)
    text_add(text, text_chars(made));
  else
    return false;
  return true;
}
