// Searches with and without reduction by symmetry, on random networks of copies of one process:
//
//   agree_symmetry FIRST COUNT [RULE]
//
// For the networks of seeds FIRST .. FIRST + COUNT - 1, half of which are broken somewhere, every
// unreduced node must be covered by a permuted reduced one, and conversely; random queries are
// answered alike, in zones, local time, points and darts; the runs that a reduced search finds
// replay, and its certificates are accepted. With a rule of
// analysis/symmetry/rules.h, given as its number, that rule is left out: then the count of
// networks with wrong answers says whether the test would notice.
#define _POSIX_C_SOURCE 200809L
#include "analysis/symmetry/invariance.h"
#include "answers/certificates/certifiable.h"
#include "answers/certificates/certificate.h"
#include "answers/queries/liveness.h"
#include "answers/runs/trace.h"
#include "base/random.h"
#include "check/certify.h"
#include "copies.h"
#include "dbm/simulation.h"
#include "language/query_reader.h"
#include "language/tchecker/tck.h"
#include "language/uppaal/uppaal.h"
#include "model/state.h"
#include "search/reach.h"
#include "search/workers/workers.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"
#include "semantics/discrete/tickrename.h"
#include "semantics/local/local.h"
#include "semantics/local/localrename.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VISITED = 2000, QUERIES = 3, MAX_NODES = 600 };

typedef struct Totals {
  unsigned networks, listed, symmetric, full, cyclic, partial, failing;
  unsigned wrong, queries, runs, restricted, orbits;
  unsigned runs_asked, runs_found;
  unsigned by_engine[5], threads, proofs; // reduced searches of queries; certificates
  uint64_t stored, reduced;
} Totals;

typedef struct Case {
  Mem mem;
  Net net;
  Report report;
  Text text;
  Source source;
  Arena arena;
  Random random;
  unsigned rules;
  Copies made;
  bool is_uppaal;
  bool is_wrong;
  Totals *totals;
} Case;

static int below(Case *c, uint32_t n) { return (int)random_below(&c->random, n); }

static bool make_case(Case *c, uint64_t seed) {
  random_seed(&c->random, seed);
  c->text.mem = c->arena.mem = &c->mem;
  c->made = (Copies){.random = &c->random, .text = &c->text};
  c->is_uppaal = below(c, 3) == 0;
  if (c->is_uppaal)
    copies_uppaal(&c->made);
  else
    copies_tck(&c->made);
  report_init(&c->report, &c->mem);
  net_init(&c->net, &c->mem);
  c->source = (Source){.name = c->is_uppaal ? "random.xta" : "random",
                       .text = text_chars(&c->text),
                       .size = c->text.size};
  return c->is_uppaal ? uppaal_read(&c->net, &c->source, &c->report)
                      : tck_read(&c->net, &c->source, &c->report);
}

// --- Searches.

typedef struct Search {
  Space *space;
  Reach reach;
  Statistics stats;
  ReachResult result;
} Search;

static bool begin(Case *c, Search *s, const Goal *goal, const Options *options,
                  const Symmetry *symmetry) {
  const bool prunes = below(c, 4) != 0;
  *s = (Search){0};
  switch (options->engine) {
  case ENGINE_LOCAL:
    s->space = local_new(&c->mem, &c->net, goal, options, &c->report);
    if (s->space && symmetry)
      reduce_attach(s->space, symmetry, prunes);
    break;
  case ENGINE_POINTS:
    s->space = points_new(&c->mem, &c->net, goal, options, &c->report);
    if (s->space && symmetry)
      tickrename_attach(s->space, symmetry);
    break;
  case ENGINE_DARTS:
    s->space = darts_new(&c->mem, &c->net, goal, options, &c->report);
    if (s->space && symmetry)
      tickrename_attach(s->space, symmetry);
    break;
  default:
    s->space = zones_new(&c->mem, &c->net, goal, options, &c->report);
    if (s->space && symmetry)
      reduce_attach(s->space, symmetry, prunes);
  }
  report_clear(&c->report);
  if (!s->space)
    return false;
  reach_init(&s->reach, &c->mem, s->space, (SearchOrder)options->order, &s->stats);
  if (options->threads == 2)
    workers_divide(&s->reach, 2, (SearchOrder)options->order, NULL);
  s->reach.max_visited = MAX_VISITED;
  s->result = reach_run(&s->reach);
  return true;
}

