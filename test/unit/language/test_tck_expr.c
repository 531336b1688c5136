#include "reading.h"

#include "language/tchecker/tck_expr.h"

static void test_precedence(void **unused) {
  (void)unused;
  reading_guard("i + j * 2 == 7", "i + j * 2 == 7");
  reading_guard("(i + j) * 2 == 7", "(i + j) * 2 == 7");
  reading_guard("i - j - 1 == 7", "i - j - 1 == 7");
  reading_guard("i - (j - 1) == 7", "i - (j - 1) == 7");
  reading_guard("i / j * 2 == 7", "i / j * 2 == 7");
  reading_guard("i / (j * 2) == 7", "i / (j * 2) == 7");
  reading_guard("-i * j == 7", "-i * j == 7");
  reading_guard("-(i * j) == 7", "-(i * j) == 7");
  reading_guard("3 --1 == i", "4 == i");
  reading_guard("i == 1 && j == 2 && v[0]", "i == 1 && j == 2 && v[0] != 0");
  reading_guard("(((i)) == (1))", "i == 1");
  reading_guard("(i == 1 && j == 2) && (v[0] == 1 && v[1] == 2)",
                "i == 1 && j == 2 && (v[0] == 1 && v[1] == 2)");
}

// As in TChecker, `!` takes the whole comparison.
static void test_negation(void **unused) {
  (void)unused;
  reading_guard("! i == 3", "!(i == 3)");
  reading_guard("! i == 3 && j", "!(i == 3) && j != 0");
  reading_guard("!!i", "!!i");
  reading_guard("!(i == 3 && j == 1)", "!(i == 3 && j == 1)");
}

static void test_chains(void **unused) {
  (void)unused;
  reading_guard("1 < x <= 5", "x > 1 && x <= 5");
  reading_guard("1 <= x - y < i", "x - y >= 1 && x - y < i");
  reading_guard("1 < i < 5 && j", "1 < i && i < 5 && j != 0");
  reading_guard("x < y < 5", "x - y < 0 && y < 5");
  reading_refuse_guard("1 > x > 5", "only `<` and `<=` can be combined");
  reading_refuse_guard("1 < x == 5", "only `<` and `<=` can be combined");
  reading_refuse_guard("1 < i < 5 < 9", "only two comparisons can be combined");
}

static void test_conditional(void **unused) {
  (void)unused;
  reading_guard("x < (if i == 1 then 2 else j)", "x < (if i == 1 then 2 else j)");
  reading_guard("(if i then 1 else 2) * 3 == 6", "(if i != 0 then 1 else 2) * 3 == 6");
  reading_guard("(if i then (if j then 1 else 2) else 3) == 1",
                "(if i != 0 then (if j != 0 then 1 else 2) else 3) == 1");
  reading_refuse_guard("x < (if i == 1 then 2)", "expected `else`");
  reading_refuse_guard("x < (if i == 1 2 else 3)", "expected `then`");
  reading_refuse_guard("x < (if i then 2 else 3", "expected `)` after the value of `else`");
  reading_refuse_guard("x < if i then 2 else 3", "needs parentheses");
}

static void test_numbers(void **unused) {
  (void)unused;
  reading_guard("i == 2147483647", "i == 2147483647");
  reading_guard("i == -2147483648", "i == -2147483648");
  reading_guard("i == - 5", "i == -5");
  reading_refuse_guard("i == 2147483648", "the number `2147483648` is too large");
  reading_refuse_guard("i == -2147483649", "the number `-2147483649` is too large");
  reading_refuse_guard("i == 99999999999999999999999999", "is too large");
}

static void test_syntax_errors(void **unused) {
  (void)unused;
  reading_refuse_guard("i ==", "expected a number or a name, found the end");
  reading_refuse_guard("i == 3)", "`)` closes nothing");
  reading_refuse_guard("i == 3]", "`]` closes nothing");
  reading_refuse_guard("(i == 3", "expected an operator or `)`, found the end");
  reading_refuse_guard("v[1 == 3", "expected `]` after the index");
  reading_refuse_guard("i j", "expected an operator or the end, found `j`");
  reading_refuse_guard("3x == 1", "expected an operator or the end, found `x`");
  reading_refuse_guard("i == while", "found the reserved word `while`");
  reading_refuse_guard("i == \x01", "found byte 0x01");
  reading_refuse_guard("i + !j == 1", "expected a number or a name, found `!`");
}

static void test_names(void **unused) {
  (void)unused;
  reading_refuse_guard("xx < 3", "`xx` is not declared; did you mean");
  reading_refuse_guard("quite_unknown < 3", "`quite_unknown` is not declared");
  reading_refuse_guard("true", "`true` is not declared; write `1` for true");
  reading_refuse_guard("P == 3", "`P` is not declared as a variable: it is a process");
  reading_refuse_guard("a == 3", "`a` is not declared as a variable: it is an event");
  reading_refuse_guard("P.A", "only queries can ask for locations");
}

static void add_copies(char *text, const char *part, int count) {
  while (count--)
    strcat(text, part);
}

// Deep nesting of every kind is refused, whatever is in it.
static void test_nesting(void **unused) {
  (void)unused;
  static const char *const openings[] = {"(", "-", "!", "v[", "(if ", "- ("};
  for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
    for (int count = 198; count < 5000; count += 4800) {
      char *text = calloc(1, 65536);
      Reading r;
      strcpy(text, PREAMBLE "edge:P:A:B:a{provided: ");
      add_copies(text, openings[i], count);
      strcat(text, "i}\n");
      const bool refused = !reading_model(&r, text);
      if (count > 4000)
        assert_non_null(strstr(reading_error(&r), "nested more than 200 deep"));
      else
        assert_true(refused || *openings[i] == '-' || *openings[i] == '!');
      reading_release(&r);
      free(text);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence), cmocka_unit_test(test_negation),
      cmocka_unit_test(test_chains),     cmocka_unit_test(test_conditional),
      cmocka_unit_test(test_numbers),    cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_names),      cmocka_unit_test(test_nesting),
  };
  return cmocka_run_group_tests_name("tck_expr", tests, NULL, NULL);
}
