#include "semantics/discrete/darts.h"

#include "semantics/discrete/tickspace.h"
#include "whole_time.h"

// Figure 4 of JLS12: waiting and passed distances of each dart after each iteration. -1 stands
// for a dart that is not there yet, INF for an infinite distance.
enum { ROWS = 6, COLUMNS = 8, INF = DARTS_INFINITE };

typedef struct Row {
  int32_t location, x, y;
  struct {
    int32_t waiting, passed;
  } after[COLUMNS];
} Row;

#define NOT                                                                                      \
  { -1, -1 }
static const Row figure[ROWS] = {
    {0, 0, 0, {{0, INF}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {1, 0, 0, {NOT, {2, INF}, {2, 2}, {2, 2}, {2, 2}, {1, 2}, {1, 1}, {1, 1}}},
    {1, 0, 1, {NOT, NOT, NOT, NOT, NOT, NOT, {0, INF}, {0, 0}}},
    {1, 0, 2, {NOT, NOT, {0, INF}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {1, 0, 3, {NOT, NOT, {0, INF}, {0, INF}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {2, 0, 0, {NOT, NOT, {0, INF}, {0, INF}, {0, INF}, {0, 0}, {0, 0}, {0, 0}}},
};

static void assert_column(Space *space, int column) {
  uint32_t count = 0;
  for (int i = 0; i < ROWS; i++) {
    const Row *row = &figure[i];
    int32_t waiting = -1, passed = -1;
    for (uint32_t ref = 0; ref < space->passed->stats->stored; ref++) {
      const int32_t *dart = tickspace_at(space, ref), *values = dart + 1; // behind the location
      if (dart[0] == row->location && values[1] == row->x && values[2] == row->y) {
        darts_distances(space, ref, &waiting, &passed);
        count++;
      }
    }
    assert_int_equal(waiting, row->after[column].waiting);
    assert_int_equal(passed, row->after[column].passed);
  }
  assert_int_equal(count, space->passed->stats->stored); // and no others
}

static void test_figure_4(void **state) {
  (void)state;
  Reading r;
  Mem mem = {0};
  discrete_read(&r, "darts-example", NULL, NULL);
  const Options options = discrete_options(BOUNDS_GLOBAL, 0);
  Space *space = darts_new(&mem, &r.net, NULL, &options, &r.report);
  uint32_t queue[64], first = 0, last = 0;
  Passed *passed = space->passed;
  Statistics stats = {0};
  passed->stats = &stats;
  assert_true(space->initial(space));
  queue[last++] = passed->add(passed, NODE_NONE);
  assert_false(space->initial(space));
  assert_column(space, 0);
  int iteration = 0;
  while (first < last) {
    assert_true(passed->open(passed, queue[first++]));
    while (space->next(space)) {
      const uint32_t ref = passed->add(passed, NODE_NONE);
      if (ref != NODE_NONE)
        queue[last++] = ref;
    }
    assert_column(space, ++iteration);
  }
  assert_int_equal(iteration, 7);
  assert_int_equal(space->discovered, 16);
  space_release(space);
  assert_int_equal(mem.bytes, 0);
  reading_release(&r);
}

// Algorithm 2 to the letter, and the rules of doc/notes/darts.md.
static void test_counts(void **state) {
  (void)state;
  discrete_counts(darts_new, "vikings", "2", BOUNDS_GLOBAL, 170, 71);
  discrete_counts(darts_new, "vikings", "3", BOUNDS_GLOBAL, 2102, 619);
  discrete_counts(darts_new, "vikings", "3", BOUNDS_LOCAL, 115, 68);
  discrete_counts(darts_new, "vikings", "6", BOUNDS_LOCAL, 3061, 1362);
  discrete_counts(darts_new, "lcm", "6", BOUNDS_LOCAL, 16649, 3797);
}

static void test_global(void **state) {
  (void)state;
  discrete_compare(darts_new, BOUNDS_GLOBAL, 400);
}

static void test_local(void **state) {
  (void)state;
  discrete_compare(darts_new, BOUNDS_LOCAL, 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure_4),
                                     cmocka_unit_test(test_counts), cmocka_unit_test(test_global),
                                     cmocka_unit_test(test_local)};
  return cmocka_run_group_tests_name("darts", tests, NULL, NULL);
}
