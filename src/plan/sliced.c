#include "plan/sliced.h"

#include "analysis/forget.h"
#include "analysis/slice.h"
#include "plan/choose.h"

#include <string.h>

// How many processes a slice leaves out.
static uint32_t find(Check *check, bool is_loose, bool **dropped) {
  *dropped = ARENA_ARRAY(&check->arena, bool, check->net->processes.size);
  return slice_find(check->net, check->query.formula, is_loose, *dropped);
}

typedef struct SlicedCuts { // what makes the net smaller
  const bool *dropped, *freed;
  const ForgetList *forget;
} SlicedCuts;

// False if nothing does.
static bool find_cuts(Check *check, SlicedKind kind, ProcessId free, SlicedCuts *cuts) {
  bool *dropped, *unused;
  if (!check->query.formula)
    return false;
  *cuts = (SlicedCuts){.forget = forget_find(check->net, &check->arena, check->query.formula)};
  if (kind == SLICED_WHOLE)
    return cuts->forget;
  const uint32_t count = find(check, kind != SLICED_EXACT, &dropped);
  cuts->dropped = dropped;
  if (kind == SLICED_FREE) {
    bool *freed =
        ARENA_ARRAY(&check->arena, bool, check->net->slots.count + check->net->clock_count + 1);
    cuts->freed = freed;
    return slice_free(check->net, check->query.formula, free, dropped, freed);
  }
  // A loose slice that leaves out no more than the other is not worth it.
  return kind == SLICED_LOOSE ? count > find(check, false, &unused) : count > 0;
}

bool sliced_is_possible(Check *check) {
  SlicedCuts cuts;
  return find_cuts(check, SLICED_WHOLE, 0, &cuts) || find_cuts(check, SLICED_LOOSE, 0, &cuts) ||
         find_cuts(check, SLICED_EXACT, 0, &cuts);
}

// A net of its own, which shares expressions with that of the session.
static bool make(Net *net, const Tarn *tarn, const SlicedCuts *cuts) {
  net_copy(net, &tarn->net);
  if (cuts->forget)
    forget_apply(net, cuts->forget);
  if (cuts->dropped)
    slice_apply(net, cuts->dropped, cuts->freed);
  const bool ok = net_finish(net, &(Report){0});
  if (!ok)
    net_release(net);
  return ok;
}

bool sliced_begin(Sliced *sliced, Check *check, SlicedKind kind, ProcessId free) {
  Tarn *tarn = check->tarn;
  Net *net = ARENA_NEW(&check->arena, Net);
  *sliced = (Sliced){.query = check->query,
                     .goal = check->goal,
                     .symmetry = check->symmetry,
                     .engine = tarn->options.engine};
  memcpy(sliced->symmetry_name, check->answer->symmetry, sizeof sliced->symmetry_name);
  Goal goal;
  SlicedCuts cuts;
  if (!find_cuts(check, kind, free, &cuts) || !make(net, tarn, &cuts) ||
      !query_goal(&goal, &check->arena, net, &check->query, &tarn->report))
    return false;
  check->net = net;
  check->goal = goal;
  check->symmetry = (Symmetry){0};
  tarn->options.engine = ENGINE_AUTO; // no option names one: see hunts_fit
  choose_engine(check);
  return true;
}

void sliced_end(Sliced *sliced, Check *check) {
  Tarn *tarn = check->tarn;
  if (check->net != &tarn->net)
    net_release(check->net);
  check->net = &tarn->net;
  check->query = sliced->query;
  check->goal = sliced->goal;
  check->symmetry = sliced->symmetry;
  memcpy(check->answer->symmetry, sliced->symmetry_name, sizeof sliced->symmetry_name);
  tarn->options.engine = check->answer->options.engine = sliced->engine;
}
