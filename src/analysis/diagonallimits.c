#include "analysis/diagonallimits.h"

// An update x := y + c moves a difference by c: what matters of x - z up to D matters of y - z up
// to D + |c|. `shift` of a clock is the most that updates can add on the way from it to a test.
typedef struct Shifts {
  ClockFlow flow;
  DiagonalLimits *diagonals;
  int64_t *shift;     // by clock
  int64_t difference; // of the tests
  int64_t value;      // the largest that a clock of the group is set to
  bool changed;
  Place place; // of the last change
} Shifts;

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t clamp(int64_t value) { return clockflow_clamp(value, NET_MAX_CONSTANT); }

static int64_t max_of(const Expr *expr) {
  const Range range = expr_range(expr);
  return larger(-clamp(range.low), clamp(range.high));
}

static void mark(Shifts *shifts, const Expr *clock) {
  ClockList list = {0};
  clockuse_clocks(shifts->flow.mem, clock, &list);
  for (uint32_t i = 0; i < list.size; i++)
    shifts->diagonals->contains[list.items[i]] = true;
  vec_release(shifts->flow.mem, &list);
}

static void add_test(void *context, const Expr *test) {
  Shifts *shifts = context;
  if (!test->b)
    return;
  shifts->difference = larger(shifts->difference, max_of(test->c));
  mark(shifts, test->a);
  mark(shifts, test->b);
}

static void add_tests(Shifts *shifts, const Net *net, const Goal *goal) {
  for (LocationId l = 0; l < net->locations.size; l++)
    clockuse_tests(net->locations.items[l].invariant.expr, add_test, shifts);
  for (EdgeId e = 0; e < net->edges.size; e++)
    clockuse_tests(net->edges.items[e].guard.expr, add_test, shifts);
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    clockuse_tests(goal->clauses[i].expr, add_test, shifts);
}

// The most shift of the clocks in the list that are in the group; -1 if none is.
static int64_t shift_of(const Shifts *shifts, const ClockList *list) {
  int64_t max = -1;
  for (uint32_t i = 0; i < list->size; i++)
    if (shifts->diagonals->contains[list->items[i]])
      max = larger(max, shifts->shift[list->items[i]]);
  return max;
}

static void add_assign(void *context, const Stmt *assign) {
  Shifts *shifts = context;
  ClockList targets = {0}, sources = {0};
  clockuse_clocks(shifts->flow.mem, assign->target, &targets);
  if (assign->source)
    clockuse_clocks(shifts->flow.mem, assign->source, &sources);
  const int64_t after = shift_of(shifts, &targets);
  const int64_t constant = assign->value ? max_of(assign->value) : 0;
  if (after >= 0 && !assign->source)
    shifts->value = larger(shifts->value, constant);
  for (uint32_t i = 0; after >= 0 && i < sources.size; i++) {
    const ClockIndex y = sources.items[i];
    if (shifts->diagonals->contains[y] && shifts->shift[y] >= after + constant)
      continue;
    shifts->diagonals->contains[y] = true;
    shifts->shift[y] = larger(shifts->shift[y], after + constant);
    shifts->changed = true;
    shifts->place = assign->place;
  }
  vec_release(shifts->flow.mem, &targets);
  vec_release(shifts->flow.mem, &sources);
}

// Longest paths: without a fixpoint after that many rounds there is none.
static bool follow(Shifts *shifts, const Net *net) {
  for (uint32_t round = 0; round <= net->clock_count + 1; round++) {
    shifts->changed = false;
    for (EdgeId e = 0; e < net->edges.size; e++)
      clockflow_assigns(&shifts->flow, net->edges.items[e].update_stmts, add_assign, shifts);
    clockflow_assigns(&shifts->flow, net->hooks.before_stmts, add_assign, shifts);
    clockflow_assigns(&shifts->flow, net->hooks.after_stmts, add_assign, shifts);
    if (!shifts->changed)
      return true;
  }
  return false;
}

static void conclude(Shifts *shifts, const ClockBounds *bounds) {
  DiagonalLimits *diagonals = shifts->diagonals;
  int64_t shift = 0, level = 0;
  for (ClockIndex x = 1; x < bounds->clocks; x++)
    if (diagonals->contains[x]) {
      diagonals->clocks[diagonals->count++] = x;
      shift = larger(shift, shifts->shift[x]);
      level = larger(level, larger(bounds->global_lower[x], bounds->global_upper[x]));
    }
  const int64_t difference = shifts->difference + 2 * shift;
  diagonals->difference = (int32_t)clamp(difference);
  diagonals->max = (int32_t)clamp(larger(level, difference + shifts->value) + shift);
}

bool diagonallimits_compute(DiagonalLimits *diagonals, Arena *arena, const Net *net,
                            const Goal *goal, const ClockBounds *bounds, Report *report) {
  *diagonals = (DiagonalLimits){.clocks = ARENA_ARRAY(arena, ClockIndex, bounds->clocks),
                                .contains = ARENA_ARRAY(arena, bool, bounds->clocks)};
  if (!net->traits.has_diagonals && !(goal && goal->has_diagonals))
    return true;
  Shifts shifts = {.diagonals = diagonals};
  Mem *mem = mem_part(arena->mem);
  clockflow_init(&shifts.flow, mem, net, NET_MAX_CONSTANT, report);
  shifts.shift = mem_alloc(mem, bounds->clocks * sizeof *shifts.shift);
  add_tests(&shifts, net, goal);
  const bool found = follow(&shifts, net);
  if (found)
    conclude(&shifts, bounds);
  else
    report_error(
        report, shifts.place,
        "repeated, this update shifts a tested difference of clocks ever further, so that "
        "whole time units do not make the model finite; use --engine zones");
  if (found && diagonals->max == NET_MAX_CONSTANT)
    report_error(report, (Place){0},
                 "the differences of clocks that matter are too large; use a "
                 "coarser unit of time, or --engine zones");
  mem_release_part(mem);
  return !report_failed(report);
}
