// What the compiler makes of guards, updates and functions: which conjuncts become tests,
// and the code of the rest.
#include "model/expr/code.h"

#include "model/expr/build.h"

#include "trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state) {
  static Trees trees;
  trees_init(&trees, 3);
  *state = &trees;
  return 0;
}

static int teardown(void **state) {
  Trees *t = *state;
  trees_release(t);
  return t->mem.bytes == 0 ? 0 : -1;
}

static const Expr *num(Trees *t, int32_t value) {
  return expr_const(&t->arena, trees_place(t), value);
}
static const Expr *var(Trees *t, uint32_t k) {
  return trees_name(t, EXPR_VAR, "v", t->integers[k], k);
}
static const Expr *bin(Trees *t, ExprKind kind, const Expr *a, const Expr *b) {
  return expr_binary(&t->arena, trees_place(t), kind, a, b);
}
static const Expr *negate(Trees *t, const Expr *a) {
  return expr_unary(&t->arena, trees_place(t), EXPR_NOT, a);
}
static const Expr *clock(Trees *t, uint32_t k) {
  return trees_name(t, EXPR_CLOCK, "x", type_clock(&t->arena), k);
}
static const Expr *clock_test(Trees *t, const Expr *x, const Expr *y, ExprKind op,
                              const Expr *bound) {
  return expr_clock_test(&t->arena, trees_place(t), x, y, op, bound);
}
static const Expr *array(Trees *t, const Expr *index) {
  const Expr *a = trees_name(t, EXPR_VAR, "a", t->array, TREES_ARRAY);
  return expr_index(&t->arena, trees_place(t), a, index);
}
// r[index].q[inner]
static const Expr *record(Trees *t, const Expr *index, const Expr *inner) {
  const Expr *r = trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  r = expr_index(&t->arena, trees_place(t), r, index);
  r = expr_field(&t->arena, trees_place(t), r, type_field(t->record, "q"));
  return expr_index(&t->arena, trees_place(t), r, inner);
}

static void assert_code(Trees *t, const Code *code, const char *expected) {
  Text text = {.mem = &t->mem};
  if (code)
    opcode_print(&text, code);
  assert_string_equal(text_chars(&text), expected);
  text_release(&text);
}

static void assert_test(const Guard *guard, uint32_t k, uint32_t slot, ExprKind op,
                        int32_t value) {
  assert_true(k < guard->test_count);
  assert_int_equal(guard->tests[k].slot, slot);
  assert_int_equal(guard->tests[k].op, op);
  assert_int_equal(guard->tests[k].value, value);
}

static void assert_clock_test(const Guard *guard, uint32_t k, ClockIndex i, ClockIndex j,
                              int64_t constant, bool strict) {
  assert_true(k < guard->clock_test_count);
  assert_int_equal(guard->clock_tests[k].i, i);
  assert_int_equal(guard->clock_tests[k].j, j);
  assert_int_equal(guard->clock_tests[k].constant, constant);
  assert_int_equal(guard->clock_tests[k].strict, strict);
}

static const Expr *conjunction(Trees *t, const Expr *const *items, size_t count) {
  const Expr *all = items[0];
  for (size_t k = 1; k < count; k++)
    all = bin(t, EXPR_AND, all, items[k]);
  return all;
}

static void test_no_guard(void **state) {
  Trees *t = *state;
  Guard guard = code_guard(&t->arena, NULL, 0);
  assert_null(guard.expr);
  assert_int_equal(guard.test_count + guard.clock_test_count, 0);
  assert_null(guard.code);
  guard = code_guard(&t->arena, num(t, 1), 0);
  assert_int_equal(guard.test_count + guard.clock_test_count, 0);
  assert_null(guard.code);
}

