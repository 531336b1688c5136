#include "semantics/stochastic/condition.h"

#include "model/expr/expand.h"

#include <math.h>
#include <stdlib.h>

typedef enum ConditionKind {
  CONDITION_TRUE,
  CONDITION_PLAIN,   // `guard`: a conjunction
  CONDITION_AND,     // of the parts
  CONDITION_OR,      // of the parts
  CONDITION_NOT,     // parts[0]
  CONDITION_COMPARE, // `code` is a difference, linear in the clocks: `op` compares it with 0
  CONDITION_CURVED,  // the same, not linear
  CONDITION_FIXED,   // `code` is a truth without clocks
  CONDITION_SAMPLED, // `code` is a truth that depends on clocks in some other way
} ConditionKind;

struct Condition {
  ConditionKind kind;
  bool is_moving, is_sampled; // it, or a part of it
  uint32_t atoms;             // comparisons in it
  Guard guard;
  const Condition **parts;
  uint32_t part_count;
  ExprKind op;
  const Code *code;
  const ClockIndex *clocks; // that a whole condition can read
  uint32_t clock_count;
};

enum { MAX_PARTS = 1 << 16, MAX_ATOMS = 64, SAMPLES = 64 };
#define LOOKAHEAD 1000. // time units in which conditions over curves are looked for

typedef struct Maker {
  Arena *arena;
  Access *access;
  uint32_t locals;
} Maker;

// Whether an expression reads clocks.
static bool reads_clocks(const Maker *maker, const Expr *expr) {
  access_expr_alone(maker->access, expr);
  return access_has_clocks(maker->access);
}

static bool is_clock_value(const void *maker, const Expr *expr) {
  return expr->kind == EXPR_CLOCK_VALUE || (expr->kind == EXPR_CALL && reads_clocks(maker, expr));
}

// Whether a number is a sum of clocks with factors that do not move.
static bool is_linear(const Maker *maker, const Expr *expr) {
  if (!reads_clocks(maker, expr))
    return true;
  switch (expr->kind) {
  case EXPR_CLOCK_VALUE:
    return !reads_clocks(maker, expr->a) || expr->a->kind == EXPR_CLOCK ||
           expr->a->kind == EXPR_INDEX || expr->a->kind == EXPR_FIELD;
  case EXPR_NEG:
    return is_linear(maker, expr->a);
  case EXPR_ADD:
  case EXPR_SUB:
    return is_linear(maker, expr->a) && is_linear(maker, expr->b);
  case EXPR_MUL:
    return (is_linear(maker, expr->a) && !reads_clocks(maker, expr->b)) ||
           (is_linear(maker, expr->b) && !reads_clocks(maker, expr->a));
  case EXPR_DIV:
    return is_linear(maker, expr->a) && !reads_clocks(maker, expr->b);
  case EXPR_COND:
    return !reads_clocks(maker, expr->a) && is_linear(maker, expr->b) &&
           is_linear(maker, expr->c);
  default:
    return false;
  }
}

static Condition *new_condition(const Maker *maker, ConditionKind kind, uint32_t parts) {
  Condition *condition = ARENA_NEW(maker->arena, Condition);
  condition->kind = kind;
  condition->parts = ARENA_ARRAY(maker->arena, const Condition *, parts);
  return condition;
}

static void add_part(Condition *condition, const Condition *part) {
  condition->parts[condition->part_count++] = part;
  condition->is_moving |= part->is_moving;
  condition->is_sampled |= part->is_sampled;
  condition->atoms += part->atoms;
}

static const Condition *make_truth(const Maker *maker, const Expr *expr) {
  Condition *condition = new_condition(maker, CONDITION_FIXED, 0);
  condition->code = code_value(maker->arena, expr, maker->locals);
  condition->is_moving = reads_clocks(maker, expr);
  if (condition->is_moving) {
    condition->kind = CONDITION_SAMPLED;
    condition->is_sampled = true;
  }
  return condition;
}

static const Condition *make_difference(const Maker *maker, ExprKind op, const Expr *a,
                                        const Expr *b) {
  Condition *condition = new_condition(maker, CONDITION_COMPARE, 0);
  condition->op = op;
  condition->code = code_value(maker->arena, expr_binary(maker->arena, a->place, EXPR_SUB, a, b),
                               maker->locals);
  condition->is_moving = true;
  condition->atoms = 1;
  if (!is_linear(maker, a) || !is_linear(maker, b)) {
    condition->kind = CONDITION_CURVED;
    condition->is_sampled = true;
  }
  return condition;
}

