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

static void read(const char *text, const char *error, const char *ignored) {
  Reading r;
  reading_begin(&r, text);
  const bool ok = uppaal_read(&r.net, &r.source, &r.report);
  const char *found = ok ? r.net.origin.obstacles : text_chars(&r.report.error);
  assert_int_equal(!found, !error);
  if (error && !strstr(found, error))
    fail_msg("%s: %s", error, found);
  const char *told = ok ? r.net.origin.ignored : NULL;
  assert_int_equal(!told, !ignored);
  if (ignored && !strstr(told, ignored))
    fail_msg("%s: %s", ignored, told);
  assert_int_equal(r.report.warning_count, 0);
  reading_release(&r);
}

#define REST "; init A; trans A -> B { guard x > 1; }; } system P;"

static void test_rates(void **state) {
  (void)state;
  read("clock x, y; process P() { state A { y' == 2 }, B { y' == 0 && x' == 1 }" REST, NULL,
       "model: rates of clocks that nothing tests are ignored: they are for statistical queries."
       " Runs show such a clock as if it always ran");
  read("clock x, y; process P() { state A { x <= 3 && x' == 2 }, B" REST,
       "model:1:50: clock rates other than 0 and 1 are not supported", NULL);
  read("clock x, y; process P() { state A { y' == 2 }, B; init A;"
       " trans A -> B { guard x > 1; assign x = y; }; } system P;",
       "model:1:40: clock rates", NULL);
  read("clock x, y; process P() { state A { x <= 3 && x' == 0 && y' == 1 }, B" REST, NULL, NULL);
  read("clock x, y; int n; process P() { state A { n > 0 imply x' == 0 }, B" REST,
       "the rate of a clock stands in a conjunction", NULL);
  // What a rate equals is all of the other side; the equation is no value.
  const char *const loose[] = {"x' == n == 1", "1 == (x' == n)", "(x' == 1) == (n == 1)",
                               "x' == (y' == 1)"};
  for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "clock x, y; int[0,1] n; process P() { state A { %s && x <= 3 }, B" REST, loose[i]);
    read(text, "the rate of a clock stands in a conjunction", NULL);
  }
  read("clock x, y; int[0,1] n; process P() { state A { x' == (n == 1) && 1 == y' }, B" REST,
       NULL, NULL);
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

// The network for statistical queries, with an update that is run.

typedef struct Full {
  Reading r;
  const Net *net;
  Vm vm;
  int32_t *state;
  double clocks[8];
} Full;

static void full_begin(Full *full, const char *text) {
  Reading *r = &full->r;
  reading_begin(r, text);
  if (!uppaal_read(&r->net, &r->source, &r->report))
    fail_msg("%s", text_chars(&r->report.error));
  full->net = uppaal_statistical(&r->net, &r->arena, &r->report);
  if (!full->net)
    fail_msg("%s", text_chars(&r->report.error));
  const Net *net = full->net;
  net_vm(net, &full->vm, &r->mem);
  full->state = arena_copy(&r->arena, net->slots.initial, sizeof(int32_t) * net->slots.count);
  for (uint32_t k = 0; k <= net->clock_count; k++)
    full->clocks[k] = net->clock_start[k];
  full->vm.clocks = full->clocks;
}

static void full_release(Full *full) {
  vm_release(&full->vm);
  reading_release(&full->r);
}

static double number(Full *full, const Expr *expr) {
  double value;
  const Code *code = code_value(&full->r.arena, expr, 0);
  if (vm_value(&full->vm, code, full->state, &value) != VM_TRUE)
    fail_msg("%s", full->vm.error);
  return value;
}