static void end(Search *s) {
  reach_release(&s->reach);
  space_release(s->space);
}

static void complain(Case *c, uint64_t seed, const char *what) {
  if (!c->is_wrong && !c->rules) {
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
    if (c->totals->wrong < 2)
      fprintf(stderr, "%s", text_chars(&c->text));
  }
  c->is_wrong = true;
}

// --- Nodes: each of one search is covered, under some name, by one of the other.

typedef struct Plain { // a stored node
  const int32_t *state;
  const Bound *zone;
  const ActiveClocks *active;
} Plain;

static Plain load(Search *s, NodeRef ref) {
  const Node *node = store_node(&s->reach.store, ref);
  s->space->load(s->space, store_key(&s->reach.store, node->group), node->zone);
  return (Plain){zones_state(s->space), zones_zone(s->space), zones_active(s->space)};
}

static bool covers(const Plain *big, const Plain *small, const Permutation *perm,
                   const int32_t *image, const Net *net) {
  if (memcmp(big->state, image, net->slots.count * sizeof *image) != 0)
    return false;
  const uint32_t k = big->active->k, stride = dbm_stride(k),
                 small_stride = dbm_stride(small->active->k);
  static Bound moved[64 * 64];
  uint32_t from[64];
  for (uint32_t i = 0; i < k; i++) { // where clock i of the image comes from
    from[i] = 0;
    for (uint32_t j = 1; i && j < small->active->k; j++)
      if (perm->clock[small->active->clocks[j]] == big->active->clocks[i])
        from[i] = j;
    if (i && !from[i])
      return false;
  }
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < stride; j++)
      moved[i * stride + j] = j < k ? small->zone[from[i] * small_stride + from[j]] : BOUND_INF;
  return simulation_alu(big->zone, moved, k, big->active->bounds->lower,
                        big->active->bounds->upper);
}

// The next permutation in the order of the dictionary, or rotation; false after the last.
static bool step_image(uint32_t *image, uint32_t size, bool is_cyclic) {
  if (is_cyclic) {
    for (uint32_t i = 0; i < size; i++)
      image[i] = (image[i] + 1) % size;
    return image[0] != 0;
  }
  uint32_t i = size - 1;
  while (i && image[i - 1] > image[i])
    i--;
  if (!i)
    return false;
  uint32_t k = size - 1;
  while (image[k] < image[i - 1])
    k--;
  const uint32_t swapped = image[k];
  image[k] = image[i - 1];
  image[i - 1] = swapped;
  for (uint32_t a = i, b = size - 1; a < b; a++, b--) {
    const uint32_t other = image[a];
    image[a] = image[b];
    image[b] = other;
  }
  return true;
}

// Whether a node of `from` is covered by one of `to`, under a name of the first family.
static bool is_covered(Case *c, Search *from, NodeRef ref, Search *to, const Symmetry *symmetry) {
  const Family *family = &symmetry->families[0];
  uint32_t image[8];
  int32_t moved[64];
  for (uint32_t i = 0; i < family->size; i++)
    image[i] = i;
  bool found = false;
  Arena arena = {.mem = &c->mem};
  const Plain small = load(from, ref);
  const bool holds = family_holds(family, &c->net, small.state);
  do {
    const Permutation perm = family_permutation(family, &arena, &c->net, image);
    permutation_apply(&perm, moved, small.state);
    for (NodeRef other = 0; !found && other < to->reach.store.nodes.size; other++) {
      if (!store_node(&to->reach.store, other)->is_stored)
        continue;
      const Plain big = load(to, other);
      found = covers(&big, &small, &perm, moved, &c->net);
    }
  } while (!found && holds && step_image(image, family->size, family->is_cyclic));
  arena_release(&arena);
  return found;
}

