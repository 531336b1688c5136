// Random runs of random UPPAAL networks against the search on regions: agree_random FIRST COUNT
//
// Each seed gives a model as text and a condition (uppaal_nets.h). Binary channels become
// broadcast ones and priorities are dropped; every location gets a rate. Whatever a run visits
// must be reachable: its last discrete state, and the condition if the run met it. A condition
// that is not reachable has no hits. Shows each network on which something disagrees; the last
// line is the sum.
//
// An urgent edge with a strict clock guard has no first moment: the symbolic semantics stops time
// at its bound, the simulator takes the edge just behind it. Such networks are left out.
//
// make agree-random runs it on 12000 networks, of which it takes 5000.
#include "language/uppaal/uppaal.h"
#include "model/state.h"
#include "regions.h"
#include "semantics/stochastic/watch.h"
#include "uppaal_nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGIONS = 30000, SHOWN = 3, RUNS = 20, STEPS = 25 };

typedef struct Sum {
  unsigned networks, refused, large, failed_runs, runs, hits, reached, wrong;
} Sum;

// The text without priorities, with broadcast channels only, and with meta variables as others.
static void adapt(Text *text, const char *from) {
  for (size_t line; *from; from += line + (from[line] == '\n')) {
    line = strcspn(from, "\n");
    const char *chan = strstr(from, "chan "), *broadcast = strstr(from, "broadcast ");
    if (!strncmp(from, "chan priority", 13))
      continue;
    if (!strncmp(from, "meta ", 5)) {
      text_add_bytes(text, from + 5, line - 5);
    } else if (chan && chan < from + line && (!broadcast || broadcast > chan)) {
      text_add_bytes(text, from, (size_t)(chan - from));
      text_add(text, "broadcast ");
      text_add_bytes(text, chan, line - (size_t)(chan - from));
    } else {
      text_add_bytes(text, from, line);
    }
    text_add_char(text, '\n');
  }
}

typedef struct Case {
  Mem *mem;
  Net net;
  Report report;
  Arena arena;
  Laws laws;
  Query query;
  Goal goal;
  Sum *sum;
} Case;

// The goal that is one discrete state, without the clocks.
static Goal state_goal(Arena *arena, const Net *net, const int32_t *state) {
  Guard *guard = ARENA_NEW(arena, Guard);
  Test *tests = ARENA_ARRAY(arena, Test, net->slots.count);
  for (uint32_t s = 0; s < net->slots.count; s++)
    if (!net->slots.is_meta || !net->slots.is_meta[s])
      tests[guard->test_count++] = (Test){s, EXPR_EQ, state[s]};
  guard->tests = tests;
  return (Goal){.clauses = guard, .clause_count = 1};
}

static bool check(Case *c, const char **why) {
  uint32_t visited;
  const RegionsResult oracle =
      regions_search(c->mem, &c->net, &c->goal, UPPAAL_NETS_CONSTANT, MAX_REGIONS, &visited);
  if (oracle == REGIONS_MANY || oracle == REGIONS_FAILED) {
    c->sum->large++;
    return true;
  }
  const PathQuery path = {.bound = {.kind = RUN_BOUND_STEPS, .limit = STEPS},
                          .goal = c->query.formula};
  Watch watch;
  Race race;
  watch_path(&watch, &c->arena, &c->laws, &path, &c->report);
  race_init(&race, &c->laws, c->mem);
  *why = NULL;
  unsigned hits = 0;
  for (uint64_t run = 0; run < RUNS && !*why; run++) {
    Outcome outcome;
    if (!watch_run(&watch, &race, 1, run, &outcome, NULL, NULL)) {
      c->sum->failed_runs++;
      continue;
    }
    c->sum->runs++;
    hits += outcome.is_satisfied;
    if (outcome.is_satisfied && oracle == REGIONS_NONE)
      *why = "a run met a condition that is not reachable";
    if (run)
      continue;
    const Goal last = state_goal(&c->arena, &c->net, race.motion.state);
    const RegionsResult found =
        regions_search(c->mem, &c->net, &last, UPPAAL_NETS_CONSTANT, MAX_REGIONS, &visited);
    c->sum->reached += found == REGIONS_GOAL;
    if (found == REGIONS_NONE) {
      Text state = {.mem = c->mem};
      state_print(&state, &c->net, race.motion.state);
      printf("%s at time %g after %u steps:\n", text_chars(&state), race.time,
             (unsigned)race.steps);
      *why = "a run came to a state that is not reachable";
    }
  }
  c->sum->hits += hits;
  race_release(&race);
  return !*why;
}

static bool has_open_urgency(const Net *net) {
  bool is_urgent = false;
  for (uint32_t k = 0; k < net->channels.size; k++)
    is_urgent |= net->channels.items[k].urgent;
  return is_urgent && net->traits.has_strict;
}

static void try_one(Sum *sum, uint64_t seed) {
  Mem mem = {0};
  UppaalNet made;
  uppaal_nets_make(&made, &mem, seed);
  Text text = {.mem = &mem};
  adapt(&text, text_chars(&made.text));
  Case c = {.mem = &mem, .arena = {.mem = &mem}, .sum = sum};
  report_init(&c.report, &mem);
  net_init(&c.net, &mem);
  const Source source = {.name = "model", .text = text_chars(&text), .size = text.size};
  const Source query = {
      .name = "query", .text = text_chars(&made.query), .size = made.query.size};
  const char *why = NULL;
  sum->networks++;
  bool ok =
      uppaal_read(&c.net, &source, &c.report) &&
      uppaal_query(&c.query, &c.arena, &c.net, &query, 0, (uint32_t)query.size, &c.report) &&
      query_goal(&c.goal, &c.arena, &c.net, &c.query, &c.report);
  if (ok)
    for (uint32_t k = 0; k < c.net.locations.size; k++)
      c.net.locations.items[k].exponential = expr_real(&c.arena, (Place){0}, 1);
  ok = ok && c.query.kind == QUERY_REACH && !has_open_urgency(&c.net) &&
       laws_make(&c.laws, &c.arena, &c.net, &c.report);
  if (!ok)
    sum->refused++;
  else if (!check(&c, &why) && sum->wrong++ < SHOWN)
    printf("seed %llu: %s\n%s\n%s\n\n", (unsigned long long)seed, why, text_chars(&text),
           text_chars(&made.query));
  mem_release(&mem);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: agree_random FIRST COUNT\n");
    return 2;
  }
  const uint64_t first = strtoull(arguments[1], NULL, 10);
  const uint64_t seeds = strtoull(arguments[2], NULL, 10);
  Sum sum = {0};
  for (uint64_t seed = first; seed < first + seeds; seed++)
    try_one(&sum, seed);
  printf("%s agree_random: %u networks from seed %llu on (%u not taken, %u too large or "
         "failing), %u "
         "wrong; %u runs with %u hits, %u ended by an error; %u last states are reachable\n",
         sum.wrong ? "FAIL" : "ok", sum.networks, (unsigned long long)first, sum.refused,
         sum.large, sum.wrong, sum.runs, sum.hits, sum.failed_runs, sum.reached);
  return sum.wrong != 0;
}
