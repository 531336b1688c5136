#include "answers/queries/bounds.h"

#include "analysis/clockbounds.h"
#include "answers/runs/lassorun.h"
#include "base/testbuild.h"
#include "model/expr/print.h"
#include "semantics/zone/zones.h"

// Values of a clock are followed up to MAX_LIMIT. Where clocks are copied, a value can outlive
// the clock that had it, so unbounded growth may not be noticed: then values are followed up to
// MAX_FACTOR times the first limit. Where infinite runs are not known, growth is not noticed:
// then up to MAX_FACTOR times the largest constant of all clocks. The search for unbounded growth
// prunes nothing, so larger limits are tried first.
enum { FIRST_VISITS = 100 };
enum { MAX_SHOWN = 100000 }; // nodes that are visited to show it
enum { MAX_LIMIT = 1 << 22, MAX_FACTOR = 1 << 8 };

static bool is_clock(const Expr *value) { return value->type && value->type->kind == TYPE_CLOCK; }

static const Expr *clock_test(Arena *arena, const Expr *clock, ExprKind op, int32_t limit) {
  return expr_clock_test(arena, clock->place, clock, NULL, op,
                         expr_const(arena, clock->place, limit));
}

// The condition; for a clock, in states that differ by it up to the limit.
static const Expr *split(Arena *arena, const Expr *condition, const Expr *value, int32_t limit) {
  const Expr *parts =
      expr_binary(arena, value->place, EXPR_OR, clock_test(arena, value, EXPR_LE, limit),
                  clock_test(arena, value, EXPR_GE, limit));
  return condition ? expr_binary(arena, value->place, EXPR_AND, condition, parts) : parts;
}

static bool conclude(BoundsSearch *b, const Reach *reach, ReachResult result) {
  if (result == REACH_STOPPED)
    b->stop_reason = reach->stop_reason;
  if (result == REACH_FAILED) {
    b->failure = reach->space->failure;
    b->failure_place = reach->space->failure_place;
  }
  return result == REACH_NONE;
}

// The run to a state in which time can pass for ever while a clause of the condition holds.
static bool show_end(BoundsSearch *b, const Reach *reach, const Goal *condition, uint32_t clause,
                     Trace *trace) {
  Goal kept = *condition; // at the end another clause may hold, but not for ever
  kept.clauses += clause;
  kept.clause_count = 1;
  return trace_build(trace, b->mem, b->net, &kept, reach, REACH_GOAL, TRACE_CONCRETE, NULL);
}

// Finds the values in states that meet the goal; or, with a trace, shows a state in which time
// can pass for ever while the condition holds.
static bool explore(BoundsSearch *b, const Expr *value, const Goal *condition, const Goal *goal,
                    const Options *options, Extremes *found, Trace *trace, Report *report) {
  Statistics unused = {0};
  Space *space = zones_new(b->mem, b->net, goal, options, report);
  if (!space)
    return false;
  Reach reach;
  extremes_attach(found, b->mem, space, b->net, condition, value,
                  is_clock(value) && !trace ? value->base : 0);
  if (trace)
    extremes_seek_end(found, space);
  reach_init(&reach, b->mem, space, (SearchOrder)options->order, trace ? &unused : b->stats);
  const ReachResult result = reach_run(&reach);
  const bool ok =
      trace ? result == REACH_GOAL && show_end(b, &reach, condition, found->clause, trace)
            : conclude(b, &reach, result);
  extremes_release(found);
  reach_release(&reach);
  space_release(space);
  return ok;
}

