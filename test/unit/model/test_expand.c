// Expressions with calls and quantifiers replaced: the same values and errors, and simpler forms.
#include "model/expr/expand.h"
#include "model/state.h"
#include "racing.h"

static const char *const model =
    "const int N = 4; int a[N]; int n = 1; int[0,3] i = 2;\n"
    "bool empty(int k) { return a[k] == 0; }\n"
    "bool none() { return forall (k : int[0,3]) empty(k); }\n"
    "bool some(int k) { return exists (j : int[0,3]) (a[j] == k && j != k); }\n"
    "int twice(int k) { return k + k; }\n"
    "int small(int[0,3] k) { return k; }\n"
    "int loop(int k) { int s = 0; while (k > 0) { s += k; k--; } return s; }\n"
    "int deep(int k) { return twice(twice(k)) + loop(k); }\n"
    "process P() { state s; init s; } system P;";

// The value of an expression as it is, and expanded. Both fail, or they are equal.
static void compare(Racing *racing, Vm *vm, const int32_t *state, const Expr *expr,
                    const char *text) {
  uint32_t locals = expr_locals(expr);
  const Expr *expanded = expr_expand(&racing->r.arena, expr, &locals);
  double value, other;
  const VmResult result =
      vm_value(vm, code_value(&racing->r.arena, expr, expr_locals(expr)), state, &value);
  const VmResult again =
      vm_value(vm, code_value(&racing->r.arena, expanded, locals), state, &other);
  if (result != again || (result == VM_TRUE && value != other))
    fail_msg("%s: %g, expanded %g", text, value, other);
}

static const char *const conditions[] = {
    "empty(2)",
    "empty(n)",
    "!empty(i)",
    "none()",
    "some(1)",
    "exists (k : int[0,3]) some(k)",
    "forall (k : int[0,3]) exists (j : int[0,3]) a[k] == a[j] + twice(j)",
    "sum (k : int[0,3]) (a[k] != 0) == 1",
    "(sum (k : int[1,1]) (a[k] != 0)) == 0",
    "twice(n) == 2",
    "twice(loop(n)) == 2",
    "small(n) == 1",
    "small(n + 5) == 6",
    "deep(n) == 5",
    "a[n + 7] == 0",
    "n == 9 && a[n] == 0",

    "exists (k : int[0,1000000]) k == n",
    "forall (k : int[0,3]) (k < 2 || a[k] <= small(k))",
    "sum (k : int[0,3]) sum (j : int[0,3]) a[k] * j > 5",
};

static void test_values(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, model, NULL);
  Vm vm;
  net_vm(&racing.r.net, &vm, &racing.r.mem);
  int32_t *values = ARENA_ARRAY(&racing.r.arena, int32_t, racing.r.net.slots.count);
  state_initial(&racing.r.net, values, 0);
  for (uint32_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
    const Expr *expr = racing_condition(&racing, conditions[k]);
    for (int32_t round = 0; round < 6; round++) {
      for (uint32_t slot = 0; slot < 4; slot++) // a
        values[slot] = (int32_t)(slot * (uint32_t)round * 7 + k) % 4;
      values[4] = round - 1; // n
      values[5] = round % 4; // i
      compare(&racing, &vm, values, expr, conditions[k]);
    }
  }
  vm_release(&vm);
  racing_release(&racing);
}

static const Expr *expand(Racing *racing, const char *text) {
  const Expr *expr = racing_condition(racing, text);
  uint32_t locals = expr_locals(expr);
  return expr_expand(&racing->r.arena, expr, &locals);
}

static void test_forms(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, model, NULL);
  const Expr *expr = expand(&racing, "empty(2)"); // a test of one slot
  assert_int_equal(expr->kind, EXPR_EQ);
  assert_int_equal(expr->a->kind, EXPR_INDEX);
  const Guard guard = code_guard(&racing.r.arena, expand(&racing, "none()"), 0);
  assert_int_equal(guard.test_count, 4);
  assert_null(guard.code);
  assert_int_equal(expand(&racing, "small(9) == 1")->a->kind, EXPR_CALL); // 9 is no argument
  assert_int_equal(expand(&racing, "loop(1) == 1")->a->kind, EXPR_CALL);
  assert_int_equal(expand(&racing, "exists (k : int[0,1000000]) k == n")->kind, EXPR_EXISTS);
  racing_release(&racing);
}

// The locals of a function's quantifier are not those of the caller.
static void test_locals(void **state) {
  (void)state;
  Racing racing;
  racing_begin(
      &racing,
      "int a[3000]; int n = 2; bool f(int k) { return exists (j : int[0,2999]) a[j] == k "
      "+ 1; } process P() { state s; init s; } system P;",
      NULL);
  Vm vm;
  net_vm(&racing.r.net, &vm, &racing.r.mem);
  int32_t *values = ARENA_ARRAY(&racing.r.arena, int32_t, racing.r.net.slots.count);
  state_initial(&racing.r.net, values, 0);
  values[1] = 1, values[2] = 2, values[2999] = 3;
  static const char *const texts[] = {
      "f(n)", "f(n + 1)", "forall (i : int[0,2]) f(i)", "forall (i : int[0,3]) f(i)",
      "forall (i : int[0,2999]) forall (j : int[0,2]) (f(j) && i <= 2999 && j <= 2)"};
  for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++)
    compare(&racing, &vm, values, racing_condition(&racing, texts[k]), texts[k]);
  vm_release(&vm);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_forms),
                                     cmocka_unit_test(test_locals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