static void test_integer_tests(void **state) {
  Trees *t = *state;
  const Expr *items[] = {
      bin(t, EXPR_LT, var(t, 1), num(t, 3)),
      bin(t, EXPR_LT, num(t, 3), var(t, 1)), // mirrored
      bin(t, EXPR_GE, num(t, 3), var(t, 1)),
      var(t, 2),
      negate(t, var(t, 2)),
      negate(t, bin(t, EXPR_LE, var(t, 0), num(t, 4))), // inverted
      negate(t, bin(t, EXPR_OR, var(t, 0), bin(t, EXPR_EQ, var(t, 1), num(t, 2)))),
      expr_at(&t->arena, trees_place(t), "P.A", TREES_LOCATION, 2),
      negate(t, expr_at(&t->arena, trees_place(t), "P.A", TREES_LOCATION, 2)),
      bin(t, EXPR_NE, array(t, num(t, 5)), num(t, 1)),
      bin(t, EXPR_EQ, record(t, num(t, 2), num(t, 0)), bin(t, EXPR_ADD, num(t, 3), num(t, 4))),
  };
  const Expr *all = conjunction(t, items, sizeof items / sizeof *items);
  Guard guard = code_guard(&t->arena, all, 0);
  assert_ptr_equal(guard.expr, all);
  assert_null(guard.code);
  assert_int_equal(guard.test_count, 12);
  assert_test(&guard, 0, 1, EXPR_LT, 3);
  assert_test(&guard, 1, 1, EXPR_GT, 3);
  assert_test(&guard, 2, 1, EXPR_LE, 3);
  assert_test(&guard, 3, 2, EXPR_NE, 0);
  assert_test(&guard, 4, 2, EXPR_EQ, 0);
  assert_test(&guard, 5, 0, EXPR_GT, 4);
  assert_test(&guard, 6, 0, EXPR_EQ, 0);
  assert_test(&guard, 7, 1, EXPR_NE, 2);
  assert_test(&guard, 8, TREES_LOCATION, EXPR_EQ, 2);
  assert_test(&guard, 9, TREES_LOCATION, EXPR_NE, 2);
  assert_test(&guard, 10, TREES_ARRAY + 5, EXPR_NE, 1);
  assert_test(&guard, 11, TREES_RECORDS + 5, EXPR_EQ, 7);
}

static void test_clock_tests(void **state) {
  Trees *t = *state;
  const Expr *z = trees_name(t, EXPR_CLOCK, "z", t->clocks, 3);
  const Expr *z2 = expr_index(&t->arena, trees_place(t), z, num(t, 2));
  const Expr *items[] = {
      clock_test(t, clock(t, 1), NULL, EXPR_LT, num(t, 3)),
      clock_test(t, clock(t, 1), NULL, EXPR_LE, num(t, 4)),
      clock_test(t, clock(t, 1), NULL, EXPR_GT, num(t, 5)),
      clock_test(t, clock(t, 1), NULL, EXPR_GE, num(t, 6)),
      clock_test(t, clock(t, 1), clock(t, 2), EXPR_EQ, num(t, -7)),
      clock_test(t, z2, NULL, EXPR_GE, num(t, INT32_MIN)),
      clock_test(t, clock(t, 2), clock(t, 2), EXPR_LE, num(t, 0)), // true: nothing
  };
  Guard guard = code_guard(&t->arena, conjunction(t, items, sizeof items / sizeof *items), 0);
  assert_null(guard.code);
  assert_int_equal(guard.test_count, 0);
  assert_int_equal(guard.clock_test_count, 7);
  assert_clock_test(&guard, 0, 1, 0, 3, true);
  assert_clock_test(&guard, 1, 1, 0, 4, false);
  assert_clock_test(&guard, 2, 0, 1, -5, true);
  assert_clock_test(&guard, 3, 0, 1, -6, false);
  assert_clock_test(&guard, 4, 1, 2, -7, false);
  assert_clock_test(&guard, 5, 2, 1, 7, false);
  assert_clock_test(&guard, 6, 0, 5, -(int64_t)INT32_MIN, false);
}

