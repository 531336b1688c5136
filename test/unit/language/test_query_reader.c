#include "reading.h"

// With a name that is two things, and names with dots.
static const char model[] =
    PREAMBLE "process:a.b\nprocess:a\nlocation:a.b:c{initial:}\nlocation:a.b:d\n"
             "location:a:b.c{initial:}\nlocation:a:b.e\nlocation:Q:late{labels: i,x}\n"
             "int:1:0:1:0:P.B\nclock:1:Q.clk\n";

static bool read(Reading *r, Query *query, const char *text) {
  reading_accept(r, model);
  static Source source;
  source = (Source){.name = "query", .text = text, .size = strlen(text)};
  return query_read(query, &r->arena, &r->net, &source, &r->report);
}

static void check_formula(const char *text, const char *shown) {
  Reading r;
  Query query;
  if (!read(&r, &query, text))
    fail_msg("%s", text_chars(&r.report.error));
  expr_print(&r.text, query.formula);
  assert_string_equal(text_chars(&r.text), shown);
  Goal goal;
  assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
  reading_release(&r);
}

static void refuse(const char *text, const char *message) {
  Reading r;
  Query query;
  if (read(&r, &query, text))
    fail_msg("accepted: %s", text);
  if (!strstr(reading_error(&r), message))
    fail_msg("%s\n  says:     %s\n  expected: %s", text, text_chars(&r.text), message);
  reading_release(&r);
}

static void test_kinds(void **unused) {
  (void)unused;
  Reading r;
  Query query;
  assert_true(read(&r, &query, "  E<> P.A \n"));
  assert_int_equal(query.kind, QUERY_REACH);
  assert_string_equal(query.text, "E<> P.A");
  assert_int_equal(query.place.offset, 2);
  reading_release(&r);
  assert_true(read(&r, &query, "A[]not P.A"));
  assert_int_equal(query.kind, QUERY_INVARIANT);
  reading_release(&r);
  refuse("P.A", "a query begins with `E<>`");
  refuse("", "a query begins with `E<>`");
  refuse("E< P.A", "write `E<>`");
  refuse("E<>", "expected a number or a name, found the end");
  refuse("A<> deadlock", "`deadlock` can be asked for with `E<>` and `A[]` only");
}

static void check_kind(const char *text, QueryKind kind, uint32_t values) {
  Reading r;
  Query query;
  if (!read(&r, &query, text))
    fail_msg("%s", text_chars(&r.report.error));
  assert_int_equal(query.kind, kind);
  assert_int_equal(query.value_count, values);
  reading_release(&r);
}

static void test_runs_and_values(void **unused) {
  (void)unused;
  check_kind("A<> P.A", QUERY_EVENTUALLY, 0);
  check_kind("E[] P.A", QUERY_POSSIBLY, 0);
  check_kind("P.A --> Q.A and x < 3", QUERY_LEADS_TO, 0);
  check_kind("sup: x", QUERY_SUP, 1);
  check_kind("sup{P.A}: x, i + 1", QUERY_SUP, 2);
  check_kind("inf { P.A or x > 2 } : i", QUERY_INF, 1);
  check_kind("bounds: i", QUERY_BOUNDS, 1);
  refuse("P.A --> deadlock", "`deadlock` can be asked for");
  refuse("sup x", "expected `:`");
  refuse("sup: x - y", "contains a clock");
  refuse("AG P.A", "write `A[]`");
  refuse("EF P.A", "write `E<>`");
  refuse("Pr[<=3](<> P.A)", "probabilities are not supported");
  refuse("simulate[<=3]{x}", "tarn simulate");
  refuse("A[] P.A => Q.A", "write `imply`");
  refuse("A[] P.A -> Q.A", "write `imply`");
  refuse("A[] P.A U Q.A", "(until) is not supported");
}