// x - y op c.
static const Condition *make_clock_test(const Maker *maker, const Expr *expr) {
  Arena *arena = maker->arena;
  const Expr *left = expr_clock_value(arena, expr->place, expr->a);
  if (expr->b)
    left = expr_binary(arena, expr->place, EXPR_SUB, left,
                       expr_clock_value(arena, expr->place, expr->b));
  int64_t constant;
  const Expr *right = expr_is_time(expr->c, &constant)
                          ? expr_real(arena, expr->place, (double)constant)
                          : expr_of_int(arena, expr->place, expr->c);
  return make_difference(maker, expr->op, left, right);
}

static const Condition *make(const Maker *, const Expr *);

static const Condition *make_pair(const Maker *maker, bool is_and, const Expr *a, const Expr *b) {
  Condition *condition = new_condition(maker, is_and ? CONDITION_AND : CONDITION_OR, 2);
  add_part(condition, make(maker, a));
  add_part(condition, make(maker, b));
  return condition;
}

static const Condition *make_quantifier(const Maker *maker, const Expr *expr) {
  const int64_t count = expr->high < expr->low ? 0 : (int64_t)expr->high - expr->low + 1;
  if (count > MAX_PARTS)
    return make_truth(maker, expr);
  Condition *condition = new_condition(
      maker, expr->kind == EXPR_FORALL ? CONDITION_AND : CONDITION_OR, (uint32_t)count);
  for (int32_t k = 0; k < (int32_t)count; k++)
    add_part(condition,
             make(maker, expr_put(maker->arena, expr->a, expr->base,
                                  expr_const(maker->arena, expr->place, expr->low + k))));
  return condition;
}

static const Condition *make(const Maker *maker, const Expr *expr) {
  if (!reads_clocks(maker, expr))
    return make_truth(maker, expr);
  Condition *condition;
  switch (expr->kind) {
  case EXPR_AND:
  case EXPR_OR:
    return make_pair(maker, expr->kind == EXPR_AND, expr->a, expr->b);
  case EXPR_NOT:
    condition = new_condition(maker, CONDITION_NOT, 1);
    add_part(condition, make(maker, expr->a));
    return condition;
  case EXPR_FORALL:
  case EXPR_EXISTS:
    return make_quantifier(maker, expr);
  case EXPR_CLOCK_TEST:
    return make_clock_test(maker, expr);
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_GT:
  case EXPR_GE:
    return expr->a->type->kind == TYPE_REAL && expr->b->type->kind == TYPE_REAL
               ? make_difference(maker, expr->kind, expr->a, expr->b)
               : make_truth(maker, expr);
  default:
    return make_truth(maker, expr);
  }
}

static const Condition *note_clocks(const Maker *maker, const Condition *made, const Expr *expr) {
  Condition *condition = arena_copy(maker->arena, made, sizeof *made);
  access_expr_alone(maker->access, expr);
  ClockIndex *clocks = ARENA_ARRAY(maker->arena, ClockIndex, maker->access->marked.size);
  for (uint32_t k = 0; k < maker->access->marked.size; k++)
    if (maker->access->marked.items[k] >= maker->access->first_clock)
      clocks[condition->clock_count++] =
          maker->access->marked.items[k] - maker->access->first_clock;
  condition->clocks = clocks;
  return condition;
}

const Condition *condition_make(Arena *arena, Access *access, const Expr *whole,
                                uint32_t locals) {
  const Expr *expr = whole ? expr_expand(arena, whole, &locals) : NULL;
  const Maker maker = {arena, access, locals};
  int32_t value;
  if (!expr || (expr_is_const(expr, &value) && value))
    return new_condition(&maker, CONDITION_TRUE, 0);
  const Condition *condition;
  if (expr_guard_flaw(expr) || expr_any(expr, is_clock_value, &maker)) {
    condition = make(&maker, expr);
    if (condition->atoms > MAX_ATOMS)
      condition = make_truth(&maker, expr);
  } else {
    Condition *plain = new_condition(&maker, CONDITION_PLAIN, 0);
    plain->guard = code_guard(arena, expr, locals);
    plain->is_moving = reads_clocks(&maker, expr);
    condition = plain;
  }
  return note_clocks(&maker, condition, expr);
}

