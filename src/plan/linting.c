#include "plan/linting.h"

#include "base/timer.h"
#include "model/stopwatches.h"
#include "output/lint_writer.h"
#include "plan/capabilities.h"
#include "plan/conclude.h"
#include "plan/handle.h"

// Queries that a check refuses, each for itself, are left out here, with a warning.
static bool read_query(Tarn *tarn, Arena *arena, const TarnQuery *asked, Query *query) {
  Report *report = &tarn->report;
  const bool ok = handle_parse(tarn, asked, query, arena, report);
  if (!ok && (asked->is_own || tarn->net->origin.uppaal)) {
    text_clear(&report->error);
    report_warning(report, asked->place, "this query is not understood: `tarn check` says why");
  }
  query->text = asked->text;
  return ok;
}

// Why the states that a search sees do not tell which there are; NULL: they do.
static const char *refusal_of(const Net *net) {
  Options options;
  options_init(&options);
  const Request request = {.net = net, .options = &options};
  return capabilities_refusal(&request);
}

static bool read_queries(Tarn *tarn, Arena *arena, Lint *lint, const char *const *texts,
                         size_t given) {
  const size_t count = given ? given : tarn->queries.size;
  TarnQuery *handles = ARENA_ARRAY(arena, TarnQuery, given);
  Query *queries = ARENA_ARRAY(arena, Query, count);
  Scale scale = {0};
  bool reads_rates = false;
  for (size_t i = 0; i < count; i++) {
    if (given)
      handle_init(&handles[i], tarn, texts[i], false);
    Query *query = &queries[lint->query_count];
    if (read_query(tarn, arena, given ? &handles[i] : tarn->queries.items[i], query)) {
      query_note(query, &scale);
      reads_rates |= stopwatches_are_read(tarn->net, query);
      lint->query_count++;
    } else if (report_failed(&tarn->report))
      return false;
  }
  lint->net = units_net(&tarn->units, &scale, reads_rates);
  for (uint32_t i = 0; i < lint->query_count; i++) {
    queries[i] = query_in_unit(&queries[i], arena, net_unit(lint->net));
    lint->net = query_keep_meta(&queries[i], lint->net, arena);
  }
  lint->queries = queries;
  lint->refusal = refusal_of(lint->net);
  return true;
}

static void write(Tarn *tarn, const Lint *lint) {
  text_clear(&tarn->lint_text);
  text_clear(&tarn->lint_json);
  lint_text(&tarn->lint_text, lint);
  lint_json(&tarn->lint_json, lint);
}

static int count(const Lint *lint) {
  int warnings = 0, undecided = lint->stop_reason != NULL;
  for (uint32_t i = 0; i < lint->findings.size; i++) {
    warnings += lint->findings.items[i].level == LINT_WARNING;
    undecided += lint->findings.items[i].level == LINT_UNDECIDED;
  }
  return warnings ? warnings : undecided ? -2 : 0;
}

int linting_run(Tarn *tarn, const char *const *queries, size_t query_count) {
  text_add(&tarn->lint_text, ""); // it outlives what follows
  text_add(&tarn->lint_json, "");
  const size_t mark = session_begin(tarn);
  Arena arena = {.mem = &tarn->mem};
  Lint lint = {.mem = &tarn->mem, .limits = &tarn->watch, .stats = &tarn->stats};
  volatile int result = -1;
  jmp_buf escape;
  tarn->stats = (Statistics){0};
  session_limit(tarn);
  if (GUARD(tarn, escape)) {
    session_ran_out(tarn, "");
  } else if (session_is_symbolic(tarn) &&
             read_queries(tarn, &arena, &lint, queries, query_count) &&
             lint_run(&lint, &tarn->report) && (lint.stop_reason || conclude_has_states(tarn))) {
    session_unlimit(tarn); // what was found is small
    tarn->stats.seconds = timer_seconds() - tarn->began;
    write(tarn, &lint);
    result = count(&lint);
  }
  session_unlimit(tarn);
  handle_release_to(tarn, NULL, mark);
  session_keep_messages(tarn);
  return result;
}
