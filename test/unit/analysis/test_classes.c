// Which variables hold values of the same kind.
#include "analysis/symmetry/classes.h"

#include "families.h"

static bool together(const char *update, const char *a, const char *b) {
  char text[2048];
  snprintf(text, sizeof text, PREAMBLE "int:1:0:3:0:k\nedge:P:A:B:a{do: %s}\n", update);
  Reading r;
  reading_accept(&r, text);
  Classes classes;
  classes_init(&classes, &r.arena, &r.net);
  const bool same = classes_find(&classes, find_name(&r, 's', a)) ==
                    classes_find(&classes, find_name(&r, 's', b));
  classes_release(&classes);
  reading_release(&r);
  return same;
}

static void test_classes(void **state) {
  (void)state;
  assert_true(together("i = k", "i", "k"));
  assert_false(together("i = k + 1", "i", "k"));
  assert_true(together("if (i == k) then j = 1 end", "i", "k"));
  assert_false(together("if (i < k) then j = 1 end", "i", "k"));
  assert_true(together("v[2] = i", "i", "v[2]"));
  assert_false(together("v[2] = i", "v[1]", "v[2]"));
  assert_true(together("v[k] = 1", "v[1]", "v[2]"));
  assert_true(together("v[k] = 1; v[i] = 1", "k", "i")); // both are indices of v
  assert_true(together("local l = i; k = l", "k", "i"));
}

static void test_roots(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{do: v[2]=1; v[i]=1}\n");
  const Stmt *stmt = r.net.edges.items[0].update_stmts;
  uint32_t depth, slot;
  bool is_constant;
  assert_int_equal(classes_root(stmt->target, &depth, &is_constant, &slot)->kind, EXPR_VAR);
  assert_true(is_constant);
  assert_int_equal(slot, find_name(&r, 's', "v[2]"));
  classes_root(stmt->next->target, &depth, &is_constant, &slot);
  assert_false(is_constant);
  assert_int_equal(depth, 1);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes),
                                     cmocka_unit_test(test_roots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