bool motion_bends(const Motion *motion, const Condition *condition) {
  for (uint32_t k = 0; k < condition->clock_count && motion->is_curved; k++)
    if (motion->is_bent[condition->clocks[k]])
      return true;
  return false;
}

bool condition_is_moving(const Condition *condition) { return condition->is_moving; }

// For a difference of this slope.
static double tolerance(const Motion *motion, double constant, double slope) {
  const double size = fabs(constant), speed = fabs(slope), blur = motion->blur;
  const double near = CONDITION_TOLERANCE * (size > 1 ? size : 1);
  const double far = speed > 1 ? blur * speed : blur;
  return near > far ? near : far;
}

// Whether two delays are the same moment, computed from different clocks.
static bool is_near(double a, double b) {
  return fabs(a - b) <= CONDITION_TOLERANCE * fmax(1, fmin(a, b)); // never of INFINITY
}

// The delays at which a conjunction holds.
typedef struct Window {
  double low, high; // low > high: none
  bool low_is_open, high_is_open;
} Window;

static const Window nothing = {1, 0, false, false};

// Cuts the window by value + slope * delay <= constant, or < if it is strict.
static void cut(Window *window, const Motion *motion, double value, double slope, double constant,
                bool strict) {
  const double slack = constant - value, near = tolerance(motion, constant, slope);
  if (slope == 0) {
    if (strict ? slack <= near : slack < -near)
      *window = nothing;
    return;
  }
  const double at = slack / slope;
  if (slope > 0) { // holds up to that moment
    if (strict ? slack <= near : slack < -near)
      *window = nothing;
    else if (at < window->high || (at == window->high && strict))
      window->high = fmax(at, 0), window->high_is_open = strict;
  } else if (strict ? slack <= near : slack < -near) { // holds from that moment on
    if (at > window->low || (at == window->low && strict))
      window->low = fmax(at, window->low), window->low_is_open = strict;
  }
}

// The clock tests of a plain condition; VM_FALSE if the rest of it does not hold.
static inline VmResult find_tests(const Condition *condition, Motion *motion,
                                  const ClockTest **tests, uint32_t *count) {
  const Guard *guard = &condition->guard;
  *tests = guard->clock_tests, *count = guard->clock_test_count;
  for (uint32_t k = 0; k < guard->test_count; k++)
    if (!vm_test(&guard->tests[k], motion->state))
      return VM_FALSE;
  if (!guard->code)
    return VM_TRUE;
  vec_clear(&motion->tests);
  const VmResult result = vm_guard(&motion->vm, guard, motion->state, &motion->tests);
  *tests = motion->tests.items, *count = motion->tests.size;
  return result;
}

static VmResult plain_window(const Condition *condition, Motion *motion, Window *window) {
  const ClockTest *tests;
  uint32_t count;
  *window = (Window){.low = 0, .high = INFINITY};
  const VmResult result = find_tests(condition, motion, &tests, &count);
  if (result != VM_TRUE) {
    *window = nothing;
    return result == VM_FALSE ? VM_TRUE : result;
  }
  for (uint32_t k = 0; k < count; k++) {
    const ClockTest *test = &tests[k];
    cut(window, motion, motion->clocks[test->i] - motion->clocks[test->j],
        motion->rates[test->i] - motion->rates[test->j], (double)test->constant, test->strict);
  }
  if (window->low > window->high && is_near(window->low, window->high))
    window->high = window->low;
  if (window->low > window->high ||
      (window->low == window->high && (window->low_is_open || window->high_is_open)))
    *window = nothing;
  return VM_TRUE;
}

// A comparison along the motion: the sign of the difference is that of slope * (delay - root).
typedef struct Atom {
  double value, slope, root;
} Atom;

// The parts of a tree, at a moment.
typedef struct Looking {
  Motion *motion;
  Atom atoms[MAX_ATOMS];
  uint32_t atom_count, next; // `next` counts through them as the tree is walked
  double delay;
} Looking;

// Leaves the atoms as they are: to clear them takes longer than most conditions.
static void start_looking(Looking *looking, Motion *motion) {
  looking->motion = motion;
  looking->atom_count = looking->next = 0;
  looking->delay = 0;
}