// The algorithm is that of the options, or, with a trace, any.
static bool search(BoundsSearch *b, const Expr *value, int32_t limit, Extremes *found,
                   Trace *trace, Report *report) {
  Arena arena = {.mem = b->mem};
  Goal condition, goal;
  Options options = *b->options;
  const Expr *asked = b->query->formula, *wanted = asked;
  options.engine = ENGINE_ZONES;
  options.delay = DELAY_AFTER;
  options.threads = 1;
  if (options.bounds == BOUNDS_FLY || options.bounds == BOUNDS_LAZY)
    options.bounds = BOUNDS_LOCAL;
  if (trace)
    options_init(&options);
  else
    *b->stats = (Statistics){0};
  if (is_clock(value) && !trace && !PLANTED("bounds-limit"))
    wanted = split(&arena, asked, value, limit);
  const bool ok = goal_build(&condition, &arena, asked, false, b->query->place, report) &&
                  goal_build(&goal, &arena, wanted, false, b->query->place, report) &&
                  explore(b, value, &condition, &goal, &options, found, trace, report);
  arena_release(&arena);
  return ok;
}

// Whether the clock grows for ever along a cycle from which a state is reached that satisfies the
// condition. If its values are not bounded, longer and longer runs in which it is not set lead to
// such a state. There are finitely many zones, so a long run has such a cycle.
// With a trace (else NULL) CYCLES_FOUND means that the lasso is shown. CYCLES_FAILED: infinite
// runs are not known, as an urgent channel has clock guards. The condition is met in the cycle,
// unless the lasso goes on to it.
static CyclesResult find_growth(BoundsSearch *b, const Expr *value, uint64_t max_visits,
                                bool goes_on, Trace *trace, Report *report) {
  const Query query = {
      .kind = QUERY_BUCHI, .formula = b->query->formula, .place = b->query->place};
  Statistics stats = {0};
  CyclesResult result = CYCLES_NONE;
  Liveness l = {.mem = b->mem,
                .net = b->timed,
                .query = &query,
                .is_divergent = true,
                .kept = value->base,
                .is_shown = trace && !goes_on,
                .order = trace ? ORDER_DFS : (SearchOrder)0,
                .stats = &stats,
                .max_visits = max_visits,
                .limits = b->mem->watch};
  if (!b->timed)
    return CYCLES_NONE;
  if (!liveness_run(&l, &result, report) ||
      (trace &&
       (result != CYCLES_FOUND || !lassorun_build(trace, b->mem, b->net, &l, TRACE_CONCRETE))))
    result = CYCLES_NONE;
  liveness_release(&l);
  return result;
}

// Where time can pass for ever, or else by the lasso in which the clock grows: one in which the
// condition is met, or else with a way to it.
bool bounds_show_growth(BoundsSearch *b, const ValueBounds *bounds, Trace *trace,
                        Report *report) {
  const Expr *condition = b->query->formula;
  Extremes found;
  return search(b, bounds->value, 0, &found, trace, report) ||
         (!(condition && expr_has_clock_test(condition)) &&
          find_growth(b, bounds->value, MAX_SHOWN, false, trace, report) == CYCLES_FOUND) ||
         find_growth(b, bounds->value, MAX_SHOWN, true, trace, report) == CYCLES_FOUND;
}

// The first limit; the largest constant of all clocks, and the largest that the condition
// compares a clock with.
static int32_t first_limit(BoundsSearch *b, ClockIndex clock, int64_t *widest, int64_t *tested,
                           Report *report) {
  Arena arena = {.mem = b->mem};
  ClockBounds bounds;
  Goal condition;
  int32_t limit = 1;
  *widest = 1;
  if (clockbounds_compute(&bounds, &arena, b->net, NULL, report)) {
    const int64_t max = clockflow_larger(bounds.global_lower[clock], bounds.global_upper[clock]);
    limit = code_narrow(clockflow_larger(limit, max));
    for (ClockIndex x = 1; x < bounds.clocks; x++)
      *widest = clockflow_larger(
          *widest, clockflow_larger(bounds.global_lower[x], bounds.global_upper[x]));
  }
  *tested = 0;
  if (goal_build(&condition, &arena, b->query->formula, false, b->query->place, report) &&
      clockbounds_compute(&bounds, &arena, b->net, &condition, report))
    for (ClockIndex x = 1; x < bounds.clocks; x++)
      *tested =
          clockflow_larger(*tested, clockflow_larger(bounds.goal_lower[x], bounds.goal_upper[x]));
  arena_release(&arena);
  return limit;
}

