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
#include "channel_nets.h"
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_REGIONS = 30000, SHOWN = 3 };

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
  unsigned networks, satisfied, failing, skipped, wrong;
  unsigned listed, urgent, priorities;
  CompareCounts counts;
} Sum;

typedef struct Case {
  Mem mem;
  ChannelNet made;
  Compare compare;
  Sum *sum;
} Case;

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
  Compare *with = &c->compare;
  for (uint32_t i = 0; i < CONFIGURATIONS; i++) {
    // Zones take every such network; the other engines may refuse it.
    if (compare_agrees(with, &configurations[i], oracle) &&
        (!with->is_refused || configurations[i].engine != ENGINE_ZONES))
      continue;
    if (sum->wrong < SHOWN)
      printf("seed %llu, configuration %u: %s\n", (unsigned long long)seed, i,
             text_chars(&with->why));
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
    channel_nets_make(&c.made, &c.mem, seed, false);
    c.compare = (Compare){.mem = &c.mem,
                          .net = &c.made.net,
                          .goal = &c.made.goal,
                          .why = {.mem = &c.mem},
                          .counts = &sum.counts};
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
      sum.counts.searches[ENGINE_ZONES], sum.counts.searches[ENGINE_LOCAL],
      sum.counts.searches[ENGINE_DARTS], sum.counts.searches[ENGINE_POINTS], sum.counts.runs,
      sum.counts.certificates);
  return sum.wrong != 0;
}
