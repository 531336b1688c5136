// Statistical queries: what is asked, and what is wrong.
#include "reading.h"

static const char model[] = "clock x, y[2]; int n; double d; const int N = 4; bool a, b;"
                            "struct { int u; double v; } s; int r[2];"
                            "process P() { state A { ; 1 }, B; init A; trans A -> B { }; }"
                            "system P;";

static const Statistical *ask(Reading *r, Query *query, const char *text) {
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  report_clear(&r->report);
  const bool ok =
      uppaal_query(query, &r->arena, &r->net, &source, 0, (uint32_t)source.size, &r->report);
  assert_int_equal(ok, !report_failed(&r->report));
  return ok ? query->statistical : NULL;
}

static const Statistical *good(Reading *r, const char *text) {
  Query query;
  const Statistical *statistical = ask(r, &query, text);
  if (!statistical)
    fail_msg("%s: %s", text, text_chars(&r->report.error));
  assert_int_equal(query.kind, QUERY_STATISTICAL);
  assert_string_equal(query.text, text);
  assert_non_null(statistical->net);
  return statistical;
}

static void test_probabilities(void **state) {
  (void)state;
  Reading r;
  reading_begin(&r, model);
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  const Statistical *q = good(&r, "Pr[<=10](<> P.B)");
  assert_int_equal(q->kind, STATISTICAL_PROBABILITY);
  assert_int_equal(q->path.kind, PATH_EVENTUALLY);
  assert_int_equal(q->path.bound.kind, RUN_BOUND_TIME);
  assert_true(q->path.bound.limit == 10 && !q->path.bound.runs && q->path.goal);
  q = good(&r, "Pr[y[1] <= 2*N; 500] ([] d > 1.5 && x < 3)");
  assert_int_equal(q->path.kind, PATH_ALWAYS);
  assert_int_equal(q->path.bound.kind, RUN_BOUND_CLOCK);
  assert_true(q->path.bound.clock == 3 && q->path.bound.limit == 8 && q->path.bound.runs == 500);
  q = good(&r, "Pr[#<=100](!a U b)");
  assert_int_equal(q->path.kind, PATH_UNTIL);
  assert_int_equal(q->path.bound.kind, RUN_BOUND_STEPS);
  assert_true(q->path.hold && q->path.goal);
  q = good(&r, "Pr[<=10](<> a) >= 0.9");
  assert_int_equal(q->kind, STATISTICAL_TEST);
  assert_true(q->threshold == 0.9 && !q->is_at_most);
  q = good(&r, "Pr[<=10](<> a) <= 0.25;");
  assert_true(q->threshold == 0.25 && q->is_at_most);
  q = good(&r, "Pr[<=10](<> a) >= Pr[<=20]([] b)");
  assert_int_equal(q->kind, STATISTICAL_COMPARISON);
  assert_int_equal(q->other.kind, PATH_ALWAYS);
  assert_true(q->other.bound.limit == 20);
  q = good(&r, "Pr[<=10](<> a) <= Pr[<=20]([] b)");
  assert_int_equal(q->path.kind, PATH_ALWAYS);
  assert_true(q->other.bound.limit == 10 && !q->is_at_most);
  reading_release(&r);
}

static void test_mitl(void **state) {
  (void)state;
  Reading r;
  reading_begin(&r, model);
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  const Mitl *m = good(&r, "Pr (<>[0,2] ([][0,1] P.B))")->path.mitl;
  assert_int_equal(m->kind, MITL_UNTIL);
  assert_true(m->low == 0 && m->high == 2);
  assert_int_equal(m->a->atom->value, 1);
  assert_int_equal(m->b->kind, MITL_RELEASE);
  assert_int_equal(m->b->a->atom->value, 0);
  assert_int_equal(m->b->b->kind, MITL_ATOM);
  m = good(&r, "Pr (P.A U[1,3] (P.B || n > 2))")->path.mitl;
  assert_int_equal(m->kind, MITL_UNTIL);
  assert_true(m->low == 1 && m->high == 3);
  assert_int_equal(m->b->kind, MITL_ATOM);
  m = good(&r, "Pr ((a && <>[0,5] b) || (X (b R[0,N] a)) || !(a U[0,1] b))")->path.mitl;
  assert_int_equal(m->kind, MITL_OR);
  assert_int_equal(m->b->kind, MITL_NOT);
  assert_int_equal(m->a->kind, MITL_OR);
  assert_int_equal(m->a->a->kind, MITL_AND);
  assert_int_equal(m->a->b->kind, MITL_NEXT);
  assert_int_equal(m->a->b->a->kind, MITL_RELEASE);
  reading_release(&r);
}

