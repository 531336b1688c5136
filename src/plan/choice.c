#include "plan/choice.h"

#include "analysis/diagonals.h"
#include "analysis/footprint.h"
#include "analysis/resources.h"
#include "analysis/symmetry/invariance.h"
#include "answers/certificates/certifiable.h"
#include "semantics/local/localrename.h"
#include "semantics/zone/abstraction.h"

#include <stdio.h>

// Whether local time can take the model; and whether it suits it: at least half of the pairs of
// actions that set clocks are independent, which separates, with few exceptions, the known
// families that gain.
static bool find_looseness(Mem *mem, const Net *net, bool *is_loose) {
  const size_t mark = mem_mark(mem);
  Arena arena = {.mem = mem};
  Resources resources;
  const bool found = resources_find(&resources, &arena, net, &(Report){0});
  *is_loose = found && resources.independent >= 0.5;
  mem_release_to(mem, mark);
  return found;
}

// Whether partial order is on if the engine is zones, as far as options decide.
static bool may_reduce(const Options *options, const Net *net, const Goal *goal) {
  return options->partial_order != PARTIAL_OFF && !options_fix_algorithm(options) &&
         !options->graph && !footprint_obstacle(net, goal);
}

// Whether the guard asks for x >= c, and the invariant of the source for x <= c: time stands
// still.
static bool is_pinned(const Net *net, const Edge *e) {
  const Guard *invariant = net->by_location.invariants[e->source];
  for (uint32_t i = 0; invariant && i < invariant->clock_test_count; i++) {
    const ClockTest *upper = &invariant->clock_tests[i];
    for (uint32_t k = 0; upper->i && !upper->j && k < e->guard.clock_test_count; k++) {
      const ClockTest *lower = &e->guard.clock_tests[k];
      if (!lower->i && lower->j == upper->i && lower->constant == -upper->constant)
        return true;
    }
  }
  return false;
}

// Whether partial order takes what local time would: most actions that set clocks are taken where
// time stands still.
static bool is_mostly_still(const Net *net) {
  uint32_t all = 0, still = 0;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *e = &net->edges.items[i];
    if (!e->update.clock_update_count && !e->update.has_dynamic_clocks)
      continue;
    const Location *at = &net->locations.items[e->source];
    all++;
    still += at->urgent || at->committed || is_pinned(net, e);
  }
  return 2 * still > all;
}

static Engine find_engine(const Options *options, Mem *mem, const Net *net, const Goal *goal,
                          const char **why) {
  bool is_loose = false;
  *why = "named by --engine";
  if (options->engine != ENGINE_AUTO)
    return (Engine)options->engine;
  *why = "clock constants are too large for the other engines";
  if (net_is_wide(net))
    return ENGINE_WIDE;
  *why = "an option chooses how zones are searched";
  if (options->effects & OPTION_TUNES)
    return ENGINE_ZONES;
  *why = "--partial-order on is for zones";
  if (options->partial_order == PARTIAL_ON)
    return ENGINE_ZONES;
  *why = "clocks are stopped somewhere";
  if (net->traits.has_stopwatches)
    return ENGINE_ZONES;
  *why = "two clocks are compared with each other";
  if (net->traits.has_diagonals || (goal && goal->has_diagonals))
    return ENGINE_ZONES;
  const bool is_possible = find_looseness(mem, net, &is_loose);
  *why = "most actions that set clocks are taken where time stands still: partial order";
  if (is_loose && goal && may_reduce(options, net, goal) && is_mostly_still(net))
    return ENGINE_ZONES;
  *why = is_loose      ? "at least half of the pairs of actions that set clocks are independent"
         : is_possible ? "less than half of the pairs of actions that set clocks are independent"
                       : "local time cannot take this model";
  return is_loose ? ENGINE_LOCAL : ENGINE_ZONES;
}

const char *choice_hint(const Answer *answer, Mem *mem, const Net *net) {
  const Options *options = &answer->options;
  bool is_loose;
  if (answer->stats.visited < CHOICE_LEAST_VISITED || answer->needs_zones ||
      (options->engine != ENGINE_ZONES && options->engine != ENGINE_LOCAL) ||
      !find_looseness(mem, net, &is_loose) || is_loose == (options->engine == ENGINE_LOCAL) ||
      (is_loose && options->is_reduced && is_mostly_still(net)))
    return NULL;
  return is_loose ? "many actions that set clocks are independent: --engine local may store far "
                    "fewer nodes"
                  : "few actions that set clocks are independent: --engine zones is likely to be "
                    "faster";
}

