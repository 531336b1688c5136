// Statistical queries of .xta texts, for the unit tests of what answers them and of what reads
// and writes runs.
#pragma once

#include "answers/statistics/estimate.h"
#include "sessions.h"

// Two edges that race, a branch point, a clock of another rate, a real number.
#define ASKING_MODEL                                                                             \
  "clock x, w; double d = 0.5; int n = 0; broadcast chan go;\n"                                  \
  "process P() { state s { x <= 4 && w' == 2 }, t; commit t; branchpoint b; init s;\n"           \
  " trans s -> b { guard x >= 1; sync go!; assign x = 0, d = random(3.0); },\n"                  \
  " b -> s { probability 3; }, b -> t { probability 1; assign n = 7; },\n"                       \
  " t -> s { assign n = 1; }; }\n"                                                               \
  "process Q() { clock y; state s { ; 2 }; init s; trans s -> s { guard n < 5; sync go?;\n"      \
  " assign n = n + 1, y = 0; }, s -> s { guard y >= 1; assign d = d / 2; }; }\n"                 \
  "system P, Q;\n"

typedef struct Asking {
  Tarn *tarn;
  Check check;
  const Statistical *query;
  Laws laws;
} Asking;

static inline void asking_begin(Asking *asking, const char *model, const char *query) {
  asking->tarn = tarn_init();
  if (tarn_read_text(asking->tarn, model, "uppaal"))
    fail_msg("%s", tarn_error(asking->tarn));
  sessions_begin(&asking->check, asking->tarn, query);
  asking->query = asking->check.query.statistical;
  assert_non_null(asking->query);
  if (!laws_make(&asking->laws, &asking->check.arena, asking->query->net, &asking->tarn->report))
    fail_msg("%s", text_chars(&asking->tarn->report.error));
}

static inline void asking_release(Asking *asking) {
  arena_release(&asking->check.arena);
  tarn_release(asking->tarn);
}

// Runs the query with the usual parameters and this seed.
static inline void asking_estimate(Asking *asking, Estimate *estimate, uint64_t seed) {
  const EstimateParameters parameters = {
      .test = {0.05, 0.05, 0.01, 0.01, 0.9, 1.1, 0.05}, .seed = seed, .threads = 1};
  const char *reason;
  if (!estimate_run(estimate, &asking->tarn->mem, &asking->laws, asking->query, &parameters, NULL,
                    NULL, &reason, &asking->tarn->report))
    fail_msg("%s", text_chars(&asking->tarn->report.error));
}
