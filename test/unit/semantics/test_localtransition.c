// Steps of local time: participants are in the domain, what is written is not read besides, and
// equal actions have equal numbers.
#include "semantics/local/localtransition.h"

#include "spaces.h"

#include "semantics/local/localfiring.h"

static void check(LocalVectors *vectors, LocalVector *vector, uint32_t ordinal) {
  const Transition *t =
      vectors->of->transitions.items[vector->vector->outgoing[ordinal].transition];
  int32_t state[64];
  assert_true(vectors->of->layout->slots <= 64);
  state_unpack(vectors->of->layout, state, vector->vector->words);
  assert_true(joint_seek(&vectors->of->joint, state, ordinal));
  const LocalUse use = localtransition_use(
      vectors, state, vector->vector->outgoing[ordinal].transition, vectors->of->joint.sync);
  for (uint32_t e = 0; e < t->edge_count; e++) {
    bool is_there = false;
    for (uint32_t i = 0; i < use.domain_count; i++)
      is_there |= use.domain[i] == t->edges[e]->process;
    assert_true(is_there);
  }
  for (uint32_t i = 0; i < use.reads.size; i++)
    assert_false(resources_has(use.writes, use.reads.items[i]));
  if (!vector->steps || !vector->steps[ordinal])
    return;
  const LocalTransition *step = localvector_step(vectors, vector->steps[ordinal]);
  if (!step->has_action || step->is_impossible)
    return;
  for (uint32_t i = 1; i <= vectors->numbers[LOCAL_STEPS].items.size; i++) {
    const LocalTransition *other = localvector_step(vectors, i);
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
      LocalVectors *vectors = &((Local *)s.space)->vectors;
      for (uint32_t i = 0; i < vectors->of->list.size; i++) {
        const LocVector *vector = pool_at(&vectors->of->list, i);
        for (uint32_t m = 0; m < vector->outgoing_count; m++)
          check(vectors, vector->more, m);
      }
    }
    search_release(&s);
  }
}

SPACES_MAIN("localtransition", cmocka_unit_test(test_uses))
