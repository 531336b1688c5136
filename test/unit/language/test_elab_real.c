// Real numbers, hybrid clocks and rates, as symbolic queries read them: constants are numbers,
// variables are left out, and what an answer could depend on is refused.
#include "elaborating.h"

static void test_cases(void **state) {
  (void)state;
  static const ElabCase cases[] = {
      // Constants.
      {"clock x = 0.0;", "x >= 2.0", "x = 3.0", "x >= 2 / x = 3"},
      {"const double C = 2.5; clock x;", "x >= C * 2", NULL, "x >= 5 / "},
      {"const double T[2] = {1, 2.5}; clock x;", "x >= T[1] + T[1]", NULL, "x >= 5 / "},
      {"clock x;", "x >= fint(sqrt(16.5))", NULL, "x >= 4 / "},
      {"clock x;", "x >= fint(M_PI) && 1.5 < M_E", NULL, "x >= 3 / "},
      {"int n;", "n == 2.0", "n = 1e2, n = -.5e1", "n == 2 / n = 100; n = -5"},
      {"int n;", "n > (n > 2 ? 1.0 : 2.0)", NULL, "symbolic queries cannot depend on floating"},
      {"const double C = 2.5; clock x;", "x >= C", NULL, "symbolic queries can compare a clock"},
      {"int n;", NULL, "n = 1.5", "an integer is needed here; `fint(...)`"},
      {"int n;", NULL, "n = sin(1.0, 2.0)", "`sin` has 1 argument, not 2"},
      {"int n;", NULL, "n = 2.5 % 2", "this operator is for integers"},
      {"int sqrt(int a) { return a / 2; } int n;", NULL, "n = sqrt(5)", " / n = sqrt(5)"},
      {"int M_PI = 3; int n;", NULL, "n = M_PI", " / n = M_PI"},
      // Variables.
      {"double d; int n;", NULL, "d = n * 1.5, n = 2, d += 2", " / n = 2"},
      {"double d[3]; int n;", NULL, "d[n] = 1, n = 2, d[0] = d[1]", " / n = 2"},
      {"double d; clock x;", NULL, "d = x - 2, x = 0, d = x * x", " / x = 0"},
      {"double d, e; int n;", NULL, "d = e = 1.5, n = 1", " / n = 1"},
      {"double d;", "d > 2", NULL, "model:1:65: symbolic queries cannot depend on floating"},
      {"double d; int n;", NULL, "n = fint(d)", "symbolic queries cannot depend on floating"},
      {"double d; clock x;", NULL, "x = d", "for symbolic queries a clock can be set to"},
      {"double d; clock x;", "x < d", NULL, "symbolic queries can compare a clock"},
      {"double d; int n;", NULL, "n = d", "an integer is needed here"},
      {"double d; int n;", NULL, "d = n++", "must not change other variables"},
      {"int n;", NULL, "n = fint(random(3))", "symbolic queries cannot depend on floating"},
      // Functions.
      {"double d; int n; double f(double v) { double w = v; if (w > 1) n = 2; return w; }", NULL,
       "d = 1", " / "},
      {"double d; int n; double f(double v) { double w = v; return w; }", NULL, "d = f(n), n = 1",
       " / n = 1"},
      {"double d; int n; double f() { n++; return 1.5; }", NULL, "d = f()",
       "must not change other variables"},
      {"double d; int n; void f(int m, double v) { d = v + m; n = m; }", NULL, "f(2, d)",
       " / local f = 2; n = m"},
      {"double d; int n; void f() { if (d > 1) n = 1; }", NULL, "f()",
       "symbolic queries cannot depend on floating"},
      {"double d; int f(double v) { return v > 1; } ", NULL, "d = f(1.5)", " / "},
      {"import \"lib\" { int g(int a); h = double k(double b); }; int n;", NULL, "n = 1",
       " / n = 1"},
      {"import \"lib\" { int g(int a); h = double k(double b); }; int n;", NULL, "n = g(1)",
       "external functions (`import`) are not supported"},
      {"import \"lib\" { int g(int a); h = double k(double b); }; int n;", NULL, "n = h(1)",
       "external functions (`import`) are not supported"},
      // Hybrid clocks.
      {"hybrid clock h = 1.5; clock x;", "x > 1", "h = 2.5, h = x, x = 0", "x > 1 / x = 0"},
      {"hybrid clock h; clock x;", "h - x > 1", NULL, "symbolic queries cannot depend on hybrid"},
      {"hybrid clock h; clock x;", NULL, "x = h", "symbolic queries cannot depend on hybrid"},
      {"clock x;", "x' == 1", NULL, "the rate of a clock is given in an invariant"},
  };
  ELAB_ALL(cases);
}

