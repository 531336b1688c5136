#include "model/expr/operations.h"

const char operations_out_of_range[] = "a value is out of the range of its variable";
const char operations_overflow[] = "the result of an operation does not fit in 32 bits";
const char operations_zero_divisor[] = "a number is divided by zero";
const char operations_bad_shift[] = "a number is shifted by less than 0 or more than 31 bits";
const char operations_bad_index[] = "an index is out of the bounds of its array";
const char operations_endless[] = "a loop does not end: more than 10000000 steps";
const char operations_too_deep[] = "calls are nested too deeply";
const char operations_false_assertion[] = "an assertion of the model does not hold";
const char operations_has_effect[] = "a condition must not change a variable or a clock";
const char operations_misplaced_clock[] = "a clock cannot be tested here";
const char operations_negative_clock[] = "a clock is set to a negative value";
const char operations_large_constant[] = "the constant that a clock is compared with or set to "
                                         "is too large; above 67108864 use --engine "
                                         "wide";

static bool is_large(int64_t constant, int64_t max) { return constant > max || constant < -max; }

// Whether the test of a clock against itself holds.
static bool same_clock_test(ExprKind op, int64_t constant) {
  const bool less = op == EXPR_LT || op == EXPR_LE || op == EXPR_NE;
  const bool greater = op == EXPR_GT || op == EXPR_GE || op == EXPR_NE;
  const bool equal = op == EXPR_EQ || op == EXPR_LE || op == EXPR_GE;
  return constant > 0 ? less : constant < 0 ? greater : equal;
}

const char *operations_clock_test(VmRun *run, ExprKind op, const int32_t *args, int64_t constant,
                                  int64_t max, bool *holds) {
  ClockIndex i = (ClockIndex)args[0], j = (ClockIndex)args[1];
  if (op == EXPR_NE)
    return operations_misplaced_clock;
  if (i == j) {
    *holds = same_clock_test(op, constant);
    return NULL;
  }
  if (is_large(constant, max))
    return operations_large_constant;
  if (!run->tests)
    return NULL;
  ClockTest tests[2];
  uint32_t count = code_clock_tests(tests, i, j, op, constant);
  for (uint32_t k = 0; k < count; k++)
    vec_push(run->mem, run->tests, tests[k]);
  return NULL;
}

const char *operations_clock_update(VmRun *run, const int32_t *args, int64_t constant,
                                    int64_t max) {
  ClockUpdate update = {(ClockIndex)args[0], (ClockIndex)args[1], constant};
  if (!run->updates)
    return operations_has_effect;
  if (update.y == 0 && update.constant < 0)
    return operations_negative_clock;
  if (is_large(constant, max))
    return operations_large_constant;
  vec_push(run->mem, run->updates, update);
  return NULL;
}
