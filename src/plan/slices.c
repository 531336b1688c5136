#include "plan/slices.h"

#include "analysis/diagonals.h"
#include "analysis/forget.h"
#include "analysis/slice.h"
#include "answers/certificates/certifiable.h"
#include "check/sliced.h"
#include "plan/choice.h"

#include <string.h>

// How many processes a slice leaves out.
static uint32_t find(Check *check, bool is_loose, bool **dropped) {
  *dropped = ARENA_ARRAY(&check->arena, bool, check->net->processes.size);
  return slice_find(check->net, check->query.formula, is_loose, *dropped);
}

typedef struct Cuts { // what makes the net smaller
  const bool *dropped, *freed;
  const ForgetList *forget;
} Cuts;

// False if nothing does.
static bool find_cuts(Check *check, SliceKind kind, ProcessId freed_process, Cuts *cuts) {
  bool *dropped, *unused;
  if (!check->query.formula && kind != SLICE_WHOLE)
    return false;
  *cuts = (Cuts){.forget = forget_find(check->net, &check->arena, &check->query)};
  if (kind == SLICE_WHOLE)
    return cuts->forget;
  const uint32_t count = find(check, kind != SLICE_EXACT, &dropped);
  cuts->dropped = dropped;
  if (kind == SLICE_FREE) {
    bool *freed =
        ARENA_ARRAY(&check->arena, bool, check->net->slots.count + check->net->clock_count + 1);
    cuts->freed = freed;
    return slice_free(check->net, check->query.formula, freed_process, dropped, freed);
  }
  // A loose slice that leaves out no more than the other is not worth it.
  return kind == SLICE_LOOSE ? count > find(check, false, &unused) : count > 0;
}

bool slices_exist(Check *check) {
  Cuts cuts;
  return find_cuts(check, SLICE_WHOLE, 0, &cuts) || find_cuts(check, SLICE_LOOSE, 0, &cuts) ||
         find_cuts(check, SLICE_EXACT, 0, &cuts);
}

// A net of its own, which shares expressions with the model.
static bool make(Net *net, const Net *model, const Cuts *cuts) {
  net_copy(net, model);
  if (cuts->forget)
    forget_apply(net, cuts->forget);
  if (cuts->dropped)
    slice_apply(net, cuts->dropped, cuts->freed);
  const bool ok = net_finish(net, &(Report){0});
  if (!ok)
    net_release(net);
  return ok;
}

bool slices_are_certifiable(Check *check, SliceKind kind) {
  const Net *net = check->net;
  bool *dropped;
  if (!check->has_query || net_is_wide(net) || kind == SLICE_FREE)
    return false;
  if (kind == SLICE_WHOLE)
    return certifiable_dead(net, &check->arena, &check->query, &check->goal);
  return check->query.formula && !diagonals_occur(net, &check->goal) &&
         find(check, kind != SLICE_EXACT, &dropped) &&
         !sliced_refuse(&check->tarn->mem, net, &check->goal, dropped);
}

bool slices_enter(Check *check, const Options *options, SliceKind kind, ProcessId freed) {
  Tarn *tarn = check->tarn;
  Net *net = ARENA_NEW(&check->arena, Net);
  Goal goal;
  Cuts cuts;
  slices_leave(check);
  if (options->certificate && !slices_are_certifiable(check, kind))
    return false;
  if (!find_cuts(check, kind, freed, &cuts))
    return false;
  if (options->certificate && cuts.dropped) // one of the two
    cuts.forget = NULL;
  if (!make(net, check->model, &cuts))
    return false;
  if (!query_goal(&goal, &check->arena, net, &check->query, &tarn->report)) {
    net_release(net);
    return false;
  }
  check->outside = ARENA_NEW(&check->arena, Outside);
  *check->outside = (Outside){.net = check->net,
                              .slice = net,
                              .forgotten = options->certificate ? cuts.forget : NULL,
                              .left_out = options->certificate ? cuts.dropped : NULL,
                              .query = check->query,
                              .goal = check->goal,
                              .symmetry = check->symmetry,
                              .choice = check->choice};
  memcpy(check->outside->symmetry_name, check->answer->symmetry,
         sizeof check->outside->symmetry_name);
  check->net = net;
  check->goal = goal;
  check->symmetry = (Symmetry){0};
  Options free = *options;
  free.engine = ENGINE_AUTO; // no option names one: else there are no slices
  free.abstraction = tarn->options.abstraction;
  if (capabilities_is_infinite(&check->query))
    choice_make_infinite(check, &free);
  else
    choice_make(check, &free);
  return true;
}

void slices_leave(Check *check) {
  const Outside *outside = check->outside;
  if (!outside)
    return;
  net_release(outside->slice);
  check->net = outside->net;
  check->query = outside->query;
  check->goal = outside->goal;
  check->symmetry = outside->symmetry;
  check->choice = outside->choice;
  memcpy(check->answer->symmetry, outside->symmetry_name, sizeof outside->symmetry_name);
  check->outside = NULL;
}