static void compare_nodes(Case *c, uint64_t seed, Search *plain, Search *reduced,
                          const Symmetry *symmetry) {
  if (plain->result != reduced->result) {
    complain(c, seed, "one search ends, the other fails");
    return;
  }
  if (plain->result != REACH_NONE || plain->stats.stored > MAX_NODES || symmetry->count != 1)
    return;
  for (NodeRef ref = 0; ref < plain->reach.store.nodes.size && !c->is_wrong; ref++)
    if (store_node(&plain->reach.store, ref)->is_stored &&
        !is_covered(c, plain, ref, reduced, symmetry))
      complain(c, seed, "a node is not covered");
  for (NodeRef ref = 0; ref < reduced->reach.store.nodes.size && !c->is_wrong; ref++)
    if (store_node(&reduced->reach.store, ref)->is_stored &&
        !is_covered(c, reduced, ref, plain, symmetry))
      complain(c, seed, "a node is not reachable under any name");
}

// In local time, which need not cover node by node: the discrete states are the same but for
// their names.
static bool has_state(Case *c, Search *from, NodeRef ref, Search *to, const Symmetry *symmetry) {
  const Family *family = &symmetry->families[0];
  uint32_t image[8];
  int32_t moved[64], state[64];
  const size_t bytes = c->net.slots.count * sizeof *state;
  for (uint32_t i = 0; i < family->size; i++)
    image[i] = i;
  bool found = false;
  Arena arena = {.mem = &c->mem};
  const Node *node = store_node(&from->reach.store, ref);
  from->space->load(from->space, store_key(&from->reach.store, node->group), node->zone);
  memcpy(state, zones_state(from->space), bytes);
  const bool holds = family_holds(family, &c->net, state);
  do {
    const Permutation perm = family_permutation(family, &arena, &c->net, image);
    permutation_apply(&perm, moved, state);
    for (NodeRef other = 0; !found && other < to->reach.store.nodes.size; other++) {
      const Node *one = store_node(&to->reach.store, other);
      if (!one->is_stored)
        continue;
      to->space->load(to->space, store_key(&to->reach.store, one->group), one->zone);
      found = !memcmp(moved, zones_state(to->space), bytes);
    }
  } while (!found && holds && step_image(image, family->size, family->is_cyclic));
  arena_release(&arena);
  return found;
}

static void compare_states(Case *c, uint64_t seed, Search *a, Search *b,
                           const Symmetry *symmetry) {
  for (NodeRef ref = 0; ref < a->reach.store.nodes.size && !c->is_wrong; ref++)
    if (store_node(&a->reach.store, ref)->is_stored && !has_state(c, a, ref, b, symmetry))
      complain(c, seed, "local time: a state is missing under all names");
}

// Every node of the reduced search is in a certificate, which the checker accepts.
static void certify(Case *c, uint64_t seed, Search *s, const Goal *goal, const char *query,
                    const Symmetry *symmetry, bool is_local) {
  if (s->result != REACH_NONE || s->space->is_pruned ||
      certifiable_restrict(symmetry, &c->arena, &c->net, goal).count < symmetry->count)
    return;
  char *bytes = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&bytes, &size);
  const CertificateGoal about = {.query = query, .origin = "a test", .is_local = is_local};
  const bool written = certificate_write(file, &c->mem, &c->net, &s->reach, &about);
  fclose(file);
  Text why = {.mem = &c->mem};
  CertifyCounts counts;
  if (!written || !certify_check(&c->mem, &c->net, goal, bytes, size, &counts, &why))
    complain(c, seed, written ? text_chars(&why) : "the certificate is not closed");
  c->totals->proofs++;
  text_release(&why);
  free(bytes);
}

