#include "plan/checking.h"

#include "language/query_reader.h"

#include <string.h>

Source checking_source(const char *text, bool is_labels) {
  return (Source){.name = is_labels ? "<labels>" : "<query>", .text = text, .size = strlen(text)};
}

const Query *checking_own(const Tarn *tarn, const char *text) {
  for (uint32_t i = 0; i < tarn->queries.size; i++)
    if (tarn->queries.items[i].text == text)
      return &tarn->queries.items[i];
  return NULL;
}

bool checking_read_own(const Tarn *tarn, Query *query, Arena *arena, const Query *own,
                       Report *report) {
  const uint32_t begin = own->place.offset;
  return query_read_part(query, arena, &tarn->net, own->place.source, begin,
                         begin + strlen(own->text), report);
}

bool checking_read_query(Check *check, const Source *source, bool is_labels) {
  Tarn *tarn = check->tarn;
  Query *query = &check->query;
  Arena *arena = &check->arena;
  Report *report = &tarn->report;
  const Query *own = is_labels ? NULL : checking_own(tarn, source->text);
  const bool ok = is_labels ? query_read_labels(query, arena, &tarn->net, source, report)
                  : own     ? checking_read_own(tarn, query, arena, own, report)
                            : query_read(query, arena, &tarn->net, source, report);
  check->answer->is_invariant = ok && query->kind == QUERY_INVARIANT;
  check->has_query = ok && query_goal(&check->goal, arena, &tarn->net, query, report);
  return check->has_query;
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

void checking_keep_meta(Check *check) {
  Tarn *tarn = check->tarn;
  if (check->has_query && query_keep_meta(&check->query, &tarn->net, &check->arena))
    report_warning(&tarn->report, check->query.place,
                   "the query reads a meta variable: states are compared without it, so that the "
                   "answer may depend on the order of the search");
}

// Not in the net's arena, which must not grow: if memory ends, what came later is given back.
Net *checking_timed(Check *check) {
  Arena arena = {.mem = &check->tarn->mem};
  Net *timed = ARENA_NEW(&arena, Net);
  net_measure(timed, &check->tarn->net, &arena);
  return timed;
}
