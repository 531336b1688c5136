// Steps of local time: participants are in the domain, what is written is not read besides, and
// equal actions have equal numbers.
#include "local/localstep.h"

#include "spaces.h"

#include "local/localfiring.h"

static void check(LocalScenes *scenes, LocalScene *scene, uint32_t ordinal) {
  const Transition *t =
      scenes->scenes->transitions.items[scene->scene->moves[ordinal].transition];
  const LocalUse use = localstep_use(scenes, scene, ordinal);
  for (uint32_t e = 0; e < t->edge_count; e++) {
    bool is_there = false;
    for (uint32_t i = 0; i < use.domain_count; i++)
      is_there |= use.domain[i] == t->edges[e]->process;
    assert_true(is_there);
  }
  for (uint32_t i = 0; i < use.reads.size; i++)
    assert_false(components_has(use.writes, use.reads.items[i]));
  if (!scene->steps || !scene->steps[ordinal])
    return;
  const LocalStep *step = scenes->steps.items[scene->steps[ordinal] - 1];
  if (!step->has_action || step->is_impossible)
    return;
  for (uint32_t i = 0; i < scenes->steps.size; i++) {
    const LocalStep *other = scenes->steps.items[i];
    if (other->has_action && !other->is_impossible && other->number == step->number)
      assert_int_equal(other->action.in_count, step->action.in_count);
  }
}

static void test_uses(void **state) {
  (void)state;
  for (int seed = 1; seed <= 40; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, true, 1)) {
      LocalScenes *scenes = &((Local *)s.space)->scenes;
      for (uint32_t i = 0; i < scenes->list.size; i++)
        for (uint32_t m = 0; m < scenes->list.items[i]->scene->move_count; m++)
          check(scenes, scenes->list.items[i], m);
    }
    search_release(&s);
  }
}

SPACES_MAIN("localstep", cmocka_unit_test(test_uses))
