#include "model/expr/type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_scalars(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const Type *small = type_int(&arena, -3, 5);
  assert_int_equal(small->kind, TYPE_INT);
  assert_int_equal(small->min, -3);
  assert_int_equal(small->max, 5);
  assert_int_equal(small->slots, 1);
  assert_false(small->is_bool);
  const Type *full = type_int(&arena, INT32_MIN, INT32_MAX);
  assert_ptr_equal(full, type_int(&arena, INT32_MIN, INT32_MAX));
  assert_true(type_bool(&arena)->is_bool);
  assert_int_equal(type_bool(&arena)->kind, TYPE_INT);
  assert_int_equal(type_bool(&arena)->min, 0);
  assert_int_equal(type_bool(&arena)->max, 1);
  assert_int_equal(type_clock(&arena)->kind, TYPE_CLOCK);
  assert_int_equal(type_clock(&arena)->slots, 1);
  assert_int_equal(type_void(&arena)->kind, TYPE_VOID);
  assert_int_equal(type_void(&arena)->slots, 0);
  arena_release(&arena);
  assert_int_equal(mem.bytes, 0);
}

static void test_arrays(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const Type *row = type_array(&arena, type_bool(&arena), -2, 5);
  const Type *table = type_array(&arena, row, 1, 3);
  assert_int_equal(row->slots, 5);
  assert_int_equal(row->first, -2);
  assert_int_equal(table->slots, 15);
  assert_ptr_equal(table->element, row);
  assert_int_equal(type_array(&arena, row, 0, 0)->slots, 0);
  // Too large: the size is cut, so that it can be refused.
  const Type *large = type_array(&arena, row, 0, 1u << 31);
  assert_int_equal(large->slots, UINT32_MAX);
  assert_int_equal(type_array(&arena, large, 0, 2)->slots, UINT32_MAX);
  arena_release(&arena);
}

static void test_structs(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const Type *array = type_array(&arena, type_bool(&arena), 0, 4);
  Field inner_fields[] = {{"flags", array, 99}, {"n", type_int(&arena, 0, 9), 99}};
  const Type *inner = type_struct(&arena, inner_fields, 2);
  Field fields[] = {{"a", type_bool(&arena), 0}, {"in", inner, 0}, {"z", array, 0}};
  const Type *outer = type_struct(&arena, fields, 3);
  inner_fields[0].name = "changed"; // the array was copied
  assert_int_equal(inner->slots, 5);
  assert_int_equal(outer->slots, 10);
  assert_int_equal(type_field(outer, "a")->offset, 0);
  assert_int_equal(type_field(outer, "in")->offset, 1);
  assert_int_equal(type_field(outer, "z")->offset, 6);
  assert_int_equal(type_field(inner, "flags")->offset, 0);
  assert_int_equal(type_field(inner, "n")->offset, 4);
  assert_null(type_field(inner, "changed"));
  assert_null(type_field(outer, "flags"));
  assert_null(type_field(array, "a"));
  assert_int_equal(type_struct(&arena, NULL, 0)->slots, 0);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scalars),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_structs),
  };
  return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
