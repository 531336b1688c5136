#include "pipeline/choose.h"

#include "discrete/darts.h"
#include "discrete/points.h"
#include "local/choice.h"
#include "local/local.h"
#include "symmetry/invariance.h"
#include "zone/zones.h"

#include <stdio.h>

Space *choose_space(Check *check, const Options *options) {
  Tarn *tarn = check->tarn;
  if (!choice_is_possible(options, &tarn->report))
    return NULL;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  switch ((Engine)options->engine) {
  case ENGINE_LOCAL:
    return local_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_DARTS:
    return darts_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_POINTS:
    return points_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  case ENGINE_AUTO: // decided before
  case ENGINE_ZONES:
    break;
  }
  Space *space = zones_new(&tarn->mem, &tarn->net, goal, options, &tarn->report);
  if (space && check->symmetry.count)
    zones_reduce(space, &check->symmetry, !options->certificate);
  return space;
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
    if (invariance_holds(&found->families[i], &check->arena, &tarn->net, query.formula))
      continue;
    query.formula =
        invariance_orbit(&found->families[i], &check->arena, &tarn->net, query.formula, all);
    if (!query.formula || !query_goal(&goal, &check->arena, &tarn->net, &query, &tarn->report))
      continue;
    check->query.formula = query.formula;
    check->goal = goal;
  }
}

// The symmetries that the search can use: those of the model and of the query.
static void find_symmetry(Check *check) {
  Tarn *tarn = check->tarn;
  const Options *options = &tarn->options;
  // Not for deadlocks, nor where transitions depend on what others can do: that is not proved.
  // Nor with tables of constants and references, which the matching of expressions does not
  // follow.
  if (options->symmetry == SYMMETRY_OFF || options->graph || check->goal.ends ||
      tarn->net.is_listed || tarn->net.has_tables || tarn->net.has_references ||
      (options->symmetry == SYMMETRY_AUTO && options->names_algorithm))
    return;
  Symmetry found;
  symmetry_find(&found, &check->arena, &tarn->net);
  widen_query(check, &found);
  check->symmetry = invariance_restrict(&found, &check->arena, &tarn->net,
                                        check->has_query ? check->query.formula : NULL);
}

// With all permutations of some processes zones of global time are few. Rotations save less than
// local time may do, unless processes take turns by a variable that they share.
static bool prefers_zones(const Check *check) {
  bool is_large = check->tarn->options.symmetry == SYMMETRY_ON;
  for (uint32_t i = 0; i < check->symmetry.count; i++) {
    const Family *family = &check->symmetry.families[i];
    is_large |= family->is_cyclic ? family->value_columns > 0 : family->size > 2;
  }
  return is_large && check->symmetry.count;
}

void choose_engine(Check *check) {
  Tarn *tarn = check->tarn;
  const Goal *goal = check->has_query ? &check->goal : NULL;
  find_symmetry(check);
  if (tarn->options.engine == ENGINE_AUTO && prefers_zones(check))
    tarn->options.engine = ENGINE_ZONES;
  tarn->options.engine = choice_engine(&tarn->options, &tarn->mem, &tarn->net, goal);
  check->answer->options.engine = tarn->options.engine;
  if (tarn->options.engine != ENGINE_ZONES)
    check->symmetry.count = 0;
  if (check->symmetry.count)
    net_forget_ranges(&tarn->net); // a state may be exchanged for one that is not reachable
  Text name = {.mem = &tarn->mem};
  symmetry_name(&name, &check->symmetry);
  snprintf(check->answer->symmetry, sizeof check->answer->symmetry, "%s", text_chars(&name));
  text_release(&name);
}
