// Premises of queries: what has to be reached so that a query says something.
#include "answers/queries/premise.h"

#include "reading.h"

static void check(const char *text, const char *wanted) {
  Reading r;
  reading_accept(&r, PREAMBLE);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  query.text = text;
  const Premises premises = premises_of(&r.arena, &query);
  if (premises.is_constant)
    text_add(&r.text, "constant");
  for (uint32_t i = 0; i < premises.count; i++) {
    text_add(&r.text, i ? "; " : "");
    expr_print(&r.text, premises.items[i]);
  }
  assert_string_equal(text_chars(&r.text), wanted);
  reading_release(&r);
}

static void test_premises(void **unused) {
  (void)unused;
  check("A[] P.B imply i==1", "P.B");
  check("A[] (P.B imply i==1) && (i==2 imply P.A)", "P.B; i == 2");
  check("A[] !P.B || i==1", "P.B");
  check("P.B --> i==1", "P.B");
  check("A[] i==1", "");
  check("A[] P.A || P.B", "");
  check("E<> P.B imply i==1", "");
  check("A[] 1<2", "constant");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_premises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
