#define _POSIX_C_SOURCE 200809L // open_memstream
#include "compare.h"

#include "answers/certificates/certificate.h"
#include "answers/runs/trace.h"
#include "check/certify.h"
#include "check/replay.h"
#include "model/initial.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"
#include "semantics/local/local.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/zones.h"

#include <stdio.h>
#include <stdlib.h>

static Space *new_space(Compare *c, Report *report) {
  const Net *net = c->net;
  const Options *options = &c->options;
  switch ((Engine)options->engine) {
  case ENGINE_LOCAL:
    return local_new(c->mem, net, c->goal, options, report);
  case ENGINE_DARTS:
    return darts_new(c->mem, net, c->goal, options, report);
  case ENGINE_POINTS:
    return points_new(c->mem, net, c->goal, options, report);
  case ENGINE_WIDE:
    return wide_new(c->mem, net, c->goal, options, report);
  default:
    return zones_new(c->mem, net, c->goal, options, report);
  }
}

// The run to the goal, if it is one; in the order of all engines, all of them find runs.
static bool run_holds(Compare *c, ReachResult result) {
  Trace trace;
  bool ok = trace_build(&trace, c->mem, c->net, c->goal, &c->reach, result, TRACE_CONCRETE, NULL);
  if (!ok)
    text_add(&c->why, "the run cannot be rebuilt");
  if (ok) {
    const Run run = trace.run;
    ok = replay_run(c->mem, c->net, c->goal, &run, &c->why);
    c->counts->runs++;
  }
  trace_release(&trace);
  return ok;
}

static bool certificate_holds(Compare *c) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&bytes, &size);
  const CertificateGoal goal = {.origin = "compare"};
  bool ok = certificate_write(file, c->mem, c->net, &c->reach, &goal);
  fclose(file);
  CertifyCounts counts;
  if (!ok)
    text_add(&c->why, "a successor is not covered");
  // Of a model without an initial state everything would hold: that must be rejected.
  if (ok)
    ok = certify_check(c->mem, c->net, c->goal, bytes, size, &counts, &c->why) ==
         initial_exists(c->mem, c->net);
  free(bytes);
  c->counts->certificates++;
  return ok;
}

static ReachResult expected_result(RegionsResult oracle) {
  return oracle == REGIONS_GOAL ? REACH_GOAL : oracle == REGIONS_NONE ? REACH_NONE : REACH_FAILED;
}

// A model with a goal and a run-time error: the order of the search decides which is found first.
static bool is_excused(Compare *c, ReachResult result, RegionsResult oracle) {
  uint32_t visited;
  if (oracle == REGIONS_FAILED)
    return result == REACH_GOAL;
  return oracle == REGIONS_GOAL && result == REACH_FAILED && c->constant &&
         regions_search(c->mem, c->net, NULL, c->constant, c->max, &visited) != REGIONS_NONE;
}

// False if the configuration gives another answer than the oracle, or no evidence for it.
bool compare_agrees(Compare *c, const Configuration *configuration, RegionsResult oracle) {
  Report report;
  report_init(&report, c->mem);
  text_clear(&c->why);
  options_init(&c->options);
  c->options.engine = configuration->engine;
  c->options.abstraction = configuration->abstraction;
  c->options.bounds = configuration->bounds;
  c->options.order = configuration->order;
  c->options.delay = configuration->delay;
  c->options.seed = configuration->seed;
  c->options.compact = configuration->compact;
  c->options.effects =
      configuration->engine == ENGINE_ZONES || configuration->engine == ENGINE_WIDE
          ? OPTION_ABSTRACTS
          : 0;
  c->options.trace = TRACE_CONCRETE;
  Space *space = new_space(c, &report);
  c->is_refused = !space;
  if (!space)
    text_add(&c->why, text_chars(&report.error));
  report_release(&report);
  if (!space)
    return true;
  c->counts->searches[configuration->engine]++;
  c->stats = (Statistics){0};
  reach_init(&c->reach, c->mem, space, (SearchOrder)c->options.order, &c->stats);
  const ReachResult result = reach_run(&c->reach);
  bool ok = true;
  if (oracle != REGIONS_MANY && result != expected_result(oracle) &&
      !is_excused(c, result, oracle)) {
    c->counts->verdicts++;
    static const char *const names[] = {"a goal", "none", "stopped", "a failure"};
    text_addf(&c->why, "finds %s, the oracle %s", names[result], names[expected_result(oracle)]);
    ok = false;
  }
  ok = ok && (result != REACH_GOAL || run_holds(c, result));
  const bool has_proof = configuration->engine == ENGINE_ZONES;
  ok = ok && (result != REACH_NONE || !has_proof || certificate_holds(c));
  reach_release(&c->reach);
  space_release(space);
  return ok;
}