static VmResult value_at(Motion *motion, const Code *code, double *clocks, double *value) {
  motion->vm.clocks = clocks;
  const VmResult result = vm_value(&motion->vm, code, motion->state, value);
  motion->vm.clocks = motion->clocks;
  return result;
}

// The difference is linear: its slope is its value at the rates, without what does not move.
static VmResult solve(Motion *motion, const Code *code, Atom *atom) {
  double still, rates;
  VmResult result = value_at(motion, code, motion->clocks, &atom->value);
  if (result == VM_TRUE)
    result = value_at(motion, code, motion->zeros, &still);
  if (result == VM_TRUE)
    result = value_at(motion, code, motion->rates, &rates);
  if (result != VM_TRUE)
    return result;
  atom->slope = rates - still;
  if (fabs(atom->value) <= tolerance(motion, still, atom->slope))
    atom->value = 0;
  if (fabs(atom->slope) <= 1e-15 * fabs(still))
    atom->slope = 0;
  atom->root = atom->slope == 0 ? INFINITY : -atom->value / atom->slope;
  return VM_TRUE;
}

static VmResult solve_all(Looking *looking, const Condition *condition) {
  VmResult result = VM_TRUE;
  if (condition->kind == CONDITION_COMPARE)
    result = solve(looking->motion, condition->code, &looking->atoms[looking->atom_count++]);
  if (condition->kind == CONDITION_CURVED) {
    Atom *atom = &looking->atoms[looking->atom_count++];
    *atom = (Atom){.root = INFINITY};
    result = value_at(looking->motion, condition->code, looking->motion->clocks, &atom->value);
    if (fabs(atom->value) <= CONDITION_TOLERANCE)
      atom->value = 0;
  }
  for (uint32_t k = 0; k < condition->part_count && result == VM_TRUE; k++)
    result = solve_all(looking, condition->parts[k]);
  return result;
}

static bool is_met(const Atom *atom, ExprKind op, double delay) {
  double sign = atom->value;
  if (atom->slope != 0)
    sign = delay == atom->root ? 0 : atom->slope * (delay - atom->root);
  const int order = (sign > 0) - (sign < 0) + 1;
  return VM_COMPARISONS >> (3 * (int)(op - EXPR_EQ) + order) & 1;
}

// Walks the whole tree, so that atoms are counted, but evaluates only what is needed.
static VmResult look(Looking *looking, const Condition *condition) {
  double value;
  VmResult result;
  switch (condition->kind) {
  case CONDITION_TRUE:
    return VM_TRUE;
  case CONDITION_COMPARE:
  case CONDITION_CURVED:
    return is_met(&looking->atoms[looking->next++], condition->op, looking->delay) ? VM_TRUE
                                                                                   : VM_FALSE;
  case CONDITION_NOT:
    result = look(looking, condition->parts[0]);
    return result == VM_TRUE ? VM_FALSE : result == VM_FALSE ? VM_TRUE : result;
  case CONDITION_AND:
  case CONDITION_OR:
    for (uint32_t k = 0; k < condition->part_count; k++) {
      result = look(looking, condition->parts[k]);
      if (result == VM_ERROR || (result == VM_TRUE) == (condition->kind == CONDITION_OR)) {
        while (++k < condition->part_count)
          looking->next += condition->parts[k]->atoms;
        return result;
      }
    }
    return condition->kind == CONDITION_AND ? VM_TRUE : VM_FALSE;
  default:
    result = vm_value(&looking->motion->vm, condition->code, looking->motion->state, &value);
    return result != VM_TRUE ? result : value != 0 ? VM_TRUE : VM_FALSE;
  }
}

static VmResult look_at(Looking *looking, const Condition *condition, double delay) {
  looking->delay = delay;
  looking->next = 0;
  return look(looking, condition);
}

// Roots that are the same moment become equal, and that of the limit if they are near it.
static void join_roots(Looking *looking, double limit) {
  for (uint32_t k = 0; k < looking->atom_count; k++) {
    double *root = &looking->atoms[k].root;
    if (isinf(*root) || *root <= 0)
      continue;
    if (isfinite(limit) && is_near(*root, limit))
      *root = limit;
    for (uint32_t i = 0; i < k; i++)
      if (is_near(*root, looking->atoms[i].root))
        *root = looking->atoms[i].root;
  }
}

