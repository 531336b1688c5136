#include "pipeline/sliced.h"

#include "model/slice.h"
#include "pipeline/choose.h"

// How many processes the slice leaves out.
static uint32_t find(Check *check, bool is_loose, bool **dropped) {
  *dropped = ARENA_ARRAY(&check->arena, bool, check->net->processes.size);
  return check->query.formula ? slice_find(check->net, check->query.formula, is_loose, *dropped)
                              : 0;
}

bool sliced_is_possible(Check *check) {
  bool *dropped;
  return find(check, true, &dropped) || find(check, false, &dropped);
}

// A loose slice that leaves out no more than the other is not worth it.
static bool is_useful(Check *check, bool is_loose, bool **dropped) {
  bool *unused;
  const uint32_t count = find(check, is_loose, dropped);
  return is_loose ? count > find(check, false, &unused) : count > 0;
}

bool sliced_begin(Sliced *sliced, Check *check, bool is_loose) {
  Tarn *tarn = check->tarn;
  Net *net = ARENA_NEW(&check->arena, Net);
  *sliced = (Sliced){check->query, check->goal, check->symmetry, tarn->options.engine};
  Query query;
  Goal goal;
  bool *dropped;
  if (!is_useful(check, is_loose, &dropped))
    return false;
  if (!checking_read_slice(check, dropped, net, &query) ||
      !query_goal(&goal, &check->arena, net, &query, &tarn->report))
    return false;
  check->net = net;
  check->query = query;
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
  tarn->options.engine = check->answer->options.engine = sliced->engine;
}
