// Local time against global time on random networks with every feature of the language:
//
//   agree_local FIRST COUNT
//
// For the networks of seeds FIRST .. FIRST + COUNT - 1 both engines must reach the same discrete
// states, and answer random queries alike; runs found in local time must be runs of global time.
#include "answers/runs/trace.h"
#include "base/random.h"
#include "language/gen/gen.h"
#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "search/reach.h"
#include "semantics/local/local.h"
#include "semantics/zone/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VISITED = 3000, TRACES = 3, QUERIES = 2, MAX_ARGUMENTS = 32 };

typedef struct Totals {
  unsigned networks, skipped, failing, wrong, traces, wrong_traces, queries, wrong_queries;
  unsigned refused, more;
  uint64_t global_stored, local_stored;
} Totals;

typedef struct Case {
  Mem mem;
  Net net;
  Report report;
  Text text;
  Source source;
  Random random;
  Totals *totals;
  char arguments[MAX_ARGUMENTS][32];
  int argument_count;
} Case;

static void argue(Case *c, const char *name, int value) {
  snprintf(c->arguments[c->argument_count++], sizeof *c->arguments, "%s=%d", name, value);
}

// Sizes vary from network to network; each feature is left out now and then.
static void choose(Case *c, uint64_t seed) {
  static const char *const features[] = {"shared",     "nary",     "weak",   "initials", "values",
                                         "copies",     "shifts",   "bounds", "range",    "arrays",
                                         "statements", "branches", "closed"};
  Random *r = &c->random;
  argue(c, "seed", (int)seed);
  argue(c, "processes", random_between(r, 2, 5));
  argue(c, "clocks", random_between(r, 1, 4));
  argue(c, "locations", random_between(r, 2, 4));
  argue(c, "edges", random_between(r, 3, 6));
  argue(c, "constant", random_between(r, 2, 5));
  argue(c, "ints", random_between(r, 0, 2));
  argue(c, "syncs", random_between(r, 0, 4));
  argue(c, "guards", random_between(r, 30, 90));
  argue(c, "resets", random_between(r, 30, 90));
  argue(c, "invariants", random_between(r, 0, 70));
  argue(c, "committed", random_between(r, 0, 15));
  argue(c, "urgent", random_between(r, 0, 15));
  argue(c, "faults", random_below(r, 20) == 0);
  for (uint32_t i = 0; i < sizeof features / sizeof *features; i++)
    if (random_below(r, 3) == 0)
      argue(c, features[i], (int)random_below(r, 2));
}

static bool read_case(Case *c, uint64_t seed) {
  const char *arguments[MAX_ARGUMENTS];
  random_seed(&c->random, seed);
  c->text.mem = &c->mem;
  report_init(&c->report, &c->mem);
  net_init(&c->net, &c->mem);
  choose(c, seed);
  for (int i = 0; i < c->argument_count; i++)
    arguments[i] = c->arguments[i];
  if (!gen_write(&c->text, &c->report, "random", c->argument_count, arguments))
    return false;
  c->source = (Source){.name = "random", .text = text_chars(&c->text), .size = c->text.size};
  return tck_read(&c->net, &c->source, &c->report);
}

typedef struct Search {
  Space *space;
  Reach reach;
  Statistics stats;
  ReachResult result;
} Search;

static bool begin(Case *c, Search *s, const Goal *goal, const Options *options, bool is_local) {
  *s = (Search){0};
  s->space = is_local ? local_new(&c->mem, &c->net, goal, options, &c->report)
                      : zones_new(&c->mem, &c->net, goal, options, &c->report);
  if (!s->space)
    return false;
  reach_init(&s->reach, &c->mem, s->space, (SearchOrder)options->order, &s->stats);
  s->reach.max_visited = is_local ? 8 * MAX_VISITED : MAX_VISITED;
  s->result = reach_run(&s->reach);
  return true;
}

static void end(Search *s) {
  reach_release(&s->reach);
  space_release(s->space);
}

static Options local_options(Case *c) {
  static const char *const abstractions[] = {"alu",       "alu",      "alu",      "alu",    "am",
                                             "extra-lu+", "extra-lu", "extra-m+", "extra-m"};
  Options options;
  options_init(&options);
  options_set(&options, "abstraction", abstractions[random_below(&c->random, 9)], &c->report);
  options_set(&options, "bounds", random_below(&c->random, 4) ? "local" : "global", &c->report);
  static const char *const orders[] = {"stages", "tw", "bfs", "dfs", "rank", "wait"};
  options_set(&options, "order", orders[random_below(&c->random, 6)], &c->report);
  options.seed = random_below(&c->random, 3) ? 0 : (int)random_below(&c->random, 1000);
  return options;
}

// The keys that were stored once, sorted.
static uint64_t *sorted_keys(Case *c, const Search *s);

static size_t compared_bytes;

static int compare_keys(const void *a, const void *b) { return memcmp(a, b, compared_bytes); }

static uint64_t *sorted_keys(Case *c, const Search *s) {
  const Store *store = &s->reach.store;
  uint64_t *keys = mem_alloc(&c->mem, (store->groups.size + 1) * store->key_words * 8);
  for (uint32_t g = 0; g < store->groups.size; g++)
    memcpy(keys + (size_t)g * store->key_words, store_key(store, g), store->key_words * 8);
  compared_bytes = store->key_words * 8;
  qsort(keys, store->groups.size, compared_bytes, compare_keys);
  return keys;
}

static bool same_states(Case *c, const Search *a, const Search *b) {
  const uint32_t count = a->reach.store.groups.size;
  if (count != b->reach.store.groups.size)
    return false;
  uint64_t *x = sorted_keys(c, a), *y = sorted_keys(c, b);
  const bool same = !memcmp(x, y, count * compared_bytes);
  mem_free(&c->mem, x);
  mem_free(&c->mem, y);
  return same;
}