// The value of a query E[<=1](max: text).
static double value_of(Full *full, const char *text) {
  char whole[200];
  Query query;
  snprintf(whole, sizeof whole, "E[<=1](max: %s)", text);
  const Source source = {.name = "query", .text = whole, .size = strlen(whole)};
  if (!uppaal_query(&query, &full->r.arena, full->net, &source, 0, (uint32_t)source.size,
                    &full->r.report))
    fail_msg("%s", text_chars(&full->r.report.error));
  assert_int_equal(query.kind, QUERY_STATISTICAL);
  return number(full, query.statistical->values[0]);
}

static VmResult run(Full *full, EdgeId edge) {
  ClockUpdates updates = {0};
  const VmResult result =
      vm_update(&full->vm, &full->net->edges.items[edge].update, full->state, &updates);
  for (uint32_t k = 0; k < updates.size; k++)
    full->clocks[updates.items[k].x] =
        full->clocks[updates.items[k].y] + (double)updates.items[k].constant;
  vec_release(&full->r.mem, &updates);
  return result;
}

static void test_values(void **state) {
  (void)state;
  static const struct {
    const char *decls, *update, *value;
    double expected;
  } cases[] = {
      {"double d = 2.5;", "d = d * 2 + 1", "d", 6},
      {"double d;", "d = 7 / 2", "d", 3},
      {"double d;", "d = 7 / 2.0", "d", 3.5},
      {"double d, e;", "d = e = 1.5, d += e", "d", 3},
      {"int n;", "n = fint(-2.7)", "n", -2},
      {"double a[3] = {1, 2.5, 4}; int i = 1;", "a[i + 1] = a[i] * a[0]", "a[2]", 2.5},
      {"double a[3] = {1, 2.5, 4};", NULL, "sum (i : int[0,2]) a[i]", 7.5},
      {"const double T[2] = {0.5, 1.5}; int i = 1;", NULL, "T[i]", 1.5},
      {"typedef struct { int n; double d; bool b; } S; S s = {2, 0.25, true}; S t;",
       "t = s, t.d += t.n", "t.d", 2.25},
      {"double f(double x, int n) { double s = 0; for (i : int[1,3]) s += x * i; return s + n; }"
       "double d;",
       "d = f(0.5, 2)", "d", 5},
      {"void f(double &x, double v) { x = x + v; } double a[2] = {1, 2};", "f(a[1], 0.5)", "a[1]",
       2.5},
      {"void g(double &x) { x *= 3; } double f() { double u[2]; u[1] = 2; g(u[1]); return u[1]; }"
       "double d;",
       "d = f()", "d", 6},
      {"clock x = 1.5; double d;", "d = x, x = x + 1, d = d + x", "d", 4},
      {"clock x = 1.5; double d;", "x = 0, d = x", "d + 1", 1},
      {"clock x = -2.5, y[2] = {1, 0.5};", "x = y[1] - x", "x", 3},
      {"clock x = 1.5;", "x = x > 1 ? 10.5 : 0", "x", 10.5},
      {"clock x = 1.5; int n;", "n = x > 1 && x < 2 ? 3 : 4", "n", 3},
      {"double d = 3;", "d = d > 2 ? 1 : 2.5", "d <? 0.5", 0.5},
      {"double d = 3;", "d = pow(d, 2) + sqrt(16)", "d", 13},
      {"int n = 5;", NULL, "n / 2.0 > 2 ? 1 : 0", 1},
      {"bool b; double d = 1.5;", "b = d > 1", "b", 1},
      {"clock x = 0.5; int f(double v) { return fint(v * 4); } int n;", "n = f(x)", "n", 2},
      {"const double A = 2.0 ** 3;", NULL, "A", 8},
      {"double f() { return 1.5; } const double A = f() * 2;", NULL, "A", 3},
      {"struct { clock x; double d; int n; } s;", "s.x = 2.5, s.d = s.x, s.n = 1", "s.d + s.n",
       3.5},
  };
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1000];
    Full full;
    snprintf(text, sizeof text,
             "%s process P() { state A; init A; trans A -> A { %s%s%s }; } system P;",
             cases[k].decls, cases[k].update ? "assign " : "",
             cases[k].update ? cases[k].update : "", cases[k].update ? ";" : "");
    full_begin(&full, text);
    if (run(&full, 0) != VM_TRUE)
      fail_msg("%s: %s", text, full.vm.error);
    const double found = value_of(&full, cases[k].value);
    if (found != cases[k].expected)
      fail_msg("%s: %s is %g", text, cases[k].value, found);
    full_release(&full);
  }
}

