// Random networks that compare clocks with each other: agree_diagonals FIRST COUNT
//
// Each seed gives a network, in TChecker's language or with channels, urgency and priorities
// (channel_nets.h), and a goal. A naive search on regions that knows differences is the oracle
// (regions.h). Zones with the simulations that know them, with local and global bounds, in
// several orders, before and after delay, with zones in minimal form, and zones without
// abstraction, points and darts must agree with it where they take the network; a run must be
// found where there is one and accepted by the replayer, a certificate where there is none and
// accepted by the checker. Shows each network on which something disagrees; the last line is the
// sum.
//
// make agree-diagonals runs it on 12000 networks, test/fuzz/agree_diagonals.sh on a few, and on
// builds with planted bugs.
#include "channel_nets.h"
#include "compare.h"
#include "sample.h"

#include "analysis/diagonallimits.h"
#include "language/query_reader.h"
#include "language/tchecker/tck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGIONS = 20000, SHOWN = 3, QUERY = 300 };

static const Configuration configurations[] = {
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_STAGES, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 3, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_DFS, DELAY_BEFORE, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_RANK, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_TW, DELAY_AFTER, 0, 1},
    {ENGINE_ZONES, ABSTRACTION_AM, BOUNDS_LOCAL, ORDER_WAIT, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_CLOSURE, BOUNDS_GLOBAL, ORDER_BFS, DELAY_BEFORE, 0, 0},
    {ENGINE_POINTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_DARTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

typedef struct Sum {
  unsigned long regions;
  unsigned networks, channels, drifting, satisfied, failing, skipped, wrong;
  unsigned without_gap; // the oracle has no bound for them
  unsigned refused;     // zones do not take them: the differences have no bound
  CompareCounts counts;
} Sum;

typedef struct Case {
  unsigned long seed;
  unsigned long long random;
  Mem mem;
  Report report;
  ChannelNet made; // or:
  char *model;
  char query[QUERY];
  Source source, asked;
  Net net;
  Goal goal;
  Arena arena;
  int clocks, processes, locations, constant;
} Case;

static unsigned below(Case *c, unsigned n) { return sample_below(&c->random, n); }

static void make_model(Case *c, Sum *sum) {
  const int is_dense = below(c, 3) == 0; // few locations, and edges that differ in little
  c->processes = is_dense ? 1 : 1 + (below(c, 3) == 0);
  c->clocks = 2 + (below(c, 3) == 0);
  c->locations = 2 + (int)below(c, is_dense ? 2 : 4);
  c->constant = 1 + (int)below(c, c->clocks == 2 ? 4 : 2);
  const int drift = below(c, 3) == 0;
  sum->drifting += (unsigned)drift;
  const SampleValue values[] = {
      {"seed", (int)c->seed},
      {"diagonals", 1},
      {"drift", drift},
      {"closed", (int)below(c, 2)},
      {"processes", c->processes},
      {"clocks", c->clocks},
      {"locations", c->locations},
      {"edges", c->locations + (is_dense ? 4 : 0) + (int)below(c, 6)},
      {"constant", c->constant},
      {"ints", (int)below(c, 2)},
      {"syncs", c->processes == 1 ? 0 : (int)below(c, 3)},
      {"committed", below(c, 2) ? 0 : 10},
      {"urgent", below(c, 2) ? 0 : 15},
      {"invariants", is_dense ? 0 : (int)below(c, 60)},
      {"resets", 30 + (int)below(c, 60)},
      {"guards", is_dense ? 100 : 60 + (int)below(c, 40)},
  };
  c->model = sample_network(values, sizeof values / sizeof *values);
}

static void add_clock(Case *c, char **at, int x) {
  *at += sprintf(*at, strstr(c->model, "clock:2:z") && x < 2 ? "z[%d]" : "x%d", x);
}

// A location, often with constraints on clocks and on their differences; as E<> or A[].
static void make_query(Case *c) {
  static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};
  const int is_invariant = below(c, 3) == 0;
  char *at = c->query;
  at += sprintf(at, "%sP%u_l%u", is_invariant ? "A[] !(" : "E<> ",
                below(c, (unsigned)c->processes), below(c, (unsigned)c->locations));
  for (unsigned i = below(c, 3); i > 0; i--) {
    const int x = (int)below(c, (unsigned)c->clocks);
    const int y = (x + 1 + (int)below(c, (unsigned)c->clocks - 1)) % c->clocks;
    const int has_two = (int)below(c, 2);
    at += sprintf(at, " && ");
    add_clock(c, &at, x);
    at += sprintf(at, has_two ? " - " : "");
    if (has_two)
      add_clock(c, &at, y);
    at += sprintf(at, " %s %d", relations[below(c, 6)],
                  (int)below(c, 2 * (unsigned)c->constant + 1) - (has_two ? c->constant : 0));
  }
  sprintf(at, is_invariant ? ")" : "");
}

