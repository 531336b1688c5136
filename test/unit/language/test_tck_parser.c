#include "reading.h"

#include "language/tchecker/tck_parser.h"

typedef struct Parsing {
  Mem mem;
  Arena arena;
  Report report;
  Source source;
  TckParser parser;
} Parsing;

static void start(Parsing *p, const char *text) {
  memset(p, 0, sizeof *p);
  p->arena.mem = &p->mem;
  report_init(&p->report, &p->mem);
  p->source = (Source){.name = "text", .text = text, .size = strlen(text)};
  p->parser = (TckParser){.arena = &p->arena, .report = &p->report};
  tck_start(&p->parser, &p->source, 0, (uint32_t)p->source.size, false);
}

static void end(Parsing *p) {
  arena_release(&p->arena);
  report_release(&p->report);
  assert_int_equal(p->mem.bytes, 0);
}

static void test_tokens(void **unused) {
  (void)unused;
  Parsing p;
  start(&p, "while ab ; 12");
  assert_true(tck_is_keyword(&p.parser, p.parser.token));
  assert_false(tck_accept(&p.parser, TOKEN_SEMICOLON));
  assert_false(tck_accept_word(&p.parser, "whil"));
  assert_true(tck_accept_word(&p.parser, "while"));
  assert_int_equal(p.parser.end, 5);
  assert_false(tck_is_keyword(&p.parser, p.parser.token));
  assert_string_equal(tck_token_text(&p.parser, p.parser.token), "ab");
  tck_advance(&p.parser);
  tck_expect(&p.parser, TOKEN_SEMICOLON, "something");
  tck_expect_end(&p.parser);
  assert_true(report_failed(&p.report));
  end(&p);
}

static void test_keywords_of_queries(void **unused) {
  (void)unused;
  Parsing p;
  start(&p, "imply while");
  assert_false(tck_is_keyword(&p.parser, p.parser.token));
  p.parser.query = true;
  assert_true(tck_is_keyword(&p.parser, p.parser.token));
  tck_advance(&p.parser);
  assert_false(tck_is_keyword(&p.parser, p.parser.token));
  end(&p);
}

// The first error stays, and after it there is nothing more to read.
static void test_first_error(void **unused) {
  (void)unused;
  Parsing p;
  start(&p, "a b c");
  tck_advance(&p.parser);
  tck_expect_word(&p.parser, "then", "the condition");
  assert_int_equal(p.parser.token.kind, TOKEN_END);
  tck_fail(&p.parser, 0, "another error");
  assert_string_equal(text_chars(&p.report.error),
                      "text:1:3: expected `then` after the condition, found `b`\n"
                      "  a b c\n    ^\n");
  tck_expect_end(&p.parser);
  end(&p);
}

static void test_nesting(void **unused) {
  (void)unused;
  Parsing p;
  start(&p, "a");
  for (int i = 0; i < TCK_MAX_NESTING; i++)
    assert_true(tck_enter(&p.parser));
  assert_false(tck_enter(&p.parser));
  assert_true(report_failed(&p.report));
  for (int i = 0; i < TCK_MAX_NESTING; i++)
    tck_leave(&p.parser);
  assert_int_equal(p.parser.nesting, 0);
  end(&p);
}

static void test_hint(void **unused) {
  (void)unused;
  Parsing p;
  start(&p, "");
  assert_string_equal(tck_hint(&p.parser, NULL), "");
  assert_string_equal(tck_hint(&p.parser, "xy"), "; did you mean `xy`?");
  end(&p);
}

// What other languages write is answered with what to write here.
static void test_foreign(void **unused) {
  (void)unused;
  reading_refuse_guard("i = 3", "`=` assigns; write `==`");
  reading_refuse_guard("i == 3 || j == 1", "write one edge for each case");
  reading_refuse_guard("i == 3 or j == 1", "write one edge for each case");
  reading_refuse_guard("i == 3 | j == 1", "write one edge for each case");
  reading_refuse_guard("i == 3 and j == 1", "write `&&`");
  reading_refuse_guard("i == 3 & j == 1", "write `&&`");
  reading_refuse_guard("i ? 1", "(if condition then term else term)");
  reading_refuse_guard("(i = 3)", "`=` assigns");
  reading_refuse_update("i = i++", "in full");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokens),      cmocka_unit_test(test_keywords_of_queries),
      cmocka_unit_test(test_first_error), cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_hint),        cmocka_unit_test(test_foreign),
  };
  return cmocka_run_group_tests_name("tck_parser", tests, NULL, NULL);
}
