#include "check/trees/evaluator.h"

#include <string.h>

enum { MAX_STEPS = 20000000, MAX_DEPTH = 1000, STEPS_OF_A_TICK = 64 };

void evaluator_init(Evaluator *w, Mem *mem) { *w = (Evaluator){.mem = mem, .unit = 1}; }

static int32_t fail(Evaluator *w, const char *error) {
  if (!w->first_error)
    w->first_error = error;
  if (!w->error)
    w->error = error;
  return 0;
}

static bool step(Evaluator *w) {
  if (++w->steps % STEPS_OF_A_TICK)
    return true;
  mem_tick(w->mem);
  return w->steps <= MAX_STEPS || fail(w, "a loop does not end");
}

static int32_t number(Evaluator *w, const Term *t);
static Formula truth(Evaluator *w, const Term *t);
static void call(Evaluator *w, const Term *t, int32_t *result);
static int32_t assign(Evaluator *w, const Term *t);
static int32_t count(Evaluator *w, const Term *t);

// Storage.

static void spot_of(Evaluator *w, const Term *t, Spot *spot);

static void move_to_part(Spot *spot, uint32_t k) {
  const ShapeField part = shape_part(spot->shape, k);
  spot->shape = part.shape;
  if (spot->data)
    spot->data += part.data;
  spot->clock += part.clock;
  spot->channel += part.channel;
}

static void move_to_element(Evaluator *w, const Term *t, Spot *spot) {
  const Shape *array = spot->shape;
  const int64_t k = (int64_t)number(w, t->b) - array->first;
  if (k >= 0 && k < array->count) {
    move_to_part(spot, (uint32_t)k);
    return;
  }
  spot->shape = array->element;
  spot->is_outside = true;
}

// The part of a TERM_CHOOSE that is meant. NULL after an error.
static const Term *chosen(Evaluator *w, const Term *t) {
  const int64_t k = (int64_t)number(w, t->a) - t->low;
  if (!w->error && (k < 0 || k >= t->arg_count))
    fail(w, "there is no such process");
  return w->error ? NULL : t->args[k];
}

static void spot_of(Evaluator *w, const Term *t, Spot *spot) {
  const Term *part;
  switch (t->kind) {
  case TERM_GLOBAL:
    if (!w->state && t->shape->data)
      fail(w, "no variable is known here");
    *spot = (Spot){.shape = t->shape,
                   .data = w->state ? w->state + t->data : NULL,
                   .clock = t->clock,
                   .channel = t->channel};
    break;
  case TERM_LOCAL:
    *spot = (Spot){.shape = t->shape, .data = w->frame + t->data};
    break;
  case TERM_REFERENCE:
    *spot = w->refs[t->data];
    break;
  case TERM_TABLE:
    *spot = (Spot){.shape = t->shape, .is_constant = true};
    memcpy(&spot->data, &t->table, sizeof spot->data); // nothing writes there: see find_target
    break;
  case TERM_INDEX:
    spot_of(w, t->a, spot);
    move_to_element(w, t, spot);
    break;
  case TERM_FIELD:
    spot_of(w, t->a, spot);
    move_to_part(spot, (uint32_t)t->value);
    break;
  case TERM_COND:
    spot_of(w, number(w, t->a) ? t->b : t->c, spot);
    break;
  case TERM_CHOOSE:
    *spot = (Spot){.shape = t->shape, .is_outside = true};
    if ((part = chosen(w, t)))
      spot_of(w, part, spot);
    break;
  default:
    *spot = (Spot){.shape = t->shape, .is_outside = true};
    fail(w, "this has no place");
  }
}

// A spot that is there.
static bool find_spot(Evaluator *w, const Term *t, Spot *spot) {
  spot_of(w, t, spot);
  if (!w->error && spot->is_outside)
    fail(w, "an index is out of the bounds of its array");
  return !w->error;
}

// Most numbers are found without a Spot.

static inline int32_t operand(Evaluator *w, const Term *t) {
  return t->kind == TERM_LOCAL                ? w->frame[t->data]
         : t->kind == TERM_NUMBER             ? t->value
         : t->kind == TERM_GLOBAL && w->state ? w->state[t->data]
                                              : number(w, t);
}

// Where storage is that is a variable or a part of one. NULL: it is not such, and nothing was
// computed, or there is an error.
static int32_t *place_of(Evaluator *w, const Term *t) {
  int32_t *whole;
  switch (t->kind) {
  case TERM_LOCAL:
    return w->frame + t->data;
  case TERM_GLOBAL:
    return w->state ? w->state + t->data : NULL;
  case TERM_FIELD:
    whole = place_of(w, t->a);
    return whole ? whole + t->a->shape->fields[t->value].data : NULL;
  case TERM_INDEX: {
    const Shape *array = t->a->shape;
    if (!(whole = place_of(w, t->a)))
      return NULL;
    const int64_t k = (int64_t)operand(w, t->b) - array->first;
    if (k < 0 || k >= array->count)
      fail(w, "an index is out of the bounds of its array");
    return w->error ? NULL : whole + (uint32_t)k * array->element->data;
  }
  default:
    return NULL;
  }
}

