#define _POSIX_C_SOURCE 200809L // mkstemp
#include "plan/suites.h"

#include "answers/certificates/proof.h"
#include "answers/runs/cover.h"
#include "base/timer.h"
#include "check/certify.h"
#include "output/cover_writer.h"
#include "output/page.h"
#include "plan/conclude.h"
#include "plan/decide.h"
#include "plan/fingerprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const goals[] = {"edges", "locations", "pairs", "queries"};
static const char *const statuses[] = {[COVER_UNREACHABLE] = "unreachable",
                                       [COVER_UNDECIDED] = "undecided",
                                       [COVER_COVERED] = "covered"};

typedef struct Covering {
  Tarn *tarn;
  Cover cover;
  bool is_accepted;
  char scratch[32]; // a file to be removed; empty: none
} Covering;

// Whether the checker accepts the file, and finds that what is said to be unreachable is: no
// transition of a node of the certificate takes such an edge.
static bool is_proved(Covering *c, const Source *file) {
  const Cover *cover = &c->cover;
  const Net *net = cover->net;
  Mem *mem = &c->tarn->mem;
  bool *taken = mem_alloc(mem, sizeof *taken * (net->edges.size + 1));
  Text why = {.mem = mem};
  bool ok = certify_check_edges(mem, net, file->text, file->size, taken, &why);
  for (uint32_t i = 0; ok && i < cover->item_count; i++) {
    const CoverItem *item = &cover->items[i];
    if (item->status != COVER_UNREACHABLE)
      continue;
    if (cover->goal == COVER_EDGES)
      ok = !taken[item->edge];
    for (EdgeId e = 0; cover->goal == COVER_LOCATIONS && ok && e < net->edges.size; e++)
      ok = !taken[e] || net->edges.items[e].target != item->location;
    if (cover->goal == COVER_LOCATIONS)
      ok = ok && !net->locations.items[item->location].initial;
  }
  text_release(&why);
  mem_free(mem, taken);
  return ok;
}

// After a search of all states: a certificate of them, if something is unreachable.
static void explored(void *state, Reach *reach) {
  Covering *c = state;
  Tarn *tarn = c->tarn;
  bool is_some = false;
  for (uint32_t i = 0; i < c->cover.item_count; i++)
    is_some |= c->cover.items[i].status == COVER_UNREACHABLE;
  char scratch[] = "/tmp/tarn-cover-XXXXXX";
  const char *path = tarn->options.certificate;
  const int file = path || !is_some ? -1 : mkstemp(scratch);
  if (!is_some || (!path && file < 0))
    return;
  if (file >= 0) {
    snprintf(c->scratch, sizeof c->scratch, "%s", scratch); // a jump may end this
    close(file);
  }
  unsigned char hash[SHA256_SIZE];
  fingerprint_model(hash, &tarn->mem, tarn->net);
  Options options;
  options_init(&options);
  options.engine = ENGINE_ZONES;
  options.certificate = path ? path : scratch;
  const Proof proof = {.mem = &tarn->mem,
                       .net = c->cover.net,
                       .options = &options,
                       .reach = reach,
                       .about = {.hash = hash},
                       .report = &tarn->report};
  Source source = {0};
  c->is_accepted = proof_finish(&proof, REACH_NONE) &&
                   session_read_evidence(tarn, &source, options.certificate) &&
                   is_proved(c, &source);
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

// The page shows what can happen after each run, which can take more memory than there is: then
// there is no page.
static void try_page(Tarn *tarn, const Net *net, const Covered *covered) {
  enum { MAX_PAGE = 1 << 30 };
  jmp_buf escape;
  session_limit_memory(tarn);
  const size_t most = tarn->mem.bytes + MAX_PAGE;
  if (!tarn->mem.limit || tarn->mem.limit > most)
    tarn->mem.limit = most;
  if (GUARD(tarn, escape))
    text_clear(&tarn->cover_page);
  else
    tarn->is_cut = page_write(&tarn->cover_page, net, &tarn->options, &covered->runs);
  session_unlimit(tarn);
}

static void write_cover(Tarn *tarn, const Net *net, const Covered *covered) {
  text_clear(&tarn->cover_text);
  text_clear(&tarn->cover_json);
  text_clear(&tarn->cover_page);
  cover_text(&tarn->cover_text, covered);
  cover_json(&tarn->cover_json, net, &tarn->options, covered);
  try_page(tarn, net, covered);
}

static void conclude_cover(Covering *c) {
  Tarn *tarn = c->tarn;
  const Cover *cover = &c->cover;
  Arena arena = {.mem = &tarn->mem};
  CoveredItem *items = ARENA_ARRAY(&arena, CoveredItem, cover->item_count);
  Covered covered = {.goal = goals[cover->goal],
                     .items = items,
                     .item_count = cover->item_count,
                     .reason = cover->failure ? cover->failure : cover->stop_reason,
                     .certificate = c->is_accepted ? tarn->options.certificate : NULL,
                     .is_accepted = c->is_accepted,
                     .stats = &tarn->stats};
  for (uint32_t i = 0; i < cover->item_count; i++) {
    const CoverItem *item = &cover->items[i];
    Text name = {.mem = &tarn->mem};
    cover_name(&name, cover->net, cover->goal, item);
    items[i] =
        (CoveredItem){.name = arena_text(&arena, text_chars(&name), name.size),
                      .status = statuses[item->status],
                      .run = item->run,
                      .index = cover->goal == COVER_LOCATIONS ? item->location : item->edge};
    text_release(&name);
  }
  for (uint32_t i = 0; i < cover->runs.size; i++)
    add_run(tarn, &arena, &covered, &cover->runs.items[i]);
  write_cover(tarn, cover->net, &covered);
  vec_release(&tarn->mem, &covered.runs);
  arena_release(&arena);
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
  } else if (session_is_symbolic(tarn)) {
    c.cover = (Cover){.mem = &tarn->mem,
                      .net = units_net(&tarn->units, NULL),
                      .goal = goal,
                      .limits = &tarn->watch,
                      .exhausted = session_reason(tarn),
                      .stats = &tarn->stats,
                      .state = &c,
                      .explored = explored};
    if (cover_find(&c.cover, &tarn->report) &&
        (c.cover.stop_reason || conclude_has_states(tarn))) {
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
  Covered covered = {
      .goal = goals[3], .items = items, .item_count = tarn->queries.size, .stats = &stats};
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
  }
  write_cover(tarn, tarn->net, &covered);
  vec_release(&tarn->mem, &covered.runs);
  arena_release(&arena);
  return 0;
}

int suites_run(Tarn *tarn, const char *goal) {
  text_add(&tarn->cover_text, ""); // they outlive what follows
  text_add(&tarn->cover_json, "");
  text_add(&tarn->cover_page, "");
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
  const Text *made = !strcmp(format, "text")   ? &tarn->cover_text
                     : !strcmp(format, "json") ? &tarn->cover_json
                     : !strcmp(format, "html") ? &tarn->cover_page
                                               : NULL;
  if (!made || !made->size)
    return false;
  text_add(text, text_chars(made));
  return true;
}
