// Which updates can fail, from the values that variables can have.
#include "model/faults.h"

#include "nets.h"

static void test_updates(void **unused) {
  (void)unused;
  Fixture f;
  fixture_init(&f);
  const uint32_t v = add_int(&f, "v", 0, 10, 0), w = add_int(&f, "w", 0, 3, 0);
  const EventId a = net_add_event(&f.net, "a", NOWHERE);
  net_add_process(&f.net, "P", NOWHERE);
  const LocationId l = add_location(&f, 0, "l", true);
  add_edge(&f, l, l, a)->update_stmts = set_int(&f, var(&f, w), num(&f, 3));
  add_edge(&f, l, l, a)->update_stmts = set_int(&f, var(&f, v), num(&f, 2));
  fixture_finish(&f);
  const Expr *sum = binary(&f, EXPR_ADD, var(&f, v), var(&f, w)); // 0 .. 5
  assert_false(faults_in_process(&f.net, 0));
  assert_false(faults_in_stmts(&f.net, set_int(&f, var(&f, v), sum)));
  assert_true(faults_in_stmts(&f.net, set_int(&f, var(&f, w), sum)));
  assert_true(faults_in_expr(&f.net, binary(&f, EXPR_DIV, num(&f, 7), var(&f, w))));
  assert_false(faults_in_expr(
      &f.net, binary(&f, EXPR_DIV, num(&f, 7), binary(&f, EXPR_ADD, var(&f, w), num(&f, 1)))));
  assert_true(faults_in_stmts(&f.net, set_clock(&f, clock_at(&f, 1), NULL, num(&f, -1))));
  assert_false(faults_in_stmts(&f.net, set_clock(&f, clock_at(&f, 1), NULL, var(&f, w))));
  // What overflows 32 bits: an error, unless the language says that it wraps around.
  const Expr *product = binary(&f, EXPR_MUL, var(&f, w), num(&f, INT32_MAX));
  assert_true(faults_in_expr(&f.net, product));
  f.net.invalid_is_error = true;
  assert_false(faults_in_expr(&f.net, product));
  f.net.invalid_is_error = false;
  // What a clock is compared with or set to has a limit.
  const Expr *large = binary(&f, EXPR_MUL, var(&f, w), num(&f, NET_MAX_CONSTANT / 2));
  const Expr *x = clock_at(&f, 1);
  assert_true(faults_in_stmts(&f.net, set_clock(&f, x, NULL, large)));
  assert_true(
      faults_in_expr(&f.net, expr_clock_test(&f.arena, NOWHERE, x, NULL, EXPR_LE, large)));
  assert_false(
      faults_in_expr(&f.net, expr_clock_test(&f.arena, NOWHERE, x, NULL, EXPR_LE, var(&f, w))));
  fixture_release(&f);
}

// Each function calls the one before twice; what is nested in quantifiers is done many times.
static void test_steps(void **unused) {
  (void)unused;
  enum { FUNCTIONS = 60 };
  static Function functions[FUNCTIONS];
  static Stmt bodies[FUNCTIONS];
  Fixture f;
  fixture_init(&f);
  add_location(&f, net_add_process(&f.net, "P", NOWHERE), "l", true);
  fixture_finish(&f);
  const Expr *value = num(&f, 1), *small = num(&f, 1);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    bodies[i] = (Stmt){.kind = STMT_RETURN, .value = value};
    functions[i] =
        (Function){.name = "f", .result = type_int(&f.arena, 0, 1), .body = &bodies[i]};
    const Expr *call = expr_call(&f.arena, NOWHERE, &functions[i], NULL);
    value = binary(&f, EXPR_BIT_OR, call, call);
    small = i == 4 ? value : small;
  }
  assert_false(faults_in_expr(&f.net, small));
  assert_true(faults_in_expr(&f.net, value));
  const Expr *all = small;
  for (uint32_t i = 0; i < 2; i++)
    all = expr_quantifier(&f.arena, NOWHERE, EXPR_FORALL, i, 0, 299, all);
  assert_false(faults_in_expr(&f.net, all));
  assert_true(
      faults_in_expr(&f.net, expr_quantifier(&f.arena, NOWHERE, EXPR_EXISTS, 2, 0, 299, all)));
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_updates),
                                     cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