static void test_faults(void **state) {
  (void)state;
  static const struct {
    const char *update, *error;
  } cases[] = {
      {"d = 1 / d", "divided by zero"},
      {"d = sqrt(d - 1)", "not a number"},
      {"n = fint(3e9)", "32 bits"},
      {"n = fint(d + 40000)", "out of the range"},
      {"a[fint(d) + 3] = 1", "out of the bo"},
      {"f()", "a loop does not end"},
      {"d = random(3)", "for statistical"}, // the simulator brings draws along
  };
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1000];
    Full full;
    snprintf(text, sizeof text,
             "double d, a[3]; int n; void f() { double e; while (e < 1) e = e - 1; }"
             "process P() { state A; init A; trans A -> A { assign %s; }; } system P;",
             cases[k].update);
    full_begin(&full, text);
    assert_int_equal(run(&full, 0), VM_ERROR);
    if (!strstr(full.vm.error, cases[k].error))
      fail_msg("%s: %s", cases[k].update, full.vm.error);
    assert_non_null(full.vm.error_place.source);
    full_release(&full);
  }
}

// Rates, weights and branches.
static void test_network(void **state) {
  (void)state;
  Full full;
  full_begin(&full,
             "hybrid clock h = 2.5; clock x, y[2]; double d = 3; int n = 4; process P() {"
             "state A { x <= 3 && h' == d * 2 && (forall (i : int[0,1]) y[i]' == i); n:8 },"
             "B { ; sum (i : int[1,2]) i * d }; branchpoint c; init A;"
             "trans A -> c { select i : int[1,2]; guard x > d / 2; assign n = i; },"
             "c -> A { assign n++; probability 0.25; }, c -> B { probability n; },"
             "A -> B { guard x > 1 || h < 2; }; } system P;");
  const Net *net = full.net;
  const Location *a = net_location(net, 0, 0), *b = net_location(net, 0, 1);
  assert_true(number(&full, a->exponential) == 0.5);
  assert_true(number(&full, b->exponential) == 9);
  assert_int_equal(a->clock_rate_count, 3);
  assert_int_equal(b->clock_rate_count, 0);
  assert_true(number(&full, a->clock_rates[0].rate) == 6);
  assert_int_equal(a->clock_rates[0].clock->kind, EXPR_CLOCK);
  assert_int_equal(a->clock_rates[1].clock->base, 3);
  assert_true(full.clocks[1] == 2.5);
  assert_int_equal(net->edges.size, 5);
  uint32_t stems[2] = {net->edges.items[0].stem, net->edges.items[1].stem};
  assert_true(stems[0] && stems[1] && stems[0] != stems[1]);
  assert_int_equal(net->edges.items[2].stem, stems[0]);
  assert_int_equal(net->edges.items[3].stem, stems[1]);
  assert_int_equal(net->edges.items[4].stem, 0);
  assert_true(number(&full, net->edges.items[0].weight) == 0.25);
  assert_true(number(&full, net->edges.items[2].weight) == 4);
  const Edge *edge = &net->edges.items[0];
  assert_ptr_equal(edge->update_stmts->next, edge->branch_stmts);
  assert_null(net->edges.items[2].branch_stmts);
  full_release(&full);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),   cmocka_unit_test(test_rates),
      cmocka_unit_test(test_queries), cmocka_unit_test(test_values),
      cmocka_unit_test(test_faults),  cmocka_unit_test(test_network)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
