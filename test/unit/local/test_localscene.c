// Scenes of local time: rows are the clocks of the frame, each with its own place, and steps are
// found again.
#include "local/localscene.h"

#include "spaces.h"

#include "local/localfiring.h"

static void test_shapes(void **state) {
  (void)state;
  for (int seed = 1; seed <= 40; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, true, 1)) {
      LocalScenes *scenes = &((Local *)s.space)->scenes;
      assert_int_equal(scenes->list.size, scenes->scenes->list.size);
      for (uint32_t i = 0; i < scenes->list.size; i++) {
        const LocalScene *scene = scenes->list.items[i];
        const OffsetShape *shape = scene->shape;
        const Frame *frame = &scene->scene->frame;
        assert_int_equal(scene->scene->number, i + 1);
        assert_int_equal(shape->clock_rows, frame->k - 1);
        for (uint32_t r = 0; r < shape->row_count; r++)
          assert_int_equal(shape->place[shape->rows[r]], r);
        for (uint32_t c = 1; c < frame->k; c++)
          assert_int_equal(shape->columns[frame->clocks[c] - 1], -1);
        assert_ptr_equal(localscene_find(scenes, scene->scene->words), scene);
      }
    }
    search_release(&s);
  }
}

SPACES_MAIN("localscene", cmocka_unit_test(test_shapes))