static void test_false_guards(void **state) {
  Trees *t = *state;
  Guard guard = code_guard(&t->arena, num(t, 0), 0);
  assert_code(t, guard.code, "0 PUSH 0\n2 END\n");
  guard = code_guard(&t->arena, negate(t, num(t, 5)), 0);
  assert_code(t, guard.code, "0 PUSH 0\n2 END\n");
  const Expr *never = clock_test(t, clock(t, 2), clock(t, 2), EXPR_LT, num(t, 0));
  guard = code_guard(&t->arena, bin(t, EXPR_AND, var(t, 0), never), 0);
  assert_int_equal(guard.test_count, 1);
  assert_int_equal(guard.clock_test_count, 0);
  assert_code(t, guard.code, "0 PUSH 0\n2 END\n");
  // x - x against a variable is a test of the variable.
  const Expr *variable = clock_test(t, clock(t, 2), clock(t, 2), EXPR_LT, var(t, 1));
  guard = code_guard(&t->arena, variable, 0);
  assert_null(guard.code);
  assert_test(&guard, 0, 1, EXPR_GT, 0);
}

// What is neither kind of test is code, in order; the last conjunct ends it.
static void test_guard_code(void **state) {
  Trees *t = *state;
  const Expr *items[] = {
      bin(t, EXPR_EQ, var(t, 0), var(t, 1)),
      bin(t, EXPR_EQ, var(t, 0), num(t, 1)),
      clock_test(t, clock(t, 1), NULL, EXPR_LT, var(t, 2)),
      negate(t, bin(t, EXPR_AND, var(t, 0), var(t, 1))),
  };
  Guard guard = code_guard(&t->arena, conjunction(t, items, 4), 0);
  assert_int_equal(guard.test_count, 1);
  assert_int_equal(guard.clock_test_count, 0);
  assert_code(t, guard.code,
              "0 LOAD 0\n2 LOAD 1\n4 EQ\n5 FAIL_ZERO\n"
              "6 PUSH 1\n8 PUSH 0\n10 LOAD 2\n12 CLOCK_TEST 23\n"
              "14 LOAD 0\n16 JUMP_ZERO 26\n18 LOAD 1\n20 JUMP_ZERO 26\n22 PUSH 1\n24 JUMP 28\n"
              "26 PUSH 0\n28 NOT\n29 END\n");
  assert_int_equal(guard.code->stack_slots, 3);
  assert_int_equal(guard.code->places[4].offset, items[0]->place.offset);
  assert_int_equal(EXPR_LT, 23); // the operand above
  const Expr *both = bin(t, EXPR_AND, var(t, 0), var(t, 1));
  guard = code_guard(&t->arena, bin(t, EXPR_ADD, both, var(t, 2)), 0);
  assert_int_equal(guard.code->stack_slots, 2);
}

static void test_mixed_guards(void **state) {
  Trees *t = *state;
  const Expr *v = var(t, 0), *x = clock_test(t, clock(t, 1), NULL, EXPR_GE, num(t, 5));
  const char *skips = "0 LOAD 0\n2 JUMP_NONZERO 12\n4 PUSH 1\n6 PUSH 0\n8 PUSH 5\n"
                      "10 CLOCK_TEST 26\n12 PUSH 1\n14 END\n";
  assert_int_equal(EXPR_GE, 26);
  assert_code(t, code_guard(&t->arena, bin(t, EXPR_OR, v, x), 0).code, skips);
  assert_code(t, code_guard(&t->arena, bin(t, EXPR_OR, x, v), 0).code, skips);
  const Expr *cond = expr_cond(&t->arena, trees_place(t), v, x, var(t, 1));
  assert_code(t, code_guard(&t->arena, cond, 0).code,
              "0 LOAD 0\n2 JUMP_ZERO 14\n4 PUSH 1\n6 PUSH 0\n8 PUSH 5\n10 CLOCK_TEST 26\n"
              "12 JUMP 17\n14 LOAD 1\n16 FAIL_ZERO\n17 PUSH 1\n19 END\n");
  const Expr *i = trees_name(t, EXPR_LOCAL, "i", t->integers[0], 6);
  const Expr *z = trees_name(t, EXPR_CLOCK, "z", t->clocks, 3);
  z = expr_index(&t->arena, trees_place(t), z, i);
  const Expr *body = clock_test(t, z, NULL, EXPR_GE, i);
  const Expr *all = expr_quantifier(&t->arena, trees_place(t), EXPR_FORALL, 6, 0, 2, body);
  Guard guard = code_guard(&t->arena, all, 7);
  assert_code(t, guard.code,
              "0 PUSH 0\n2 SET_LOCAL 6\n4 LOCAL 6\n6 INDEX 0 3 1\n10 PUSH 3\n12 ADD\n13 PUSH 0\n"
              "15 LOCAL 6\n17 CLOCK_TEST 26\n19 NEXT 6 2 4\n23 PUSH 1\n25 END\n");
  assert_int_equal(guard.code->local_slots, 7);
}

