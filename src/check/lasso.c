#include "check/lasso.h"

#include "check/meaning.h"
#include "check/recur.h"
#include "check/waiting.h"
#include "model/expr/clockuse.h"
#include "model/meta.h"

#include <stdlib.h>

typedef struct Most {
  int64_t max, diagonal; // constants of tests of one clock, and of two
  int64_t set;           // constants that clocks are set to
  bool has_diagonals, has_shifts, is_exact;
} Most;

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t largest(const Expr *value) {
  const Range range = expr_range(value);
  return larger(range.high, -range.low);
}

static void note_test(void *context, const Expr *test) {
  Most *m = context;
  if (test->b)
    m->diagonal = larger(m->diagonal, largest(test->c));
  else
    m->max = larger(m->max, largest(test->c));
  m->has_diagonals |= test->b != NULL;
}

static void note_assign(void *context, const Stmt *assign) {
  Most *m = context;
  if (!assign->value)
    return;
  const Range range = expr_range(assign->value);
  if (!assign->source)
    m->set = larger(m->set, largest(assign->value));
  else
    m->is_exact |= range.low < 0;
  m->has_shifts |= assign->source && (range.low || range.high);
}

static void note_goal(Most *m, const Goal *goal) {
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    clockuse_tests(goal->clauses[i].expr, note_test, m);
}

// Where x := d is followed by a test of x - y up to `diagonal`, y matters up to the sum of both.
LassoLimits lasso_limits(const Net *net, const LassoClaim *claim) {
  Most m = {0};
  for (LocationId l = 0; l < net->locations.size; l++)
    clockuse_tests(net->locations.items[l].invariant.expr, note_test, &m);
  for (EdgeId e = 0; e < net->edges.size; e++) {
    clockuse_tests(net->edges.items[e].guard.expr, note_test, &m);
    clockuse_assigns(net->edges.items[e].update.stmts, note_assign, &m);
  }
  clockuse_assigns(net->hooks.before.stmts, note_assign, &m);
  clockuse_assigns(net->hooks.after.stmts, note_assign, &m);
  note_goal(&m, claim->stay);
  note_goal(&m, claim->start);
  for (uint32_t i = 0; i < net->functions.size; i++) // which cannot compare clocks
    clockuse_assigns(net->functions.items[i]->body, note_assign, &m);
  m.is_exact |= m.has_diagonals && m.has_shifts;
  if (!m.has_diagonals)
    return (LassoLimits){m.is_exact ? -1 : m.max, -1};
  return (LassoLimits){m.is_exact ? -1 : larger(m.max, m.diagonal + m.set), m.diagonal};
}

// Whether two differences of clocks are equal, or both beyond the same end, or between the same
// two whole numbers.
static bool is_diagonal_alike(int64_t a, int64_t b, int64_t diagonal, int64_t denominator) {
  const int64_t end = diagonal * denominator;
  if (a > end || b > end)
    return a > end && b > end;
  if (a < -end || b < -end)
    return a < -end && b < -end;
  a += end; // not negative
  b += end;
  return a / denominator == b / denominator && !(a % denominator) == !(b % denominator);
}

static bool is_clock_alike(int64_t a, int64_t b, int64_t max, int64_t denominator) {
  const int64_t end = max * denominator;
  if (max < 0 || a > end || b > end)
    return max < 0 ? a == b : a > end && b > end;
  return a / denominator == b / denominator && !(a % denominator) == !(b % denominator);
}

bool lasso_is_alike(uint32_t clocks, LassoLimits limits, const int64_t *a, const int64_t *b,
                    int64_t denominator) {
  const int64_t end = limits.max * denominator;
  for (uint32_t x = 1; x < clocks; x++) {
    if (!is_clock_alike(a[x], b[x], limits.max, denominator))
      return false;
    for (uint32_t y = 1; limits.max >= 0 && y < x; y++) {
      if (limits.diagonal >= 0 &&
          !is_diagonal_alike(a[x] - a[y], b[x] - b[y], limits.diagonal, denominator))
        return false;
      if (a[x] > end || a[y] > end)
        continue;
      const int64_t in_a = a[x] % denominator - a[y] % denominator;
      const int64_t in_b = b[x] % denominator - b[y] % denominator;
      if ((in_a < 0) != (in_b < 0) || (in_a > 0) != (in_b > 0))
        return false;
    }
  }
  return true;
}

typedef struct Lasso {
  Mem *mem;
  const Net *net;
  const LassoClaim *claim;
  const Run *run;
  Text *why;
  Vm vm;
  Waiting waiting;
  ClockTests tests;
  VEC(int64_t) points; // delays, halved
  int64_t *clocks;
  int64_t endless;  // a delay after which no test changes
  bool begins_late; // `start` is first met within the part that repeats
} Lasso;

static bool reject(Lasso *l, const char *reason) { return text_refuse(l->why, "%s", reason); }