static void explore_local(Case *c, uint64_t seed, const Symmetry *found) {
  const Symmetry symmetry = localrename_restrict(found, &c->arena, &c->net);
  Options options;
  Search plain, reduced;
  options_init(&options);
  options.engine = ENGINE_LOCAL;
  if (!symmetry.count || !begin(c, &plain, NULL, &options, NULL))
    return;
  if (plain.result != REACH_STOPPED && begin(c, &reduced, NULL, &options, &symmetry)) {
    if (plain.result != reduced.result && reduced.result != REACH_STOPPED)
      complain(c, seed, "local time: one search ends, the other fails");
    if (plain.result == REACH_NONE && reduced.result == REACH_NONE && symmetry.count == 1 &&
        plain.stats.stored <= MAX_NODES) {
      compare_states(c, seed, &plain, &reduced, &symmetry);
      compare_states(c, seed, &reduced, &plain, &symmetry);
    }
    certify(c, seed, &reduced, NULL, NULL, &symmetry, true);
    end(&reduced);
  }
  end(&plain);
}

static void explore(Case *c, uint64_t seed, const Symmetry *symmetry) {
  Options options;
  Search plain, reduced;
  options_init(&options);
  options.order = (int)random_below(&c->random, 4);
  if (!begin(c, &plain, NULL, &options, NULL))
    return;
  if (plain.result != REACH_STOPPED && begin(c, &reduced, NULL, &options, symmetry)) {
    if (reduced.result == REACH_STOPPED)
      complain(c, seed, "the reduced search is larger");
    else
      compare_nodes(c, seed, &plain, &reduced, symmetry);
    certify(c, seed, &reduced, NULL, NULL, symmetry, false);
    c->totals->failing += plain.result == REACH_FAILED;
    c->totals->stored += plain.stats.stored;
    c->totals->reduced += reduced.stats.stored;
    end(&reduced);
  }
  end(&plain);
}

// --- Queries.

static Options query_options(Case *c) {
  static const char *const abstractions[] = {"alu",      "alu",         "am",       "extra-lu+",
                                             "extra-lu", "closure-lu+", "extra-m+", "extra-m"};
  static const char *const orders[] = {"stages", "tw", "bfs", "dfs", "rank", "wait"};
  Options options;
  options_init(&options);
  static const int engines[] = {ENGINE_ZONES, ENGINE_ZONES,  ENGINE_ZONES, ENGINE_LOCAL,
                                ENGINE_LOCAL, ENGINE_POINTS, ENGINE_DARTS};
  options.engine = engines[below(c, 7)];
  options_set(&options, "bounds", below(c, 4) ? "local" : "global", &c->report);
  if (options.engine == ENGINE_POINTS || options.engine == ENGINE_DARTS) {
    options.order = below(c, 2) ? ORDER_BFS : ORDER_DFS;
    options.trace = TRACE_CONCRETE; // else there is no trail
    options.seed = below(c, 3) ? 0 : below(c, 1000);
    options.threads = !options.seed && !below(c, 4) ? 2 : 1;
    return options;
  }
  const int abstraction = below(c, 8);
  options_set(&options, "abstraction",
              options.engine == ENGINE_LOCAL && abstraction == 5 ? "alu"
                                                                 : abstractions[abstraction],
              &c->report);
  options_set(&options, "order", orders[below(c, 6)], &c->report);
  options.threads = below(c, 4) ? 1 : 2;
  if (options.engine == ENGINE_LOCAL || options.threads == 2)
    return options;
  options_set(&options, "delay", below(c, 6) ? "after" : "before", &c->report);
  options.compact = below(c, 4) == 0;
  options.seed = below(c, 3) ? 0 : below(c, 1000);
  return options;
}