static void test_constant_updates(void **state) {
  Trees *t = *state;
  Update update = code_update(&t->arena, NULL, 0);
  assert_null(update.stmts);
  assert_null(update.code);
  Stmt *set = trees_stmt(t, STMT_CLOCK_ASSIGN, clock(t, 1), NULL, num(t, 3));
  Stmt *nop = trees_stmt(t, STMT_NOP, NULL, NULL, NULL);
  Stmt *copy = trees_stmt(t, STMT_CLOCK_ASSIGN, clock(t, 2), clock(t, 1), num(t, -2));
  set->next = nop;
  nop->next = copy;
  update = code_update(&t->arena, set, 0);
  assert_null(update.code);
  assert_int_equal(update.clock_update_count, 2);
  assert_int_equal(update.clock_updates[0].x, 1);
  assert_int_equal(update.clock_updates[0].y, 0);
  assert_int_equal(update.clock_updates[0].constant, 3);
  assert_int_equal(update.clock_updates[1].x, 2);
  assert_int_equal(update.clock_updates[1].y, 1);
  assert_int_equal(update.clock_updates[1].constant, -2);
  Stmt *assign = trees_stmt(t, STMT_ASSIGN, array(t, num(t, 2)), NULL, num(t, 4));
  copy->next = assign;
  update = code_update(&t->arena, set, 0);
  assert_null(update.code);
  assert_int_equal(update.clock_update_count, 2);
  assert_int_equal(update.slot_update_count, 1);
  assert_int_equal(update.slot_updates[0].slot, TREES_ARRAY + 2);
  assert_int_equal(update.slot_updates[0].value, 4);
  // With anything else, all in code, in order; the clock updates are still known to be constant.
  assign->next = trees_stmt(t, STMT_ASSIGN, var(t, 0), NULL, var(t, 1));
  update = code_update(&t->arena, set, 0);
  assert_int_equal(update.slot_update_count, 0);
  assert_int_equal(update.clock_update_count, 2);
  assert_false(update.has_dynamic_clocks);
  assert_code(t, update.code,
              "0 PUSH 1\n2 PUSH 0\n4 PUSH 3\n6 CLOCK_SET\n7 PUSH 2\n9 PUSH 1\n11 PUSH -2\n"
              "13 CLOCK_SET\n14 SET 6 4\n17 LOAD 1\n19 STORE 0\n21 DONE\n");
  // A negative constant is an error when it is run.
  Stmt *negative = trees_stmt(t, STMT_CLOCK_ASSIGN, clock(t, 1), NULL, num(t, -3));
  assert_code(t, code_update(&t->arena, negative, 0).code,
              "0 PUSH 1\n2 PUSH 0\n4 PUSH -3\n6 CLOCK_SET\n7 DONE\n");
  assert_true(code_update(&t->arena, negative, 0).has_dynamic_clocks);
}

static void assert_assign(Trees *t, const Expr *target, const Expr *value, const char *expected) {
  Stmt *stmt = trees_stmt(t, STMT_ASSIGN, target, NULL, value);
  assert_code(t, code_update(&t->arena, stmt, TREES_LOCALS).code, expected);
}

