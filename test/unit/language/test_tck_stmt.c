#include "reading.h"

#include "language/tchecker/tck_stmt.h"

static void test_assignments(void **unused) {
  (void)unused;
  reading_update("i = 3", "i = 3");
  reading_update("i = j + 1 ; j = -1;", "i = j + 1; j = -1");
  reading_update("v[i] = v[i + 1]", "v[i] = v[i + 1]");
  reading_update("v[2] = 0", "v[2] = 0");
  reading_update("i[0] = 1", "i = 1");
  reading_update("nop", "nop");
  reading_update("nop; i=(i+1)%10", "nop; i = (i + 1) % 10");
}

static void test_clocks(void **unused) {
  (void)unused;
  reading_update("x = 0", "x = 0");
  reading_update("x = i", "x = i");
  reading_update("x = y", "x = y");
  reading_update("x = y + 1", "x = y + 1");
  reading_update("x = 1 + y", "x = y + 1");
  reading_update("x = y + -3", "x = y + -3");
  reading_update("x = y + (i - j)", "x = y + (i - j)");
  reading_update("x = i - j + y", "x = y + (i - j)");
  reading_update("x = y + i + j", "x = y + (i + j)");
  reading_update("z[i] = z[2] + j", "z[i] = z[2] + j");
  reading_refuse_update("x = -1", "clocks are never negative: `x` cannot be set to -1");
  reading_refuse_update("x = y - 1", "in an assignment add its negation");
  reading_refuse_update("x = x - y", "a clock cannot be set to a difference of clocks");
  reading_refuse_update("i = x", "`x` is a clock, which is not allowed in an assignment to an");
  reading_refuse_update("i = x + 1", "contains a clock");
  reading_refuse_update("z = 0", "`z` is an array");
  reading_refuse_update("v = 0", "`v` is an array");
}

static void test_control(void **unused) {
  (void)unused;
  reading_update("if i == 1 then j = 2 end", "if i == 1 then j = 2 end");
  reading_update("if i then j = 2; x = 0 else j = 3; end; i = 0",
                 "if i != 0 then j = 2; x = 0 else j = 3 end; i = 0");
  reading_update("while i < 5 do i = i + 1; end", "while i < 5 do i = i + 1 end");
  reading_update("while (i < 5 && j) do if j then nop end; i = i + 1 end",
                 "while i < 5 && j != 0 do if j != 0 then nop end; i = i + 1 end");
  reading_refuse_update("if x < 1 then i = 1 end", "not allowed in the condition of a statement");
  reading_refuse_update("while x < 1 do i = 1 end",
                        "not allowed in the condition of a statement");
  reading_refuse_update("if i then j = 1", "expected `end` after the statements of `if`");
  reading_refuse_update("if i j = 1 end", "expected `then`");
  reading_refuse_update("while i then j = 1 end", "expected `do`");
  reading_refuse_update("i = 1; end", "`end` belongs to no `if` and no `while`");
  reading_refuse_update("i = 1 else j = 1", "`else` belongs to no `if`");
  reading_refuse_update("if i then end", "expected a statement, found `end`");
}

static void test_locals(void **unused) {
  (void)unused;
  reading_update("local k; k = i; i = j; j = k", "local k; k = i; i = j; j = k");
  reading_update("local k = i + 1; j = k", "local k = i + 1; j = k");
  reading_update("local k[2 + 1]; k[i] = 1; j = k[2]", "local k[3]; k[i] = 1; j = k[2]");
  reading_update("local k[1]; k[0] = 1", "local k[1]; k[0] = 1");
  reading_update("if i then local k = 1 end; j = k", "if i != 0 then local k = 1 end; j = k");
  reading_update("while i do local k; i = k end; local k; j = k",
                 "while i != 0 do local k; i = k end; local k; j = k");
  reading_refuse_update("while i do local k; i = k end; j = k", "`k` is not declared");
  reading_warn("edge:P:A:B:a{do: local i; i = 1}", "`i` hides a variable of the model");
  reading_warn("edge:P:A:B:a{do: local x; x = 1}", "`x` hides a clock");
  reading_refuse_update("local k; local k", "`k` is already declared, as a local variable");
  reading_refuse_update("local k = k", "`k` is not declared");
  reading_refuse_update("local end", "expected the name of a variable after `local`");
  reading_refuse_update("local 3", "expected the name of a variable after `local`");
  reading_refuse_update("local k = x", "`x` is a clock");
  reading_refuse_update("local k[i]", "must be a constant");
  reading_refuse_update("local k[0]", "must be between 1 and");
  reading_refuse_update("local k[65537]", "must be between 1 and");
  reading_refuse_update("local k[40000]; local l[40000]", "these make 80000 elements");
  reading_refuse_update("local k[3]; k = 1", "`k` is an array");
}

