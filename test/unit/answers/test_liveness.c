// Questions about infinite runs on a model small enough to answer them by thought; the random
// ones are in test/fuzz/agree_queries.c. Also tests answers/queries/runs.h and
// answers/queries/situation.h.
#include "answers/runs/lassorun.h"

#include "reading.h"

// A round of 1 to 2 time units; from B it may leave for C, where only waiting is left, or D,
// where time stops at 7.
static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:1:0:i\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x <= 2}\n"
    "location:P:C{}\nlocation:P:D{invariant: y < 7}\n"
    "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\nedge:P:B:A:a{do: x = 0}\n"
    "edge:P:B:C:a{provided: x > 1 : do: i = 1}\nedge:P:B:D:a{provided: x == 2 : do: y = 0}\n";

typedef struct Case {
  const char *query;
  CyclesResult result;
  RunsEnd end;
} Case;

// A shortest run is not longer; with zones it is one round, and goes the same way.
static void check_shorter(Reading *r, const Liveness *found, uint32_t length) {
  Statistics stats = {0};
  CyclesResult result;
  Trace concrete, symbolic;
  Liveness l = {.mem = found->mem, .net = found->net, .query = found->query, .stats = &stats};
  assert_true(liveness_shorten(&l, found->rules.is_m, length, 0, &result, &r->report));
  assert_true(result == CYCLES_FOUND || result == CYCLES_END);
  assert_true(lassorun_build(&concrete, &r->mem, &r->net, &l, TRACE_CONCRETE));
  assert_true(lassorun_build(&symbolic, &r->mem, &r->net, &l, TRACE_SYMBOLIC));
  assert_int_equal(concrete.kind, TRACE_CONCRETE);
  assert_int_equal(symbolic.kind, TRACE_SYMBOLIC);
  assert_true(symbolic.run.step_count <= concrete.run.step_count);
  assert_true(symbolic.run.step_count - 1 <= length);
  assert_int_equal(symbolic.run.repeats, result == CYCLES_FOUND);
  for (uint32_t i = 1; i < symbolic.run.step_count; i++)
    assert_ptr_equal(symbolic.run.steps[i].edges[0], concrete.run.steps[i].edges[0]);
  trace_release(&concrete);
  trace_release(&symbolic);
  liveness_release(&l);
}

static void check(const Case *c, SearchOrder order) {
  Reading r;
  Query query;
  Trace trace;
  Statistics stats = {0};
  CyclesResult result;
  reading_accept(&r, model);
  const Source source = {.name = "query", .text = c->query, .size = strlen(c->query)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  Liveness l = {.mem = &r.mem, .net = &r.net, .query = &query, .stats = &stats, .order = order};
  assert_true(liveness_run(&l, &result, &r.report));
  if (result != c->result)
    fail_msg("%s: %d, not %d", c->query, (int)result, (int)c->result);
  if (result == CYCLES_END)
    assert_int_equal(l.end, c->end);
  if (result != CYCLES_NONE) {
    if (!lassorun_build(&trace, &r.mem, &r.net, &l, TRACE_CONCRETE))
      fail_msg("%s: there is no run", c->query);
    assert_int_equal(trace.run.repeats, result == CYCLES_FOUND);
    check_shorter(&r, &l, trace.run.step_count - 1);
    trace_release(&trace);
  }
  liveness_release(&l);
  reading_release(&r);
}

static void test_queries(void **unused) {
  (void)unused;
  const Case cases[] = {
      {"E[] P.A", CYCLES_NONE, 0},
      {"E[] P.A or P.B", CYCLES_FOUND, 0},
      {"E[] not P.D and x <= 2", CYCLES_FOUND, 0},
      {"E[] x < 1", CYCLES_NONE, 0},
      {"A<> P.B", CYCLES_NONE, 0},
      {"A<> P.C or P.D", CYCLES_FOUND, 0},
      {"P.C --> false", CYCLES_END, RUNS_IDLES},
      {"P.D --> false", CYCLES_END, RUNS_STUCK},
      {"P.D --> y >= 6", CYCLES_NONE, 0},
      {"P.D --> y >= 7", CYCLES_END, RUNS_STUCK},
      {"P.C --> x > 100", CYCLES_NONE, 0},
      {"i == 1 --> P.A", CYCLES_END, RUNS_IDLES},
      {"buchi: P.A, P.B", CYCLES_FOUND, 0},
      {"buchi: P.C", CYCLES_NONE, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int order = 0; order < 3; order++)
      check(&cases[i], (SearchOrder[]){ORDER_STAGES, ORDER_DFS, ORDER_BFS}[order]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
