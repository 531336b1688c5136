// Spaces that compare states without meta variables: nodes keep the values with which they were
// found first.
#include "search/space/masked.h"

#include "searching.h"

#include "model/state.h"
#include "semantics/discrete/points.h"

// m counts the rounds through A and B; it decides whether C can be entered.
static const char rounds[] =
    "meta int[0,9] m; clock x; process P() { state A { x <= 2 }, B, C; init A;\n"
    "trans A -> B { guard x >= 1; assign m = m < 9 ? m + 1 : m; }, B -> A { assign x = 0; },\n"
    "A -> C { guard m >= 3; }; } system P;";

static void begin(Search *s, bool is_masked) {
  *s = (Search){0};
  reading_begin(&s->reading, rounds);
  assert_true(uppaal_read(&s->reading.net, &s->reading.source, &s->reading.report));
  options_init(&s->options);
  s->space = zones_new(&s->mem, &s->reading.net, NULL, &s->options, &s->reading.report);
  assert_non_null(s->space);
  if (is_masked)
    s->space = masked_new(&s->reading.net, s->space);
  reach_init(&s->reach, &s->mem, s->space, ORDER_BFS, &s->stats);
  s->result = reach_run(&s->reach);
  assert_int_equal(s->result, REACH_NONE);
}

static void end(Search *s) {
  reach_release(&s->reach);
  space_release(s->space);
  reading_release(&s->reading);
  mem_release(&s->mem);
}

static void test_search(void **state) {
  (void)state;
  Search s;
  begin(&s, false);
  assert_ptr_equal(masked_inner(s.space), s.space);
  assert_int_equal(s.reach.store.groups.size, 10 + 9 + 7); // A, B and C with each m
  end(&s);
  begin(&s, true);
  assert_int_equal(s.reach.store.groups.size, 2); // A with 0 covers what comes later
  // The node of B has the value with which it was found.
  for (NodeRef ref = 0; ref < s.reach.store.nodes.size; ref++) {
    const Node *node = store_node(&s.reach.store, ref);
    s.space->load(s.space, store_key(&s.reach.store, node->group), node->zone);
    const int32_t *found = zones_state(masked_inner(s.space));
    assert_int_equal(found[0], found[1]); // m, then the location: 0 in A, 1 in B
    assert_int_equal(s.space->zone, 0);
  }
  end(&s);
}

// Spaces that keep their nodes themselves are left as they are.
static void test_points(void **state) {
  (void)state;
  Search s;
  begin(&s, true);
  Space *points = points_new(&s.mem, &s.reading.net, NULL, &s.options, &s.reading.report);
  assert_ptr_equal(masked_new(&s.reading.net, points), points);
  space_release(points);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_search),
      cmocka_unit_test(test_points),
  };
  return cmocka_run_group_tests_name("masked", tests, NULL, NULL);
}
