// The nodes of a finished search, by one worker or several: every stored one has a key and a
// zone, is covered by a stored node of its own key, and leads back to an initial one.
#include "search/passed/nodes.h"

#include "spaces.h"

static void check(uint32_t workers) {
  const char *arguments[] = {"n=3"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, workers));
  uint64_t stored = 0;
  for (NodeRef ref = 0; ref < nodes_limit(&s.reach); ref++) {
    const Node *node = nodes_at(&s.reach, ref);
    if (!node || !node->is_stored)
      continue;
    stored++;
    const uint32_t group = nodes_group(&s.reach, ref);
    assert_true(group < nodes_limit(&s.reach));
    assert_non_null(nodes_key(&s.reach, group));
    uint32_t steps = 0;
    for (const Node *at = node; at->parent != NODE_NONE; steps++) {
      at = nodes_at(&s.reach, at->parent);
      assert_non_null(at);
      assert_true(steps < nodes_limit(&s.reach));
    }
    if (ref % workers) // zones of others are not in the first space's reach
      continue;
    s.space->load(s.space, nodes_key(&s.reach, group), node->zone);
    const NodeRef subsumer = nodes_subsumer(&s.reach);
    assert_int_not_equal(subsumer, NODE_NONE);
    assert_int_equal(nodes_group(&s.reach, subsumer), group);
  }
  assert_int_equal(stored, s.stats.stored);
  search_release(&s);
}

static void test_nodes(void **state) {
  (void)state;
  check(1);
  check(3);
}

SPACES_MAIN("nodes", cmocka_unit_test(test_nodes))
