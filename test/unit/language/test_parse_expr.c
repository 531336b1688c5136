// Expressions: precedence, what binds to the left and to the right, and what is too deep.
#include "parsing.h"

static void shows(const char *text, const char *expected) {
  Parsing p;
  parsing_begin(&p, text, false);
  const Tree *tree = parse_expr(&p.parser);
  parser_expect_end(&p.parser);
  if (p.parser.failures)
    fail_msg("%s: %s", text, text_chars(&p.report.error));
  parsing_tree(&p.text, tree);
  assert_string_equal(text_chars(&p.text), expected);
  parsing_end(&p);
}

static void fails(const char *text, bool is_old, const char *error) {
  Parsing p;
  parsing_begin(&p, text, is_old);
  parse_expr(&p.parser);
  parser_expect_end(&p.parser);
  assert_int_equal(p.parser.failures, 1);
  if (!strstr(text_chars(&p.report.error), error))
    fail_msg("%s: %s", text, text_chars(&p.report.error));
  parsing_end(&p);
}

static void test_precedence(void **state) {
  (void)state;
  shows("1 + 2 * 3", "(+ 1 (* 2 3))");
  shows("a - b - c", "(- (- a b) c)");
  shows("a < b == c > d", "(== (< a b) (> c d))");
  shows("a == 1 && b || c", "(| (& (== a 1) b) c)");
  shows("not a and b", "(& (! a) b)");
  shows("a imply b imply c", "(imply (imply a b) c)");
  shows("a ? b : c ? d : e", "(cond a b (cond c d e))");
  shows("a = b = 1", "(assign a (assign b 1))");
  shows("-a[i].b(1, c)", "(- (call (dot b (index a i)) 1 c))");
  shows("forall (i : int[0,1]) i == 0 && b", "(quantify (& (== i 0) b))");
  shows("x' == 0", "(== (rate x) 0)");
  shows("a++ + --b", "(+ (step a) (step b))");
  shows("{1, {2, 3}}", "(list 1 (list 2 3))");
  shows("{y: 1, x: 2}", "(list (dot y 1) (dot x 2))");
}

static void test_errors(void **state) {
  (void)state;
  fails("1 +", false, "text:1:4");
  fails("(1", false, "`)`");
  fails("a b", false, "text:1:3");
  fails("99999999999", false, "text:1:1");
}

// A thousand parentheses are too deep, and a sum of thousands of terms makes too deep a tree.
static void test_depth(void **state) {
  (void)state;
  static char text[20001];
  memset(text, '(', 1000);
  fails(text, false, "levels deep");
  for (int i = 0; i < 20000; i += 2)
    text[i] = '1', text[i + 1] = '+';
  text[19999] = '\0';
  fails(text, false, "levels deep");
}

// In UPPAAL 3 the parts of a guard are separated by commas.
static void test_old(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "a =< 1, b => 2", true);
  parsing_tree(&p.text, parse_conjunction(&p.parser));
  assert_string_equal(text_chars(&p.text), "(& (<= a 1) (>= b 2))");
  parsing_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_precedence),
                                     cmocka_unit_test(test_errors), cmocka_unit_test(test_depth),
                                     cmocka_unit_test(test_old)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
