#include "language/uppaal/query_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// The queries of a text, one after the other with `;` behind each, and `=E` if E is expected.
static void check_split(const char *text, bool is_uppaal, const char *wanted) {
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const Source source = {.name = "file.q", .text = text, .size = strlen(text)};
  Text found = {.mem = &mem};
  for (const QueryNode *q = query_file_split(&arena, &source, is_uppaal); q; q = q->next) {
    text_add_bytes(&found, text + q->begin, q->end - q->begin);
    text_addf(&found, "%s%s;", q->expect ? "=" : "", q->expect ? q->expect : "");
  }
  assert_string_equal(text_chars(&found), wanted);
  text_release(&found);
  arena_release(&arena);
}

static void test_split(void **state) {
  (void)state;
  check_split("", true, "");
  check_split("// first\n\nE<> p // here\n  # no\nA[] i < 9 # there\r\n\t\nE<> q", false,
              "E<> p;A[] i < 9;E<> q;");
  check_split("A[] a#1 < 9\n# no\n", true, "A[] a#1 < 9;"); // a name
  check_split("\xEF\xBB\xBF"
              "E<> p\r\n",
              false, "E<> p;");
  check_split("/* E<>\n p */ A[] /* x */ i /* y */ < 9 /* z\n*/ // w\nE<> one /*", false,
              "A[] /* x */ i /* y */ < 9;E<> one /*;");
  check_split("E<> a \\\n  && b\n", true, "E<> a \\\n  && b;");
  check_split("E<> a \\\n  && b\n", false, "E<> a \\;&& b;");
  check_split("E<> p \\\n", true, "E<> p;");
}

static void test_expectations(void **state) {
  (void)state;
  check_split("// EXPECT:F,10MB\nE<> p\nE<> q\n", true, "E<> p=F,10MB;E<> q;");
  check_split("//EXPECT: F\nE<> p\n/* x\n EXPECT:\tT */\nE<> q\n", true, "E<> p=F;E<> q=T;");
  check_split("E<> p // EXPECT: F\nE<> q /* EXPECT:T */\nE<> r # EXPECT: E", false,
              "E<> p=F;E<> q=T;E<> r=E;");
  check_split("// EXPECT: \nE<> p", true, "E<> p;");
}

static void test_positions(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  const char *text = "// one\nE<> a \\\n  && b\n\n/* x\n */\nA[] c\n";
  const Source source = {.name = "file.q", .text = text, .size = strlen(text)};
  const QueryNode *q = query_file_split(&arena, &source, true);
  assert_string_equal(q->position, "file.q:2");
  assert_string_equal(q->next->position, "file.q:7");
  assert_null(q->next->next);
  arena_release(&arena);
}

static void test_query(void **state) {
  (void)state;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  Text text = {.mem = &mem};
  static const char query[] = " A[] /* p: accepted\n */ x < 3 // EXPECT: F\n";
  assert_string_equal(query_file_expectation(&arena, query, sizeof query - 1), "F");
  assert_null(query_file_expectation(&arena, "A[] EXPECT: F", 13));
  query_file_bare(&text, query);
  assert_string_equal(text_chars(&text), "A[]   x < 3");
  text_release(&text);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_split),
      cmocka_unit_test(test_expectations),
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_query),
  };
  return cmocka_run_group_tests_name("query_file", tests, NULL, NULL);
}
