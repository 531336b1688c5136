// Random UPPAAL networks with every construct, decided by every engine: agree_uppaal FIRST COUNT
//
// Each seed gives a model as text and a query (uppaal_nets.h). A naive search on regions is the
// oracle. Zones with every abstraction and kind of bounds, in several orders, local time, points
// and darts must agree with it where they take the model; a run must be found where there is one
// and accepted by the replayer, a certificate where there is none and accepted by the checker.
// Shows each network on which something disagrees; the last line is the sum.
//
// make agree-uppaal runs it on 20000 networks, test/fuzz/agree_uppaal.sh on a few, and on
// builds with planted bugs.
#include "compare.h"
#include "uppaal_nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGIONS = 30000, SHOWN = 3 };

static const Configuration configurations[] = {
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_STAGES, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_BFS, DELAY_AFTER, 3, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_FLY, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LAZY, ORDER_DFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_DFS, DELAY_BEFORE, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_AM, BOUNDS_LOCAL, ORDER_TW, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_CLOSURE_LU_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_DFS, DELAY_BEFORE, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_LU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_M_PLUS, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_ZONES, ABSTRACTION_EXTRA_M, BOUNDS_GLOBAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_LOCAL, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_LOCAL, ABSTRACTION_EXTRA_LU_PLUS, BOUNDS_LOCAL, ORDER_DFS, DELAY_AFTER, 0, 0},
    {ENGINE_WIDE, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_WIDE, ABSTRACTION_EXTRA_LU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0, 0},
    {ENGINE_POINTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_POINTS, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 5, 0},
    {ENGINE_DARTS, ABSTRACTION_ALU, BOUNDS_LOCAL, ORDER_BFS, DELAY_AFTER, 0, 0},
    {ENGINE_DARTS, ABSTRACTION_ALU, BOUNDS_GLOBAL, ORDER_DFS, DELAY_AFTER, 0, 0},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

typedef struct Sum {
  unsigned long regions;
  unsigned networks, satisfied, failing, skipped, wrong;
  unsigned listed, priorities, constructs[20];
  CompareCounts counts;
} Sum;

// What networks must have, by the words that show it in the text.
static const char *const constructs[][2] = {
    {"select", "select k"},
    {"scalars", "select element"},
    {"functions", "f("},
    {"references", "bump("},
    {"forall", "(forall"},
    {"exists", "(exists"},
    {"sum", "(sum"},
    {"structs", "s.p"},
    {"meta", " m"},
    {"channel arrays", "sync d["},
    {"before_update", "before_"},
    {"after_update", "after_"},
    {"free parameters", "T0(const int[0,1] id) "},
    {"own clocks", "clock z"},
    {"clocks by parameter", "x[id]"},
    {"resets to values", "] = 2"},
    {"clock or integer", " || x["},
    {"local counters", "int[0,2] n"},
    {"lower-bound invariants", NULL},
};
enum { CONSTRUCTS = sizeof constructs / sizeof *constructs };

// An invariant is between braces behind a location.
static bool has_lower_invariant(const char *text) {
  for (const char *at = strstr(text, "  state "); at; at = strstr(at + 1, "  state ")) {
    const char *end = strchr(at, '\n');
    for (const char *x = at; (x = strstr(x, "] >= ")) && x < end; x++)
      if (x - at > 4 && !strncmp(x - 3, "x[", 2))
        return true;
  }
  return false;
}

static void count_constructs(Sum *sum, const char *text) {
  for (uint32_t i = 0; i < CONSTRUCTS; i++)
    sum->constructs[i] +=
        constructs[i][1] ? strstr(text, constructs[i][1]) != NULL : has_lower_invariant(text);
}

typedef struct Case {
  Mem mem;
  UppaalNet made;
  Compare compare;
  Sum *sum;
} Case;

static void compare(Case *c, uint64_t seed) {
  Sum *sum = c->sum;
  uint32_t visited;
  const RegionsResult oracle = regions_search(&c->mem, &c->made.net, &c->made.goal,
                                              UPPAAL_NETS_CONSTANT, MAX_REGIONS, &visited);
  sum->networks++;
  sum->regions += visited;
  sum->satisfied += oracle == REGIONS_GOAL;
  sum->failing += oracle == REGIONS_FAILED;
  sum->skipped += oracle == REGIONS_MANY;
  sum->listed += c->made.net.traits.is_listed;
  sum->priorities += c->made.net.priority.is_used;
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
    printf("%s\n%s\n\n", text_chars(&c->made.text), text_chars(&c->made.query));
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
    uppaal_nets_make(&c.made, &c.mem, seed);
    count_constructs(&sum, text_chars(&c.made.text));
    c.compare = (Compare){.mem = &c.mem,
                          .net = &c.made.net,
                          .goal = &c.made.goal,
                          .constant = UPPAAL_NETS_CONSTANT,
                          .max = MAX_REGIONS,
                          .why = {.mem = &c.mem},
                          .counts = &sum.counts};
    if (report_failed(&c.made.report)) {
      printf("seed %llu: %s\n", (unsigned long long)seed, text_chars(&c.made.report.error));
      sum.wrong++;
    } else
      compare(&c, seed);
    uppaal_nets_release(&c.made);
    mem_release(&c.mem);
  }
  printf("networks with");
  for (uint32_t i = 0; i < CONSTRUCTS; i++)
    printf("%s %s %u", i ? "," : "", constructs[i][0], sum.constructs[i]);
  printf("\n");
  printf(
      "%s agree_uppaal: %u networks from seed %llu on (%u with a goal, %u with a run-time error, "
      "%u too large, %lu regions; %u with tests beyond guards, %u with priorities), %u wrong; "
      "searches: %u in "
      "zones, %u local, %u darts, %u points, %u wide; %u runs, %u certificates\n",
      sum.wrong ? "FAIL" : "ok", sum.networks, (unsigned long long)first, sum.satisfied,
      sum.failing, sum.skipped, sum.regions, sum.listed, sum.priorities, sum.wrong,
      sum.counts.searches[ENGINE_ZONES], sum.counts.searches[ENGINE_LOCAL],
      sum.counts.searches[ENGINE_DARTS], sum.counts.searches[ENGINE_POINTS],
      sum.counts.searches[ENGINE_WIDE], sum.counts.runs, sum.counts.certificates);
  return sum.wrong != 0;
}
