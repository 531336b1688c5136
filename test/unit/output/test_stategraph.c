// The explored graph: as many nodes as are stored, an edge for each transition between them, one
// tree edge into each node but the initial ones.
#include "output/stategraph.h"

#include "searching.h"

#include <jansson.h>

static void test_json(void **unused) {
  (void)unused;
  for (int order = ORDER_BFS; order <= ORDER_DFS; order++) {
    Search s;
    const char *const arguments[] = {"3"};
    search_generate(&s, "fischer", 1, arguments);
    s.options.order = order;
    assert_true(search_run(&s) && s.result == REACH_NONE);
    Text text = {.mem = &s.mem};
    assert_int_equal(stategraph_write(&text, &s.reading.net, &s.reach, s.result, true).nodes, 0);
    json_t *root = json_loads(text.chars, 0, NULL), *edge;
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "nodes")), s.stats.stored);
    size_t i, tree = 0;
    json_array_foreach(json_object_get(root, "edges"), i, edge) {
      tree += json_is_false(json_object_get(edge, "covered"));
    }
    assert_true(i >= s.stats.stored && tree < s.stats.stored);
    json_decref(root);
    text_release(&text);
    search_release(&s);
  }
}

// In DOT a node shows what changed; long lines are broken.
static void test_changes(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"8"};
  search_generate(&s, "fischer", 1, arguments);
  search_ask(&s, "E<> P1.cs");
  assert_true(search_run(&s) && s.result == REACH_GOAL);
  Text text = {.mem = &s.mem};
  stategraph_write(&text, &s.reading.net, &s.reach, s.result, false);
  assert_non_null(
      strstr(text.chars, "n0 [label=\"P1.A,P2.A,P3.A,P4.A,P5.A,P6.A,P7.A,P8.A,\\nid=0"));
  assert_non_null(strstr(text.chars, "[label=\"P1.req\\n"));
  text_release(&text);
  search_release(&s);
}

static void test_limit(void **unused) {
  (void)unused;
  Search s;
  const char *const arguments[] = {"6"};
  search_generate(&s, "fischer", 1, arguments);
  assert_true(search_run(&s) && s.result == REACH_NONE);
  assert_true(s.stats.stored > STATEGRAPH_MAX);
  Text text = {.mem = &s.mem};
  assert_int_equal(stategraph_write(&text, &s.reading.net, &s.reach, s.result, false).nodes,
                   s.stats.stored - STATEGRAPH_MAX);
  assert_non_null(strstr(text.chars, "nodes more are not shown"));
  text_release(&text);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