// A query that names some of several equal processes is as good as one about any of them, if
// these are alike in the initial state: then all of them can be exchanged. Not if the run
// matters, or the proof.
static void widen_query(Check *check, const Options *options, const Symmetry *found) {
  if (!check->has_query || !check->query.formula || options->trace != TRACE_NONE ||
      options->certificate)
    return;
  const bool all = check->query.kind == QUERY_INVARIANT;
  for (uint32_t i = 0; i < found->count; i++) {
    Query query = check->query;
    Goal goal;
    if (invariance_holds(&found->families[i], &check->arena, check->net, query.formula))
      continue;
    query.formula =
        invariance_orbit(&found->families[i], &check->arena, check->net, query.formula, all);
    if (!query.formula ||
        !query_goal(&goal, &check->arena, check->net, &query, &check->tarn->report))
      continue;
    check->query.formula = query.formula;
    check->goal = goal;
  }
}

// Where an urgent channel has clock guards, deadlocks and infinite runs are known only if the
// search does not come to such a state before it is done. So it goes the way that it goes without
// symmetry.
static bool has_urgent_parts(const Net *net) {
  return net->traits.is_listed && net_has_urgent(net);
}

// Why no symmetry is used; NULL: one may be. Where guards that do not hold decide what happens,
// transitions under other names are others: runs are not mapped back there.
static const char *symmetry_obstacle(const Check *check, const Options *options) {
  const Net *net = check->net;
  const bool is_zones = options->engine == ENGINE_AUTO || options->engine == ENGINE_ZONES;
  if (options->symmetry == SYMMETRY_OFF)
    return "--symmetry off";
  if (check->net->slots.is_kept)
    return "a meta variable may be read before it is written";
  if (check->outside && check->outside->forgotten)
    return "a certificate with dead variables has none";
  if (check->outside && check->outside->left_out)
    return "a certificate that leaves out processes has none";
  if (net->traits.has_stopwatches)
    return "clocks are stopped somewhere";
  if (options->engine == ENGINE_WIDE || net_is_wide(net))
    return "the engine wide has none";
  if (is_zones && diagonals_occur(net, check->has_query ? &check->goal : NULL))
    return "two clocks are compared with each other";
  if (options->graph)
    return "a graph shows every node";
  if (net->traits.is_listed && options->trace != TRACE_NONE)
    return "runs cannot be mapped back where guards of receivers decide who takes part";
  if (options->symmetry == SYMMETRY_AUTO && options_fix_algorithm(options))
    return "an option names an algorithm, whose counts are wanted";
  return NULL;
}

static const char *symmetry_found(const Symmetry *found, const Symmetry *used) {
  return used->count    ? "these processes can be exchanged for each other"
         : found->count ? "the query, the run or the proof tells the processes apart"
                        : "no processes can be exchanged for each other";
}

// The symmetries that the search can use: those of the model and of the query.
static void find_symmetry(Check *check, const Options *options) {
  const Goal *goal = check->has_query ? &check->goal : NULL;
  Chosen *choice = &check->choice;
  choice->symmetry_why = symmetry_obstacle(check, options);
  if (!choice->symmetry_why && check->goal.ends && has_urgent_parts(check->net))
    choice->symmetry_why = "an urgent channel has clock guards";
  if (choice->symmetry_why)
    return;
  Symmetry found;
  symmetry_find(&found, &check->arena, check->net);
  widen_query(check, options, &found);
  check->symmetry = invariance_restrict(&found, &check->arena, check->net,
                                        check->has_query ? check->query.formula : NULL);
  if (options->certificate)
    check->symmetry = certifiable_restrict(&check->symmetry, &check->arena, check->net, goal);
  choice->symmetry_why = symmetry_found(&found, &check->symmetry);
}

// With all permutations of some processes zones of global time are few. Rotations save less than
// local time may do, unless processes take turns by a variable that they share.
static bool prefers_zones(const Symmetry *symmetry) {
  for (uint32_t i = 0; i < symmetry->count; i++) {
    const Family *family = &symmetry->families[i];
    if (family->is_cyclic ? family->value_columns > 0 : family->size > 2)
      return true;
  }
  return false;
}

static void name_symmetry(Check *check) {
  if (check->symmetry.count)
    check->net = symmetry_widen_ranges(&check->symmetry, &check->arena, check->net);
  Text name = {.mem = &check->tarn->mem};
  symmetry_name(&name, &check->symmetry);
  snprintf(check->answer->symmetry, sizeof check->answer->symmetry, "%s", text_chars(&name));
  text_release(&name);
}