static void test_assignments(void **state) {
  Trees *t = *state;
  const Expr *l = trees_name(t, EXPR_LOCAL, "l", t->integers[3], 0);
  const Expr *n = trees_name(t, EXPR_LOCAL, "n", t->digit, 5);
  assert_assign(t, var(t, 0), num(t, 6), "0 PUSH 6\n2 STORE 0\n4 DONE\n"); // out of range
  assert_assign(t, array(t, num(t, 6)), num(t, 5),
                "0 PUSH 6\n2 INDEX 0 6 1\n6 PUSH 5\n8 STORE_AT 4\n10 DONE\n");
  assert_assign(t, record(t, var(t, 0), var(t, 1)), var(t, 2),
                "0 LOAD 0\n2 INDEX 1 2 3\n6 LOAD 1\n8 INDEX -1 2 1\n12 ADD\n13 LOAD 2\n"
                "15 STORE_AT 11\n17 DONE\n");
  assert_assign(t, record(t, var(t, 0), num(t, 0)), var(t, 2), // the constant part is folded
                "0 LOAD 0\n2 INDEX 1 2 3\n6 LOAD 2\n8 STORE_AT 12\n10 DONE\n");
  assert_assign(t, var(t, 1), array(t, var(t, 0)),
                BUILD_FUSES ? "0 LOAD 0\n2 LOAD_INDEX 0 6 4\n6 STORE 1\n8 DONE\n"
                            : "0 LOAD 0\n2 INDEX 0 6 1\n6 LOAD_AT 4\n8 STORE 1\n10 DONE\n");
  assert_assign(t, l, var(t, 2), "0 LOAD 2\n2 SET_LOCAL 0\n4 DONE\n");
  assert_assign(t, n, var(t, 2),
                BUILD_FUSES ? "0 LOAD 2\n2 SET_LOCAL_RANGE 0 9 5\n6 DONE\n"
                            : "0 LOAD 2\n2 RANGE 0 9\n5 SET_LOCAL 5\n7 DONE\n");
  const Expr *sum = bin(t, EXPR_ADD, n, num(t, 2));
  assert_assign(t, n, sum,
                BUILD_FUSES
                    ? "0 SHIFT_LOCAL 2 0 9 5\n5 DONE\n"
                    : "0 LOCAL 5\n2 PUSH 2\n4 ADD\n5 RANGE 0 9\n8 SET_LOCAL 5\n10 DONE\n");
  assert_assign(t, l, bin(t, EXPR_MOD, var(t, 2), num(t, 8)),
                BUILD_FUSES ? "0 LOAD 2\n2 MOD_MASK 7\n4 SET_LOCAL 0\n6 DONE\n"
                            : "0 LOAD 2\n2 PUSH 8\n4 MOD\n5 SET_LOCAL 0\n7 DONE\n");
  assert_assign(t, l, bin(t, EXPR_MOD, n, num(t, 8)),
                BUILD_FUSES ? "0 LOCAL_MASK 5 7\n3 SET_LOCAL 0\n5 DONE\n"
                            : "0 LOCAL 5\n2 PUSH 8\n4 MOD\n5 SET_LOCAL 0\n7 DONE\n");
  assert_assign(t, n, bin(t, EXPR_ADD, n, var(t, 2)),
                BUILD_FUSES
                    ? "0 LOAD 2\n2 ADD_LOCAL 0 9 5\n6 DONE\n"
                    : "0 LOCAL 5\n2 LOAD 2\n4 ADD\n5 RANGE 0 9\n8 SET_LOCAL 5\n10 DONE\n");
  assert_assign(t, var(t, 1), bin(t, EXPR_ADD, var(t, 1), n),
                BUILD_FUSES ? "0 LOCAL 5\n2 ADD_STATE 1\n4 DONE\n"
                            : "0 LOAD 1\n2 LOCAL 5\n4 ADD\n5 STORE 1\n7 DONE\n");
  // What is added may change the local: it is read first.
  const Expr *noisy = expr_assign(&t->arena, trees_place(t), n, num(t, 1));
  assert_assign(t, n, bin(t, EXPR_ADD, n, noisy),
                BUILD_FUSES ? "0 LOCAL 5\n2 PUSH 1\n4 DUP\n5 SET_LOCAL 5\n7 ADD\n"
                              "8 SET_LOCAL_RANGE 0 9 5\n12 DONE\n"
                            : "0 LOCAL 5\n2 PUSH 1\n4 DUP\n5 SET_LOCAL 5\n7 ADD\n8 RANGE 0 9\n"
                              "11 SET_LOCAL 5\n13 DONE\n");
  assert_assign(t, n, var(t, 0), "0 LOAD 0\n2 SET_LOCAL 5\n4 DONE\n"); // always in range
  const Expr *r = trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  const Expr *first = expr_index(&t->arena, trees_place(t), r, num(t, 1));
  const Expr *some = expr_index(&t->arena, trees_place(t), r, var(t, 0));
  assert_assign(t, first, some,
                "0 PUSH 0\n2 LOAD 0\n4 INDEX 1 2 3\n8 LOAD_MANY 10 3\n11 STORE_MANY 10 3\n"
                "14 DONE\n");
  const Expr *k = trees_name(t, EXPR_LOCAL, "k", t->locals, 2);
  assert_assign(t, k, k, "0 PUSH 0\n2 PUSH 0\n4 LOCAL_MANY 2 3\n7 SET_LOCAL_MANY 2 3\n10 DONE\n");
}