static void test_quantifiers(void **unused) {
  (void)unused;
  check_formula("E<> forall (k : int[1,2]) i == k", "i == 1 && i == 2");
  check_formula("E<> exists (k : int[1,3]) i == k and x > k",
                "i == 1 && x > 1 || (i == 2 && x > 2 || i == 3 && x > 3)");
  check_formula("E<> (sum (k : int[0,2]) i * k) == 3", "i * 0 + (i * 1 + i * 2) == 3");
  check_formula("A[] not deadlock", "!deadlock");
  check_formula("A[] deadlock imply P.A", "!deadlock || P.A");
  refuse("E<> forall (k : int[2,1]) i == k", "is empty");
  refuse("E<> forall (k : int[0,i]) i == k", "must be constant");
  refuse("E<> forall k", "neither a location");
  refuse("E<> P(i).A", "must be a constant");
  refuse("E<> P(1).A", "there is neither `P1.A` nor `P_1.A`");
  refuse("E<> i(-1).A == 1", "below 0"); // and not the variable i
}

static void test_operators(void **unused) {
  (void)unused;
  check_formula("E<> P.A && Q.A || i == 1", "P.A && Q.A || i == 1");
  check_formula("E<> P.A and (Q.A or i == 1)", "P.A && (Q.A || i == 1)");
  check_formula("E<> not P.A and Q.A", "!P.A && Q.A");
  check_formula("E<> ! i == 1", "!(i == 1)");
  check_formula("A[] P.A imply Q.A", "!P.A || Q.A");
  check_formula("A[] i imply j imply P.A", "!i || (!j || P.A)");
  check_formula("E<> true && !false", "1");
  check_formula("E<> P.A + Q.A + (i == 2) <= 1", "P.A + Q.A + (i == 2) <= 1");
  check_formula("E<> P.A == Q.A", "P.A == Q.A");
  check_formula("E<> (if P.A then 1 else v[i]) == 1", "(if P.A then 1 else v[i]) == 1");
}

static void test_clocks(void **unused) {
  (void)unused;
  check_formula("E<> x < 3 || !(x - y >= i)", "x < 3 || !(x - y >= i)");
  check_formula("E<> x != 3", "x != 3");
  check_formula("E<> 1 <= x < 5 && z[j] > 2", "x >= 1 && x < 5 && z[j] > 2");
  check_formula("E<> Q.clk <= 1", "Q.clk <= 1");
  refuse("E<> (x < 3) + 1 == 2", "compares a clock, which is not allowed in a sum");
  refuse("E<> (if x < 3 then 1 else 2) == 2", "the condition of an `if` term");
  refuse("E<> x", "`x` is a clock, not a condition");
  refuse("E<> v == 1", "`v` is an array");
  refuse("E<> P.A[1]", "`P.A` cannot be indexed");
}

static void test_names(void **unused) {
  (void)unused;
  check_formula("E<> one", "P.B");
  check_formula("E<> two", "P.B || Q.A");
  check_formula("E<> a.b.d", "a.b.d");
  check_formula("E<> a.b.e", "a.b.e");
  refuse("E<> a.b.c", "`a.b.c` is a location in more than one way");
  refuse("E<> P.C", "process `P` has no location `C`; did you mean `P.");
  refuse("E<> P", "`P` is a process; ask for one of its locations, as in `P.A`");
  refuse("E<> b", "`b` is an event");
  refuse("E<> ones", "nor a label, a variable or a clock; did you mean `one`?");
  refuse("E<> i = 1", "`=` assigns; write `==`");
  refuse("E<> i == 1 | j == 2", "write `||`");
}

