#include "discrete/closed.h"

#include "reading.h"

#define MODEL "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"

// What is said about the model, with a query or NULL; "" if it is accepted.
static void assert_says(const char *model, const char *query, const Options *options,
                        const char *message) {
  Reading r;
  Goal goal;
  const Source source = {.name = "query", .text = query, .size = query ? strlen(query) : 0};
  reading_accept(&r, model);
  if (query) {
    Query parsed;
    assert_true(query_read(&parsed, &r.arena, &r.net, &source, &r.report));
    assert_true(query_goal(&goal, &r.arena, &r.net, &parsed, &r.report));
  }
  const bool accepted = closed_accepts(&r.net, query ? &goal : NULL, options, "darts", &r.report);
  assert_int_equal(accepted, !*message);
  if (strncmp(reading_error(&r), message, strlen(message)))
    fail_msg("says: %s\nexpected: %s", text_chars(&r.text), message);
  reading_release(&r);
}

static void test_refusals(void **state) {
  (void)state;
  Options options;
  options_init(&options);
  const char *closed = MODEL "edge:P:A:B:a{provided: x>=2 && x==3}\n";
  assert_says(closed, NULL, &options, "");
  assert_says(closed, "E<> P.B && x<=7", &options, "");
  assert_says(closed, "A[] !P.B || x>=7", &options, "query:1:13: engine darts counts time");
  assert_says(closed, "A[] x<=5", &options, "query:1:5: engine darts counts time");
  assert_says(MODEL "edge:P:A:B:a{provided: x<2}\n", NULL, &options,
              "model:7:24: engine darts counts time in whole units and cannot take a strict");
  options.order = ORDER_RANK;
  assert_says(closed, NULL, &options, "orders rank, wait and tw are for zones");
  options.order = ORDER_DFS;
  options.abstraction_chosen = true;
  assert_says(closed, NULL, &options, "--abstraction is for zones");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests_name("closed", tests, NULL, NULL);
}
