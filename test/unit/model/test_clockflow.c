// Levels of clocks on their way backwards through updates.
#include "model/clockflow.h"

#include "reading.h"

static void test_raise(void **state) {
  (void)state;
  Level level = NO_LEVEL;
  assert_true(clockflow_raise(&level, (Level){3, CLOCK_UNBOUNDED}));
  assert_int_equal(level.lower, 3);
  assert_int_equal(level.upper, CLOCK_UNBOUNDED);
  assert_false(clockflow_raise(&level, (Level){2, CLOCK_UNBOUNDED}));
  assert_true(clockflow_raise(&level, (Level){2, 5}));
  Level rows[2] = {NO_LEVEL, level}, by[2] = {level, NO_LEVEL};
  assert_true(clockflow_raise_all(rows, by, 2));
  assert_int_equal(rows[0].upper, 5);
  assert_false(clockflow_raise_all(rows, by, 2));
}

// What a test behind the update asks of clocks before it.
static void undone(const char *update, int32_t x_wanted, int32_t y_wanted) {
  char model[1000];
  Reading r;
  snprintf(model, sizeof model, PREAMBLE "edge:P:A:B:a{do: %s}\nedge:P:B:A:b{provided: x < 7}\n",
           update);
  reading_accept(&r, model);
  ClockFlow flow;
  Mem mem = {0};
  clockflow_init(&flow, &mem, &r.net, NET_MOST_CONSTANT, &r.report);
  flow.size = r.net.clock_count + 1;
  flow.limit = NET_MOST_CONSTANT;
  for (ClockIndex x = 0; x < flow.size; x++)
    flow.position[x] = x;
  Level front[32];
  for (int i = 0; i < 32; i++)
    front[i] = NO_LEVEL;
  front[flow.position[1]].upper = 7; // x
  clockflow_undo(&flow, r.net.edges.items[0].update.stmts, front);
  assert_int_equal(front[flow.position[1]].upper, x_wanted);
  assert_int_equal(front[flow.position[2]].upper, y_wanted);
  clockflow_release(&flow);
  reading_release(&r);
  assert_int_equal(mem.bytes, 0);
}

static void test_undo(void **state) {
  (void)state;
  undone("y = 0", 7, CLOCK_UNBOUNDED);
  undone("x = 0", CLOCK_UNBOUNDED, CLOCK_UNBOUNDED);
  undone("x = y", CLOCK_UNBOUNDED, 7);
  undone("x = y + 3", CLOCK_UNBOUNDED, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_raise), cmocka_unit_test(test_undo)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
