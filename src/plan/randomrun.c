#include "plan/randomrun.h"

#include "answers/statistics/estimate.h"
#include "check/randomreplay.h"
#include "language/query_reader.h"
#include "output/randomtext.h"
#include "plan/random_reader.h"
#include "semantics/stochastic/recorder.h"

#include <string.h>

typedef struct ShownRun {
  const Net *net;
  RandomRun run;
  RandomText how;
} ShownRun;

// What run `number` of a query is said to show.
static RandomClaim claim_of(const Statistical *query, uint64_t number) {
  const bool is_other = query->kind == STATISTICAL_COMPARISON && number % 2;
  RandomClaim claim = {.is_min = query->is_min};
  if (query->kind == STATISTICAL_EXPECTATION)
    claim.value = query->values[0];
  else if (query->kind != STATISTICAL_SIMULATION || query->path.goal)
    claim.path = is_other ? &query->other : &query->path;
  claim.bound = is_other ? &query->other.bound : &query->path.bound;
  return claim;
}

// The least tolerance with which the replayer accepts the run.
static bool find_tolerance(Tarn *tarn, const Statistical *query, RandomRun *run, Text *why) {
  static const double tolerances[] = {0, 1e-9, 1e-6, 1e-4};
  const RandomClaim claim = claim_of(query, run->run);
  const char *rest;
  for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
    text_clear(why);
    run->tolerance = tolerances[k];
    if (randomreplay_run(&tarn->mem, query->net, run, &claim, why, &rest))
      return true;
  }
  return false;
}

// As the crew of an estimate asks for it.
static bool should_stop(void *context) { return session_time_limit(context); }

static bool make(Tarn *tarn, const Statistical *query, ShownRun *shown, uint64_t number,
                 uint64_t seed) {
  Arena arena = {.mem = &tarn->mem}; // as long as the session
  Laws laws;
  Watch watches[2];
  Race race;
  if (!laws_make(&laws, &arena, query->net, &tarn->report))
    return false;
  const uint32_t count = estimate_watches(watches, &arena, &laws, query, &tarn->report);
  if (!count)
    return false;
  race_init(&race, &laws, &tarn->mem);
  race.should_stop = should_stop, race.stop_context = tarn;
  const bool is_good =
      recorder_run(&shown->run, &arena, &watches[number % count], &race, seed, number);
  if (!is_good && race.is_cut)
    report_error(&tarn->report, (Place){0}, "%s", session_time_limit(tarn));
  else if (!is_good)
    report_error(&tarn->report, race.error_place, "%s", text_chars(&race.error));
  race_release(&race);
  return is_good;
}

bool randomrun_make(Tarn *tarn, TarnQuery *asked, uint64_t number, uint64_t seed) {
  if (!handle_read(tarn, asked))
    return false;
  const Statistical *query = asked->query.statistical;
  if (asked->query.kind != QUERY_STATISTICAL)
    return report_error(&tarn->report, asked->place,
                        "only statistical queries have numbered runs");
  ShownRun *shown = mem_alloc(&tarn->mem, sizeof *shown);
  *shown = (ShownRun){.net = query->net};
  if (!make(tarn, query, shown, number, seed ? seed : 1))
    return false;
  const RandomClaim claim = claim_of(query, number);
  shown->how = (RandomText){.query = mem_copy_text(&tarn->mem, asked->text, strlen(asked->text)),
                            .has_value = claim.value,
                            .has_outcome = claim.path};
  Text why = {.mem = &tarn->mem};
  if (!find_tolerance(tarn, query, &shown->run, &why))
    report_warning(&tarn->report, (Place){0},
                   "the replayer rejects the run; please report this model as a bug: %s",
                   text_chars(&why));
  text_release(&why);
  tarn->shown = shown;
  return true;
}

bool randomrun_write(Tarn *tarn, Text *text, const char *what, const char *format) {
  const bool is_json = !strcmp(format, "json"), is_full = !strcmp(format, "full");
  if (!tarn->shown || strcmp(what, "random run") ||
      (!is_json && !is_full && strcmp(format, "text")))
    return false;
  ShownRun *shown = tarn->shown;
  shown->how.is_full = is_full;
  (is_json ? randomtext_json : randomtext_write)(text, shown->net, &shown->run, &shown->how);
  return true;
}

bool randomrun_is_one(const Source *source) { return random_reader_is_one(source); }

static void add_finding(Tarn *tarn, const RandomRun *run, bool accepted, const Text *why,
                        const char *rest) {
  Text *finding = &tarn->finding;
  text_addf(finding, "run %llu of seed %llu: ", (unsigned long long)run->run,
            (unsigned long long)run->seed);
  if (!accepted)
    text_addf(finding, "rejected: %s\n", text_chars(why));
  else if (run->tolerance == 0)
    text_addf(finding, "%u steps are accepted, with exact times and clocks", run->step_count - 1);
  else
    text_addf(finding, "%u steps are accepted, each within %g", run->step_count - 1,
              run->tolerance);
  if (accepted)
    text_addf(finding, "%s%s\n", rest ? "; " : "", rest ? rest : "");
}

int randomrun_check(Tarn *tarn, const Source *source) {
  Arena arena = {.mem = &tarn->mem};
  Text why = {.mem = &tarn->mem};
  RandomRun run;
  Query query;
  const char *rest = NULL;
  const char *text = random_reader_query(source, &arena, &tarn->report);
  if (!text)
    return -1;
  Source *asked = ARENA_NEW(&arena, Source);
  *asked = (Source){.name = "<query>", .text = text, .size = strlen(text)};
  if (!query_read(&query, &arena, tarn->net, asked, &tarn->report))
    return -1;
  if (query.kind != QUERY_STATISTICAL) {
    report_error(&tarn->report, (Place){asked, 0}, "this is not a statistical query");
    return -1;
  }
  if (!random_reader_run(source, &arena, query.statistical->net, &run, &tarn->report))
    return -1;
  const RandomClaim claim = claim_of(query.statistical, run.run);
  const bool accepted =
      randomreplay_run(&tarn->mem, query.statistical->net, &run, &claim, &why, &rest);
  add_finding(tarn, &run, accepted, &why, rest);
  text_release(&why);
  return accepted;
}