// NULL after an error.
static int32_t *number_at(Evaluator *w, const Term *t) {
  Spot spot;
  int32_t *at = place_of(w, t);
  return at || w->error ? at : find_spot(w, t, &spot) ? spot.data : NULL;
}

// Whether each part of a value is in its range.
static bool fits(const Shape *shape, const int32_t *data) {
  bool ok = true;
  if (shape->kind == SHAPE_INT)
    return *data >= shape->low && *data <= shape->high;
  for (uint32_t k = 0; ok && k < shape->count; k++) {
    const ShapeField part = shape_part(shape, k);
    ok = fits(part.shape, data + part.data);
  }
  return ok;
}

static const char out_of_range[] = "a value is out of the range of its variable";

static void store(Evaluator *w, int32_t *at, const Shape *shape, int32_t value) {
  if (value >= shape->low && value <= shape->high) {
    *at = value;
    return;
  }
  w->is_invalid = w->is_checked && !w->error;
  fail(w, out_of_range);
}

// The integers of an array or a struct, `size` of them, as a copy. What is not stored anywhere is
// the result of a function, of which a part may be asked for.
static void whole(Evaluator *w, const Term *t, int32_t *values, uint32_t size) {
  Spot spot;
  if (t->is_stored) {
    if (find_spot(w, t, &spot) && size)
      memcpy(values, spot.data, size * sizeof *values);
    return;
  }
  if (t->kind == TERM_CALL) {
    call(w, t, values);
  } else if (t->kind == TERM_COND) {
    const int32_t choice = number(w, t->a);
    if (!w->error)
      whole(w, choice ? t->b : t->c, values, size);
  } else if (t->kind == TERM_CHOOSE) {
    const Term *part = chosen(w, t);
    if (part)
      whole(w, part, values, size);
  } else if (t->kind == TERM_INDEX || t->kind == TERM_FIELD) {
    const Shape *outer = t->a->shape;
    int32_t *all = mem_alloc(w->mem, outer->data * sizeof *all);
    whole(w, t->a, all, outer->data);
    int64_t at = 0;
    if (t->kind == TERM_FIELD) {
      at = outer->fields[t->value].data;
    } else {
      const int64_t k = (int64_t)number(w, t->b) - outer->first;
      at = k * outer->element->data;
      if (k < 0 || k >= outer->count)
        fail(w, "an index is out of the bounds of its array");
    }
    if (!w->error)
      memcpy(values, all + at, size * sizeof *values);
    mem_free(w->mem, all);
  } else {
    fail(w, "this is no value");
  }
}

// Numbers.

static int32_t wrap(int64_t value) { return (int32_t)(uint32_t)(uint64_t)value; }

static int32_t fit(Evaluator *w, int64_t value) {
  if (w->is_checked && (value < INT32_MIN || value > INT32_MAX))
    return fail(w, "the result of an operation does not fit in 32 bits");
  return wrap(value);
}

static int32_t power(Evaluator *w, int32_t base, int32_t exponent) {
  int32_t result = 1;
  if (exponent < 0)
    fail(w, "an exponent is negative");
  for (int32_t k = 0; k < exponent && !w->error && step(w); k++)
    result = fit(w, (int64_t)result * base);
  return result;
}

static int32_t divide(Evaluator *w, int64_t a, int64_t b, bool remainder) {
  if (!b)
    return fail(w, "a number is divided by zero");
  return fit(w, remainder ? a % b : a / b);
}

static int32_t shift(Evaluator *w, int64_t a, int64_t bits, bool left) {
  if (bits < 0 || bits > 31)
    return fail(w, "a number is shifted by less than 0 or more than 31 bits");
  // The quotient, rounded down.
  const int64_t power_of_two = (int64_t)1 << bits;
  return wrap(left ? a * power_of_two
                   : (a - ((a % power_of_two + power_of_two) % power_of_two)) / power_of_two);
}

