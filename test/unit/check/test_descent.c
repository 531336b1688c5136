// What a certificate about infinite runs has to show, on the conditions of a small model.
// Whole certificates are made and forged by test/fuzz/forger.c.
#include "check/descent.h"

#include "reading.h"

static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                            "location:P:A{initial:}\nlocation:P:B{}\nlocation:P:C{}\n"
                            "edge:P:A:B:a{}\nedge:P:B:C:a{}\n";

static Goal goal(Reading *r, const char *text) {
  Query query;
  Goal goal;
  Source *source = ARENA_NEW(&r->arena, Source);
  *source = (Source){.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r->arena, &r->net, source, &r->report));
  assert_true(goal_build(&goal, &r->arena, query.formula, false, query.place, &r->report));
  return goal;
}

static void test_rules(void **unused) {
  (void)unused;
  Reading r;
  StateTransitions outgoing;
  Descent p;
  reading_accept(&r, model);
  statetransitions_init(&outgoing, &r.mem, &r.net);
  const Goal a = goal(&r, "E<> P.A"), b = goal(&r, "E<> P.A or P.B"), x = goal(&r, "E<> x < 2");
  const int32_t in_a[] = {0}, in_b[] = {1}, in_c[] = {2};
  assert_int_equal(r.net.location_slot, 0);

  const LassoClaim clocks = {.stay = &x};
  assert_false(descent_init(&p, &r.mem, &r.net, &clocks, false));

  const LassoClaim leads = {.stay = &b, .start = &a};
  assert_true(descent_init(&p, &r.mem, &r.net, &leads, false));
  assert_int_equal(descent_first_mode(&p), 0);
  assert_true(descent_stays(&p, &outgoing, in_c, 0));
  assert_false(descent_stays(&p, &outgoing, in_c, 1));
  assert_true(descent_stays(&p, &outgoing, in_b, 1));
  assert_true(descent_hops(&p, &outgoing, in_a, 0));
  assert_false(descent_hops(&p, &outgoing, in_b, 0));
  assert_false(descent_hops(&p, &outgoing, in_a, 1));
  assert_true(descent_allows(&p, &outgoing, in_b, 0, false, 4, 4, 0)); // nothing counts in mode 0
  assert_false(descent_allows(&p, &outgoing, in_b, 0, false, 4, 5, 0));
  assert_false(descent_allows(&p, &outgoing, in_b, 1, false, 4, 4, 0));
  assert_true(descent_allows(&p, &outgoing, in_b, 1, false, 4, 3, 0));

  const LassoClaim labels = {.labels = &a, .label_count = 1};
  assert_true(descent_init(&p, &r.mem, &r.net, &labels, false));
  assert_int_equal(descent_first_mode(&p), 0);
  assert_true(descent_allows(&p, &outgoing, in_b, 0, false, 4, 4, 1));
  assert_false(descent_allows(&p, &outgoing, in_a, 0, false, 4, 4, 1));
  assert_true(descent_allows(&p, &outgoing, in_a, 0, false, 4, 3, 1));
  assert_false(
      descent_allows(&p, &outgoing, in_b, 0, false, 4, 4, 0)); // every transition has mark 0
  assert_false(descent_allows(&p, &outgoing, in_b, 0, false, 4, 4, 2)); // there is no such mark
  assert_null(p.error);

  assert_true(descent_init(&p, &r.mem, &r.net, &clocks, true));
  assert_false(descent_ticks(&p, 1)); // the net does not measure time
  Net timed;
  net_measure(&timed, &r.net, &r.arena);
  assert_true(descent_init(&p, &r.mem, &timed, &leads, true));
  assert_int_equal(p.tick, 2);
  assert_true(descent_ticks(&p, 1));
  assert_false(descent_ticks(&p, 0)); // it has not begun
  assert_true(descent_allows(&p, &outgoing, in_b, 1, false, 4, 4, 1));
  assert_false(descent_allows(&p, &outgoing, in_b, 1, true, 4, 4, 1));
  assert_true(descent_allows(&p, &outgoing, in_b, 1, true, 4, 3, 1));
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
