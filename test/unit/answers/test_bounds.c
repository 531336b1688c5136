// Extreme values on a model small enough to know them; random ones are in
// test/fuzz/agree_queries.c. Also tests answers/queries/extremes.h.
#include "answers/queries/bounds.h"

#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:5:1:i\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x < 2}\n"
    "location:P:C{}\n"
    "edge:P:A:B:a{provided: x >= 1 && i < 4 : do: x = 0; i = i + 1}\n"
    "edge:P:B:A:a{do: x = 0}\nedge:P:A:C:a{provided: i == 4 : do: x = 0}\n";

static void check(const char *text, const char *expected) {
  Reading r;
  Query query;
  Statistics stats = {0};
  Options options;
  Net timed;
  ValueBounds bounds;
  reading_accept(&r, model);
  options_init(&options);
  net_measure(&timed, &r.net, &r.arena);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  BoundsSearch search = {.mem = &r.mem,
                         .net = &r.net,
                         .timed = &timed,
                         .query = &query,
                         .options = &options,
                         .stats = &stats};
  assert_true(bounds_find(&search, 0, &bounds, &r.report));
  bounds_print(&r.text, query.kind, &bounds);
  assert_string_equal(text_chars(&r.text), expected);
  reading_release(&r);
}

static void test_values(void **unused) {
  (void)unused;
  check("sup: i", "i <= 4");
  check("bounds{P.B}: i * 2", "i * 2 >= 4, i * 2 <= 8");
  check("sup{P.A}: x", "x <= 2");
  check("sup{P.B}: x", "x < 2");
  check("inf{P.B}: y", "y >= 1");
  check("inf{P.B and i == 4}: y", "y >= 3");
  check("sup{not P.C}: y", "y < 14"); // three rounds of at most 4, and a half one
  check("inf{P.C and y > 8}: x", "x >= 0");
  check("inf{x >= 2 and y >= 3}: x", "x >= 2"); // beyond the constants of the model
  check("inf{y > 9}: y", "y > 9");
  check("sup: y", "y grows without end");
  check("sup{P.C}: x", "x grows without end");
  check("inf{P.C and i == 2}: x", "no state satisfies the condition");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
