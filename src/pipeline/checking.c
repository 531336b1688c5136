#include "pipeline/checking.h"

#include "base/timer.h"
#include "io/query_reader.h"
#include "pipeline/load.h"

#include <string.h>

// The limit of time covers a query as a whole, with what comes before the search and after it.
const char *checking_limit(void *state) {
  const Check *check = state;
  const Tarn *tarn = check->tarn;
  const double limit = tarn->options.time_limit;
  return limit > 0 && timer_seconds() - check->start > limit         ? "time limit"
         : tarn->terminate && tarn->terminate(tarn->terminate_state) ? "interrupted"
                                                                     : NULL;
}

Source checking_source(const char *text, bool is_labels) {
  return (Source){.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)};
}

bool checking_read_query(Check *check, const Source *source, bool is_labels) {
  Tarn *tarn = check->tarn;
  const bool ok =
      is_labels
          ? query_read_labels(&check->query, &check->arena, &tarn->net, source, &tarn->report)
          : query_read(&check->query, &check->arena, &tarn->net, source, &tarn->report);
  check->has_query = true;
  check->answer->is_invariant = ok && check->query.kind == QUERY_INVARIANT;
  return ok && query_goal(&check->goal, &check->arena, &tarn->net, &check->query, &tarn->report);
}

bool checking_use_query(Check *check, const Parsed *parsed) {
  Tarn *tarn = check->tarn;
  check->query = parsed->query;
  check->goal = parsed->goal;
  check->has_query = true;
  check->answer->is_invariant = parsed->query.kind == QUERY_INVARIANT;
  if (parsed->warnings)
    text_add(&tarn->report.warnings, parsed->warnings);
  return parsed->has_goal ||
         query_goal(&check->goal, &check->arena, &tarn->net, &check->query, &tarn->report);
}

// The model once more, into a net that was begun.
static bool read_again(Check *check, Net *net, Query *query) {
  Tarn *tarn = check->tarn;
  Report unused;
  report_init(&unused, &tarn->mem);
  Source *source = ARENA_NEW(&check->arena, Source);
  *source = (Source){
      .name = "<query>", .text = check->answer->query, .size = strlen(check->answer->query)};
  net->origin.scale = ARENA_NEW(&net->arena, Scale);
  net->origin.scale->unit = net_unit(&tarn->net);
  const bool ok = load_net(net, &tarn->source, &unused) &&
                  (check->answer->is_labels ? query_read_labels : query_read)(
                      query, &check->arena, net, source, &unused);
  report_release(&unused);
  return ok;
}

// Not in the net's arena, which must not grow: if memory ends, what came later is given back.
Net *checking_timed(Check *check) {
  Arena arena = {.mem = &check->tarn->mem};
  Net *timed = ARENA_NEW(&arena, Net);
  net_measure(timed, &check->tarn->net, &arena);
  return timed;
}

bool checking_read_slice(Check *check, const SlicedCuts *cuts, Net *net, Query *query) {
  net_init(net, &check->tarn->mem);
  net->reading.dropped = cuts->dropped;
  net->reading.freed = cuts->freed;
  net->reading.forget = cuts->forget;
  return read_again(check, net, query);
}
