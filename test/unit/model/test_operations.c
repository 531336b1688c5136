// What the instructions of the interpreter do besides computing, and how they fail.
#include "model/expr/operations.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The reason for a failure is known by its address.
static void assert_reason(const char *found, const char *expected) {
  assert_ptr_equal(found, expected);
}

static void test_arithmetic(void **state) {
  (void)state;
  static const struct {
    Opcode op;
    int32_t a, b, value;
    const char *reason; // of the language that does not wrap
  } cases[] = {
      {OP_NEG, 5, 0, -5, NULL},
      {OP_NEG, INT32_MIN, 0, INT32_MIN, operations_overflow},
      {OP_MUL, 6, -7, -42, NULL},
      {OP_MUL, 1 << 16, 1 << 16, 0, operations_overflow},
      {OP_SHL, 3, 4, 48, NULL},
      {OP_SHL, 1, 31, INT32_MIN, operations_overflow},
      {OP_SHR, -8, 1, -4, NULL},
      {OP_DIV, -7, 2, -3, NULL},
      {OP_MOD, -7, 2, -1, NULL},
      {OP_MOD, INT32_MIN, -1, 0, NULL},
      {OP_DIV, INT32_MIN, -1, INT32_MIN, operations_overflow},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int wraps = 0; wraps < 2; wraps++) {
      int32_t a = cases[i].a;
      const char *reason = operations_arithmetic(wraps, (int32_t)cases[i].op, &a, cases[i].b);
      assert_reason(reason, wraps ? NULL : cases[i].reason);
      if (!reason)
        assert_int_equal(a, cases[i].value);
    }
  int32_t a = 1;
  assert_reason(operations_arithmetic(true, OP_DIV, &a, 0), operations_zero_divisor);
  assert_reason(operations_arithmetic(true, OP_MOD, &a, 0), operations_zero_divisor);
  assert_reason(operations_arithmetic(true, OP_SHL, &a, 32), operations_bad_shift);
  assert_reason(operations_arithmetic(true, OP_SHR, &a, -1), operations_bad_shift);
}

static void test_store(void **state) {
  (void)state;
  static const int32_t low[] = {0, -3, 0}, high[] = {1, 3, 9};
  int32_t slots[3] = {0};
  VmRun run = {.state = slots, .slot_min = low, .slot_max = high};
  assert_reason(operations_store(&run, 0, (int32_t[]){1}, 1), operations_has_effect);
  run.target = slots;
  assert_reason(operations_store(&run, 1, (int32_t[]){-3, 9}, 2), NULL);
  assert_int_equal(slots[1], -3);
  assert_int_equal(slots[2], 9);
  assert_reason(operations_store(&run, 0, (int32_t[]){2}, 1), operations_out_of_range);
  assert_int_equal(slots[0], 0);
}

static void test_clocks(void **state) {
  (void)state;
  Mem mem = {0};
  ClockTests tests = {0};
  ClockUpdates updates = {0};
  VmRun run = {.mem = &mem, .tests = &tests};
  bool holds = true;
  assert_reason(
      operations_clock_test(&run, EXPR_EQ, (int32_t[]){1, 0}, 5, CODE_MAX_CONSTANT, &holds),
      NULL);
  assert_int_equal(tests.size, 2);
  assert_reason(
      operations_clock_test(&run, EXPR_NE, (int32_t[]){1, 0}, 5, CODE_MAX_CONSTANT, &holds),
      operations_misplaced_clock);
  assert_reason(operations_clock_test(&run, EXPR_LE, (int32_t[]){1, 0}, INT32_MAX,
                                      CODE_MAX_CONSTANT, &holds),
                operations_large_constant);
  assert_true(holds);
  assert_reason(
      operations_clock_test(&run, EXPR_LT, (int32_t[]){2, 2}, 0, CODE_MAX_CONSTANT, &holds),
      NULL);
  assert_false(holds);
  assert_reason(operations_clock_update(&run, (int32_t[]){1, 0}, 5, CODE_MAX_CONSTANT),
                operations_has_effect);
  run.updates = &updates;
  assert_reason(operations_clock_update(&run, (int32_t[]){1, 0}, 5, CODE_MAX_CONSTANT), NULL);
  assert_int_equal(updates.size, 1);
  assert_reason(operations_clock_update(&run, (int32_t[]){1, 0}, -1, CODE_MAX_CONSTANT),
                operations_negative_clock);
  assert_reason(operations_clock_update(&run, (int32_t[]){1, 0}, INT32_MAX, CODE_MAX_CONSTANT),
                operations_large_constant);
  const int64_t wide = -10000000001;
  const int32_t halves[] = {(int32_t)(uint32_t)wide, (int32_t)(wide >> 32)};
  assert_true(operations_wide(halves) == wide);
  assert_reason(
      operations_clock_test(&run, EXPR_GT, (int32_t[]){1, 2}, wide, CODE_MAX_WIDE, &holds), NULL);
  assert_true(vec_last(&tests).constant == -wide && vec_last(&tests).strict);
  assert_reason(operations_clock_update(&run, (int32_t[]){1, 0}, -wide, CODE_MAX_WIDE), NULL);
  assert_true(vec_last(&updates).constant == -wide);
  vec_release(&mem, &tests);
  vec_release(&mem, &updates);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic),
                                     cmocka_unit_test(test_store), cmocka_unit_test(test_clocks)};
  return cmocka_run_group_tests_name("operations", tests, NULL, NULL);
}
