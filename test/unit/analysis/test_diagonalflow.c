// What analysis/diagonals.h does not show: what is own, what is foreign, and what is left out.
#include "analysis/diagonalflow.h"

#include "reading.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nclock:1:z\nprocess:P\nlocation:P:A{initial:}\n"

typedef struct Flow {
  Reading r;
  ClockFlow flow;
  DiagonalFlow f;
} Flow;

static void begin(Flow *flow, const char *edge) {
  char model[512];
  snprintf(model, sizeof model, MODEL "%s", edge);
  reading_accept(&flow->r, model);
  clockflow_init(&flow->flow, &flow->r.mem, &flow->r.net, NET_MAX_CONSTANT, &flow->r.report);
  flow->f = (DiagonalFlow){.flow = &flow->flow};
}

static void end(Flow *flow) {
  diagonalflow_release(&flow->f);
  reading_drop(&flow->r);
}

static void test_add(void **state) {
  (void)state;
  Flow flow;
  begin(&flow, "");
  const Place nowhere = {0};
  const ClockTest silent[] = {
      {0, 1, 0, false}, {0, 1, 3, true}, {1, 0, -1, false}, {1, 0, 0, true}, {0, 0, 0, false}};
  for (int i = 0; i < 5; i++)
    diagonalflow_add(&flow.f, silent[i], true, nowhere);
  assert_int_equal(flow.f.front.size, 0);
  const ClockTest telling[] = {{0, 1, 0, true}, {1, 0, 0, false}, {1, 2, 0, true}};
  for (int i = 0; i < 6; i++)
    diagonalflow_add(&flow.f, telling[i % 3], i >= 3, nowhere);
  assert_int_equal(flow.f.front.size, 3);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(flow.f.front.items[i].is_own);
  diagonalflow_add(&flow.f, (ClockTest){2, 2, 7, false}, true, nowhere);
  assert_int_equal(flow.f.front.size, 4); // y matters
  assert_int_equal(flow.f.front.items[3].test.i, 2);
  assert_false(report_failed(&flow.r.report));
  diagonalflow_add(&flow.f, (ClockTest){1, 2, NET_MAX_CONSTANT + 1, false}, true, nowhere);
  assert_true(report_failed(&flow.r.report));
  end(&flow);
}

static void test_foreign(void **state) {
  (void)state;
  Flow flow;
  begin(&flow, "edge:P:A:A:a{do: x=z}\n");
  const Place nowhere = {0};
  diagonalflow_add(&flow.f, (ClockTest){1, 2, 4, false}, false, nowhere);
  diagonalflow_add(&flow.f, (ClockTest){2, 3, 5, false}, false, nowhere);
  diagonalflow_undo(&flow.f, flow.r.net.edges.items[0].update_stmts);
  assert_int_equal(flow.f.front.size, 2);
  for (uint32_t i = 0; i < 2; i++) { // z - y is changed and own now, y - z is not
    const FrontTest *front = &flow.f.front.items[i];
    assert_int_equal(front->is_own, front->test.i == 3);
    assert_int_equal(front->test.constant, front->test.i == 3 ? 4 : 5);
  }
  end(&flow);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_add), cmocka_unit_test(test_foreign)};
  return cmocka_run_group_tests_name("differenceflow", tests, NULL, NULL);
}
