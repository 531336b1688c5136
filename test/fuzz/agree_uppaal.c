// Random networks with channels, decided by every engine: agree_uppaal FIRST COUNT
//
// Each seed gives a network and a goal (channel_nets.h). A naive search on regions is the oracle.
// Zones with every abstraction and kind of bounds, in several orders, local time, points and
// darts must agree with it where they take the model; a run must be found where there is one and
// accepted by the replayer, a certificate where there is none and accepted by the checker. Shows
// each network on which something disagrees; the last line is the sum.
//
// make agree-uppaal runs it on 20000 networks, test/fuzz/agree_uppaal.sh on a few, and on
// builds with planted bugs.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "channel_nets.h"
#include "regions.h"

#include "check/certify.h"
#include "check/replay.h"
#include "discrete/darts.h"
#include "discrete/points.h"
#include "evidence/certificate.h"
#include "evidence/trace.h"
#include "local/local.h"
#include "zone/zones.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_REGIONS = 30000, SHOWN = 3 };

typedef struct Configuration {
  int engine, abstraction, bounds, order, delay, seed;
} Configuration;

static const Configuration configurations[] = {
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_STAGES, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_BFS, DELAY_AFTER, 3},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_FLY, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LAZY, ORDER_DFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_DFS, DELAY_BEFORE, 0},
    {ENGINE_ZONES, ABSTRACTION_AM, BOUNDS_LOCAL, ORDER_TW, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_CLOSURE_LU_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_DFS, DELAY_BEFORE, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_M_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_M, BOUNDS_GLOBAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_LOCAL, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_LOCAL, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_DFS, DELAY_AFTER, 0},
    {ENGINE_POINTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_POINTS, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 5},
    {ENGINE_DARTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0},
    {ENGINE_DARTS, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

typedef struct Sum {
  unsigned long regions;
  unsigned networks, satisfied, failing, skipped, wrong, runs, certificates;
  unsigned listed, urgent, priorities, searches[ENGINE_POINTS + 1];
} Sum;

typedef struct Case {
  Mem mem;
  ChannelNet made;
  Options options;
  Reach reach;
  Statistics stats;
  Text why;
  Sum *sum;
} Case;

static Space *new_space(Case *c, Report *report) {
  const Net *net = &c->made.net;
  const Options *options = &c->options;
  switch ((Engine)options->engine) {
  case ENGINE_LOCAL:
    return local_new(&c->mem, net, &c->made.goal, options, report);
  case ENGINE_DARTS:
    return darts_new(&c->mem, net, &c->made.goal, options, report);
  case ENGINE_POINTS:
    return points_new(&c->mem, net, &c->made.goal, options, report);
  default:
    return zones_new(&c->mem, net, &c->made.goal, options, report);
  }
}

// The run to the goal, if it is one; in the order of all engines, all of them find runs.
static bool run_holds(Case *c, ReachResult result) {
  Trace trace;
  bool ok = trace_build(&trace, &c->mem, &c->made.net, &c->made.goal, &c->reach, result,
                        TRACE_CONCRETE);
  if (!ok)
    text_add(&c->why, "the run cannot be rebuilt");
  if (ok) {
    Arena arena = {.mem = &c->mem};
    const Run run = trace_run(&trace, &arena);
    ok = replay_run(&c->mem, &c->made.net, &c->made.goal, &run, &c->why);
    arena_release(&arena);
    c->sum->runs++;
  }
  trace_release(&trace);
  return ok;
}

static bool certificate_holds(Case *c) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&bytes, &size);
  const CertificateGoal goal = {.origin = "agree_uppaal"};
  bool ok = certificate_write(file, &c->mem, &c->made.net, &c->reach, &goal);
  fclose(file);
  CertifyCounts counts;
  if (!ok)
    text_add(&c->why, "a successor is not covered");
  ok = ok && certify_check(&c->mem, &c->made.net, &c->made.goal, bytes, size, &counts, &c->why);
  free(bytes);
  c->sum->certificates++;
  return ok;
}

static ReachResult expected_result(RegionsResult oracle) {
  return oracle == REGIONS_GOAL ? REACH_GOAL : oracle == REGIONS_NONE ? REACH_NONE : REACH_FAILED;
}