static int64_t last_limit(const BoundsSearch *b, int64_t first, int64_t widest, int64_t tested,
                          CyclesResult growth) {
  int64_t max = MAX_LIMIT;
  if (growth == CYCLES_FAILED && widest < MAX_LIMIT / MAX_FACTOR)
    max = widest * MAX_FACTOR;
  if (net_has_copies(b->net))
    max = first * MAX_FACTOR;
  max = clockflow_larger(max, 4 * first);
  // What the query asks about is followed: some doubled limit lies between these two.
  max = clockflow_larger(max, 2 * (tested + 1));
  return max > NET_MAX_CONSTANT ? NET_MAX_CONSTANT : max;
}

// Searches with larger and larger limits, until the values that matter are below.
static bool find_clock(BoundsSearch *b, ValueBounds *bounds, Report *report) {
  const Expr *value = bounds->value;
  const bool wants_low = b->query->kind != QUERY_SUP, wants_high = b->query->kind != QUERY_INF;
  CyclesResult growth = CYCLES_STOPPED; // not known yet
  uint64_t visits = FIRST_VISITS;
  int64_t widest, tested;
  const int32_t first = first_limit(b, value->base, &widest, &tested, report);
  for (int64_t limit = first; !report_failed(report); limit *= 2) {
    Extremes found;
    if (limit > last_limit(b, first, widest, tested, growth)) {
      b->refusal = "the clock may grow without end, which could not be decided";
      return false;
    }
    if (!search(b, value, (int32_t)limit, &found, NULL, report))
      return false;
    bounds->found = found.found;
    if (!found.found)
      return true;
    bounds->low = -(int64_t)bound_constant(found.low);
    bounds->low_strict = bound_is_strict(found.low);
    bounds->high = found.high == BOUND_INF ? INT64_MAX : bound_constant(found.high);
    bounds->high_strict = found.high != BOUND_INF && bound_is_strict(found.high);
    // Beyond the limit zones say no more than that: a clock above it is `x > limit`.
    const bool low_known = !wants_low || bounds->low + bounds->low_strict <= limit;
    bool high_known = !wants_high || bounds->high <= limit;
    if (!high_known && !found.is_endless && growth == CYCLES_STOPPED) {
      growth = find_growth(b, value, visits, true, NULL, report);
      visits += visits / 2;
    }
    if (!high_known && (found.is_endless || growth == CYCLES_FOUND))
      bounds->is_infinite = high_known = true;
    if (low_known && high_known)
      return true;
  }
  return false;
}

bool bounds_find(BoundsSearch *b, uint32_t index, ValueBounds *bounds, Report *report) {
  const Expr *value = b->query->values[index];
  *bounds = (ValueBounds){.value = value, .is_clock = is_clock(value)};
  if (bounds->is_clock)
    return find_clock(b, bounds, report);
  Extremes found;
  if (!search(b, value, 0, &found, NULL, report))
    return false;
  bounds->found = found.found;
  bounds->low = found.least;
  bounds->high = found.max;
  return true;
}

void bounds_print(Text *text, QueryKind kind, const ValueBounds *bounds) {
  const int64_t unit = bounds->unit ? bounds->unit : 1;
  if (!bounds->found) {
    text_add(text, "no state satisfies the condition");
    return;
  }
  if (kind != QUERY_SUP) {
    expr_print(text, bounds->value);
    text_addf(text, " %s %lld", bounds->low_strict ? ">" : ">=", (long long)(bounds->low * unit));
  }
  if (kind == QUERY_BOUNDS)
    text_add(text, ", ");
  if (kind == QUERY_INF)
    return;
  expr_print(text, bounds->value);
  if (bounds->is_infinite)
    text_add(text, " grows without end");
  else
    text_addf(text, " %s %lld",
              bounds->high_strict ? "<" : "<=", (long long)(bounds->high * unit));
}
