// Scenes: one for each location vector, as the net has it, also after the cache was emptied.
#include "engine/scene.h"

#include "base/random.h"
#include "points.h"

static void assert_moves(Scenes *scenes, Scene *scene, Joint *joint, const int32_t *state) {
  scene_find_moves(scenes, scene, state);
  uint32_t count = 0;
  for (joint_begin(joint, state); joint_next(joint); count++) {
    assert_true(count < scene->move_count);
    const Move *move = &scene->moves[count];
    assert_int_equal(joint->ordinal, count);
    assert_int_equal(move->edge_count, joint->edge_count);
    assert_memory_equal(move->edges, joint->edges, joint->edge_count * sizeof *joint->edges);
    uint32_t clock_tests = 0, tests = 0;
    bool needs_guard = false, needs_update = false;
    for (uint32_t i = 0; i < joint->edge_count; i++) {
      clock_tests += joint->edges[i]->guard.clock_test_count;
      tests += joint->edges[i]->guard.test_count;
      needs_guard |= joint->edges[i]->guard.code != NULL;
      needs_update |= joint->edges[i]->update.code != NULL;
    }
    assert_int_equal(move->guard_count, clock_tests);
    assert_int_equal(move->test_count, tests);
    assert_int_equal(move->needs_guard, needs_guard);
    assert_true(move->needs_update || !needs_update);
  }
  assert_int_equal(scene->move_count, count);
}

static void assert_scene(Scenes *scenes, Scene *scene, const int32_t *state) {
  const Net *net = scenes->net;
  assert_memory_equal(scene->locations, state + net->location_slot,
                      net->processes.size * sizeof *state);
  assert_int_equal(scene->can_delay, state_can_delay(net, state));
  int32_t lower[POINT_CLOCKS], upper[POINT_CLOCKS];
  clockbounds_of_state(scenes->bounds, net, state, lower, upper);
  uint32_t invariants = 0, k = 1;
  for (ProcessId p = 0; p < net->processes.size; p++)
    invariants += net_location(net, p, state[net->location_slot + p])->invariant.clock_test_count;
  assert_int_equal(scene->invariant_count, invariants);
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    if (lower[x] != CLOCK_UNBOUNDED || upper[x] != CLOCK_UNBOUNDED) {
      assert_int_equal(scene->frame->clocks[k], x);
      assert_int_equal(scene->frame->lower[k], lower[x]);
      assert_int_equal(scene->frame->upper[k], upper[x]);
      k++;
    }
  assert_int_equal(scene->frame->k, k);
}

static void random_state(const Net *net, Random *random, int32_t *state) {
  for (uint32_t i = 0; i < net->slot_count; i++)
    state[i] = random_between(random, net->slot_min[i], net->slot_max[i]);
}

static void test_random_states(void **state) {
  (void)state;
  const char *const arguments[] = {"clocks=4", "processes=3", "locations=4", NULL};
  Random random;
  random_seed(&random, 1);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    char *text = points_random_text(seed, arguments);
    Reading r;
    reading_accept(&r, text);
    ClockBounds bounds;
    assert_true(clockbounds_compute(&bounds, &r.arena, &r.net, NULL, &r.report));
    Joint joint;
    joint_init(&joint, &r.net, &r.arena);
    Scenes scenes;
    scene_init(&scenes, &r.mem, &r.net, &bounds, false, false);
    for (int k = 0; k < 100; k++) {
      int32_t now[POINT_SLOTS];
      random_state(&r.net, &random, now);
      Scene *scene = scene_find(&scenes, now, scene_hash(&scenes, now));
      assert_scene(&scenes, scene, now);
      assert_moves(&scenes, scene, &joint, now);
      for (uint32_t i = 0; i < r.net.location_slot; i++) // variables play no part
        now[i] = r.net.slot_min[i];
      assert_ptr_equal(scene_find(&scenes, now, scene_hash(&scenes, now)), scene);
      scene_keep_small(&scenes);
    }
    scene_release(&scenes);
    reading_release(&r);
    free(text);
  }
}

// One process with many locations and clocks: the cache is emptied now and then, and no
// scene is the worse for it.
static void test_cache(void **state) {
  (void)state;
  const char *const arguments[] = {"processes=4", "locations=12", "clocks=7", "edges=60",
                                   "syncs=30",    "ints=0",       NULL};
  char *text = points_random_text(3, arguments);
  Reading r;
  reading_accept(&r, text);
  ClockBounds bounds;
  assert_true(clockbounds_compute(&bounds, &r.arena, &r.net, NULL, &r.report));
  Joint joint;
  joint_init(&joint, &r.net, &r.arena);
  Scenes scenes;
  scene_init(&scenes, &r.mem, &r.net, &bounds, false, false);
  Random random;
  random_seed(&random, 2);
  int emptied = 0;
  for (int k = 0; k < 20000; k++) {
    int32_t now[POINT_SLOTS];
    random_state(&r.net, &random, now);
    const size_t before = scenes.scenes_bytes;
    scene_keep_small(&scenes);
    emptied += scenes.scenes_bytes < before;
    Scene *scene = scene_find(&scenes, now, scene_hash(&scenes, now));
    scene_find_moves(&scenes, scene, now);
    if (k % 100 == 0) {
      assert_scene(&scenes, scene, now);
      assert_moves(&scenes, scene, &joint, now);
    }
  }
  assert_true(emptied > 0);
  assert_true(r.mem.peak < 64 << 20);
  scene_release(&scenes);
  reading_release(&r);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_states),
      cmocka_unit_test(test_cache),
  };
  return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