static bool compares(ExprKind op, int64_t a, int64_t b) {
  switch (op) {
  case EXPR_EQ:
    return a == b;
  case EXPR_NE:
    return a != b;
  case EXPR_LT:
    return a < b;
  case EXPR_LE:
    return a <= b;
  case EXPR_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static int32_t operate(Evaluator *w, ExprKind op, int32_t a, int32_t b) {
  switch (op) {
  case EXPR_ADD:
    return fit(w, (int64_t)a + b);
  case EXPR_SUB:
    return fit(w, (int64_t)a - b);
  case EXPR_MUL:
    return fit(w, (int64_t)a * b);
  case EXPR_DIV:
  case EXPR_MOD:
    return divide(w, a, b, op == EXPR_MOD);
  case EXPR_MIN:
    return a < b ? a : b;
  case EXPR_MAX:
    return a > b ? a : b;
  case EXPR_BIT_AND:
    return a & b;
  case EXPR_BIT_OR:
    return a | b;
  case EXPR_BIT_XOR:
    return a ^ b;
  case EXPR_SHL:
  case EXPR_SHR:
    return shift(w, a, b, op == EXPR_SHL);
  default:
    return compares(op, a, b);
  }
}

static int32_t binary(Evaluator *w, const Term *t) {
  const int32_t a = operand(w, t->a);
  if (w->error)
    return 0;
  const int32_t b = operand(w, t->b);
  return w->error ? 0 : operate(w, t->op, a, b);
}

static int32_t same(Evaluator *w, const Term *t) {
  const uint32_t size = t->a->shape->data;
  int32_t *both = mem_alloc(w->mem, (2 * (size_t)size + 1) * sizeof *both);
  whole(w, t->a, both, size);
  if (!w->error)
    whole(w, t->b, both + size, size);
  const bool equal = !size || !memcmp(both, both + size, size * sizeof *both);
  mem_free(w->mem, both);
  return equal == (t->op == EXPR_EQ);
}

// A truth as a number; a formula is none.
static int32_t truth_number(Evaluator *w, const Term *t) {
  const Formula f = truth(w, t);
  if (f == FORMULA_ERROR)
    return fail(w, "an error");
  return f >= FORMULA_FIRST ? fail(w, "a clock cannot be tested here") : f == FORMULA_TRUE;
}

static int32_t sum(Evaluator *w, const Term *t) {
  int32_t total = 0;
  for (int64_t i = t->low; i <= t->high && !w->error && step(w); i++) {
    w->frame[t->data] = (int32_t)i;
    total = fit(w, (int64_t)total + number(w, t->a));
  }
  return total;
}

static int32_t seldom_number(Evaluator *, const Term *);

static int32_t number(Evaluator *w, const Term *t) {
  int32_t *at;
  if (w->error)
    return 0;
  switch (t->kind) {
  case TERM_NUMBER:
    return t->value;
  case TERM_LOCAL:
    return w->frame[t->data];
  case TERM_GLOBAL:
    if (w->state)
      return w->state[t->data];
    return fail(w, "no variable is known here");
  case TERM_INDEX:
  case TERM_FIELD:
    at = t->is_stored ? place_of(w, t) : NULL;
    return at ? *at : w->error ? 0 : seldom_number(w, t);
  case TERM_BINARY:
    if (!t->is_timed)
      return binary(w, t);
    __attribute__((fallthrough));
  default:
    return seldom_number(w, t);
  }
}

static int32_t seldom_number(Evaluator *w, const Term *t) {
  int32_t value;
  const Term *part;
  switch (t->kind) {
  case TERM_REFERENCE:
  case TERM_TABLE:
  case TERM_INDEX:
  case TERM_FIELD:
    if (t->is_stored) {
      const int32_t *at = number_at(w, t);
      return at ? *at : 0;
    }
    value = 0;
    whole(w, t, &value, 1);
    return value;
  case TERM_NEG:
    return fit(w, -(int64_t)number(w, t->a));
  case TERM_BINARY:
    return truth_number(w, t);
  case TERM_SAME:
    return same(w, t);
  case TERM_POWER:
    value = number(w, t->a);
    return w->error ? 0 : power(w, value, number(w, t->b));
  case TERM_ABS:
    value = number(w, t->a);
    return value < 0 ? wrap(-(int64_t)value) : value;
  case TERM_COND:
    value = number(w, t->a);
    return w->error ? 0 : number(w, value ? t->b : t->c);
  case TERM_CALL: {
    int32_t result = 0;
    call(w, t, &result);
    return result;
  }
  case TERM_QUANTIFY:
    return t->op == EXPR_SUM ? sum(w, t) : truth_number(w, t);
  case TERM_ASSIGN:
    return assign(w, t);
  case TERM_STEP:
    return count(w, t);
  case TERM_AT:
    if (!w->state)
      return fail(w, "no location is known here");
    return w->state[w->first_slot + t->data] == t->value;
  case TERM_CHOOSE:
    part = chosen(w, t);
    return part ? number(w, part) : 0;
  case TERM_RATE:
    return 1;
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR:
  case TERM_IMPLY:
  case TERM_XOR:
    return truth_number(w, t);
  default:
    return fail(w, "this is no number");
  }
}

// Clocks.

typedef struct ClockSum {
  ClockIndex plus[2], minus[2]; // 0: none
  int64_t offset;
} ClockSum;

// Numbers beside clocks wrap around as others do. Those of TChecker do not get that large.
static int64_t wrap_offset(const Evaluator *w, int64_t offset) {
  return w->is_checked ? offset : wrap(offset);
}

static void add_clock(Evaluator *w, ClockIndex *clocks, ClockIndex clock) {
  if (clocks[0] && clocks[1])
    fail(w, "too many clocks");
  else
    clocks[clocks[0] != 0] = clock;
}

static void add_sum(Evaluator *w, const Term *t, bool negated, ClockSum *sum) {
  Spot spot;
  if (w->error)
    return;
  if (t->class == CLASS_INT || t->kind == TERM_TIME) {
    const int64_t value = t->kind == TERM_TIME ? t->time : number(w, t);
    sum->offset = wrap_offset(w, negated ? sum->offset - value : sum->offset + value);
  } else if (t->kind == TERM_BINARY) {
    add_sum(w, t->a, negated, sum);
    add_sum(w, t->b, negated != (t->op == EXPR_SUB), sum);
  } else if (t->kind == TERM_NEG) {
    add_sum(w, t->a, !negated, sum);
  } else if (find_spot(w, t, &spot)) {
    add_clock(w, negated ? sum->minus : sum->plus, spot.clock);
  }
}

static void cancel(ClockSum *sum) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (sum->plus[i] == sum->minus[k])
        sum->plus[i] = sum->minus[k] = 0;
  for (int i = 0; i < 2; i++) {
    ClockIndex *side = i ? sum->minus : sum->plus;
    if (!side[0]) {
      side[0] = side[1];
      side[1] = 0;
    }
  }
}

static int64_t in_unit(Evaluator *w, int64_t constant) {
  if (constant % w->unit)
    fail(w, "a constant is no multiple of the unit of time");
  return constant / w->unit;
}

static Formula new_formula(Evaluator *w, FormulaNode node) {
  vec_push(w->mem, &w->formulas, node);
  return w->formulas.size - 1 + FORMULA_FIRST;
}

static Formula new_test(Evaluator *w, ClockIndex i, ClockIndex j, int64_t constant, bool strict) {
  return new_formula(w, (FormulaNode){FORMULA_TEST, 0, 0, {i, j, constant, strict}});
}

static Formula both(Evaluator *w, FormulaKind kind, Formula a, Formula b) {
  const Formula absorbing = kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
  if (a == absorbing || b == absorbing)
    return absorbing;
  if (a == FORMULA_ERROR || b == FORMULA_ERROR)
    return FORMULA_ERROR;
  if (a < FORMULA_FIRST)
    return b;
  if (b < FORMULA_FIRST)
    return a;
  return new_formula(w, (FormulaNode){.kind = kind, .a = a, .b = b});
}

static Formula opposite(Evaluator *w, Formula a) {
  if (a == FORMULA_ERROR)
    return a;
  if (a < FORMULA_FIRST)
    return a == FORMULA_FALSE ? FORMULA_TRUE : FORMULA_FALSE;
  return new_formula(w, (FormulaNode){.kind = FORMULA_NOT, .a = a});
}

static Formula compare_clocks(Evaluator *w, ClockIndex i, ClockIndex j, ExprKind op, int64_t c) {
  if (op == EXPR_NE)
    return both(w, FORMULA_OR, new_test(w, i, j, c, true), new_test(w, j, i, -c, true));
  const bool strict = op == EXPR_LT || op == EXPR_GT;
  const Formula at_most =
      op == EXPR_GT || op == EXPR_GE ? FORMULA_TRUE : new_test(w, i, j, c, strict);
  const Formula at_least =
      op == EXPR_LT || op == EXPR_LE ? FORMULA_TRUE : new_test(w, j, i, -c, strict);
  return both(w, FORMULA_AND, at_most, at_least);
}

// a op b, where one of them has clocks.
static Formula comparison(Evaluator *w, const Term *t) {
  ClockSum sum = {0};
  add_sum(w, t->a, false, &sum);
  add_sum(w, t->b, true, &sum);
  if (w->error)
    return FORMULA_ERROR;
  cancel(&sum);
  if (sum.plus[1] || sum.minus[1]) {
    fail(w, "too many clocks");
    return FORMULA_ERROR;
  }
  const int64_t bound = wrap_offset(w, -sum.offset);
  if (!sum.plus[0] && !sum.minus[0])
    return compares(t->op, 0, bound) ? FORMULA_TRUE : FORMULA_FALSE;
  // -x op c is the test of 0 - x: the offset itself is what x is compared with.
  const int64_t c = sum.plus[0] ? bound : -sum.offset;
  const int64_t constant = in_unit(w, c);
  return w->error ? FORMULA_ERROR : compare_clocks(w, sum.plus[0], sum.minus[0], t->op, constant);
}

// Structs with clocks: part by part.
static Formula compare_parts(Evaluator *w, const Spot *a, const Spot *b) {
  Formula result = FORMULA_TRUE;
  const Shape *shape = a->shape;
  if (shape->kind == SHAPE_CLOCK)
    return a->clock == b->clock ? FORMULA_TRUE
                                : compare_clocks(w, a->clock, b->clock, EXPR_EQ, 0);
  if (shape->kind == SHAPE_INT)
    return *a->data == *b->data ? FORMULA_TRUE : FORMULA_FALSE;
  for (uint32_t k = 0; k < shape->count; k++) {
    Spot x = *a, y = *b;
    move_to_part(&x, k);
    move_to_part(&y, k);
    result = both(w, FORMULA_AND, result, compare_parts(w, &x, &y));
  }
  return result;
}

static Formula same_parts(Evaluator *w, const Term *t) {
  Spot a, b;
  if (!find_spot(w, t->a, &a) || !find_spot(w, t->b, &b))
    return FORMULA_ERROR;
  const Formula equal = compare_parts(w, &a, &b);
  return t->op == EXPR_EQ ? equal : opposite(w, equal);
}

// Conditions.

// An error of a part is kept apart: another part may decide.
static Formula settle(Evaluator *w, Formula f) {
  if (!w->error)
    return f;
  w->met_error = true;
  if (!w->is_strict)
    w->error = NULL;
  if (w->keeps_errors && !w->is_strict)
    return new_formula(w, (FormulaNode){.kind = FORMULA_FAILED});
  return FORMULA_ERROR;
}

static Formula part(Evaluator *w, const Term *t) {
  return w->error ? FORMULA_ERROR : settle(w, truth(w, t));
}

static Formula conjunction(Evaluator *w, const Term *a, const Term *b, bool not_a,
                           FormulaKind kind) {
  const Formula absorbing = kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
  // The side without clocks decides whether the other one counts.
  const bool swaps = kind == FORMULA_OR && a->is_timed && !b->is_timed;
  Formula x = part(w, swaps ? b : a);
  if (not_a && !swaps)
    x = opposite(w, x);
  if (x == absorbing || (x == FORMULA_ERROR && w->is_strict))
    return x;
  Formula y = part(w, swaps ? a : b);
  if (not_a && swaps)
    y = opposite(w, y);
  return both(w, kind, x, y);
}

static Formula choice(Evaluator *w, Formula condition, Formula yes, Formula no) {
  return both(w, FORMULA_OR, both(w, FORMULA_AND, condition, yes),
              both(w, FORMULA_AND, opposite(w, condition), no));
}

static Formula exclusive(Evaluator *w, const Term *a, const Term *b) {
  const Formula x = part(w, a);
  const Formula y = x == FORMULA_ERROR && w->is_strict ? x : part(w, b);
  if (x == FORMULA_ERROR || y == FORMULA_ERROR)
    return FORMULA_ERROR;
  return choice(w, x, opposite(w, y), y);
}

static Formula conditional(Evaluator *w, const Term *t) {
  const Formula condition = part(w, t->a);
  if (condition == FORMULA_ERROR)
    return condition;
  if (condition < FORMULA_FIRST)
    return part(w, condition == FORMULA_TRUE ? t->b : t->c);
  const Formula yes = part(w, t->b), no = part(w, t->c);
  return yes == FORMULA_ERROR || no == FORMULA_ERROR ? FORMULA_ERROR
                                                     : choice(w, condition, yes, no);
}

static Formula quantify(Evaluator *w, const Term *t) {
  const FormulaKind kind = t->op == EXPR_FORALL ? FORMULA_AND : FORMULA_OR;
  const Formula absorbing = kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
  Formula result = opposite(w, absorbing);
  for (int64_t i = t->low; i <= t->high && result != absorbing; i++) {
    if (!step(w) || (result == FORMULA_ERROR && w->is_strict))
      return FORMULA_ERROR;
    w->frame[t->data] = (int32_t)i;
    result = both(w, kind, result, part(w, t->a));
  }
  return result;
}

static Formula truth(Evaluator *w, const Term *t) {
  switch (t->kind) {
  case TERM_AND:
    return conjunction(w, t->a, t->b, false, FORMULA_AND);
  case TERM_OR:
    return conjunction(w, t->a, t->b, false, FORMULA_OR);
  case TERM_IMPLY:
    return conjunction(w, t->a, t->b, true, FORMULA_OR);
  case TERM_NOT:
    return opposite(w, part(w, t->a));
  case TERM_XOR:
    return exclusive(w, t->a, t->b);
  case TERM_QUANTIFY:
    if (t->op != EXPR_SUM)
      return quantify(w, t);
    break;
  case TERM_COND:
    if (t->is_timed)
      return conditional(w, t);
    break;
  case TERM_DEADLOCK:
    return new_formula(w, (FormulaNode){.kind = FORMULA_DEADLOCK});
  case TERM_BINARY:
    if (!t->is_timed)
      break;
    if (t->a->class == CLASS_CLOCKS || t->b->class == CLASS_CLOCKS)
      return comparison(w, t);
    return t->op == EXPR_EQ ? opposite(w, exclusive(w, t->a, t->b)) : exclusive(w, t->a, t->b);
  case TERM_SAME:
    if (t->is_timed)
      return same_parts(w, t);
    break;
  case TERM_CHOOSE:
    if (t->is_timed) {
      const Term *part = chosen(w, t);
      return part ? truth(w, part) : FORMULA_ERROR;
    }
    break;
  default:
    break;
  }
  const int32_t value = number(w, t);
  return w->error ? FORMULA_ERROR : value ? FORMULA_TRUE : FORMULA_FALSE;
}

// Effects.

static bool is_in_state(const Evaluator *w, const int32_t *at) {
  return at && w->state && at >= w->state && at < w->state + w->first_slot;
}

static bool find_target(Evaluator *w, const Term *t, Spot *spot) {
  if (!find_spot(w, t, spot))
    return false;
  if (spot->is_constant)
    fail(w, "a constant is assigned to");
  if (!w->may_write && is_in_state(w, spot->data))
    fail(w, "a condition must not change a variable or a clock");
  return !w->error;
}

// The same of a number. NULL after an error.
static int32_t *find_number(Evaluator *w, const Term *t, const Shape **shape) {
  Spot spot = {.shape = t->shape};
  int32_t *at = place_of(w, t);
  if (w->error)
    return NULL;
  if (!at || (!w->may_write && is_in_state(w, at)))
    at = find_target(w, t, &spot) ? spot.data : NULL;
  *shape = spot.shape;
  return at;
}

// A truth is stored in a `bool`.
static int32_t as_stored(const Shape *shape, int32_t value) {
  return shape->is_bool ? value != 0 : value;
}

static int32_t assign(Evaluator *w, const Term *t) {
  const Shape *shape;
  int32_t *at = find_number(w, t->a, &shape);
  if (!at)
    return 0;
  const int32_t old = *at;
  int32_t value = operand(w, t->b);
  if (w->error)
    return 0;
  if (t->op != EXPR_CONST)
    value = operate(w, t->op, old, value);
  value = as_stored(shape, value);
  if (!w->error)
    store(w, at, shape, value);
  return value;
}

static int32_t count(Evaluator *w, const Term *t) {
  const Shape *shape;
  int32_t *at = find_number(w, t->a, &shape);
  if (!at)
    return 0;
  const int32_t old = *at, value = operate(w, t->op, old, 1);
  store(w, at, shape, value);
  return t->value ? old : value;
}

static void set_clock(Evaluator *w, ClockIndex x, ClockIndex y, int64_t offset) {
  const int64_t constant = in_unit(w, offset);
  if (!w->may_write)
    fail(w, "a condition must not change a variable or a clock");
  else if (!y && constant < 0)
    fail(w, "a clock is set to a negative value");
  else if (!w->error)
    vec_push(w->mem, &w->updates, ((ClockUpdate){x, y, constant}));
}

// x = y + 3; x = y = 3 sets y first, and x to the same.
static void assign_clock(Evaluator *w, const Term *t, ClockSum *sum) {
  Spot spot;
  *sum = (ClockSum){0};
  const bool is_chain = t->b->kind == TERM_ASSIGN && t->b->class == CLASS_CLOCKS;
  if (is_chain)
    assign_clock(w, t->b, sum);
  const bool is_there = !w->error && find_spot(w, t->a, &spot); // before the value is computed
  if (!is_chain && is_there)
    add_sum(w, t->b, false, sum);
  if (w->error)
    return;
  cancel(sum);
  if (sum->plus[1] || sum->minus[0]) {
    fail(w, "a clock is set to an integer or to another clock");
    return;
  }
  set_clock(w, spot.clock, sum->plus[0], sum->offset);
}

static void copy_clocks(Evaluator *w, uint32_t from, uint32_t to, uint32_t clocks) {
  for (uint32_t k = 0; k < clocks; k++)
    set_clock(w, to + k, from + k, 0);
}

// What is computed may read the target.
static void store_whole(Evaluator *w, const Spot *target, const Term *value) {
  Spot source;
  const uint32_t size = target->shape->data;
  int32_t *values = mem_alloc(w->mem, (size_t)(size + 1) * sizeof *values);
  whole(w, value, values, size);
  if (!w->error && target->shape->clocks && find_spot(w, value, &source))
    copy_clocks(w, source.clock, target->clock, target->shape->clocks);
  if (!w->error && !fits(target->shape, values))
    fail(w, out_of_range);
  if (!w->error && size)
    memcpy(target->data, values, size * sizeof *values);
  mem_free(w->mem, values);
}

static void assign_whole(Evaluator *w, const Term *t) {
  Spot target;
  if (find_target(w, t->a, &target))
    store_whole(w, &target, t->b);
}

// An expression that is a statement. What it computes is dropped, and not even looked at if it
// does nothing.
static void effect(Evaluator *w, const Term *t) {
  ClockSum sum;
  if (t->kind == TERM_ASSIGN && t->class == CLASS_INT) {
    assign(w, t);
  } else if (t->kind == TERM_STEP) {
    count(w, t);
  } else if (t->kind == TERM_ASSIGN && t->class == CLASS_CLOCKS) {
    assign_clock(w, t, &sum);
  } else if (t->kind == TERM_ASSIGN && t->class == CLASS_WHOLE) {
    assign_whole(w, t);
  } else if (t->kind == TERM_ASSIGN && t->class == CLASS_REAL) {
    return;
  } else if (t->kind == TERM_COND) {
    const int32_t condition = number(w, t->a);
    if (!w->error)
      effect(w, condition ? t->b : t->c);
  } else if (t->has_effect && t->class == CLASS_INT) {
    number(w, t);
  } else if (t->has_effect && (t->kind == TERM_CALL || t->class == CLASS_WHOLE)) {
    int32_t *result = mem_alloc(w->mem, (size_t)(t->shape->data + 1) * sizeof *result);
    whole(w, t, result, t->shape->data);
    mem_free(w->mem, result);
  } else if (t->has_effect) {
    fail(w, "it is not known what this does");
  }
}

static void run(Evaluator *w, const Deed *deed, const Shape *result);

static void set_local(Evaluator *w, const Deed *deed) {
  Spot spot;
  if (!find_spot(w, deed->a, &spot))
    return;
  if (spot.shape->kind == SHAPE_INT) {
    const int32_t value = number(w, deed->b);
    if (!w->error)
      store(w, spot.data, spot.shape, as_stored(spot.shape, value));
    return;
  }
  store_whole(w, &spot, deed->b);
}

static void give_back(Evaluator *w, const Deed *deed, const Shape *result) {
  int32_t *values = w->result;
  const bool has_value = deed->a && result->kind != SHAPE_VOID && result->kind != SHAPE_REAL;
  if (has_value && result->kind == SHAPE_INT) {
    const int32_t value = number(w, deed->a);
    *values = result->is_bool ? value != 0 : value;
  } else if (has_value) {
    whole(w, deed->a, values, result->data);
  }
  if (has_value && !w->error && !fits(result, values))
    fail(w, out_of_range);
  w->has_returned = true; // not before: the value may call functions
}

static void iterate(Evaluator *w, const Deed *deed, const Shape *result) {
  int32_t *counter = &w->frame[deed->data];
  *counter = deed->low;
  while (!w->error && *counter <= deed->high && step(w)) {
    run(w, deed->body, result);
    if (w->has_returned || *counter >= deed->high)
      return;
    ++*counter;
  }
}

static bool holds(Evaluator *w, const Term *t) { return !w->error && number(w, t) && !w->error; }

static void loop(Evaluator *w, const Deed *deed, const Shape *result) {
  if (deed->kind == DEED_WHILE) {
    run(w, deed->before, result);
    if (!holds(w, deed->a))
      return;
  }
  do {
    run(w, deed->body, result);
    if (w->has_returned)
      return;
    run(w, deed->before, result);
  } while (step(w) && holds(w, deed->a));
}

// A list of statements, of a function with this result.
static void run(Evaluator *w, const Deed *deed, const Shape *result) {
  for (; deed && !w->error && !w->has_returned; deed = deed->next) {
    Spot spot;
    switch (deed->kind) {
    case DEED_EFFECT:
      effect(w, deed->a);
      break;
    case DEED_DEFAULT:
      if (find_spot(w, deed->a, &spot) && spot.shape->data)
        memcpy(spot.data, deed->table, spot.shape->data * sizeof *spot.data);
      break;
    case DEED_SET:
      set_local(w, deed);
      break;
    case DEED_IF: {
      const bool is_true = holds(w, deed->a);
      if (!w->error)
        run(w, is_true ? deed->body : deed->other, result);
      break;
    }
    case DEED_WHILE:
    case DEED_DO:
      loop(w, deed, result);
      break;
    case DEED_ITERATE:
      iterate(w, deed, result);
      break;
    case DEED_RETURN:
      give_back(w, deed, result);
      break;
    case DEED_ASSERT:
      if (!holds(w, deed->a))
        fail(w, "an assertion of the model does not hold");
      break;
    }
  }
}

// Calls.

// Room for the frame of a function or a label, on the stack if it is small.
typedef struct Room {
  int32_t few[64];
  Spot some[8];
  int32_t *frame;
  Spot *refs;
} Room;

static void take_room(Evaluator *w, Room *room, uint32_t data, uint32_t refs) {
  room->frame = data > 64 ? mem_alloc(w->mem, data * sizeof *room->frame) : room->few;
  room->refs = refs > 8 ? mem_alloc(w->mem, refs * sizeof *room->refs) : room->some;
}

static void leave_room(Evaluator *w, const Room *room) {
  if (room->frame != room->few)
    mem_free(w->mem, room->frame);
  if (room->refs != room->some)
    mem_free(w->mem, room->refs);
}

// Whether storage is in a frame: then the place itself is passed, and has to be there.
static bool is_in_frame(const Term *t) {
  while (t->kind == TERM_INDEX || t->kind == TERM_FIELD)
    t = t->a;
  return t->kind == TERM_LOCAL;
}

static void pass(Evaluator *w, const Term *arg, const RoutineParam *param, int32_t *frame,
                 Spot *refs) {
  if (param->ref != UINT32_MAX && arg->is_stored) {
    spot_of(w, arg, &refs[param->ref]);
    if (refs[param->ref].is_outside && is_in_frame(arg))
      fail(w, "an index is out of the bounds of its array");
    return;
  }
  const Shape *shape = param->shape;
  int32_t *data = frame + param->data;
  if (shape->kind == SHAPE_INT) {
    const int32_t value = number(w, arg);
    *data = shape->is_bool ? value != 0 : value;
  } else if (!shape->has_real) {
    whole(w, arg, data, shape->data);
  }
  if (!w->error && !fits(shape, data))
    fail(w, out_of_range);
  if (param->ref != UINT32_MAX)
    refs[param->ref] = (Spot){.shape = shape, .data = data};
}

static void call(Evaluator *w, const Term *t, int32_t *result) {
  const Routine *routine = t->routine;
  if (w->error || ++w->depth > MAX_DEPTH) {
    fail(w, "calls are nested too deeply");
    return;
  }
  Room room;
  take_room(w, &room, routine->data, routine->refs);
  for (uint32_t k = 0; k < t->arg_count && !w->error; k++)
    pass(w, t->args[k], &routine->params[k], room.frame, room.refs);
  int32_t *outer_frame = w->frame, *outer_result = w->result;
  Spot *outer_refs = w->refs;
  const bool is_strict = w->is_strict;
  w->frame = room.frame;
  w->refs = room.refs;
  w->result = result;
  w->is_strict = true;
  if (!w->error)
    run(w, routine->body, routine->result);
  w->has_returned = false;
  w->is_strict = is_strict;
  w->frame = outer_frame;
  w->refs = outer_refs;
  w->result = outer_result;
  w->depth--;
  leave_room(w, &room);
}

// Labels.

// Begins with a label: one that writes nothing, and in which an error is one, unless the caller
// says otherwise.
static void begin(Evaluator *w, Room *room, uint32_t data, uint32_t refs, int32_t *state) {
  take_room(w, room, data, refs);
  if (data) // locals of TChecker may be read where their declaration was passed by
    memset(room->frame, 0, data * sizeof *room->frame);
  w->state = state;
  w->frame = room->frame;
  w->refs = room->refs;
  w->error = w->first_error = NULL;
  w->met_error = w->has_returned = w->is_invalid = w->may_write = false;
  w->is_strict = true;
  w->steps = 0;
  w->depth = 0;
}

static int32_t *unchanged(const int32_t *state) {
  int32_t *same;
  memcpy(&same, &state, sizeof same); // conditions do not write: see find_target
  return same;
}

Formula evaluator_condition(Evaluator *w, const Label *label, const int32_t *state) {
  Room room;
  if (!label->condition)
    return FORMULA_TRUE;
  begin(w, &room, label->data, label->refs, unchanged(state));
  vec_clear(&w->formulas);
  w->is_strict = false;
  const Formula result = settle(w, truth(w, label->condition));
  leave_room(w, &room);
  return result;
}

static bool add_rates(Evaluator *w, const Term *t, ClockTests *tests) {
  Spot spot;
  bool ok = true;
  if (t->kind == TERM_AND)
    return add_rates(w, t->a, tests) && add_rates(w, t->b, tests);
  if (t->kind == TERM_QUANTIFY && t->op == EXPR_FORALL)
    for (int64_t i = t->low; ok && i <= t->high && step(w); i++) {
      w->frame[t->data] = (int32_t)i;
      ok = add_rates(w, t->a, tests);
    }
  if (t->kind != TERM_RATE || !t->a)
    return ok && !w->error;
  if (!t->b || !find_spot(w, t->a, &spot))
    return false;
  const int32_t rate = number(w, t->b);
  vec_push(w->mem, tests, ((ClockTest){spot.clock, 0, rate, false}));
  vec_push(w->mem, tests, ((ClockTest){0, spot.clock, -(int64_t)rate, false}));
  return !w->error;
}

static void mark_rated(Evaluator *w, const Term *t, bool *is_rated) {
  Spot spot;
  if (t->kind == TERM_AND) {
    mark_rated(w, t->a, is_rated);
    mark_rated(w, t->b, is_rated);
  }
  if (t->kind == TERM_QUANTIFY && t->op == EXPR_FORALL)
    for (int64_t i = t->low; i <= t->high && step(w); i++) {
      w->frame[t->data] = (int32_t)i;
      mark_rated(w, t->a, is_rated);
    }
  if (t->kind == TERM_RATE && t->a && find_spot(w, t->a, &spot) &&
      (!t->b || number(w, t->b) != 1 || w->error))
    is_rated[spot.clock] = true;
}

void evaluator_rated(Evaluator *w, const Label *label, const int32_t *state, bool *is_rated) {
  Room room;
  begin(w, &room, label->data, label->refs, unchanged(state));
  mark_rated(w, label->condition, is_rated);
  leave_room(w, &room);
}

bool evaluator_rates(Evaluator *w, const Label *label, const int32_t *state, ClockTests *tests) {
  Room room;
  if (!label->condition)
    return true;
  begin(w, &room, label->data, label->refs, unchanged(state));
  const bool ok = add_rates(w, label->condition, tests);
  leave_room(w, &room);
  return ok;
}

bool evaluator_channel(Evaluator *w, const Label *label, const int32_t *state,
                       uint32_t *channel) {
  Room room;
  Spot spot;
  begin(w, &room, label->data, label->refs, unchanged(state));
  const bool ok = find_spot(w, label->condition, &spot);
  if (ok)
    *channel = spot.channel;
  leave_room(w, &room);
  return ok;
}

bool evaluator_update(Evaluator *w, const Label *label, int32_t *state) {
  Room room;
  if (!label->deeds)
    return true;
  begin(w, &room, label->data, label->refs, state);
  w->may_write = true;
  run(w, label->deeds, NULL);
  leave_room(w, &room);
  return !w->error;
}

bool evaluator_constant(Evaluator *w, const Term *t, uint32_t frame, uint32_t refs,
                        int32_t *value) {
  Room room;
  if (t->class != CLASS_INT)
    return false;
  begin(w, &room, frame, refs, NULL);
  *value = number(w, t);
  leave_room(w, &room);
  return !w->error;
}

bool evaluator_constants(Evaluator *w, const Term *t, uint32_t frame, uint32_t refs,
                         int32_t *values) {
  Room room;
  if (t->class != CLASS_WHOLE)
    return false;
  begin(w, &room, frame, refs, NULL);
  whole(w, t, values, t->shape->data);
  leave_room(w, &room);
  return !w->error;
}
