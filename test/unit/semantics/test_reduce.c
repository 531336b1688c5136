// Searches that are reduced by symmetry: counts that are known, with and without pruning.
#include "semantics/zone/reduce.h"

#include "searching.h"

static const struct {
  const char *family, *size, *option;
  uint32_t stored; // at most
} models[] = {
    {"fischer", "6", NULL, 54},
    {"fischer", "8", NULL, 88},
    {"fischer", "5", "buggy=1", 120},
    {"lynch", "5", NULL, 65},
    {"csma", "5", NULL, 19},
    {"train-gate", "4", NULL, 26},
    {"parallel", "5", NULL, 21},
    {"philosophers", "5", NULL, 183},
    {"critical-region", "3", NULL, 433},
};

static void test_counts(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof models / sizeof *models; i++)
    for (int prunes = 0; prunes < 2; prunes++) {
      Search s;
      const char *const arguments[] = {models[i].size, models[i].option};
      search_generate(&s, models[i].family, models[i].option ? 2 : 1, arguments);
      Reading *r = &s.reading;
      Symmetry symmetry;
      symmetry_find(&symmetry, &r->arena, &r->net);
      assert_int_equal(symmetry.count, 1);
      Space *space = zones_new(&s.mem, &r->net, NULL, &s.options, &r->report);
      reduce_attach(space, &symmetry, prunes);
      Reach reach;
      reach_init(&reach, &s.mem, space, ORDER_BFS, &s.stats);
      assert_int_equal(reach_run(&reach), REACH_NONE);
      if (s.stats.stored > models[i].stored)
        fail_msg("%s %s: %u nodes", models[i].family, models[i].size, (unsigned)s.stats.stored);
      // Stored nodes are their own representatives.
      for (NodeRef ref = 0; ref < reach.store.nodes.size; ref++) {
        if (!store_node(&reach.store, ref)->is_stored)
          continue;
        const Node *node = store_node(&reach.store, ref);
        space->load(space, store_key(&reach.store, node->group), node->zone);
        ((Zones *)space)->rename((Zones *)space);
        assert_false(space->is_renamed);
      }
      reach_release(&reach);
      space_release(space);
      reading_release(r);
      text_release(&s.model);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
