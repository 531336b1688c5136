#include "analysis/diagonalflow.h"

#include "base/testbuild.h"

#include <string.h>

void diagonalflow_release(DiagonalFlow *f) { vec_release(f->flow->mem, &f->front); }

void diagonalflow_refuse(Report *report, Place place) {
  if (!report_failed(report))
    report_error(report, place,
                 "the differences of clocks that matter before this are too many or have no "
                 "bound: repeated, an update shifts a tested difference ever further; reset the "
                 "clocks in between, or use --abstraction none");
}

// Whether a test of one clock says something of it.
static bool is_telling(const ClockTest *test) {
  if (!test->j)
    return test->constant > 0 || (test->constant == 0 && !test->strict);
  return test->constant < 0 || (test->constant == 0 && test->strict);
}

static void add(DiagonalFlow *f, ClockTest test, bool is_own) {
  for (uint32_t i = 0; i < f->front.size; i++)
    if (diagonalflow_same(&f->front.items[i].test, &test)) {
      f->has_changed |= is_own && !f->front.items[i].is_own;
      f->front.items[i].is_own |= is_own;
      return;
    }
  f->has_changed = true;
  vec_push(f->flow->mem, &f->front, ((FrontTest){test, is_own}));
}

void diagonalflow_add(DiagonalFlow *f, ClockTest test, bool is_own, Place place) {
  if (test.i == test.j) {
    // Both clocks come from one. Its value does not matter, but that it is the same: so it is
    // kept among those that do.
    if (test.i)
      add(f, (ClockTest){test.i, 0, 0, false}, is_own);
    return;
  }
  if ((!test.i || !test.j) && !is_telling(&test))
    return;
  if (test.constant > NET_MAX_CONSTANT || test.constant < -NET_MAX_CONSTANT ||
      f->front.size > DIAGONALS_MAX)
    diagonalflow_refuse(f->flow->report, place);
  else
    add(f, test, is_own);
}

// One assignment, where it can be one of several: x := y + c for some clocks x and y and some
// range of c.
typedef struct Assignment {
  ClockList targets, sources;
  Range range;
  bool is_only; // it happens, with this target
  Place place;
} Assignment;

static bool contains(const ClockList *list, ClockIndex clock) {
  for (uint32_t i = 0; i < list->size; i++)
    if (list->items[i] == clock)
      return true;
  return false;
}

// The test before x := y + c; y may be 0.
static ClockTest before(ClockTest test, ClockIndex x, ClockIndex y, int64_t c) {
  if (PLANTED("differences-shift"))
    c = y ? 0 : c;
  int64_t constant = test.constant;
  if (test.i == x) {
    test.i = y;
    constant -= c;
  }
  if (test.j == x) {
    test.j = y;
    constant += c;
  }
  test.constant = constant;
  return test;
}

// A test of one clock matters up to its constant, so that the largest one will do.
static void add_before(DiagonalFlow *f, const Assignment *a, ClockTest test, ClockIndex x,
                       ClockIndex y) {
  const ClockTest low = before(test, x, y, a->range.low),
                  high = before(test, x, y, a->range.high);
  if (!low.i || !low.j) {
    diagonalflow_add(f, low, true, a->place);
    diagonalflow_add(f, high, true, a->place);
  } else if ((int64_t)a->range.high - a->range.low > DIAGONALS_MAX) {
    diagonalflow_refuse(f->flow->report, a->place);
  } else {
    for (int64_t c = a->range.low; c <= a->range.high; c++)
      diagonalflow_add(f, before(test, x, y, c), true, a->place);
  }
}

static void undo_test(DiagonalFlow *f, const Assignment *a, FrontTest now) {
  const ClockIndex ends[2] = {now.test.i, now.test.j};
  bool is_touched = false;
  for (uint32_t e = 0; e < 2; e++) {
    if (!ends[e] || !contains(&a->targets, ends[e]))
      continue;
    is_touched = true;
    if (!a->sources.size)
      add_before(f, a, now.test, ends[e], 0);
    for (uint32_t s = 0; s < a->sources.size; s++)
      add_before(f, a, now.test, ends[e], a->sources.items[s]);
  }
  if (!is_touched || !a->is_only)
    add(f, now.test, now.is_own);
}

// With `may`: it happens or not, which adds to the front.
static void undo_assign(DiagonalFlow *f, const Stmt *assign, bool may) {
  Mem *mem = f->flow->mem;
  Assignment a = {.range = assign->value ? expr_range(assign->value) : (Range){0, 0},
                  .place = assign->place};
  clockuse_clocks(mem, assign->target, &a.targets);
  if (assign->source)
    clockuse_clocks(mem, assign->source, &a.sources);
  a.is_only = !may && a.targets.size == 1;
  DiagonalFlow after = *f;
  if (!may)
    memset(&f->front, 0, sizeof f->front);
  const uint32_t count = after.front.size;
  for (uint32_t i = 0; i < count && !report_failed(f->flow->report); i++)
    undo_test(f, &a, may ? f->front.items[i] : after.front.items[i]);
  if (!may)
    vec_release(mem, &after.front);
  vec_release(mem, &a.targets);
  vec_release(mem, &a.sources);
}

static void undo_maybe(void *context, const Stmt *assign) { undo_assign(context, assign, true); }

// A statement that assigns clocks under conditions, in loops or by calls: any of its assignments,
// any number of times, in any order.
static void undo_any(DiagonalFlow *f, const Stmt *stmt) {
  Stmt alone = *stmt;
  alone.next = NULL;
  do {
    f->has_changed = false;
    clockflow_assigns(f->flow, &alone, undo_maybe, f);
  } while (f->has_changed && !report_failed(f->flow->report));
}

static void undo_if(DiagonalFlow *f, const Stmt *stmt) {
  Mem *mem = f->flow->mem;
  DiagonalFlow other = {.flow = f->flow};
  for (uint32_t i = 0; i < f->front.size; i++)
    vec_push(mem, &other.front, f->front.items[i]);
  diagonalflow_undo(f, stmt->body);
  diagonalflow_undo(&other, stmt->other);
  for (uint32_t i = 0; i < other.front.size; i++)
    add(f, other.front.items[i].test, other.front.items[i].is_own);
  vec_release(mem, &other.front);
}

void diagonalflow_undo(DiagonalFlow *f, const Stmt *stmts) {
  if (!stmts || report_failed(f->flow->report))
    return;
  diagonalflow_undo(f, stmts->next);
  if (stmts->kind == STMT_CLOCK_ASSIGN && !f->flow->some_touches)
    undo_assign(f, stmts, false);
  else if (stmts->kind == STMT_IF && !f->flow->some_touches)
    undo_if(f, stmts);
  else
    undo_any(f, stmts);
}