static void read(const char *text, const char *error, const char *warning) {
  Reading r;
  reading_begin(&r, text);
  const bool ok = uppaal_read(&r.net, &r.source, &r.report);
  assert_int_equal(ok, !error);
  if (error && !strstr(text_chars(&r.report.error), error))
    fail_msg("%s: %s", error, text_chars(&r.report.error));
  if (warning && !strstr(text_chars(&r.report.warnings), warning))
    fail_msg("%s: %s", warning, text_chars(&r.report.warnings));
  assert_true(r.report.warning_count == (warning != NULL));
  reading_release(&r);
}

#define REST "; init A; trans A -> B { guard x > 1; }; } system P;"

static void test_rates(void **state) {
  (void)state;
  read("clock x, y; process P() { state A { y' == 2 }, B { y' == 0 && x' == 1 }" REST, NULL,
       "model: rates of clocks that nothing tests are ignored: they are for statistical");
  read("clock x, y; process P() { state A { x <= 3 && x' == 2 }, B" REST,
       "model:1:50: clock rates other than 0 and 1 are not supported", NULL);
  read("clock x, y; process P() { state A { y' == 2 }, B; init A;"
       " trans A -> B { guard x > 1; assign x = y; }; } system P;",
       "model:1:40: clock rates", NULL);
  read("clock x, y; process P() { state A { x <= 3 && x' == 0 && y' == 1 }, B" REST, NULL, NULL);
  read("clock x, y; int n; process P() { state A { n > 0 imply x' == 0 }, B" REST,
       "the rate of a clock stands in a conjunction", NULL);
  read("clock x, y[2]; bool b[2]; process P() {"
       " state A { forall (i : int[0,1]) y[i]' == b[i] && x < 9 }, B" REST,
       NULL, "rates of clocks");
  read(
      "hybrid clock h; clock x; double d; process P() { state A { h' == d * h; 1.5 }, B { ; d }"
      "; branchpoint c; init A; trans A -> c { guard x > 1; assign d = 2; },"
      " c -> A { probability 0.5; }, c -> B { probability d; }; } system P;",
      NULL,
      "model: exponential rates, probability weights, floating point variables and hybrid clocks "
      "are ignored: they are for statistical queries");
}

static void query(Reading *r, const char *text, const char *error) {
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  Query query;
  report_clear(&r->report);
  uppaal_query(&query, &r->arena, &r->net, &source, 0, (uint32_t)source.size, &r->report);
  if (error ? !strstr(text_chars(&r->report.error), error) : report_failed(&r->report))
    fail_msg("%s: %s", text, text_chars(&r->report.error));
}

static void test_queries(void **state) {
  (void)state;
  Reading r;
  reading_begin(&r, "double d; const double C = 3.0; hybrid clock h; clock x, y;"
                    "process P() { state A { y' == 2 }, B" REST);
  assert_true(uppaal_read(&r.net, &r.source, &r.report));
  query(&r, "E<> x > C", NULL);
  query(&r, "E<> d > 1", "query:1:7: symbolic queries cannot depend on floating");
  query(&r, "E<> x > 1.5", "query:1:7: symbolic queries can compare a clock");
  query(&r, "A[] h > 1", "query:1:7: symbolic queries cannot depend on hybrid");
  query(&r, "E<> y > 1", "query:1:5: symbolic queries cannot depend on the rates that `y` has");
  query(&r, "sup: h", "query:1:6: symbolic queries cannot depend on hybrid");
  query(&r, "sup: d", "query:1:6: a clock or an integer is needed here");
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_rates),
                                     cmocka_unit_test(test_queries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
