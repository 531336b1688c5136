// Queries of UPPAAL's language: kinds, files of them, and what is refused with a reason.
#include "reading.h"

static const char model[] = "int n; clock x; int f(int i) { return i + 1; }\n"
                            "process P(const int[1,2] id) { int v; state A, B; init A;\n"
                            "trans A -> B { assign n = id; }; }\nsystem P;";

static bool ask(Reading *r, Query *query, const char *text) {
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  report_clear(&r->report);
  return uppaal_query(query, &r->arena, &r->net, &source, &r->report);
}

static void test_kinds(void **state) {
  (void)state;
  static const char *const good[] = {
      "E<> P(1).B",        "A[] forall (i : int[1,2]) P(i).A imply P(i).v == 0",
      "A<> n == f(1)",     "E[] x <= 3 or n > 0",
      "P(1).A --> P(2).B", "A[] not deadlock",
      "sup{P(1).B}: x, n", "inf: n",
      "bounds{n > 0}: n",  "E<> (sum (i : int[1,2]) P(i).v) == 0"};
  Reading r;
  reading_accept_uppaal(&r, model);
  for (uint32_t k = 0; k < sizeof good / sizeof *good; k++) {
    Query query;
    if (!ask(&r, &query, good[k]))
      fail_msg("%s: %s", good[k], text_chars(&r.report.error));
  }
  reading_release(&r);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } cases[] = {{"E<> P(3).B", "P"},
               {"E<> nobody", "nobody"},
               {"Pr[<=10](<> n == 1)", "statistic"},
               {"E<>", "query:1"},
               {"A[] P(1)", "query:1"},
               {"simulate [<=10] {n}", "simulations"},
               {"A[] n == 1 => n > 0", "imply"}};
  Reading r;
  reading_accept_uppaal(&r, model);
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Query query;
    assert_false(ask(&r, &query, cases[k].text));
    if (!strstr(text_chars(&r.report.error), cases[k].why))
      fail_msg("%s: %s", cases[k].text, text_chars(&r.report.error));
  }
  reading_release(&r);
}

// Comments, blank lines, lines that go on, expectations.
static void test_file(void **state) {
  (void)state;
  const char *text =
      "// first\n/* EXPECT: F */\nA[] n == 0\n\n//NO_QUERY\nE<> n == 1 and \\\nP(1).B\n";
  const Source source = {.name = "file.q", .text = text, .size = strlen(text)};
  Reading r;
  reading_accept_uppaal(&r, model);
  uint32_t count = 0;
  for (const QueryNode *q = uppaal_query_file(&r.arena, &source); q; q = q->next, count++)
    assert_true(q->end > q->begin);
  assert_int_equal(count, 2);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