static void test_control(void **state) {
  Trees *t = *state;
  const Expr *k = trees_name(t, EXPR_LOCAL, "k", t->locals, 2);
  Stmt *local = trees_stmt(t, STMT_LOCAL, k, NULL, NULL);
  Stmt *choice = trees_stmt(t, STMT_IF, NULL, NULL, negate(t, var(t, 0)));
  Stmt *loop = trees_stmt(t, STMT_WHILE, NULL, NULL, bin(t, EXPR_AND, var(t, 0), var(t, 1)));
  choice->body = trees_stmt(t, STMT_ASSIGN, var(t, 0), NULL, num(t, 1));
  choice->other = trees_stmt(t, STMT_ASSIGN, var(t, 0), NULL, num(t, 2));
  loop->body = trees_stmt(t, STMT_ASSIGN, var(t, 1), NULL, num(t, 0));
  local->next = choice;
  choice->next = loop;
  assert_code(t, code_update(&t->arena, local, TREES_LOCALS).code,
              "0 CLEAR_LOCAL 2 3\n3 LOAD 0\n5 JUMP_NONZERO 12\n7 SET 0 1\n10 JUMP 15\n"
              "12 SET 0 2\n15 LOAD 0\n17 JUMP_ZERO 28\n19 LOAD 1\n21 JUMP_ZERO 28\n23 SET 1 0\n"
              "26 JUMP_BACK 15\n28 DONE\n");
}

// A loop whose condition is one test has it at its end, too.
static void test_loops(void **state) {
  Trees *t = *state;
  const Expr *n = trees_name(t, EXPR_LOCAL, "n", type_int(&t->arena, 0, 9), 5);
  Stmt *loop = trees_stmt(t, STMT_WHILE, NULL, NULL, bin(t, EXPR_LT, n, num(t, 4)));
  loop->body = trees_stmt(t, STMT_ASSIGN, n, NULL, bin(t, EXPR_ADD, n, num(t, 1)));
  Stmt *again = trees_stmt(t, STMT_DO, NULL, NULL, bin(t, EXPR_NE, n, num(t, 7)));
  again->body = loop->body;
  if (!BUILD_FUSES)
    return;
  assert_code(t, code_update(&t->arena, loop, TREES_LOCALS).code,
              "0 JUMP_GE 5 4 13\n4 SHIFT_LOCAL 1 0 9 5\n9 LOOP_LT 5 4 4\n13 DONE\n");
  assert_code(t, code_update(&t->arena, again, TREES_LOCALS).code,
              "0 SHIFT_LOCAL 1 0 9 5\n5 LOOP_NE 5 7 0\n9 DONE\n");
}

static void test_functions(void **state) {
  Trees *t = *state;
  assert_code(t, t->codes[0],
              "0 LOCAL 0\n2 LOCAL 1\n4 LT\n5 JUMP_ZERO 11\n7 LOCAL 0\n9 RETURN 1\n"
              "11 LOCAL 0\n13 LOCAL 1\n15 SUB\n16 RANGE -100 100\n19 RETURN 1\n"
              "21 PUSH 0\n23 RETURN 1\n");
  const Expr *args[] = {var(t, 2), var(t, 0)};
  const Expr *call = expr_call(&t->arena, trees_place(t), &t->functions[0], args);
  Stmt *stmt = trees_stmt(t, STMT_CALL, NULL, NULL, call);
  assert_code(t, code_update(&t->arena, stmt, 0).code,
              "0 LOAD 2\n2 RANGE -10 10\n5 LOAD 0\n7 CALL 0 2\n10 DROP\n11 DONE\n");
}

