// What all of the parser uses: looking ahead, one error for each construct, going on after it.
#include "parsing.h"

static void test_walk(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "int a ;", false);
  assert_true(parser_at_word(&p.parser, WORD_int));
  assert_int_equal(parser_ahead(&p.parser, 2)->kind, ';');
  assert_int_equal(parser_ahead(&p.parser, 9)->kind, UT_END);
  assert_true(parser_accept_word(&p.parser, WORD_int));
  assert_false(parser_accept(&p.parser, ';'));
  assert_true(parser_at_name(&p.parser));
  assert_string_equal(parser_name(&p.parser, "a name"), "a");
  parser_expect(&p.parser, ';', "`;`");
  parser_expect_end(&p.parser);
  assert_int_equal(p.parser.failures, 0);
  parsing_end(&p);
}

// After an error the text seems to end, and nothing else is reported until somebody recovers.
static void test_recovery(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "a b { c ; } ; d", false);
  parser_next(&p.parser);
  parser_expect(&p.parser, ';', "`;`");
  assert_true(p.parser.panic);
  parser_expect(&p.parser, ';', "`;`");
  assert_int_equal(p.parser.failures, 1);
  assert_true(parser_at(&p.parser, UT_END));
  parser_recover(&p.parser, 0);
  assert_false(p.parser.panic);
  assert_false(parser_at(&p.parser, UT_END));
  parsing_end(&p);
}

static void test_skip_block(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "a { b { c } d } e { f", false);
  parser_skip_block(&p.parser);
  assert_string_equal(parser_name(&p.parser, "a name"), "e");
  parser_skip_block(&p.parser);
  assert_true(parser_at(&p.parser, UT_END));
  assert_int_equal(p.parser.failures, 0);
  parsing_end(&p);
}

static void test_depth(void **state) {
  (void)state;
  Parsing p;
  parsing_begin(&p, "a", false);
  for (int i = 0; i < PARSER_MAX_DEPTH; i++)
    assert_true(parser_enter(&p.parser));
  assert_false(parser_enter(&p.parser));
  assert_int_equal(p.parser.failures, 1);
  parsing_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_recovery),
                                     cmocka_unit_test(test_skip_block),
                                     cmocka_unit_test(test_depth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