static void test_double_meaning(void **unused) {
  (void)unused;
  static const char *const cases[][3] = {
      {"E<> i == 1", "i == 1", "`i` is a variable as well as a label"},
      {"E<> x < 1", "x < 1", "`x` is a clock as well as a label"},
      {"E<> P.B", "P.B != 0", "`P.B` is a variable as well as a location"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Reading r;
    Query query;
    assert_true(read(&r, &query, cases[i][0]));
    expr_print(&r.text, query.formula);
    assert_string_equal(text_chars(&r.text), cases[i][1]);
    assert_int_equal(r.report.warning_count, 1);
    assert_non_null(strstr(text_chars(&r.report.warnings), cases[i][2]));
    reading_release(&r);
  }
}

// The tree of a location holds the slot of its process and its index there.
static void test_location_tree(void **unused) {
  (void)unused;
  Reading r;
  Query query;
  assert_true(read(&r, &query, "E<> Q.late"));
  assert_int_equal(query.formula->kind, EXPR_AT);
  assert_int_equal(query.formula->base, r.net.location_slot + 1);
  assert_int_equal(query.formula->value, 1);
  reading_release(&r);
}

static void check_labels(const char *labels, const char *shown, const char *message) {
  Reading r;
  Query query;
  reading_accept(&r, model);
  const Source source = {.name = "labels", .text = labels, .size = strlen(labels)};
  const bool ok = query_read_labels(&query, &r.arena, &r.net, &source, &r.report);
  assert_int_equal(ok, shown != NULL);
  if (ok) {
    expr_print(&r.text, query.formula);
    assert_string_equal(text_chars(&r.text), shown);
    assert_int_equal(query.kind, QUERY_REACH);
    assert_string_equal(query.text, labels);
  } else if (!strstr(reading_error(&r), message)) {
    fail_msg("%s: %s", labels, text_chars(&r.text));
  }
  reading_release(&r);
}

static void test_labels(void **unused) {
  (void)unused;
  check_labels("one", "P.B", NULL);
  check_labels("one, two", "P.B && (P.B || Q.A)", NULL);
  check_labels("i", "Q.late", NULL); // a label also if there is a variable
  check_labels("", NULL, "a label is missing here");
  check_labels("one,", NULL, "a label is missing here");
  check_labels("ones", NULL, "no location has the label `ones`; did you mean `one`?");
}

// A part of a file: messages name its place there.
static void test_part(void **unused) {
  (void)unused;
  Reading r;
  Query query;
  reading_accept(&r, model);
  const char text[] = "E<> P.A\nE<> ?\nA[] /* x */ i /* y */ < 9\n";
  const Source source = {.name = "file.q", .text = text, .size = sizeof text - 1};
  assert_true(query_read_part(&query, &r.arena, &r.net, &source, 14, 39, &r.report));
  assert_string_equal(query.text, "A[] /* x */ i /* y */ < 9");
  assert_int_equal(query.kind, QUERY_INVARIANT);
  assert_false(query_read_part(&query, &r.arena, &r.net, &source, 8, 13, &r.report));
  assert_non_null(strstr(reading_error(&r), "file.q:2:5: "));
  reading_release(&r);
}

// A label of many locations, a long query, and one that is nested too deep.
static void test_large(void **unused) {
  (void)unused;
  enum { COUNT = 5000 };
  Reading r;
  Query query;
  Mem mem = {0};
  Text text = {.mem = &mem};
  text_add(&text, "system:s\nprocess:P\nlocation:P:start{initial:}\n");
  for (int i = 0; i < COUNT; i++)
    text_addf(&text, "location:P:l%d{labels: many}\n", i);
  reading_accept(&r, text_chars(&text));
  const Source many = {.name = "query", .text = "A[] !many || P.start", .size = 20};
  assert_true(query_read(&query, &r.arena, &r.net, &many, &r.report));
  text_clear(&r.text);
  text_add(&r.text, "E<> ");
  for (int i = 0; i < COUNT; i++)
    text_add(&r.text, "not ");
  const Source deep = {.name = "query", .text = r.text.chars, .size = r.text.size};
  assert_false(query_read(&query, &r.arena, &r.net, &deep, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "nested more than 200 deep"));
  reading_release(&r);
  text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),          cmocka_unit_test(test_runs_and_values),
      cmocka_unit_test(test_quantifiers),    cmocka_unit_test(test_operators),
      cmocka_unit_test(test_clocks),         cmocka_unit_test(test_names),
      cmocka_unit_test(test_double_meaning), cmocka_unit_test(test_location_tree),
      cmocka_unit_test(test_labels),         cmocka_unit_test(test_part),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests_name("query_reader", tests, NULL, NULL);
}