// Its truth changes at roots only: they are looked at, and the time between each two of them.
static VmResult first_of_tree(Looking *looking, const Condition *condition, bool wanted,
                              double limit, double *delay, bool *is_open) {
  const VmResult sought = wanted ? VM_TRUE : VM_FALSE;
  double at = 0;
  for (;;) {
    VmResult result = look_at(looking, condition, at);
    if (result == VM_ERROR || result == sought) {
      *delay = at, *is_open = false;
      return result == VM_ERROR ? VM_ERROR : VM_TRUE;
    }
    double next = INFINITY;
    for (uint32_t k = 0; k < looking->atom_count; k++)
      if (looking->atoms[k].root > at && looking->atoms[k].root < next)
        next = looking->atoms[k].root;
    if (at >= limit)
      break;
    result = look_at(looking, condition, isinf(next) ? at + 1 : (at + next) / 2);
    if (result == VM_ERROR || result == sought) {
      *delay = at, *is_open = true;
      return result == VM_ERROR ? VM_ERROR : VM_TRUE;
    }
    if (next > limit)
      break;
    at = next;
  }
  *delay = INFINITY;
  return VM_TRUE;
}

// Enters a later moment: the clocks are those after the delay, until leave(), which takes what
// this returns. NULL: they cannot be computed.
static double *enter(Motion *motion, double delay) {
  if (motion->is_curved) {
    if (motion->advance(motion->context, delay) != VM_TRUE)
      return NULL;
  } else {
    for (uint32_t k = 0; k < motion->clock_count; k++)
      motion->moved[k] = motion->clocks[k] + motion->rates[k] * delay;
  }
  double *present = motion->clocks;
  motion->clocks = motion->vm.clocks = motion->moved;
  motion->moved = present;
  return present;
}

static void leave(Motion *motion, double *present) {
  motion->moved = motion->clocks;
  motion->clocks = motion->vm.clocks = present;
}

static VmResult truth_at(const Condition *condition, Motion *motion, double delay) {
  double *present = enter(motion, delay);
  if (!present)
    return VM_ERROR;
  const VmResult result = condition_holds(condition, motion);
  leave(motion, present);
  return result;
}

// The differences that a condition compares with 0, at the present clocks: at most MAX_ATOMS.
static VmResult list_differences(const Condition *condition, Motion *motion, double *values,
                                 uint32_t *count) {
  if (condition->kind == CONDITION_PLAIN) {
    const ClockTest *tests;
    uint32_t test_count;
    const VmResult result = find_tests(condition, motion, &tests, &test_count);
    for (uint32_t k = 0; result == VM_TRUE && k < test_count && *count < MAX_ATOMS; k++)
      values[(*count)++] =
          motion->clocks[tests[k].i] - motion->clocks[tests[k].j] - (double)tests[k].constant;
    return result == VM_INVALID ? VM_ERROR : result;
  }
  VmResult result = VM_TRUE;
  if ((condition->kind == CONDITION_COMPARE || condition->kind == CONDITION_CURVED) &&
      *count < MAX_ATOMS)
    result = value_at(motion, condition->code, motion->clocks, &values[(*count)++]);
  for (uint32_t k = 0; k < condition->part_count && result == VM_TRUE; k++)
    result = list_differences(condition->parts[k], motion, values, count);
  return result;
}

static VmResult differences_at(const Condition *condition, Motion *motion, double delay,
                               double *values, uint32_t *count) {
  double *present = enter(motion, delay);
  *count = 0;
  if (!present)
    return VM_ERROR;
  const VmResult result = list_differences(condition, motion, values, count);
  leave(motion, present);
  return result;
}

// Where to look after a delay.
static double next_sample(const Motion *motion, double at, double limit) {
  if (at >= limit)
    return INFINITY;
  const double next =
      motion->is_curved ? motion->next_sample(motion->context, at) : at + limit / SAMPLES;
  return next < limit ? next : limit;
}

// A part of a delay, with the differences at its ends and in the middle.
typedef struct Gap {
  const Condition *condition;
  Motion *motion;
  double low, middle, high;
  double at_low[MAX_ATOMS], at_middle[MAX_ATOMS], at_high[MAX_ATOMS];
  uint32_t count;
  double roots[4 * MAX_ATOMS];
  uint32_t root_count;
} Gap;

enum { ROOT_STEPS = 100 };

static VmResult difference_at(const Gap *gap, uint32_t index, double delay, double *value) {
  double values[MAX_ATOMS];
  uint32_t count;
  const VmResult result = differences_at(gap->condition, gap->motion, delay, values, &count);
  *value = values[index];
  return result;
}