static void test_values(void **state) {
  (void)state;
  Reading r;
  reading_begin(&r, model);
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  const Statistical *q = good(&r, "E[<=10; 1000] (max: n + 2*d)");
  assert_int_equal(q->kind, STATISTICAL_EXPECTATION);
  assert_true(q->value_count == 1 && !q->is_min && q->path.bound.runs == 1000);
  assert_string_equal(q->value_texts[0], "n + 2*d");
  assert_true(good(&r, "E[#<=10;5](min: x)")->is_min);
  q = good(&r, "simulate [<=10; 3] {n, x , a && b, s, r, y}");
  assert_int_equal(q->kind, STATISTICAL_SIMULATION);
  assert_true(q->path.bound.runs == 3 && !q->path.goal && !q->accepted);
  static const char *const texts[] = {"n", "x", "a && b", "s.u", "s.v", "r[0]", "r[1]"};
  assert_int_equal(q->value_count, 7 + 2);
  for (uint32_t k = 0; k < 7; k++)
    assert_string_equal(q->value_texts[k], texts[k]);
  assert_string_equal(q->value_texts[8], "y[1]");
  q = good(&r, "simulate 10 [<=10]{x} : 2 : P.B");
  assert_true(q->path.bound.runs == 10 && q->accepted == 2 && q->path.goal);
  q = good(&r, "simulate N [<=10] {x}: a");
  assert_true(q->path.bound.runs == 4 && !q->accepted && q->path.goal);
  assert_true(good(&r, "simulate[<=1]{x}")->path.bound.runs == 1);
  reading_release(&r);
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"Pr[<=10](<> Q.B)", "query:1:13: `Q` is not declared"},
      {"Pr[<=n](<> a)", "this must be a constant"},
      {"Pr[n<=10](<> a)", "a clock is needed here"},
      {"Pr[x<10](<> a)", "the bound of runs is"},
      {"Pr[<=-1](<> a)", "the bound of runs is negative"},
      {"Pr[<=10; 0](<> a)", "the number of runs must be a positive integer"},
      {"Pr[<=10](<> a", "expected `)`"},
      {"Pr[<=10](a)", "expected `U`"},
      {"Pr[<=10](<> n++ > 2)", "a query must not change variables"},
      {"Pr[<=10](<> deadlock)", "`deadlock` can be asked for"},
      {"Pr[<=10](<> a) >= 1.5", "a probability is between 0 and 1"},
      {"Pr[<=10](<> a) under S", "strategies are not supported"},
      {"Pr (<>[3,2] a)", "the interval is empty"},
      {"E[<=10;2](mean: n)", "expected `max:` or `min:`"},
      {"E[<=10;2](max: P)", "a number or a condition is needed here"},
      {"E[<=10;2](max: r)", "one number is needed here"},
      {"simulate [<=10] {}", "expected an expression"},
      {"simulate -1 [<=10] {n}", "expected `[` or the number of runs"},
      {"control: A<> a", "games are not supported"},
  };
  Reading r;
  reading_begin(&r, model);
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Query query;
    assert_null(ask(&r, &query, cases[k].text));
    if (!strstr(text_chars(&r.report.error), cases[k].error))
      fail_msg("%s: %s", cases[k].text, text_chars(&r.report.error));
  }
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_probabilities),
                                     cmocka_unit_test(test_mitl), cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
