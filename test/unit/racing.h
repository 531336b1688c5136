// Models in which delays are random, for the unit tests of the simulator: .xta texts; rates and
// queries are given apart.
#pragma once

#include "answers/statistics/estimate.h"
#include "reading.h"

#include <math.h>

typedef struct Racing {
  Reading r;
  Laws laws;
  Estimate estimate;
} Racing;

// `rates` are pairs of a location such as `P.a` and a number, up to NULL.
typedef struct RacingRate {
  const char *process, *location;
  double rate;
} RacingRate;

static inline void racing_begin(Racing *racing, const char *text, const RacingRate *rates) {
  Reading *r = &racing->r;
  reading_begin(r, text);
  if (!uppaal_read(&r->net, &r->source, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
  for (; rates && rates->process; rates++) {
    const ProcessId p = net_find_process(&r->net, rates->process);
    const LocationId l = net_find_location(&r->net, p, rates->location);
    r->net.locations.items[l].exponential = expr_real(&r->arena, (Place){0}, rates->rate);
  }
  if (!laws_make(&racing->laws, &r->arena, &r->net, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
}

static inline void racing_release(Racing *racing) { reading_release(&racing->r); }

static inline const Expr *racing_condition(Racing *racing, const char *text) {
  Query query;
  const size_t size = strlen(text) + 16;
  char *whole = arena_alloc(&racing->r.arena, size);
  snprintf(whole, size, "Pr[<=1](<> %s)", text);
  Source *source = ARENA_NEW(&racing->r.arena, Source);
  *source = (Source){.name = "query", .text = whole, .size = strlen(whole)};
  if (!uppaal_query(&query, &racing->r.arena, &racing->r.net, source, 0, (uint32_t)source->size,
                    &racing->r.report))
    fail_msg("%s", text_chars(&racing->r.report.error));
  return query.statistical->path.goal;
}

// Runs `<> goal` within a time, or within steps if that is negative.
static inline double racing_estimate(Racing *racing, const char *goal, double limit,
                                     uint64_t runs) {
  const char *reason;
  const Statistical query = {
      .path = {.bound = {.kind = limit < 0 ? RUN_BOUND_STEPS : RUN_BOUND_TIME,
                         .limit = fabs(limit),
                         .runs = runs},
               .goal = racing_condition(racing, goal)}};
  const EstimateParameters parameters = {
      .test = {.alpha = 0.05, .epsilon = 0.05}, .seed = 1, .threads = 1};
  Estimate estimate;
  if (!estimate_run(&estimate, &racing->r.mem, &racing->laws, &query, &parameters, NULL, NULL,
                    &reason, &racing->r.report))
    return -1;
  const double value = estimate.value;
  estimate_release(&estimate);
  return value;
}

// The estimate of so many runs is within 4 standard deviations.
static inline void racing_expect(const char *text, const RacingRate *rates, const char *goal,
                                 double limit, double expected) {
  enum { RUNS = 4000 };
  Racing racing;
  racing_begin(&racing, text, rates);
  const double value = racing_estimate(&racing, goal, limit, RUNS);
  if (value < 0)
    fail_msg("%s: %s", goal, text_chars(&racing.r.report.error));
  if (fabs(value - expected) > 4 * sqrt(expected * (1 - expected) / RUNS))
    fail_msg("%s within %g: %g, not %g", goal, limit, value, expected);
  racing_release(&racing);
}
