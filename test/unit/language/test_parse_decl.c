// Declarations and statements: each kind, and the next declaration after an error.
#include "parsing.h"

static const DeclNode *read(Parsing *p, const char *text, uint32_t failures) {
  parsing_begin(p, text, false);
  const DeclNode *first = parse_declarations(&p->parser);
  if (p->parser.failures != failures)
    fail_msg("%u errors: %s", (unsigned)p->parser.failures, text_chars(&p->report.error));
  return first;
}

static void test_kinds(void **state) {
  (void)state;
  Parsing p;
  const DeclNode *d = read(&p,
                           "const int N = 3; typedef int[0,N] id; clock x, y[2];\n"
                           "int f(id i, int &j) { return i; }\n"
                           "chan c; chan priority c < default; before_update { N }",
                           0);
  static const DeclNodeKind kinds[] = {DECL_VARIABLE, DECL_TYPEDEF,  DECL_VARIABLE, DECL_VARIABLE,
                                       DECL_FUNCTION, DECL_VARIABLE, DECL_PRIORITY, DECL_BEFORE};
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++, d = d->next) {
    assert_non_null(d);
    assert_int_equal(d->kind, kinds[k]);
    if (d->kind == DECL_FUNCTION) {
      assert_string_equal(d->function->name, "f");
      assert_false(d->function->params->is_reference);
      assert_true(d->function->params->next->is_reference);
    }
  }
  assert_null(d);
  parsing_end(&p);
}

static void test_statements(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(
      &p,
      "{ int i; ; i = 1, i++; if (i) i = 2; else { } while (i) i--; do i++; while (i);\n"
      "for (i = 0; i < 3; i++) i = i; for (k : int[0,2]) i = k; assert(i); return i; }",
      false);
  const StmtNode *s = parse_block(&p.parser);
  assert_int_equal(p.parser.failures, 0);
  assert_int_equal(s->kind, STMTNODE_BLOCK);
  assert_non_null(s->body->decls);
  static const StmtNodeKind kinds[] = {STMTNODE_EMPTY,   STMTNODE_EXPR,   STMTNODE_IF,
                                       STMTNODE_WHILE,   STMTNODE_DO,     STMTNODE_FOR,
                                       STMTNODE_ITERATE, STMTNODE_ASSERT, STMTNODE_RETURN};
  s = s->body->next;
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++, s = s->next)
    assert_int_equal(s->kind, kinds[k]);
  assert_null(s);
  parsing_end(&p);
}

static uint32_t length(const Tree *list) {
  uint32_t count = 0;
  for (; list; list = list->next)
    count++;
  return count;
}

static void test_conditions(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p,
                "{ while (a, b, c) ; do ; while (a, b); for (; a; ) ; if (a, b) ;\n"
                "assert a > 1; }",
                false);
  const StmtNode *s = parse_block(&p.parser)->body;
  assert_int_equal(p.parser.failures, 0);
  static const uint32_t before[] = {2, 1, 0, 1};
  for (uint32_t k = 0; k < sizeof before / sizeof *before; k++, s = s->next) {
    assert_int_equal(length(s->before), before[k]);
    assert_int_equal(length(s->kind == STMTNODE_FOR ? s->b : s->a), 1);
  }
  assert_int_equal(s->kind, STMTNODE_ASSERT); // `assert a` declares nothing
  assert_null(s->next);
  parsing_end(&p);
}

static void test_recovery(void **state) {
  (void)state;
  Parsing p;
  const DeclNode *d = read(&p, "int a b; int c; int = 3; int d;", 2);
  uint32_t good = 0;
  for (; d; d = d->next)
    good += d->kind == DECL_VARIABLE && d->var->name &&
            (!strcmp(d->var->name, "c") || !strcmp(d->var->name, "d"));
  assert_int_equal(good, 2);
  parsing_end(&p);
}

static void test_lists(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "i : int[0,2], k : id", false);
  const VarNode *var = parse_bindings(&p.parser);
  assert_string_equal(var->name, "i");
  assert_string_equal(var->next->name, "k");
  parsing_end(&p);
  parsing_begin(&p, "Q(int n) = P(n, 2);", false);
  const DeclNode *d = parse_instance(&p.parser);
  assert_string_equal(d->name, "Q");
  assert_string_equal(d->template_name, "P");
  assert_non_null(d->list->next);
  parsing_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds), cmocka_unit_test(test_statements),
      cmocka_unit_test(test_conditions), cmocka_unit_test(test_recovery),
      cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
