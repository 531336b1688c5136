// Reports for continuous integration: counts, escapes, and errors without an answer.
#include "output/junit.h"

#include "output/excerpt.h"
#include "reading.h"

static void test_report(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem};
  Answer good = {.query = "E<> P.a && x < 3", .verdict = VERDICT_SATISFIED};
  Answer bad = {.query = "A[] \"q\"", .verdict = VERDICT_NOT_SATISFIED};
  Answer late = {.query = NULL, .verdict = VERDICT_UNDECIDED, .reason = "time limit"};
  good.stats.seconds = 1.5;
  late.stats.seconds = 2;
  Answer *items[] = {&good, &bad, &late};
  const Answers answers = {items, 3, 3};
  junit_write(&text, "a<b", &answers, "");
  assert_string_equal(
      text_chars(&text),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"a&lt;b\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\" "
      "time=\"3.500\">\n"
      "    <testcase classname=\"a&lt;b\" name=\"E&lt;&gt; P.a &amp;&amp; x &lt; 3\" "
      "time=\"1.500\"/>\n"
      "    <testcase classname=\"a&lt;b\" name=\"A[] &quot;q&quot;\" time=\"0.000\">\n"
      "      <failure message=\"not satisfied\">A[] &quot;q&quot;: not satisfied\n</failure>\n"
      "    </testcase>\n"
      "    <testcase classname=\"a&lt;b\" name=\"all states\" time=\"2.000\">\n"
      "      <error message=\"time limit\">undecided (time limit)\n</error>\n"
      "    </testcase>\n  </testsuite>\n</testsuites>\n");
  text_release(&text);
}

// What the model expects passes, whatever it is; anything else does not.
static void test_expected(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem};
  Answer items[] = {
      {.query = "a", .verdict = VERDICT_NOT_SATISFIED, .expectation = "F"},
      {.query = "b", .verdict = VERDICT_REFUSED, .reason = "why", .expectation = "E"},
      {.query = "c", .verdict = VERDICT_SATISFIED, .expectation = "F"},
      {.query = "d", .verdict = VERDICT_UNDECIDED, .reason = "late", .expectation = "F"},
      {.query = "e", .verdict = VERDICT_SATISFIED, .expectation = "10MB"}};
  Answer *places[] = {&items[0], &items[1], &items[2], &items[3], &items[4]};
  const Answers answers = {places, 5, 5};
  junit_write(&text, "m", &answers, "");
  const char *const report = text_chars(&text);
  assert_non_null(strstr(report, "tests=\"5\" failures=\"1\" errors=\"1\""));
  assert_non_null(strstr(report, "name=\"a\" time=\"0.000\"/>"));
  assert_non_null(strstr(report, "name=\"b\" time=\"0.000\"/>"));
  assert_non_null(strstr(report, "<failure message=\"satisfied, which is not expected\">c: "));
  assert_non_null(strstr(report, "<error message=\"late\">d: "));
  assert_non_null(strstr(report, "name=\"e\" time=\"0.000\"/>"));
  text_release(&text);
}

// The details of a case have the first and the last lines of a long run, its message the first.
static void test_long_run(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem}, reason = {.mem = &mem};
  text_add(&reason, "it overflows\nafter this run:\n");
  for (int i = 0; i < 500000; i++)
    text_addf(&reason, "%d <step>\n", i);
  Answer answer = {.query = "q", .verdict = VERDICT_REFUSED, .reason = text_chars(&reason)};
  Answer *items[] = {&answer};
  const Answers answers = {items, 1, 1};
  assert_true(junit_write(&text, "m", &answers, text_chars(&reason)));
  assert_true(text.size <= EXCERPT_MAX);
  const char *const report = text_chars(&text);
  assert_non_null(strstr(report, "<error message=\"it overflows\">q: refused"));
  assert_non_null(strstr(report, "<error message=\"it overflows\">it overflows\nafter"));
  assert_non_null(strstr(report, "0 &lt;step&gt;\n"));
  assert_non_null(strstr(report, "499999 &lt;step&gt;\n"));
  assert_null(strstr(report, "250000 &lt;step"));
  text_release(&text);
  text_release(&reason);
}

static void test_error(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem};
  const Answers none = {0};
  junit_write(&text, "model", &none, "m.tck:1:8: what\n  system:\xe9\n\001      ^\n");
  assert_non_null(strstr(text_chars(&text), "tests=\"1\" failures=\"0\" errors=\"1\""));
  assert_non_null(strstr(text_chars(&text), "<error message=\"m.tck:1:8: what\">m.tck:1:8"));
  assert_non_null(strstr(text_chars(&text), "  system:?\n       ^\n</error>"));
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_report), cmocka_unit_test(test_expected),
      cmocka_unit_test(test_error), cmocka_unit_test(test_long_run)};
  return cmocka_run_group_tests_name("junit", tests, NULL, NULL);
}
