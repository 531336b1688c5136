// Emission of bytecode: the depth of the stack, jumps in chains, constant addresses.
#include "model/expr/build.h"

#include "trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_depth(void **state) {
  (void)state;
  Trees t;
  trees_init(&t, 1);
  Builder b = {.mem = &t.mem};
  build_emit(&b, trees_place(&t), OP_PUSH, 1);
  build_emit(&b, trees_place(&t), OP_PUSH, 2);
  build_emit(&b, trees_place(&t), OP_ADD);
  build_emit(&b, trees_place(&t), OP_END);
  assert_int_equal(b.depth, 0);
  assert_int_equal(b.deepest, 2);
  const Code *code = build_finish(&b, &t.arena, 3);
  static const int32_t words[] = {OP_PUSH, 1, OP_PUSH, 2, OP_ADD, OP_END};
  assert_int_equal(code->size, 6);
  assert_memory_equal(code->words, words, sizeof words);
  assert_int_equal(code->stack_slots, 2);
  assert_int_equal(code->local_slots, 3);
  trees_release(&t);
  assert_int_equal(t.mem.bytes, 0);
}

// The jumps of a chain all go where it is patched.
static void test_jumps(void **state) {
  (void)state;
  Trees t;
  trees_init(&t, 1);
  Builder b = {.mem = &t.mem};
  uint32_t chain = build_jump(&b, trees_place(&t), OP_JUMP, 0);
  build_emit(&b, trees_place(&t), OP_DONE);
  chain = build_jump(&b, trees_place(&t), OP_JUMP, chain);
  build_patch(&b, chain);
  build_emit(&b, trees_place(&t), OP_DONE);
  const Code *code = build_finish(&b, &t.arena, 0);
  static const int32_t words[] = {OP_JUMP, 5, OP_DONE, OP_JUMP, 5, OP_DONE};
  assert_memory_equal(code->words, words, sizeof words);
  trees_release(&t);
}

static void test_addresses(void **state) {
  (void)state;
  Trees t;
  trees_init(&t, 1);
  uint32_t offset;
  const Expr *array = trees_name(&t, EXPR_VAR, "a", t.array, TREES_ARRAY);
  const Expr *two = expr_const(&t.arena, trees_place(&t), 2);
  const Expr *v = trees_name(&t, EXPR_VAR, "v", t.integers[0], 0);
  const Expr *element = expr_index(&t.arena, trees_place(&t), array, two);
  assert_true(build_constant_address(element, EXPR_VAR, &offset));
  assert_int_equal(offset, TREES_ARRAY + 2);
  assert_false(build_constant_address(element, EXPR_LOCAL, &offset));
  element = expr_index(&t.arena, trees_place(&t), array, v);
  assert_false(build_constant_address(element, EXPR_VAR, &offset));
  trees_release(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_depth), cmocka_unit_test(test_jumps),
                                     cmocka_unit_test(test_addresses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