// A struct as a result lies on the stack slot by slot.
static void test_struct_result(void **state) {
  Trees *t = *state;
  const Expr *parameter = trees_name(t, EXPR_LOCAL, "r", t->record, 0);
  const Type *params[] = {t->record};
  Stmt *body = trees_stmt(t, STMT_RETURN, NULL, NULL, parameter);
  Function same = {"same", t->record, params, 1, 3, body, 0};
  const Code *code = code_function(&t->arena, &same);
  assert_code(t, code,
              "0 PUSH 0\n2 LOCAL_MANY 0 3\n5 RETURN 3\n7 PUSH 0\n9 PUSH 0\n11 PUSH 0\n"
              "13 RETURN 3\n");
  assert_int_equal(code->stack_slots, 3);
  const Expr *r = trees_name(t, EXPR_VAR, "r", t->records, TREES_RECORDS);
  const Expr *from = expr_index(&t->arena, trees_place(t), r, num(t, 1));
  const Expr *to = expr_index(&t->arena, trees_place(t), r, num(t, 2));
  const Expr *call = expr_call(&t->arena, trees_place(t), &same, &from);
  Stmt *stmt = trees_stmt(t, STMT_ASSIGN, to, NULL, call);
  Stmt *dropped = trees_stmt(t, STMT_CALL, NULL, NULL, call);
  stmt->next = dropped;
  Update update = code_update(&t->arena, stmt, 0);
  assert_code(t, update.code,
              "0 PUSH 0\n2 PUSH 0\n4 LOAD_MANY 10 3\n7 CALL 0 3\n10 STORE_MANY 13 3\n"
              "13 PUSH 0\n15 LOAD_MANY 10 3\n18 CALL 0 3\n21 DROP\n22 DROP\n23 DROP\n24 DONE\n");
  assert_int_equal(update.code->stack_slots, 4);
  dropped->next = trees_stmt(t, STMT_ASSIGN, to, NULL, call);
  assert_int_equal(code_update(&t->arena, stmt, 0).code->stack_slots, 4);
}

// Each opcode's net effect is that of its stack comment; the fixed ones can be checked.
static void test_opcodes(void **state) {
  (void)state;
  assert_string_equal(opcode_name(OP_END), "END");
  assert_string_equal(opcode_name(OP_CLOCK_SET), "CLOCK_SET");
  assert_int_equal(opcode_operands(OP_INDEX), 3);
  assert_int_equal(opcode_depth(OP_CLOCK_TEST), -3);
  assert_int_equal(OP_SHR - OP_ADD, EXPR_SHR - EXPR_ADD);
  assert_int_equal(OP_GE - OP_EQ, EXPR_GE - EXPR_EQ);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_opcodes),
      cmocka_unit_test_setup_teardown(test_no_guard, setup, teardown),
      cmocka_unit_test_setup_teardown(test_integer_tests, setup, teardown),
      cmocka_unit_test_setup_teardown(test_clock_tests, setup, teardown),
      cmocka_unit_test_setup_teardown(test_false_guards, setup, teardown),
      cmocka_unit_test_setup_teardown(test_guard_code, setup, teardown),
      cmocka_unit_test_setup_teardown(test_mixed_guards, setup, teardown),
      cmocka_unit_test_setup_teardown(test_constant_updates, setup, teardown),
      cmocka_unit_test_setup_teardown(test_assignments, setup, teardown),
      cmocka_unit_test_setup_teardown(test_loops, setup, teardown),
      cmocka_unit_test_setup_teardown(test_control, setup, teardown),
      cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
      cmocka_unit_test_setup_teardown(test_struct_result, setup, teardown),
  };
  return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