// Runs to some of the nodes of a finished search, in global time.
static void replay(Case *c, Search *s) {
  for (int i = 0; i < TRACES; i++) {
    if (!s->reach.store.nodes.size)
      return;
    s->reach.goal_parent = random_below(&c->random, s->reach.store.nodes.size);
    Trace trace;
    const bool built = trace_build(&trace, &c->mem, &c->net, NULL, &s->reach, REACH_FAILED,
                                   i ? TRACE_CONCRETE : TRACE_SYMBOLIC, NULL);
    trace_release(&trace);
    c->totals->traces++;
    c->totals->wrong_traces += !built;
  }
}

static void write_query(Case *c, char *text, size_t size) {
  const char *const comparisons[] = {"<", "<=", ">=", ">"};
  Random *r = &c->random;
  const ProcessId p = random_below(r, c->net.processes.size);
  const uint32_t l = random_below(r, c->net.processes.items[p].location_count);
  const ClockIndex x = 1 + random_below(r, c->net.clock_count);
  const ClockIndex y = 1 + random_below(r, c->net.clock_count);
  snprintf(text, size, "E<> P%u.l%u && %s %s %d && %s %s %d", p, l, c->net.clock_names[x],
           comparisons[random_below(r, 4)], random_between(r, 0, 6), c->net.clock_names[y],
           comparisons[random_below(r, 4)], random_between(r, 0, 6));
}

static void ask(Case *c) {
  char text[160];
  write_query(c, text, sizeof text);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Arena arena = {.mem = &c->mem};
  Query query;
  Goal goal;
  if (!query_read(&query, &arena, &c->net, &source, &c->report) ||
      !query_goal(&goal, &arena, &c->net, &query, &c->report)) {
    fprintf(stderr, "%s\n", text_chars(&c->report.error));
    exit(2);
  }
  Options options;
  options_init(&options);
  const Options varied = local_options(c);
  Search global, local;
  if (begin(c, &global, &goal, &options, false) && begin(c, &local, &goal, &varied, true)) {
    if (global.result <= REACH_NONE && local.result != REACH_STOPPED) {
      const bool same = global.result == local.result;
      c->totals->queries++;
      c->totals->wrong_queries += !same;
      if (same && local.result == REACH_GOAL) {
        Trace trace;
        c->totals->traces++;
        c->totals->wrong_traces += !trace_build(&trace, &c->mem, &c->net, &goal, &local.reach,
                                                REACH_GOAL, TRACE_CONCRETE, NULL);
        trace_release(&trace);
      }
    }
    end(&local);
    end(&global);
  }
  arena_release(&arena);
}

static void show(const Case *c, uint64_t seed, const Search *global, const Search *local) {
  printf("FAIL agree_local/%llu: global %d, %u states; local %d, %u states\n    tarn gen random",
         (unsigned long long)seed, (int)global->result, global->reach.store.groups.size,
         (int)local->result, local->reach.store.groups.size);
  for (int i = 0; i < c->argument_count; i++)
    printf(" %s", c->arguments[i]);
  printf("\n");
}

static void compare(Case *c, uint64_t seed) {
  Options options;
  options_init(&options);
  const Options varied = local_options(c);
  Totals *totals = c->totals;
  Search global, local;
  if (!begin(c, &global, NULL, &options, false)) {
    totals->refused++; // clock bounds that do not exist
    return;
  }
  if (global.result == REACH_STOPPED || !begin(c, &local, NULL, &varied, true)) {
    totals->skipped++;
    end(&global);
    return;
  }
  if (local.result == REACH_STOPPED) {
    totals->skipped++;
    end(&local);
    end(&global);
    return;
  }
  totals->networks++;
  const bool has_failed = global.result == REACH_FAILED;
  totals->failing += has_failed;
  const bool agrees =
      global.result == local.result && (has_failed || same_states(c, &global, &local));
  const unsigned wrong_before = totals->wrong_traces + totals->wrong_queries;
  if (!has_failed && agrees) {
    if (varied.abstraction == ABSTRACTION_ALU) {
      totals->global_stored += global.stats.stored;
      totals->local_stored += local.stats.stored;
      totals->more += local.stats.stored > global.stats.stored;
    }
    replay(c, &local);
    for (int i = 0; i < QUERIES && c->net.clock_count; i++)
      ask(c);
  }
  if (!agrees || totals->wrong_traces + totals->wrong_queries > wrong_before) {
    totals->wrong++;
    show(c, seed, &global, &local);
  }
  end(&local);
  end(&global);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: agree_local FIRST COUNT\n");
    return 2;
  }
  const uint64_t first = strtoull(arguments[1], NULL, 10);
  const uint64_t seeds = strtoull(arguments[2], NULL, 10);
  Totals totals = {0};
  for (uint64_t seed = first; seed < first + seeds; seed++) {
    Case c = {.totals = &totals};
    if (read_case(&c, seed))
      compare(&c, seed);
    else
      totals.refused++;
    mem_release(&c.mem);
  }
  printf("%s agree_local: %u networks (%u with a run-time error, %u skipped, %u refused), "
         "%u wrong; %u queries, %u wrong; %u runs, %u wrong; stored with alu %llu global, %llu "
         "local, more on %u\n",
         totals.wrong ? "FAIL" : "ok", totals.networks, totals.failing, totals.skipped,
         totals.refused, totals.wrong, totals.queries, totals.wrong_queries, totals.traces,
         totals.wrong_traces, (unsigned long long)totals.global_stored,
         (unsigned long long)totals.local_stored, totals.more);
  return totals.wrong != 0;
}
