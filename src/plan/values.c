#include "plan/values.h"

#include "answers/queries/bounds.h"
#include "answers/runs/trace.h"
#include "model/expr/print.h"
#include "plan/searching.h"
#include "plan/valueproof.h"

// One of the values that a query asks for, and a run that shows it.
typedef struct Side {
  const ValueBounds *bounds;
  bool is_low;
  Trace trace;
  const char *ending;
} Side;

// A run that shows that there is no greatest value.
static bool show_growth(Check *check, BoundsSearch *b, Side *side) {
  Tarn *tarn = check->tarn;
  if (tarn->options.trace != TRACE_CONCRETE)
    return false;
  const bool ok = bounds_show_growth(b, side->bounds, &side->trace, &tarn->report);
  if (!ok)
    report_warning(&tarn->report, (Place){0},
                   "no run is shown in which the clock grows without end");
  else
    side->ending = side->trace.run.goes_on
                       ? "the condition holds, however large the clock has become"
                   : side->trace.run.repeats ? "the clock grows each time"
                                             : "from here on time can pass for ever";
  return ok;
}

// A run to a state with an extreme value, or one that comes within 1 of it.
static bool show_value(Check *check, Side *side) {
  Tarn *tarn = check->tarn;
  Arena *arena = &check->arena;
  const ValueBounds *bounds = side->bounds;
  const bool is_low = side->is_low;
  const bool strict = is_low ? bounds->low_strict : bounds->high_strict;
  const int64_t value = is_low ? bounds->low : bounds->high;
  const int64_t near = value + (!strict ? 0 : is_low ? 1 : -1);
  const ExprKind op = is_low ? (strict ? EXPR_LT : EXPR_LE) : strict ? EXPR_GT : EXPR_GE;
  const Place place = check->query.place;
  const Expr *bound = expr_const(arena, place, (int32_t)near);
  const Expr *test = bounds->is_clock
                         ? expr_clock_test(arena, place, bounds->value, NULL, op, bound)
                         : expr_binary(arena, place, op, bounds->value, bound);
  if (check->query.formula)
    test = expr_binary(arena, place, EXPR_AND, check->query.formula, test);
  const Options options = valueproof_options(check);
  ReachResult result;
  bool ok = false;
  if (goal_build(&check->goal, arena, test, false, place, &tarn->report) &&
      searching_run(check, &options, &(Stage){0}, NULL, &result)) {
    ok = result == REACH_GOAL &&
         trace_build(&side->trace, &tarn->mem, check->model, &check->goal, &check->reach, result,
                     (TraceKind)tarn->options.trace, NULL);
    searching_end(check);
  }
  return ok;
}

// What the run shows, such as `x < 7`, in the session's memory.
static const char *name_side(Check *check, const Side *side) {
  Text text = {.mem = &check->tarn->mem};
  bounds_print(&text, side->is_low ? QUERY_INF : QUERY_SUP, side->bounds);
  return text_keep(&text, text.mem);
}

static void add_run(Check *check, const Side *side) {
  Answer *answer = check->answer;
  const char *shows = check->query.value_count > 1 || check->query.kind == QUERY_BOUNDS
                          ? name_side(check, side)
                          : NULL; // the only value
  if (answer->has_trace) {
    answer->more[answer->more_count++] =
        (MoreRun){.trace = side->trace, .covers = shows, .ending = side->ending};
    return;
  }
  answer->has_trace = true;
  answer->trace = side->trace;
  answer->ending = side->ending;
  answer->covers = shows;
}

// Runs that show the values, one for each.
static void show_values(Check *check, BoundsSearch *b, const ValueBounds *all) {
  Tarn *tarn = check->tarn;
  const Query *query = &check->query;
  const Statistics stats = tarn->stats;
  if (tarn->options.trace == TRACE_NONE)
    return;
  check->answer->more =
      mem_alloc(&tarn->mem, 2 * sizeof *check->answer->more * (query->value_count + 1));
  for (uint32_t i = 0; i < query->value_count; i++)
    for (int is_high = 0; is_high < 2; is_high++) {
      Side side = {.bounds = &all[i], .is_low = !is_high};
      if (!all[i].found || query->kind == (is_high ? QUERY_INF : QUERY_SUP))
        continue;
      if (is_high && all[i].is_infinite ? show_growth(check, b, &side) : show_value(check, &side))
        add_run(check, &side);
    }
  tarn->stats = stats;
}

// The bounds as numbers, in the session's memory.
static void add_numbers(Check *check, AnswerNumber *numbers, const ValueBounds *bounds) {
  Mem *mem = &check->tarn->mem;
  Answer *answer = check->answer;
  Text text = {.mem = mem};
  expr_print(&text, bounds->value);
  const char *expression = text_keep(&text, mem);
  for (int is_inf = 1; is_inf >= 0; is_inf--) {
    if (check->query.kind == (is_inf ? QUERY_SUP : QUERY_INF))
      continue;
    AnswerNumber *number = &numbers[answer->number_count++];
    *number = (AnswerNumber){.expression = expression, .is_inf = is_inf, .found = bounds->found};
    if (!bounds->found)
      continue;
    number->is_infinite = !is_inf && bounds->is_infinite;
    number->is_strict =
        !number->is_infinite && (is_inf ? bounds->low_strict : bounds->high_strict);
    number->value =
        number->is_infinite ? 0 : (is_inf ? bounds->low : bounds->high) * bounds->unit;
  }
}

bool values_run(Check *check) {
  Tarn *tarn = check->tarn;
  Answer *answer = check->answer;
  answer->options.engine = ENGINE_ZONES;
  BoundsSearch b = {.mem = &tarn->mem,
                    .net = check->model,
                    .timed = checking_timed(check),
                    .query = &check->query,
                    .options = &answer->options,
                    .stats = &tarn->stats};
  Text text = {.mem = &tarn->mem};
  ValueBounds bounds = {0},
              *all = ARENA_ARRAY(&check->arena, ValueBounds, check->query.value_count + 1);
  AnswerNumber *numbers =
      mem_alloc(&tarn->mem, 2 * sizeof *numbers * (check->query.value_count + 1));
  bool ok = true;
  for (uint32_t i = 0; ok && i < check->query.value_count; i++) {
    ok = bounds_find(&b, i, &bounds, &tarn->report);
    text_add(&text, i ? "; " : "");
    bounds.unit = bounds.is_clock ? net_unit(check->model) : 1;
    all[i] = bounds;
    if (ok) {
      bounds_print(&text, check->query.kind, &bounds);
      add_numbers(check, numbers, &bounds);
    }
  }
  answer->numbers = numbers;
  answer->number_count = ok ? answer->number_count : 0;
  answer->verdict = ok ? VERDICT_SATISFIED : b.stop_reason ? VERDICT_UNDECIDED : VERDICT_REFUSED;
  answer->reason = b.stop_reason ? b.stop_reason : b.refusal;
  if (ok) {
    answer->values = mem_copy_text(&tarn->mem, text_chars(&text), text.size);
    tarn->verdict = (int)answer->verdict; // it is known, whatever limit the evidence meets
    show_values(check, &b, all);
    if (tarn->options.certificate)
      valueproof_write(check, &b, all);
  } else if (b.failure) {
    report_error(&tarn->report, b.failure_place, "%s", b.failure);
  }
  text_release(&text);
  return ok || !report_failed(&tarn->report); // an answer stands without its evidence
}