static void ask(Case *c, uint64_t seed, const Symmetry *found) {
  char text[2048];
  if (c->is_uppaal)
    copies_uppaal_query(&c->made, text, sizeof text);
  else
    copies_tck_query(&c->made, text, sizeof text);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  Goal goal;
  const bool is_read = c->is_uppaal ? uppaal_query(&query, &c->arena, &c->net, &source, 0,
                                                   (uint32_t)source.size, &c->report)
                                    : query_read(&query, &c->arena, &c->net, &source, &c->report);
  if (!is_read || !query_goal(&goal, &c->arena, &c->net, &query, &c->report)) {
    complain(c, seed, "a query is refused");
    return;
  }
  // The orbit of the query, now and then, which shows no run.
  const bool all = query.kind == QUERY_INVARIANT;
  const Expr *orbit =
      below(c, 2) ? invariance_orbit(&found->families[0], &c->arena, &c->net, query.formula, all)
                  : NULL;
  Query wide = query;
  Goal wide_goal = goal;
  wide.formula = orbit ? orbit : query.formula;
  if (orbit && !query_goal(&wide_goal, &c->arena, &c->net, &wide, &c->report))
    return;
  c->totals->orbits += orbit != NULL;
  const Options options = query_options(c);
  Symmetry symmetry = invariance_restrict(found, &c->arena, &c->net, wide.formula);
  if (options.engine == ENGINE_LOCAL)
    symmetry = localrename_restrict(&symmetry, &c->arena, &c->net);
  if (!symmetry.count)
    return;
  c->totals->restricted += symmetry.families[0].size < found->families[0].size;
  Search plain, reduced;
  if (!begin(c, &plain, &goal, &options, NULL))
    return;
  if (plain.result != REACH_STOPPED && begin(c, &reduced, &wide_goal, &options, &symmetry)) {
    c->totals->queries++;
    c->totals->by_engine[options.engine]++;
    c->totals->threads += options.threads == 2;
    if ((options.engine == ENGINE_ZONES || options.engine == ENGINE_LOCAL) && !orbit)
      certify(c, seed, &reduced, &goal, text, &symmetry, options.engine == ENGINE_LOCAL);
    if (reduced.result != REACH_STOPPED && reduced.result != plain.result &&
        plain.result != REACH_FAILED && reduced.result != REACH_FAILED)
      complain(c, seed, text);
    Trace trace;
    if (reduced.result == REACH_GOAL && !orbit && !c->net.traits.is_listed) {
      Text why = {.mem = &c->mem};
      const bool built = trace_build(&trace, &c->mem, &c->net, &goal, &reduced.reach, REACH_GOAL,
                                     TRACE_CONCRETE, NULL);
      const Run run = built ? trace.run : (Run){0};
      if (!built || !replay_run(&c->mem, &c->net, &goal, &run, &why))
        complain(c, seed, built ? text_chars(&why) : "a run cannot be built");
      c->totals->runs++;
      text_release(&why);
      trace_release(&trace);
    }
    end(&reduced);
  }
  end(&plain);
}

// --- Runs without end.

static CyclesResult find_run(Case *c, const Query *query, const Symmetry *symmetry) {
  Statistics stats = {0};
  CyclesResult result = CYCLES_FAILED;
  Liveness l = {.mem = &c->mem,
                .net = &c->net,
                .query = query,
                .symmetry = symmetry,
                .order = below(c, 2) ? ORDER_STAGES : ORDER_BFS,
                .max_visits = MAX_VISITED,
                .stats = &stats};
  if (!liveness_run(&l, &result, &c->report))
    result = CYCLES_FAILED;
  liveness_release(&l);
  return result;
}

