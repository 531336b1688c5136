// Location vectors of local time: rows are the active clocks, each with its own place, and steps
// are found again.
#include "semantics/local/localvector.h"

#include "spaces.h"

#include "semantics/local/localfiring.h"

static void test_shapes(void **state) {
  (void)state;
  for (int seed = 1; seed <= 40; seed++) {
    Search s;
    search_random(&s, seed, NULL);
    if (spaces_explore(&s, true, 1)) {
      LocalVectors *vectors = &((Local *)s.space)->vectors;
      for (uint32_t i = 0; i < vectors->of->list.size; i++) {
        const LocalVector *vector = ((const LocVector *)pool_at(&vectors->of->list, i))->more;
        const OffsetShape *shape = vector->shape;
        const ActiveClocks *active = &vector->vector->active;
        assert_int_equal(vector->vector->number, i + 1);
        assert_int_equal(shape->clock_rows, active->k - 1);
        for (uint32_t r = 0; r < shape->row_count; r++)
          assert_int_equal(shape->place[shape->rows[r]], r);
        for (uint32_t c = 1; c < active->k; c++)
          assert_int_equal(shape->columns[active->clocks[c] - 1], -1);
        assert_ptr_equal(locvector_find(vectors->of, vector->vector->words)->more, vector);
      }
    }
    search_release(&s);
  }
}

SPACES_MAIN("localvector", cmocka_unit_test(test_shapes))
