// The steps of runs without end, on a model small enough to know them.
#include "evidence/runsteps.h"

#include "reading.h"

// From A to B, which is left for A again or for C, where only waiting is left.
static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                            "location:P:A{initial: : invariant: x <= 2}\n"
                            "location:P:B{invariant: x <= 2}\nlocation:P:C{}\n"
                            "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\n"
                            "edge:P:B:A:a{do: x = 0}\nedge:P:B:C:a{}\n";

// How many steps there are, and where the part that repeats begins.
static void check(const char *text, SearchOrder order, CyclesResult wanted, uint32_t least) {
  Reading r;
  Query query;
  Statistics stats = {0};
  CyclesResult result;
  PathSteps steps = {0};
  uint32_t loop;
  reading_accept(&r, model);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  Liveness l = {.mem = &r.mem, .net = &r.net, .query = &query, .stats = &stats, .order = order};
  assert_true(liveness_run(&l, &result, &r.report));
  assert_int_equal(result, wanted);
  assert_true(runsteps_find(&l, &steps, &loop, &r.report));
  assert_true(steps.size >= least);
  if (wanted == CYCLES_END)
    assert_int_equal(loop, UINT32_MAX);
  else
    assert_true(loop < steps.size - 1);
  vec_release(&r.mem, &steps);
  liveness_release(&l);
  reading_release(&r);
}

static void test_steps(void **unused) {
  (void)unused;
  const SearchOrder orders[] = {ORDER_STAGES, ORDER_DFS, ORDER_BFS};
  for (uint32_t i = 0; i < 3; i++) {
    check("E[] not P.C", orders[i], CYCLES_FOUND, 3);
    check("E[] x <= 2 and not P.C", orders[i], CYCLES_FOUND, 3);
    check("P.C --> P.A", orders[i], CYCLES_END, 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests_name("runsteps", tests, NULL, NULL);
}