// Adds the moment at which a difference changes its sign, if it has other signs at the ends:
// regula falsi, with the weights of the Illinois method.
static VmResult add_root(Gap *gap, uint32_t index, double low, double at_low, double high,
                         double at_high) {
  if (!((at_low < 0 && at_high > 0) || (at_low > 0 && at_high < 0)))
    return VM_TRUE;
  for (int k = 0; k < ROOT_STEPS && high - low > 1e-15 * high; k++) {
    double middle = (low * at_high - high * at_low) / (at_high - at_low), value;
    if (!(middle > low && middle < high))
      middle = low + (high - low) / 2;
    if (!(middle > low && middle < high))
      break;
    if (difference_at(gap, index, middle, &value) == VM_ERROR)
      return VM_ERROR;
    if (value == 0)
      low = high = middle;
    else if ((value > 0) == (at_high > 0))
      high = middle, at_high = value, at_low /= 2;
    else
      low = middle, at_low = value, at_high /= 2;
  }
  gap->roots[gap->root_count++] = high;
  return VM_TRUE;
}

// The roots of a difference: beside those that the signs at the ends and in the middle tell, the
// two around the peak of the parabola through these points.
static VmResult add_roots(Gap *gap, uint32_t index) {
  const double low = gap->at_low[index], middle = gap->at_middle[index],
               high = gap->at_high[index];
  double peak = gap->middle, at_peak = middle;
  const double bend = low - 2 * middle + high, slope = (high - low) / 2;
  const double place = bend == 0 ? 1 : -slope / bend; // -1 at the low end, 1 at the high one
  if (place > -1 && place < 1 && (low > 0) == (middle > 0) && (middle > 0) == (high > 0)) {
    peak += place * (gap->high - gap->middle);
    if (difference_at(gap, index, peak, &at_peak) == VM_ERROR)
      return VM_ERROR;
  }
  if (add_root(gap, index, gap->low, low, peak, at_peak) == VM_ERROR)
    return VM_ERROR;
  return add_root(gap, index, peak, at_peak, gap->high, high);
}

