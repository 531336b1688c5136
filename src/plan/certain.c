#include "plan/certain.h"

#include "answers/queries/liveness.h"
#include "language/query_reader.h"
#include "plan/capabilities.h"
#include "plan/rescale.h"
#include "semantics/zone/zones.h"

#include <string.h>

enum { MAX_TRANSITIONS = 20000, MAX_VISITS = 5000, MAX_LIMIT = 1 << 24 };

typedef struct Asked {
  Tarn *tarn;
  Arena arena;
  Report report;
  const Net *net; // with a clock for the time, the last one
  Query query;    // its formula is the goal
  bool is_timed;
  int64_t limit; // of time, in the unit of the net
  int32_t more;  // 1 if it was rounded down
} Asked;

// The goal as a symbolic query reads it.
static bool read_goal(Asked *a, const PathQuery *path) {
  Tarn *tarn = a->tarn;
  Text text = {.mem = &tarn->mem};
  text_addf(&text, "E<> (%s)", path->goal_text);
  Source *source = ARENA_NEW(&a->arena, Source);
  *source = (Source){.name = "<goal>",
                     .text = arena_text(&a->arena, text_chars(&text), text.size),
                     .size = text.size};
  text_release(&text);
  return query_read(&a->query, &a->arena, tarn->net, source, &a->report) &&
         a->query.kind == QUERY_REACH && !expr_has_kind(a->query.formula, EXPR_DEADLOCK);
}

static bool prepare(Asked *a, const PathQuery *path) {
  const Net *net = rescale_query(&a->tarn->units, &a->query, &a->arena);
  const int64_t unit = net_unit(net);
  a->is_timed = path->bound.kind == RUN_BOUND_TIME && path->bound.limit <= MAX_LIMIT;
  a->limit = a->is_timed ? (int64_t)path->bound.limit / unit : 0;
  a->more = a->is_timed && (double)(a->limit * unit) < path->bound.limit;
  if (net_is_wide(net) || net->traits.has_stopwatches || net->traits.has_diagonals)
    return false;
  net = query_keep_meta(&a->query, net, &a->arena);
  Net *timed = ARENA_NEW(&a->arena, Net);
  net_measure(timed, net, &a->arena);
  a->net = timed;
  return true;
}

// The goal, and the time is at most the limit and `more`.
static const Expr *within(Asked *a, const Expr *goal, int32_t more) {
  Arena *arena = &a->arena;
  const Place place = a->query.place;
  if (!a->is_timed)
    return goal;
  Expr *clock = ARENA_NEW(arena, Expr);
  *clock = (Expr){
      .kind = EXPR_CLOCK, .place = place, .type = type_clock(arena), .base = a->net->clock_count};
  const Expr *test = expr_clock_test(arena, place, clock, NULL, EXPR_LE,
                                     expr_const(arena, place, (int32_t)a->limit + more));
  return goal ? expr_binary(arena, place, EXPR_AND, goal, test) : test;
}

// Whether no run meets the condition.
static bool is_unreachable(Asked *a, const Expr *condition) {
  Mem *mem = &a->tarn->mem;
  Options options;
  Goal goal;
  Reach reach;
  Statistics stats = {0};
  options_init(&options);
  options.engine = ENGINE_ZONES;
  if (!goal_build(&goal, &a->arena, condition, false, a->query.place, &a->report))
    return false;
  const Request request = {a->net, &a->query, &goal, &options, false, false, false};
  if (capabilities_refusal(&request))
    return false;
  Space *space = zones_new(mem, a->net, &goal, &options, &a->report);
  if (!space)
    return false;
  reach_init(&reach, mem, space, ORDER_STAGES, &stats);
  reach.max_transitions = MAX_TRANSITIONS;
  const ReachResult result = reach_run(&reach);
  const bool is_none = result == REACH_NONE && !space->invalid.count;
  reach_release(&reach);
  space_release(space);
  return is_none;
}

// Whether every run meets the condition: no run ends, stops time or goes on for ever without it.
static bool is_inevitable(Asked *a, const Expr *condition) {
  Statistics stats = {0};
  Query query = {.kind = QUERY_EVENTUALLY, .formula = condition, .place = a->query.place};
  Liveness l = {.mem = &a->tarn->mem,
                .net = a->net,
                .query = &query,
                .stats = &stats,
                .max_visits = MAX_VISITS};
  CyclesResult result = CYCLES_STOPPED;
  const bool ok = liveness_run(&l, &result, &a->report) && result == CYCLES_NONE;
  liveness_release(&l);
  return ok;
}

static void find(Asked *a, const PathQuery *path, Certain *certain) {
  const Expr *goal = a->query.formula;
  const bool is_always = path->kind == PATH_ALWAYS;
  if (is_always && goal)
    goal = expr_unary(&a->arena, a->query.place, EXPR_NOT, goal);
  if (is_always && !a->query.formula)
    return;
  if (is_unreachable(a, within(a, goal, a->more))) {
    certain->value = is_always;
    certain->why = is_always ? "the zone engine shows that no run leaves it"
                             : "the zone engine shows that no run reaches the goal";
  } else if (a->is_timed && path->kind != PATH_UNTIL && is_inevitable(a, within(a, goal, 0))) {
    certain->value = !is_always;
    certain->why = is_always ? "the zone engine shows that every run leaves it within the bound"
                             : "the zone engine shows that every run reaches the goal within "
                               "the bound";
  }
}

void certain_find(Certain *certain, Tarn *tarn, const PathQuery *path) {
  *certain = (Certain){0};
  if (path->kind == PATH_MITL || !path->goal_text || tarn->net->origin.obstacles || tarn->link)
    return;
  Asked a = {.tarn = tarn, .arena = {.mem = &tarn->mem}};
  report_init(&a.report, &tarn->mem);
  if (read_goal(&a, path) && prepare(&a, path))
    find(&a, path, certain);
  report_release(&a.report);
  arena_release(&a.arena);
}
