// Runs of reduced searches, mapped back to the model.
#include "answers/runs/unfold.h"

#include "analysis/symmetry/invariance.h"
#include "searching.h"
#include "semantics/zone/reduce.h"

// Finds a run and replays it.
static void expect_run(const char *family, const char *size, const char *option,
                       const char *query, Abstraction abstraction) {
  Search s;
  const char *const arguments[] = {size, option};
  search_generate(&s, family, option ? 2 : 1, arguments);
  Reading *r = &s.reading;
  search_ask(&s, query);
  Symmetry symmetry;
  symmetry_find(&symmetry, &r->arena, &r->net);
  symmetry = invariance_restrict(&symmetry, &r->arena, &r->net, s.query.formula);
  assert_int_equal(symmetry.count, 1);
  s.options.abstraction = abstraction;
  Space *space = zones_new(&s.mem, &r->net, &s.goal, &s.options, &r->report);
  reduce_attach(space, &symmetry, true);
  Reach reach;
  reach_init(&reach, &s.mem, space, ORDER_DFS, &s.stats);
  assert_int_equal(reach_run(&reach), REACH_GOAL);
  Trace trace;
  assert_true(
      trace_build(&trace, &s.mem, &r->net, &s.goal, &reach, REACH_GOAL, TRACE_CONCRETE, NULL));
  Text why = {.mem = &s.mem};
  const Run run = trace.run;
  if (!replay_run(&s.mem, &r->net, &s.goal, &run, &why))
    fail_msg("%s %s: %s", family, size, text_chars(&why));
  text_release(&why);
  trace_release(&trace);
  reach_release(&reach);
  space_release(space);
  reading_release(r);
  text_release(&s.model);
}

static void test_runs(void **state) {
  (void)state;
  expect_run("fischer", "5", "buggy=1", "E<> P2.cs && P4.cs", ABSTRACTION_ALU);
  expect_run("fischer", "5", "buggy=1", "E<> P5.cs && id == 5", ABSTRACTION_EXTRA_LU_PLUS);
  expect_run("fischer", "4", "buggy=1", "E<> P2.cs && x3 > 40", ABSTRACTION_AM);
  expect_run("csma", "4", NULL, "E<> Station3.Retry && Station1.Start", ABSTRACTION_ALU);
  expect_run("train-gate", "4", NULL, "E<> Train3.halted && Train1.bridge", ABSTRACTION_ALU);
  expect_run("philosophers", "4", NULL, "E<> (P1.eat || P2.eat || P3.eat || P4.eat)",
             ABSTRACTION_ALU);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