static int compare_moments(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// The first moment in a gap at which the condition is as sought: where a difference changes its
// sign, or right after it. The end of the gap is not looked at. INFINITY: there is none.
static VmResult first_in_gap(Gap *gap, VmResult sought, double *delay, bool *is_open) {
  *delay = INFINITY;
  gap->root_count = 0;
  for (uint32_t k = 0; k < gap->count; k++)
    if (add_roots(gap, k) == VM_ERROR)
      return VM_ERROR;
  if (gap->root_count > 1)
    qsort(gap->roots, gap->root_count, sizeof *gap->roots, compare_moments);
  for (uint32_t k = 0; k < gap->root_count; k++) {
    const double at = gap->roots[k];
    const double next = k + 1 < gap->root_count ? gap->roots[k + 1] : gap->high;
    VmResult result = truth_at(gap->condition, gap->motion, at);
    *is_open = result != sought;
    if (result != VM_ERROR && *is_open && next - at > 4 * CONDITION_TOLERANCE)
      result = truth_at(gap->condition, gap->motion, (at + next) / 2);
    if (result == VM_ERROR)
      return VM_ERROR;
    if (result == sought) {
      *delay = at;
      return VM_TRUE;
    }
  }
  return VM_TRUE;
}

// Of a truth that is no comparison: by bisection, between a moment at which it is not as sought
// and one at which it is.
static VmResult bisect(const Condition *condition, Motion *motion, VmResult sought, double before,
                       double *at) {
  while (*at - before > CONDITION_TOLERANCE / 4) {
    const double middle = (before + *at) / 2;
    const VmResult result = truth_at(condition, motion, middle);
    if (result == VM_ERROR)
      return VM_ERROR;
    *(result == sought ? at : &before) = middle;
  }
  return VM_TRUE;
}

// Looks at samples, and between them where a difference changes its sign.
static VmResult first_of_samples(const Condition *condition, Motion *motion, bool wanted,
                                 double limit, double *delay, bool *is_open) {
  const VmResult sought = wanted ? VM_TRUE : VM_FALSE;
  const double end = isinf(limit) ? LOOKAHEAD : limit;
  Gap gap;
  gap.condition = condition, gap.motion = motion, gap.low = 0;
  *is_open = false;
  *delay = 0;
  VmResult result = condition_holds(condition, motion);
  if (result == VM_ERROR || result == sought)
    return result == VM_ERROR ? VM_ERROR : VM_TRUE;
  if (differences_at(condition, motion, 0, gap.at_low, &gap.count) == VM_ERROR)
    return VM_ERROR;
  for (double at = next_sample(motion, 0, end); at <= end; at = next_sample(motion, at, end)) {
    result = truth_at(condition, motion, at);
    gap.high = at, gap.middle = gap.low + (at - gap.low) / 2;
    if (result == VM_ERROR ||
        differences_at(condition, motion, gap.middle, gap.at_middle, &gap.count) == VM_ERROR ||
        differences_at(condition, motion, at, gap.at_high, &gap.count) == VM_ERROR ||
        first_in_gap(&gap, sought, delay, is_open) != VM_TRUE)
      return VM_ERROR;
    if (isfinite(*delay))
      return VM_TRUE;
    if (result == sought) {
      *is_open = false;
      *delay = at;
      return bisect(condition, motion, sought, gap.low, delay);
    }
    gap.low = at;
    memcpy(gap.at_low, gap.at_high, sizeof *gap.at_low * gap.count);
  }
  *delay = INFINITY;
  return VM_TRUE;
}

static VmResult plain_holds(const Condition *condition, Motion *motion) {
  const ClockTest *tests;
  uint32_t count;
  const VmResult result = find_tests(condition, motion, &tests, &count);
  if (result != VM_TRUE)
    return result == VM_INVALID ? VM_ERROR : result;
  for (uint32_t k = 0; k < count; k++) {
    const ClockTest *test = &tests[k];
    const double constant = (double)test->constant;
    const double slack = constant - (motion->clocks[test->i] - motion->clocks[test->j]);
    const double near =
        tolerance(motion, constant, motion->rates[test->i] - motion->rates[test->j]);
    if (test->strict ? slack <= near : slack < -near)
      return VM_FALSE;
  }
  return VM_TRUE;
}

VmResult condition_holds(const Condition *condition, Motion *motion) {
  if (condition->kind == CONDITION_TRUE)
    return VM_TRUE;
  if (condition->kind == CONDITION_PLAIN)
    return plain_holds(condition, motion);
  Looking looking;
  start_looking(&looking, motion);
  if (solve_all(&looking, condition) != VM_TRUE)
    return VM_ERROR;
  // A value near equality counts as equal, though its root is a little off.
  for (uint32_t k = 0; k < looking.atom_count; k++)
    if (looking.atoms[k].value == 0)
      looking.atoms[k].root = looking.atoms[k].slope == 0 ? INFINITY : 0;
  return look_at(&looking, condition, 0);
}

VmResult condition_first(const Condition *condition, Motion *motion, bool wanted, double limit,
                         double *delay, bool *is_open) {
  *is_open = false;
  if (!condition->is_moving) {
    const VmResult result = condition_holds(condition, motion);
    *delay = (result == VM_TRUE) == wanted ? 0 : INFINITY;
    return result == VM_ERROR ? VM_ERROR : VM_TRUE;
  }
  if (condition->is_sampled || (motion->is_curved && motion_bends(motion, condition)))
    return first_of_samples(condition, motion, wanted, limit, delay, is_open);
  if (condition->kind != CONDITION_PLAIN) {
    Looking looking;
    start_looking(&looking, motion);
    if (solve_all(&looking, condition) != VM_TRUE)
      return VM_ERROR;
    join_roots(&looking, limit);
    return first_of_tree(&looking, condition, wanted, limit, delay, is_open);
  }
  Window window;
  if (plain_window(condition, motion, &window) != VM_TRUE)
    return VM_ERROR;
  const bool is_empty = window.low > window.high;
  if (wanted) {
    *delay = is_empty ? INFINITY : window.low;
    *is_open = window.low_is_open;
  } else if (is_empty || window.low > 0 || window.low_is_open) {
    *delay = 0;
  } else {
    *delay = window.high;
    *is_open = !window.high_is_open;
  }
  if (*delay > limit && !*is_open && isfinite(*delay) && is_near(*delay, limit))
    *delay = limit;
  if (*delay > limit || (*is_open && *delay >= limit))
    *delay = INFINITY;
  return VM_TRUE;
}
