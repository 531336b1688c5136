// The table of opcodes: each has a name of its own, and its operands and effect are those of the
// list.
#include "model/expr/opcode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_table(void **state) {
  (void)state;
  for (int a = 0; a < OP_COUNT; a++) {
    assert_true(opcode_operands((Opcode)a) <= 4);
    assert_in_range(opcode_depth((Opcode)a) + 3, 0, 4);
    for (int b = 0; b < a; b++)
      assert_string_not_equal(opcode_name((Opcode)a), opcode_name((Opcode)b));
  }
  assert_int_equal(opcode_operands(OP_PUSH), 1);
  assert_int_equal(opcode_depth(OP_PUSH), 1);
  assert_int_equal(opcode_operands(OP_INDEX), 3);
  assert_int_equal(opcode_depth(OP_CLOCK_TEST), -3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