// Locals have a place in the frame each, in order; those of a loop too.
static void test_frame(void **unused) {
  (void)unused;
  Reading r;
  reading_edge(&r, NULL, "local k[3]; while i do local l; i = l end; local m; m = 1");
  const Edge *edge = &r.net.edges.items[0];
  assert_int_equal(edge->update_locals, 5);
  const Stmt *loop = edge->update_stmts->next;
  assert_int_equal(loop->body->target->base, 3);
  assert_int_equal(loop->next->target->base, 4);
  assert_int_equal(loop->next->next->target->base, 4);
  assert_int_equal(loop->next->next->target->kind, EXPR_LOCAL);
  assert_null(loop->next->next->next);
  reading_release(&r);
}

static void test_syntax_errors(void **unused) {
  (void)unused;
  reading_refuse_update("i == 3", "`==` compares; write `=` to assign");
  reading_refuse_update("i += 3", "`+=` is not an operator; write the assignment in full");
  reading_refuse_update("i++", "`++` is not an operator; write the assignment in full");
  reading_refuse_update("i", "expected `=` to assign to `i`, found the end");
  reading_refuse_update("x < 3", "found `<`; conditions belong to `provided`");
  reading_refuse_update("i = 1;; j = 1", "expected a statement, found `;`");
  reading_refuse_update("i = 1 j = 2", "expected an operator, `;` or the end, found `j`");
  reading_refuse_update("i = 1, j = 2", "`,` does not separate statements");
  reading_refuse_update("3 = i", "expected a statement, found `3`");
  reading_refuse_update("k = 3", "`k` is not declared");
  reading_refuse_update("i = j == 3", "expected an operator, `;` or the end, found `==`");
}

// A constant out of range disables the edge for good, which is hardly meant.
static void test_range_warning(void **unused) {
  (void)unused;
  Reading r;
  assert_string_equal(reading_edge(&r, NULL, "i = 10"), "i = 10");
  assert_int_equal(r.report.warning_count, 1);
  assert_non_null(strstr(text_chars(&r.report.warnings), "outside of the range 0 to 9"));
  reading_release(&r);
}

static void test_many_locals(void **unused) {
  (void)unused;
  char *text = calloc(1, 65536);
  Reading r;
  strcpy(text, PREAMBLE "edge:P:A:B:a{do: ");
  for (int i = 0; i <= TCK_MAX_LOCAL_NAMES; i++)
    sprintf(text + strlen(text), "local l%d;", i);
  strcat(text, "}\n");
  assert_false(reading_model(&r, text));
  assert_non_null(strstr(reading_error(&r), "more than 1000 local variables"));
  reading_release(&r);
  free(text);
}

static void test_nesting(void **unused) {
  (void)unused;
  char *text = calloc(1, 65536);
  Reading r;
  strcpy(text, PREAMBLE "edge:P:A:B:a{do: ");
  for (int i = 0; i < 1000; i++)
    strcat(text, i % 2 ? "if i then " : "while i do ");
  strcat(text, "}\n");
  assert_false(reading_model(&r, text));
  assert_non_null(strstr(reading_error(&r), "nested more than 200 deep"));
  reading_release(&r);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assignments),   cmocka_unit_test(test_clocks),
      cmocka_unit_test(test_control),       cmocka_unit_test(test_locals),
      cmocka_unit_test(test_frame),         cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_range_warning), cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_many_locals),
  };
  return cmocka_run_group_tests_name("tck_stmt", tests, NULL, NULL);
}
