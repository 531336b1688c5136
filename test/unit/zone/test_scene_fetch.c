// Prefetching of scenes changes nothing: the same ones are found after it.
#include "zone/scene_fetch.h"

#include "spaces.h"

static void test_nothing_changes(void **state) {
  (void)state;
  const char *arguments[] = {"n=4"};
  Search s;
  search_generate(&s, "fischer", 1, arguments);
  assert_true(spaces_explore(&s, false, 1));
  Scenes *scenes = &((Zones *)s.space)->scenes;
  const uint32_t count = scenes->list.size;
  for (uint32_t g = 0; g < s.reach.store.groups.size; g++) {
    const uint64_t *key = store_key(&s.reach.store, g);
    SceneAhead ahead = {0};
    scene_fetch_expect(scenes, &ahead, 0, key);
    assert_int_equal(ahead.count, 1);
    for (FetchStage stage = FETCH_SLOT; stage <= FETCH_OPENING; stage++) {
      scene_fetch_key(scenes, key, stage);
      scene_fetch_ahead(scenes, &ahead, scene_find(scenes, key), stage);
    }
    assert_ptr_equal(ahead.items[0].scene, scene_find(scenes, key));
  }
  assert_int_equal(scenes->list.size, count);
  search_release(&s);
}

SPACES_MAIN("scene_fetch", cmocka_unit_test(test_nothing_changes))
