// Concrete runs of lassos and ends: they are built from what the search found, and hold.
#include "answers/runs/lassorun.h"

#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x <= 2}\n"
    "location:P:C{}\nlocation:P:D{invariant: y < 7}\n"
    "edge:P:A:B:a{provided: x > 0 : do: x = 0}\nedge:P:B:A:a{provided: x >= 1 : do: x = 0}\n"
    "edge:P:B:C:a{}\nedge:P:B:D:a{do: y = 0}\n";

// From A to B, which is left for A again or for C, where only waiting is left.
static const char turns[] = "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                            "location:P:A{initial: : invariant: x <= 2}\n"
                            "location:P:B{invariant: x <= 2}\nlocation:P:C{}\n"
                            "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\n"
                            "edge:P:B:A:a{do: x = 0}\nedge:P:B:C:a{}\n";

// `least` steps, with the beginning.
static void check_in(const char *model_text, const char *text, bool repeats, SearchOrder order,
                     uint32_t least) {
  Reading r;
  Query query;
  Trace trace;
  Statistics stats = {0};
  CyclesResult result;
  reading_accept(&r, model_text);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  Liveness l = {.mem = &r.mem, .net = &r.net, .query = &query, .stats = &stats, .order = order};
  assert_true(liveness_run(&l, &result, &r.report));
  assert_true(lassorun_build(&trace, &r.mem, &r.net, &l, TRACE_CONCRETE));
  assert_int_equal(trace.run.repeats, repeats);
  assert_true(trace.run.step_count >= least);
  const Run run = trace.run;
  Text why = {.mem = &r.mem};
  if (!lasso_check(&r.mem, &r.net, &l.rules.claim, &run, &why))
    fail_msg("%s: %s", text, text_chars(&why));
  if (repeats)
    assert_true(trace.run.loop_from + 1 < trace.run.step_count);
  text_release(&why);
  trace_release(&trace);
  liveness_release(&l);
  reading_release(&r);
}

static void check(const char *text, bool repeats, SearchOrder order) {
  check_in(model, text, repeats, order, 1);
}

// The run to C leaves B at once. The condition begins in B at any time, which has two parts: in
// one of them x is 1 already.
static const char parts[] = "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                            "location:P:A{initial: : invariant: x <= 1}\n"
                            "location:P:B{invariant: x <= 1}\nlocation:P:C{committed:}\n"
                            "edge:P:A:B:a{provided: x <= 0}\nedge:P:A:A:a\n"
                            "edge:P:B:C:a{provided: x <= 0}\nedge:P:B:B:a\n";

static void test_runs(void **unused) {
  (void)unused;
  const SearchOrder orders[] = {ORDER_STAGES, ORDER_DFS, ORDER_BFS};
  for (int i = 0; i < 3; i++) {
    check("E[] P.A or P.B", true, orders[i]);
    check("buchi: P.A, P.B", true, orders[i]);
    check("E[] x <= 2 and (P.A or P.B)", true, orders[i]); // on clocks: the other space
    check("P.C --> P.A", false, orders[i]);
    check("P.D --> P.A", false, orders[i]); // stuck
    check_in(parts, "(x == 1 or P.B) --> x < 0", orders[i] != ORDER_BFS, orders[i], 1);
    check("P.D --> y >= 7", false, orders[i]);
    check_in(turns, "E[] not P.C", true, orders[i], 3);
    check_in(turns, "E[] x <= 2 and not P.C", true, orders[i], 3);
    check_in(turns, "P.C --> P.A", false, orders[i], 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