// Why no transitions are left out by partial order; NULL: they may be.
static const char *partial_obstacle(const Check *check, const Options *options) {
  if (options->partial_order == PARTIAL_OFF)
    return "--partial-order off";
  if (check->net->traits.has_stopwatches)
    return "clocks are stopped somewhere";
  if (!check->has_query)
    return "all states are asked for";
  if (check->choice.engine != ENGINE_ZONES && !check->goal.ends) // deadlocks: always zones
    return "it is for the engine zones";
  if (options->partial_order == PARTIAL_AUTO && options_fix_algorithm(options))
    return "an option names an algorithm, whose counts are wanted";
  if (options->graph)
    return "a graph shows every node";
  if (options->certificate && options->abstraction != ABSTRACTION_ALU &&
      options->abstraction != ABSTRACTION_AM)
    return "certificates of this abstraction list all successors";
  if (check->outside && check->outside->left_out)
    return "a certificate that leaves out processes lists all transitions";
  if (options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY)
    return "bounds are found from all transitions";
  if (options->delay == DELAY_BEFORE)
    return "zones are those before delay";
  return footprint_obstacle(check->net, &check->goal);
}

static void decide_partial(Check *check, const Options *options) {
  Chosen *choice = &check->choice;
  choice->partial_why = partial_obstacle(check, options);
  choice->is_reduced = !choice->partial_why;
  if (choice->is_reduced)
    choice->partial_why = "where time stands still the order of most transitions does not matter";
}

// Engines other than zones do not know differences of clocks. They search plain zones then,
// unless the user chose an abstraction: that is an error (semantics/zone/abstraction.h).
static void decide_abstraction(Check *check, const Options *options) {
  const Net *net = check->net;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  const Engine engine = check->choice.engine;
  if ((engine != ENGINE_LOCAL && engine != ENGINE_WIDE) || options->effects & OPTION_ABSTRACTS ||
      abstraction_is_sound((Abstraction)options->abstraction, net, goal, false))
    return;
  check->choice.drops_abstraction = true;
  report_warning(&check->tarn->report,
                 net->traits.has_diagonals ? net->traits.diagonal_place : goal->diagonal_place,
                 "a constraint on the difference of two clocks: searching without abstraction, "
                 "which may not end");
}

// The symmetries of the model and of all conditions. A search that is reduced has no certificate.
void choice_make_infinite(Check *check, const Options *options) {
  const Query *query = &check->query;
  Arena *arena = &check->arena;
  Chosen *choice = &check->choice;
  *choice = (Chosen){.engine = ENGINE_ZONES,
                     .engine_why = "infinite runs are searched in zones",
                     .partial_why = "it does not preserve infinite runs",
                     .symmetry_why = symmetry_obstacle(check, options)};
  if (!choice->symmetry_why && options->certificate)
    choice->symmetry_why = "there is no certificate of infinite runs with symmetry";
  if (!choice->symmetry_why && (options->non_zeno || has_urgent_parts(check->net)))
    choice->symmetry_why =
        options->non_zeno ? "--non-zeno" : "an urgent channel has clock guards";
  if (choice->symmetry_why)
    return;
  Symmetry found, used;
  symmetry_find(&found, arena, check->net);
  used = found;
  const Expr *conditions[] = {query->formula, query->conclusion};
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (conditions[i])
      used = invariance_restrict(&used, arena, check->net, conditions[i]);
  for (uint32_t i = 0; query->kind == QUERY_BUCHI && i < query->value_count; i++)
    used = invariance_restrict(&used, arena, check->net, query->values[i]);
  check->symmetry = used;
  choice->symmetry_why = symmetry_found(&found, &used);
  name_symmetry(check);
}

void choice_make_extreme(Check *check) {
  check->choice = (Chosen){.engine = ENGINE_ZONES,
                           .engine_why = "extreme values are searched in zones",
                           .symmetry_why = "extreme values are searched without",
                           .partial_why = "extreme values are searched without"};
}

// Local time takes the symmetries that it has; if it lacks some that save much, global time may
// be better.
void choice_make(Check *check, const Options *options) {
  Chosen *choice = &check->choice;
  *choice = (Chosen){0};
  find_symmetry(check, options);
  const Symmetry found = check->symmetry;
  choice->engine = find_engine(options, &check->tarn->mem, check->net,
                               check->has_query ? &check->goal : NULL, &choice->engine_why);
  if (choice->engine == ENGINE_LOCAL) {
    check->symmetry = localrename_restrict(&found, &check->arena, check->net);
    if (options->engine == ENGINE_AUTO && check->symmetry.count < found.count &&
        (options->symmetry == SYMMETRY_ON || prefers_zones(&found))) {
      choice->engine = ENGINE_ZONES;
      choice->engine_why = "local time lacks a symmetry that saves much";
      check->symmetry = found;
    }
  }
  name_symmetry(check);
  decide_partial(check, options);
  decide_abstraction(check, options);
}
