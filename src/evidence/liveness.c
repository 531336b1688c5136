#include "evidence/liveness.h"

#include "base/timer.h"

static bool is_stay(QueryKind kind) {
  return kind == QUERY_POSSIBLY || kind == QUERY_EVENTUALLY || kind == QUERY_LEADS_TO;
}

const char *liveness_refusal(const Net *net, const Query *query) {
  if (net->has_diagonals)
    return "questions about infinite runs are not answered for models that compare clocks with "
           "each other";
  if (query->kind == QUERY_BUCHI && query->value_count > RUNS_MOST_LABELS)
    return "there are too many conditions";
  return NULL;
}

static bool build_goals(Liveness *l, Report *report) {
  const Query *query = l->query;
  bool ok = true;
  if (query->kind == QUERY_LEADS_TO)
    ok = goal_build(&l->start, &l->arena, query->formula, false, query->place, report) &&
         goal_build(&l->stay, &l->arena, query->conclusion, true, query->place, report);
  else if (is_stay(query->kind))
    ok = goal_build(&l->stay, &l->arena, query->formula, query->kind == QUERY_EVENTUALLY,
                    query->place, report);
  else
    l->labels = ARENA_ARRAY(&l->arena, Goal, query->value_count);
  if (l->kept)
    ok = goal_build(&l->start, &l->arena, query->formula, false, query->place, report) &&
         goal_build(&l->stay, &l->arena, NULL, false, query->place, report);
  for (uint32_t i = 0; ok && l->labels && i < query->value_count; i++)
    ok = goal_build(&l->labels[i], &l->arena, query->values[i], false, query->place, report);
  const Place place = l->stay.has_diagonals ? l->stay.diagonal_place : l->start.diagonal_place;
  if (ok && (l->stay.has_diagonals || l->start.has_diagonals)) {
    report_error(report, place,
                 "questions about infinite runs cannot compare clocks with each other");
    ok = false;
  }
  return ok;
}

static CyclesVerdict end_of(Space *space) {
  switch (runs_end(space)) {
  case RUNS_IDLES:
  case RUNS_STUCK:
    return CYCLES_IS_END;
  case RUNS_UNCLEAR:
    return CYCLES_DOUBT;
  case RUNS_FAILED:
    return CYCLES_ERROR;
  case RUNS_GOES_ON:
    break;
  }
  return CYCLES_GO_ON;
}

static bool stopped(void *state) {
  Liveness *l = state;
  l->stats->seconds = timer_seconds() - l->begin;
  l->stats->peak_bytes = l->mem->peak;
  if (l->most_visits && l->stats->visited > l->most_visits)
    l->stop_reason = "too many nodes";
  else if (l->time_limit > 0 && l->stats->seconds > l->time_limit)
    l->stop_reason = "time limit";
  else if (l->terminate && l->terminate(l->terminate_state))
    l->stop_reason = "interrupted";
  return l->stop_reason;
}

static void end_search(Liveness *l) {
  if (l->cycles)
    cycles_release(l->cycles);
  if (l->space)
    l->space->release(l->space);
  l->cycles = NULL;
  l->space = NULL;
}

static bool search(Liveness *l, bool is_m, CyclesResult *result, Report *report) {
  end_search(l);
  const bool has_start = l->query->kind == QUERY_LEADS_TO || l->kept;
  l->rules = (RunsRules){.stay = is_stay(l->query->kind) || l->kept ? &l->stay : NULL,
                         .start = has_start ? &l->start : NULL,
                         .kept = l->kept,
                         .labels = l->labels,
                         .label_count = l->labels ? l->query->value_count : 0,
                         .is_divergent = l->is_divergent,
                         .is_m = is_m};
  l->space = runs_new(l->mem, l->net, &l->rules, report);
  if (!l->space)
    return false;
  const CyclesRules rules = {runs_all_marks(&l->rules), runs_marks,
                             is_stay(l->query->kind) ? end_of : NULL,
                             l->kept ? runs_starts : NULL};
  *l->stats = (Statistics){0};
  l->cycles = cycles_new(l->mem, l->space, &rules, l->stats);
  *result = cycles_run(l->cycles, stopped, l);
  l->stats->peak_bytes = l->mem->peak;
  if (*result == CYCLES_END)
    l->end = runs_end(l->space);
  return true;
}

bool liveness_run(Liveness *l, CyclesResult *result, Report *report) {
  l->arena.mem = l->mem;
  l->begin = timer_seconds();
  if (!build_goals(l, report) || !search(l, false, result, report))
    return false;
  return *result != CYCLES_UNCLEAR || search(l, true, result, report);
}

void liveness_release(Liveness *l) {
  end_search(l);
  arena_release(&l->arena);
}
