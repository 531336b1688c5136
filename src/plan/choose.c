#include "plan/choose.h"

#include "analysis/differences.h"
#include "analysis/symmetry/invariance.h"
#include "answers/certificates/certifiable.h"
#include "plan/choice.h"
#include "semantics/discrete/darts.h"
#include "semantics/discrete/points.h"
#include "semantics/discrete/tickrename.h"
#include "semantics/local/local.h"
#include "semantics/local/localrename.h"
#include "semantics/wide/wide.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

#include <stdio.h>

Space *choose_space_in(Check *check, Mem *mem, const Options *options) {
  Tarn *tarn = check->tarn;
  if (!choice_is_possible(options, &tarn->report))
    return NULL;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  const Symmetry *symmetry = check->symmetry.count ? &check->symmetry : NULL;
  Space *space = NULL;
  switch ((Engine)options->engine) {
  case ENGINE_LOCAL:
    space = local_new(mem, check->net, goal, options, &tarn->report);
    if (space && symmetry)
      reduce_attach(space, symmetry, !options->certificate);
    break;
  case ENGINE_DARTS:
    space = darts_new(mem, check->net, goal, options, &tarn->report);
    if (space && symmetry)
      tickrename_attach(space, symmetry);
    break;
  case ENGINE_POINTS:
    space = points_new(mem, check->net, goal, options, &tarn->report);
    if (space && symmetry)
      tickrename_attach(space, symmetry);
    break;
  case ENGINE_WIDE:
    space = wide_new(mem, check->net, goal, options, &tarn->report);
    break;
  case ENGINE_AUTO: // decided before
  case ENGINE_ZONES:
    space = zones_new(mem, check->net, goal, options, &tarn->report);
    if (space && symmetry)
      reduce_attach(space, symmetry, !options->certificate);
  }
  return space;
}

Space *choose_space(Check *check, const Options *options) {
  return choose_space_in(check, &check->tarn->mem, options);
}

// A query that names some of several equal processes is as good as one about any of them, if
// these are alike in the initial state: then all of them can be exchanged. Not if the run
// matters, or the proof.
static void widen_query(Check *check, const Symmetry *found) {
  Tarn *tarn = check->tarn;
  const Options *options = &tarn->options;
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
    if (!query.formula || !query_goal(&goal, &check->arena, check->net, &query, &tarn->report))
      continue;
    check->query.formula = query.formula;
    check->goal = goal;
  }
}

// Where guards that do not hold decide what happens, transitions under other names are others:
// runs are not mapped back there. Nor are there symmetries, in zones, where differences of clocks
// matter.
static bool may_be_symmetric(const Check *check) {
  const Options *options = &check->tarn->options;
  const bool is_zones = options->engine == ENGINE_AUTO || options->engine == ENGINE_ZONES;
  if (options->engine == ENGINE_WIDE || net_is_wide(check->net))
    return false;
  if (is_zones && differences_occur(check->net, check->has_query ? &check->goal : NULL))
    return false;
  return options->symmetry != SYMMETRY_OFF && !options->graph &&
         !(check->net->traits.is_listed && options->trace != TRACE_NONE) &&
         !(options->symmetry == SYMMETRY_AUTO && options_fix_algorithm(options));
}

// Where an urgent channel has clock guards, deadlocks and runs without end are known only if the
// search does not come to such a state before it is done. So it goes the way that it goes without
// symmetry.
static bool has_urgent_parts(const Net *net) {
  bool is_urgent = false;
  for (uint32_t i = 0; net->traits.is_listed && i < net->channels.size; i++)
    is_urgent |= net->channels.items[i].urgent;
  return is_urgent;
}

// The symmetries that the search can use: those of the model and of the query.
static void find_symmetry(Check *check) {
  const Options *options = &check->tarn->options;
  if (!may_be_symmetric(check) ||
      (check->goal.ends && (options->certificate || has_urgent_parts(check->net))))
    return;
  Symmetry found;
  symmetry_find(&found, &check->arena, check->net);
  widen_query(check, &found);
  check->symmetry = invariance_restrict(&found, &check->arena, check->net,
                                        check->has_query ? check->query.formula : NULL);
  if (options->certificate)
    check->symmetry = certifiable_restrict(&check->symmetry, &check->arena, check->net,
                                           check->has_query ? &check->goal : NULL);
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
    symmetry_widen_ranges(&check->symmetry, &check->arena, check->net);
  Text name = {.mem = &check->tarn->mem};
  symmetry_name(&name, &check->symmetry);
  snprintf(check->answer->symmetry, sizeof check->answer->symmetry, "%s", text_chars(&name));
  text_release(&name);
}

// Those of the model and of all conditions. There is no certificate of a search that is reduced.
void choose_symmetry_of_runs(Check *check) {
  const Query *query = &check->query;
  Arena *arena = &check->arena;
  const Options *options = &check->tarn->options;
  if (!may_be_symmetric(check) || options->certificate || options->non_zeno ||
      has_urgent_parts(check->net))
    return;
  Symmetry found;
  symmetry_find(&found, arena, check->net);
  const Expr *conditions[] = {query->formula, query->conclusion};
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (conditions[i])
      found = invariance_restrict(&found, arena, check->net, conditions[i]);
  for (uint32_t i = 0; query->kind == QUERY_BUCHI && i < query->value_count; i++)
    found = invariance_restrict(&found, arena, check->net, query->values[i]);
  check->symmetry = found;
  name_symmetry(check);
}

// Local time takes the symmetries that it has; if it lacks some that save much, global time may
// be better.
void choose_engine(Check *check) {
  Tarn *tarn = check->tarn;
  Options *options = &tarn->options;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  find_symmetry(check);
  const Symmetry found = check->symmetry;
  const bool is_free = options->engine == ENGINE_AUTO;
  options->engine = choice_engine(options, &tarn->mem, check->net, goal);
  if (options->engine == ENGINE_LOCAL) {
    check->symmetry = localrename_restrict(&found, &check->arena, check->net);
    if (is_free && check->symmetry.count < found.count &&
        (options->symmetry == SYMMETRY_ON || prefers_zones(&found))) {
      options->engine = ENGINE_ZONES;
      check->symmetry = found;
    }
  }
  check->answer->options.engine = options->engine;
  name_symmetry(check);
}