// Whether the goal holds in a state after a delay, which is given in halves of numerators. Or
// whether it holds whatever the clocks are.
static bool holds(Lasso *l, const Goal *goal, const RunStep *step, int64_t delay,
                  bool is_timeless) {
  meaning_goal(&l->vm, l->net, goal, step->state);
  for (uint32_t i = 0; i < goal->clause_count; i++) {
    vec_clear(&l->tests);
    if (goal->clauses[i].expr &&
        vm_guard(&l->vm, &goal->clauses[i], step->state, &l->tests) != VM_TRUE)
      continue;
    bool all = !is_timeless || !l->tests.size;
    for (uint32_t t = 0; t < l->tests.size; t++) {
      const ClockTest test = l->tests.items[t];
      const int64_t left = (test.i ? 2 * step->clocks[test.i] + delay : 0) -
                           (test.j ? 2 * step->clocks[test.j] + delay : 0);
      const int64_t right = 2 * test.constant * l->run->denominator;
      all = all && (test.strict ? left < right : left <= right);
    }
    if (all)
      return true;
  }
  return false;
}

static void add_point(Lasso *l, int64_t point, int64_t until) {
  if (point >= 0 && point <= until)
    vec_push(l->mem, &l->points, point);
}

// Delays, up to `until`, at which some test of a goal changes.
static void add_changes(Lasso *l, const Goal *goal, const RunStep *step, int64_t until) {
  meaning_goal(&l->vm, l->net, goal, step->state);
  for (uint32_t i = 0; goal && i < goal->clause_count; i++) {
    vec_clear(&l->tests);
    if (goal->clauses[i].expr &&
        vm_guard(&l->vm, &goal->clauses[i], step->state, &l->tests) != VM_TRUE)
      continue;
    for (uint32_t t = 0; t < l->tests.size; t++) {
      const ClockTest test = l->tests.items[t];
      const int64_t at = test.constant * l->run->denominator;
      if (test.i && !test.j)
        add_point(l, 2 * (at - step->clocks[test.i]), until);
      if (!test.i && test.j)
        add_point(l, 2 * (-at - step->clocks[test.j]), until);
    }
  }
}

