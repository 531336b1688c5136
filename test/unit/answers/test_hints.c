// Hints: by ordinal, whatever order they come in, and none of a successor that is not covered.
#include "answers/runs/hints.h"

#include "answers/certificates/covers.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_order(void **state) {
  (void)state;
  Mem mem = {0};
  const Space space = {0};
  Hints hints = {.mem = &mem, .renamings = {.mem = &mem}};
  Text text = {.mem = &mem};
  const uint32_t answers[] = {7, 8, 9, COVERS_NONE};
  hints_add(&hints, &space, 0, 2);
  hints_end(&hints);
  hints_end(&hints);
  hints_add(&hints, &space, 5, 0);
  hints_add(&hints, &space, 1, 1);
  hints_end(&hints);
  hints_add(&hints, &space, 0, 3);
  hints_end(&hints);
  assert_true(hints_put(&hints, &text, 0, answers) && hints_put(&hints, &text, 1, answers) &&
              hints_put(&hints, &text, 2, answers));
  // Count; gap and node of each.
  const char bytes[] = {1, 0, 9, 0, 2, 1, 8, 3, 7};
  assert_int_equal(text.size, sizeof bytes);
  assert_memory_equal(text.chars, bytes, sizeof bytes);
  assert_false(hints_put(&hints, &text, 3, answers));
  hints_clear(&hints);
  hints_end(&hints);
  text_clear(&text);
  assert_true(hints_put(&hints, &text, 0, answers));
  assert_int_equal(text.size, 1);
  text_release(&text);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
  return cmocka_run_group_tests_name("hints", tests, NULL, NULL);
}