// False if the configuration gives another answer than the oracle, or no evidence for it.
static bool agrees(Case *c, const Configuration *configuration, RegionsResult oracle) {
  Report report;
  report_init(&report, &c->mem);
  options_init(&c->options);
  c->options.engine = configuration->engine;
  c->options.abstraction = configuration->abstraction;
  c->options.bounds = configuration->bounds;
  c->options.order = configuration->order;
  c->options.delay = configuration->delay;
  c->options.seed = configuration->seed;
  c->options.trace = TRACE_CONCRETE;
  Space *space = new_space(c, &report);
  report_release(&report);
  if (!space)
    return configuration->engine != ENGINE_ZONES; // the others may refuse it
  c->sum->searches[configuration->engine]++;
  c->stats = (Statistics){0};
  reach_init(&c->reach, &c->mem, space, (SearchOrder)c->options.order, &c->stats);
  const ReachResult result = reach_run(&c->reach);
  bool ok = true;
  if (oracle != REGIONS_FAILED && result != expected_result(oracle)) {
    static const char *const names[] = {"a goal", "none", "stopped", "a failure"};
    text_addf(&c->why, "finds %s, the oracle %s", names[result], names[expected_result(oracle)]);
    ok = false;
  }
  ok = ok && (result != REACH_GOAL || run_holds(c, result));
  // Covering by closure-lu+ is not transitive: what covered a successor may be covered itself by
  // a node that does not.
  const bool has_proof = configuration->engine == ENGINE_ZONES &&
                         configuration->abstraction != ABSTRACTION_CLOSURE_LU_PLUS;
  ok = ok && (result != REACH_NONE || !has_proof || certificate_holds(c));
  reach_release(&c->reach);
  space->release(space);
  return ok;
}

static void compare(Case *c, uint64_t seed) {
  Sum *sum = c->sum;
  uint32_t visited;
  const RegionsResult oracle = regions_search(&c->mem, &c->made.net, &c->made.goal,
                                              CHANNEL_NETS_CONSTANT, MOST_REGIONS, &visited);
  sum->networks++;
  sum->regions += visited;
  sum->satisfied += oracle == REGIONS_GOAL;
  sum->failing += oracle == REGIONS_FAILED;
  sum->skipped += oracle == REGIONS_MANY;
  sum->listed += c->made.net.is_listed;
  sum->priorities += c->made.net.has_priorities;
  if (oracle == REGIONS_MANY)
    return;
  bool is_wrong = false;
  for (uint32_t i = 0; i < CONFIGURATIONS; i++) {
    text_clear(&c->why);
    if (agrees(c, &configurations[i], oracle))
      continue;
    if (sum->wrong < SHOWN)
      printf("seed %llu, configuration %u: %s\n", (unsigned long long)seed, i,
             text_chars(&c->why));
    is_wrong = true;
  }
  if (is_wrong && sum->wrong++ < SHOWN)
    channel_nets_print(&c->made);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: agree_uppaal FIRST COUNT\n");
    return 2;
  }
  const uint64_t first = strtoull(arguments[1], NULL, 10);
  const uint64_t seeds = strtoull(arguments[2], NULL, 10);
  Sum sum = {0};
  for (uint64_t seed = first; seed < first + seeds; seed++) {
    Case c = {.sum = &sum};
    c.why.mem = &c.mem;
    channel_nets_make(&c.made, &c.mem, seed);
    if (report_failed(&c.made.report))
      printf("seed %llu: %s\n", (unsigned long long)seed, text_chars(&c.made.report.error));
    else
      compare(&c, seed);
    channel_nets_release(&c.made);
    mem_release(&c.mem);
  }
  printf(
      "%s agree_uppaal: %u networks from seed %llu on (%u with a goal, %u with a run-time error, "
      "%u too large, %lu regions; %u with tests beyond guards, %u with priorities), %u wrong; "
      "searches: %u in "
      "zones, %u local, %u darts, %u points; %u runs, %u certificates\n",
      sum.wrong ? "FAIL" : "ok", sum.networks, (unsigned long long)first, sum.satisfied,
      sum.failing, sum.skipped, sum.regions, sum.listed, sum.priorities, sum.wrong,
      sum.searches[ENGINE_ZONES], sum.searches[ENGINE_LOCAL], sum.searches[ENGINE_DARTS],
      sum.searches[ENGINE_POINTS], sum.runs, sum.certificates);
  return sum.wrong != 0;
}