// A condition holds for ever, or again and again, or from the same condition on, with and without
// symmetry.
static void ask_runs(Case *c, uint64_t seed, const Symmetry *found) {
  static const QueryKind kinds[] = {QUERY_POSSIBLY, QUERY_EVENTUALLY, QUERY_LEADS_TO,
                                    QUERY_BUCHI};
  char text[2048];
  Query query;
  if (c->is_uppaal)
    copies_uppaal_query(&c->made, text, sizeof text);
  else
    copies_tck_query(&c->made, text, sizeof text);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  if (!(c->is_uppaal ? uppaal_query(&query, &c->arena, &c->net, &source, 0, (uint32_t)source.size,
                                    &c->report)
                     : query_read(&query, &c->arena, &c->net, &source, &c->report)) ||
      expr_has_clock_test(query.formula))
    return;
  const Symmetry symmetry = invariance_restrict(found, &c->arena, &c->net, query.formula);
  if (!symmetry.count)
    return;
  query.kind = kinds[below(c, 4)];
  const Expr *condition = query.formula;
  query.conclusion = condition;
  if (query.kind == QUERY_LEADS_TO && below(c, 2))
    query.formula = expr_const(&c->arena, query.place, 1);
  if (query.kind == QUERY_BUCHI) {
    const Expr **values = ARENA_ARRAY(&c->arena, const Expr *, 1);
    values[0] = condition;
    query.values = values;
    query.value_count = 1;
  }
  const CyclesResult plain = find_run(c, &query, NULL), reduced = find_run(c, &query, &symmetry);
  if (plain == CYCLES_STOPPED || reduced == CYCLES_STOPPED || plain == CYCLES_FAILED ||
      reduced == CYCLES_FAILED)
    return;
  c->totals->runs_asked++;
  c->totals->runs_found += plain != CYCLES_NONE;
  if ((plain == CYCLES_NONE) != (reduced == CYCLES_NONE))
    complain(c, seed, text);
}

static void try_case(uint64_t seed, unsigned rules, Totals *totals) {
  Case c = {.rules = rules, .totals = totals};
  totals->networks++;
  if (!make_case(&c, seed)) {
    fprintf(stderr, "seed %llu: %s\n%s", (unsigned long long)seed, text_chars(&c.report.error),
            text_chars(&c.text));
    exit(2);
  }
  Symmetry symmetry;
  symmetry_find_with(&symmetry, &c.arena, &c.net, rules);
  if (symmetry.count) {
    const Family *family = &symmetry.families[0];
    totals->symmetric++;
    c.net = *symmetry_widen_ranges(&symmetry, &c.arena, &c.net);
    totals->listed += c.net.traits.is_listed;
    totals->full += !family->is_cyclic && family->size == c.made.copies;
    totals->cyclic += family->is_cyclic;
    totals->partial += family->excluded != NULL;
    explore(&c, seed, &symmetry);
    explore_local(&c, seed, &symmetry);
    for (int i = 0; i < QUERIES; i++)
      ask(&c, seed, &symmetry);
    for (int i = 0; i < QUERIES; i++)
      ask_runs(&c, seed, &symmetry);
  }
  totals->wrong += c.is_wrong;
  mem_release(&c.mem);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("usage: agree_symmetry FIRST COUNT [RULE]\n", stderr);
    return 2;
  }
  const uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
  const unsigned rules = argc > 3 ? 1u << strtoul(argv[3], NULL, 10) : 0;
  Totals t = {0};
  for (uint64_t seed = first; seed < first + count; seed++)
    try_case(seed, rules, &t);
  printf("%u networks, %u with a symmetry (%u of all copies, %u rotations, %u in a part, %u with "
         "guarded receivers, urgency or priorities)\n",
         t.networks, t.symmetric, t.full, t.cyclic, t.partial, t.listed);
  printf("%u queries (%u of some copies, %u by their orbit), %u runs replayed, %u failing "
         "networks\n",
         t.queries, t.restricted, t.orbits, t.runs, t.failing);
  printf("queries in zones %u, local time %u, points %u, darts %u (%u by two threads); %u "
         "certificates\n",
         t.by_engine[ENGINE_ZONES], t.by_engine[ENGINE_LOCAL], t.by_engine[ENGINE_POINTS],
         t.by_engine[ENGINE_DARTS], t.threads, t.proofs);
  printf("%u queries about runs without end, %u with one\n", t.runs_asked, t.runs_found);
  printf("%llu nodes, %llu reduced\n", (unsigned long long)t.stored,
         (unsigned long long)t.reduced);
  printf("%u networks with a wrong answer\n", t.wrong);
  return !rules && t.wrong;
}
