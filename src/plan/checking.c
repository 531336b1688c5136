#include "plan/checking.h"

#include "plan/capabilities.h"

bool checking_read_query(Check *check, TarnQuery *asked) {
  if (!asked) {
    check->model = check->net = units_net(&check->tarn->units, NULL, false);
    return true;
  }
  check->has_query = handle_read(check->tarn, asked);
  if (check->has_query) {
    check->model = check->net = asked->model;
    check->query = asked->query;
    check->goal = asked->goal;
    check->answer->is_invariant = asked->query.kind == QUERY_INVARIANT;
    if (!capabilities_is_statistical(&check->query))
      session_tell_ignored(check->tarn, check->model);
  }
  return check->has_query;
}

void checking_keep_meta(Check *check) {
  Arena arena = {.mem = &check->tarn->mem};
  if (!check->has_query)
    return;
  check->net = query_keep_meta(&check->query, check->model, &arena);
  if (check->net == check->model)
    return;
  check->model = check->net;
  report_warning(&check->tarn->report, check->query.place,
                 "the query reads a meta variable: states are compared without it, so that the "
                 "answer may depend on the order of the search");
}

// Not in the net's arena, which must not grow: if memory ends, what came later is given back.
const Net *checking_timed(Check *check) {
  Arena arena = {.mem = &check->tarn->mem};
  Net *timed = ARENA_NEW(&arena, Net);
  net_measure(timed, check->model, &arena);
  return timed;
}