// False if the network is none: that is no disagreement.
static bool make_case(Case *c, Sum *sum) {
  c->arena.mem = &c->mem;
  report_init(&c->report, &c->mem);
  if (c->seed % 4 == 0) {
    sum->channels++;
    channel_nets_make(&c->made, &c->mem, c->seed, true);
    return !report_failed(&c->made.report);
  }
  make_model(c, sum);
  make_query(c);
  c->source = (Source){.name = "random", .text = c->model, .size = strlen(c->model)};
  c->asked = (Source){.name = "query", .text = c->query, .size = strlen(c->query)};
  net_init(&c->net, &c->mem);
  Query query;
  const bool ok = tck_read(&c->net, &c->source, &c->report) &&
                  query_read(&query, &c->arena, &c->net, &c->asked, &c->report) &&
                  query_goal(&c->goal, &c->arena, &c->net, &query, &c->report);
  if (!ok)
    printf("seed %lu: %s\n", c->seed, text_chars(&c->report.error));
  return ok;
}

// How far clocks must be apart for the oracle not to tell them apart any further; 0: no limit.
static int32_t find_gap(Case *c, const Net *net, const Goal *goal) {
  Arena arena = {.mem = &c->mem};
  Report report;
  report_init(&report, &c->mem);
  ClockBounds bounds;
  DiagonalLimits diagonals;
  int32_t difference = 0;
  if (clockbounds_compute(&bounds, &arena, net, goal, &report) &&
      diagonallimits_compute(&diagonals, &arena, net, goal, &bounds, &report)) {
    difference =
        1 + (diagonals.difference > diagonals.max ? diagonals.difference : diagonals.max);
    for (ClockIndex x = 1; x <= net->clock_count; x++) {
      difference =
          bounds.global_lower[x] >= difference ? (int32_t)bounds.global_lower[x] + 1 : difference;
      difference =
          bounds.global_upper[x] >= difference ? (int32_t)bounds.global_upper[x] + 1 : difference;
    }
  }
  report_release(&report);
  arena_release(&arena);
  return difference;
}

static void show(const Case *c, unsigned i, Text *why) {
  printf("seed %lu, configuration %u: %s\n", c->seed, i, text_chars(why));
  if (c->model)
    printf("%s%s\n", c->model, c->query);
  else
    channel_nets_print(&c->made);
}

static void compare(Case *c, Sum *sum) {
  const Net *net = c->model ? &c->net : &c->made.net;
  const Goal *goal = c->model ? &c->goal : &c->made.goal;
  const int32_t difference = find_gap(c, net, goal);
  uint32_t visited = 0;
  sum->networks++;
  sum->without_gap += !difference;
  const RegionsResult oracle =
      difference ? regions_search_gaps(&c->mem, net, goal, difference, MAX_REGIONS, &visited)
                 : REGIONS_MANY;
  sum->regions += visited;
  sum->satisfied += oracle == REGIONS_GOAL;
  sum->failing += oracle == REGIONS_FAILED;
  sum->skipped += difference && oracle == REGIONS_MANY;
  Compare with = {
      .mem = &c->mem, .net = net, .goal = goal, .why = {.mem = &c->mem}, .counts = &sum->counts};
  bool is_wrong = false, is_refused = false;
  for (unsigned i = 0; i < CONFIGURATIONS; i++) {
    bool ok = compare_agrees(&with, &configurations[i], oracle);
    if (with.is_refused && configurations[i].engine == ENGINE_ZONES) {
      ok = strstr(text_chars(&with.why), "have no bound") ||
           strstr(text_chars(&with.why), "matter without bound");
      is_refused = true;
    }
    if (!ok && sum->wrong < SHOWN && !is_wrong)
      show(c, i, &with.why);
    is_wrong |= !ok;
  }
  sum->wrong += is_wrong;
  sum->refused += is_refused;
}

static void end_case(Case *c) {
  if (c->seed % 4 == 0)
    channel_nets_release(&c->made);
  mem_release(&c->mem);
  free(c->model);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: agree_diagonals FIRST COUNT\n");
    return 2;
  }
  const unsigned long first = strtoul(arguments[1], NULL, 10);
  const unsigned long seeds = strtoul(arguments[2], NULL, 10);
  Sum sum = {0};
  for (unsigned long seed = first; seed < first + seeds; seed++) {
    Case c = {.seed = seed, .random = seed};
    if (make_case(&c, &sum))
      compare(&c, &sum);
    end_case(&c);
  }
  printf(
      "%s agree_diagonals: %u networks from seed %lu on (%u with channels, %u with shifts, %u "
      "with a goal, %u with a run-time error; by evidence alone: %u too large and %u without a "
      "bound for the oracle; %u refused by zones; %lu regions), %u wrong, of them %u verdicts; "
      "searches: %u in zones, %u "
      "darts, %u points; %u runs, %u certificates\n",
      sum.wrong ? "FAIL" : "ok", sum.networks, first, sum.channels, sum.drifting, sum.satisfied,
      sum.failing, sum.skipped, sum.without_gap, sum.refused, sum.regions, sum.wrong,
      sum.counts.verdicts, sum.counts.searches[ENGINE_ZONES], sum.counts.searches[ENGINE_DARTS],
      sum.counts.searches[ENGINE_POINTS], sum.counts.runs, sum.counts.certificates);
  return sum.wrong != 0;
}
