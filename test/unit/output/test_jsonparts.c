// Parts of JSON, as the writers put them together.
#include "output/jsonparts.h"

#include "searching.h"

#include <jansson.h>

#define DOOR                                                                                     \
  "system:door\nevent:a\nevent:b\nint:1:0:3:2:n\nprocess:P\nprocess:Q\n"                         \
  "location:P:A{initial:}\nlocation:P:B{}\nlocation:Q:C{initial:}\n"                             \
  "edge:P:A:B:a{}\nedge:P:B:A:b{}\nedge:Q:C:C:b{}\n"

static void expect(Text *text, json_t *value, const char *expected) {
  text_clear(text);
  jsonparts_add(text, value, JSON_COMPACT);
  assert_string_equal(text_chars(text), expected);
}

static void test_net(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, DOOR);
  const Net *net = &s.reading.net;
  Text text = {.mem = &s.mem};
  const Edge *const edges[] = {&net->edges.items[2], &net->edges.items[1]};
  expect(&text, jsonparts_edge_numbers(net, edges, 2), "[2,1]");
  expect(&text, jsonparts_edges(net, edges + 1, 1),
         "[{\"process\":\"P\",\"source\":\"B\",\"target\":\"A\",\"event\":\"b\",\"index\":1}]");
  expect(&text, jsonparts_edges(net, edges, 0), "[]");
  const int32_t state[] = {2, 1, 0}; // n, P, Q
  expect(&text, jsonparts_integers(state, 3), "[2,1,0]");
  expect(&text, jsonparts_locations(net, state), "{\"P\":\"B\",\"Q\":\"C\"}");
  text_release(&text);
  search_release(&s);
}

static void test_text(void **unused) {
  (void)unused;
  Mem mem = {0};
  Text text = {.mem = &mem}, scratch = {.mem = &mem};
  text_add(&scratch, "a \"b\"");
  expect(&text, jsonparts_text(&scratch), "\"a \\\"b\\\"\"");
  assert_int_equal(scratch.size, 0);
  text_clear(&text);
  jsonparts_line(&text, json_pack("{s:f}", "x", 0.1), JSON_REAL_PRECISION(6));
  assert_string_equal(text_chars(&text), "{\"x\": 0.1}\n");
  text_release(&text);
  text_release(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_net), cmocka_unit_test(test_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
