// Levels of clocks on their way backwards through updates.
#include "analysis/clockflow.h"

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

// After the update x, the first clock, is compared with 7.
static void begin_front(ClockFlow *flow, const Net *net, Level *front) {
  flow->size = net->clock_count + 1;
  flow->limit = NET_MAX_CONSTANT;
  for (ClockIndex x = 0; x < flow->size; x++)
    flow->position[x] = x;
  for (uint32_t i = 0; i < 2 * flow->size; i++)
    front[i] = NO_LEVEL;
  front[flow->position[1]].upper = 7;
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
  clockflow_init(&flow, &mem, &r.net, NET_MAX_CONSTANT, &r.report);
  Level front[32];
  begin_front(&flow, &r.net, front);
  clockflow_undo(&flow, r.net.edges.items[0].update.stmts, front);
  assert_int_equal(front[flow.position[1]].upper, x_wanted);
  assert_int_equal(front[flow.position[2]].upper, y_wanted);
  reading_drop(&r);
  mem_release(&mem);
}

static void test_undo(void **state) {
  (void)state;
  undone("y = 0", 7, CLOCK_UNBOUNDED);
  undone("x = 0", CLOCK_UNBOUNDED, CLOCK_UNBOUNDED);
  undone("x = y", CLOCK_UNBOUNDED, 7);
  undone("x = y + 3", CLOCK_UNBOUNDED, 4);
}

static void count_assign(void *count, const Stmt *assign) {
  (void)assign;
  ++*(uint32_t *)count;
}

// Functions that each call the one before twice: neither way may follow all
// 2^40 paths.
static void test_calls(void **state) {
  (void)state;
  enum { DEPTH = 40 };
  static char text[8000];
  int at = snprintf(text, sizeof text, "clock x, y; int n; void f0() { x = y; }\n");
  for (int i = 1; i <= DEPTH; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "void f%d() { if (n == %d) { f%d(); f%d(); y = 0; } }\n", i, i, i - 1, i - 1);
  snprintf(text + at, sizeof text - (size_t)at,
           "process P() { state s; init s; trans s -> s { guard x < 7; assign f%d(); }; }\n"
           "system P;\n",
           DEPTH);
  Reading r;
  reading_accept_uppaal(&r, text);
  ClockFlow flow;
  Mem mem = {0};
  clockflow_init(&flow, &mem, &r.net, NET_MAX_CONSTANT, &r.report);
  uint32_t count = 0;
  clockflow_assigns(&flow, r.net.edges.items[0].update_stmts, count_assign, &count);
  assert_int_equal(count, 1 + DEPTH);
  Level front[32];
  begin_front(&flow, &r.net, front);
  clockflow_undo(&flow, r.net.edges.items[0].update_stmts, front);
  assert_int_equal(front[flow.position[1]].upper, 7);
  assert_int_equal(front[flow.position[2]].upper, 7);
  reading_drop(&r);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_raise), cmocka_unit_test(test_undo),
                                     cmocka_unit_test(test_calls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