static int compare_points(const void *left, const void *right) {
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static void sort_points(Lasso *l) {
  qsort(l->points.items, l->points.size, sizeof *l->points.items, compare_points);
}

// Delays at which to look, up to `until`: where something changes, and between.
static void find_points(Lasso *l, const RunStep *step, int64_t until) {
  vec_clear(&l->points);
  add_point(l, 0, until);
  add_point(l, until, until);
  add_changes(l, l->claim->stay, step, until);
  add_changes(l, l->claim->start, step, until);
  sort_points(l);
  const uint32_t size = l->points.size;
  for (uint32_t i = 0; i + 1 < size; i++) {
    const int64_t a = l->points.items[i], b = l->points.items[i + 1];
    if (a < b) // delays are even, so that the middle is whole
      vec_push(l->mem, &l->points, (a + b) / 2);
  }
  sort_points(l);
}

// How long the run stays after a step, in halves. After the last one: for ever, or as long as the
// invariant lets it; after a loop, no longer.
static int64_t duration(const Lasso *l, uint32_t index, int64_t end) {
  const Run *run = l->run;
  if (index + 1 < run->step_count)
    return 2 * (run->steps[index + 1].time - run->steps[index].time);
  return run->repeats ? 0 : end;
}

// Looks at all of the run: whether the condition holds from a state on in which `start` holds,
// and in all that repeats.
static bool stays(Lasso *l, int64_t end) {
  const Run *run = l->run;
  bool has_started = !l->claim->start;
  for (uint32_t i = 0; l->claim->stay && i < run->step_count; i++) {
    find_points(l, &run->steps[i], duration(l, i, end));
    for (uint32_t p = 0; p < l->points.size; p++) {
      const int64_t delay = l->points.items[p];
      if (holds(l, l->claim->stay, &run->steps[i], delay, false)) {
        if (!has_started && holds(l, l->claim->start, &run->steps[i], delay, false)) {
          has_started = true;
          l->begins_late = run->repeats && (i > run->loop_from || (i == run->loop_from && delay));
        }
        continue;
      }
      if (!l->claim->start || (run->repeats && i >= run->loop_from))
        return reject(l, "the condition does not always hold");
      has_started = false;
    }
  }
  return has_started || reject(l, "it does not begin");
}

static bool labels_recur(Lasso *l) {
  const Run *run = l->run;
  if (l->claim->label_count && !run->repeats)
    return reject(l, "no part of it repeats");
  for (uint32_t i = 0; i < l->claim->label_count; i++) {
    bool found = false;
    for (uint32_t s = run->loop_from + 1; s < run->step_count && !found; s++)
      found = holds(l, &l->claim->labels[i], &run->steps[s], 0, run->varies);
    if (!found)
      return reject(l, "a condition does not hold in the part that repeats");
  }
  return true;
}

static bool repeats(Lasso *l) {
  const Run *run = l->run;
  if (run->loop_from + 1 >= run->step_count)
    return reject(l, "the part that repeats has no steps");
  if (run->goes_on)
    return reject(l, "it goes on after the part that repeats");
  const RunStep *from = &run->steps[run->loop_from], *last = &run->steps[run->step_count - 1];
  if (run->varies && meta_is_same(l->net, from->state, last->state))
    return true; // the rest is recur_check's
  if (!meta_is_same(l->net, from->state, last->state) ||
      !lasso_is_alike(l->net->clock_count + 1, lasso_limits(l->net, l->claim), from->clocks,
                      last->clocks, run->denominator))
    return reject(l, "the last state is not like the one where the repeating part begins");
  return true;
}

// The most that time can pass after the last step, in halves; for ever: `endless`.
static int64_t longest_delay(Lasso *l, const RunStep *last) {
  if (!transitions_can_delay(&l->waiting.outgoing.transitions, last->state))
    return 0;
  int64_t longest = l->endless;
  for (ProcessId p = 0; p < l->net->processes.size; p++) {
    const Location *location = net_location(l->net, p, last->state[l->net->location_slot + p]);
    vec_clear(&l->tests);
    meaning_guard(&l->vm, l->net, &location->invariant, last->state, &l->tests);
    for (uint32_t t = 0; t < l->tests.size; t++) {
      const ClockTest test = l->tests.items[t];
      const int64_t left =
          2 * ((int64_t)test.constant * l->run->denominator - last->clocks[test.i]);
      // Of a strict bound only what lies before it; all tests change at whole places.
      if (test.i && !test.j && left - test.strict < longest)
        longest = left - test.strict;
    }
  }
  return longest < 0 ? 0 : longest;
}

// Whether an urgent synchronisation is enabled at a delay after the last step from 0 up to, but
// not including, `delay`; with delay 0, now. It need not be possible: its target may be
// forbidden.
static bool is_urged(Lasso *l, const RunStep *last, int64_t delay) {
  const TransitionPoint at = {
      .state = last->state, .clocks = last->clocks, .denominator = l->run->denominator};
  return transitions_urgent(&l->waiting.outgoing.transitions, &l->vm, &at, delay);
}

static bool check(Lasso *l) {
  const Run *run = l->run;
  for (uint32_t i = 0; i < run->step_count; i++)
    if (!run->steps[i].clocks)
      return reject(l, "the clocks are not stated");
  const RunStep *last = &run->steps[run->step_count - 1];
  const int64_t max = lasso_limits(l->net, l->claim).max;
  l->endless = 2 * ((max < 0 ? NET_MAX_CONSTANT : max) + 1) * run->denominator;
  if (run->repeats)
    return repeats(l) && stays(l, 0) && labels_recur(l) &&
           (!run->varies || recur_check(l->mem, l->net, l->claim->stay, run, l->begins_late,
                                        l->claim->diverges, l->why));
  if (l->claim->label_count)
    return labels_recur(l);
  // In the end it idles or is stuck; both from the last step on, so that the delay up to its end
  // does not matter.
  const bool idles = waiting_is_endless(&l->waiting, last->state);
  if (!idles) {
    for (ClockIndex x = 1; x <= l->net->clock_count; x++)
      l->clocks[x] = last->clocks[x] + (run->end_time - last->time);
    if (!waiting_is_deadlocked(&l->waiting, last->state, l->clocks, run->denominator))
      return reject(l, "it ends where it could go on");
  }
  if (idles)
    return stays(l, l->endless);
  const int64_t longest = is_urged(l, last, 0) ? 0 : longest_delay(l, last);
  if (longest && is_urged(l, last, longest / 2 + 1))
    return reject(l, "it ends where an urgent synchronisation may stop time later");
  return stays(l, longest);
}

bool lasso_check(Mem *owner, const Net *net, const LassoClaim *claim, const Run *run, Text *why) {
  if (net->traits.has_stopwatches)
    return text_refuse(why, "clocks are stopped in this model: it is not known what repeats");
  if (net_is_wide(net)) // `endless` would be too small, and twice a clock too large
    return text_refuse(why, "the constants of clocks are too large for infinite runs");
  Run plain = *run; // what repeats need not be equal here, but alike
  plain.repeats = false;
  if (!replay_run(owner, net, NULL, &plain, why))
    return false;
  Mem *mem = mem_part(owner);
  Lasso l = {.mem = mem, .net = net, .claim = claim, .run = run, .why = why};
  l.clocks = mem_alloc(mem, (net->clock_count + 1) * sizeof *l.clocks);
  net_vm(net, &l.vm, mem);
  waiting_init(&l.waiting, mem, net);
  const bool accepted = check(&l);
  mem_release_part(mem);
  return accepted;
}
