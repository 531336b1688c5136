#include "reading.h"

#include "language/tchecker/tck_attr.h"

static void test_location(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nclock:1:x\nint:1:0:1:0:n\nprocess:P\n"
                     "location:P:A{initial: : labels: a, b ,c : invariant: x<=3 && n==1}\n"
                     "location : P : B { committed: : urgent: }\nlocation:P:C{}\nlocation:P:D\n"
                     "location:P:E{labels:}\n");
  const Location *locations = r.net.locations.items;
  assert_true(locations[0].initial && !locations[0].committed && !locations[0].urgent);
  assert_int_equal(locations[0].labels.size, 3);
  assert_string_equal(r.net.labels.items[locations[0].labels.items[1]].name, "b");
  expr_print(&r.text, locations[0].invariant_expr);
  assert_string_equal(text_chars(&r.text), "x <= 3 && n == 1");
  assert_true(!locations[1].initial && locations[1].committed && locations[1].urgent);
  assert_false(locations[2].initial);
  assert_int_equal(locations[4].labels.size, 0);
  assert_int_equal(r.report.warning_count, 0);
  reading_release(&r);
}

// As TChecker has it, what is in braces may go over several lines.
static void test_lines(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided:\n  i == 1\n  && x < 2\n  : do: i = 2;\n"
                              "  x = 0\n}  # a comment\nedge:P:B:A:a\n");
  assert_int_equal(r.net.edges.size, 2);
  stmt_print(&r.text, r.net.edges.items[0].update_stmts);
  assert_string_equal(text_chars(&r.text), "i = 2; x = 0");
  reading_release(&r);
}

// What is given twice counts twice.
static void test_repeated(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "location:P:C{invariant: x<3 : labels: one : invariant: i : "
                              "labels: two}\n"
                              "edge:P:A:B:a{do: local k = 1; i = k : provided: i == 1 : "
                              "do: j = k; k = 0 : provided: x < 2 && j == 0}\n");
  const Edge *edge = &r.net.edges.items[0];
  expr_print(&r.text, edge->guard_expr);
  text_add(&r.text, " / ");
  stmt_print(&r.text, edge->update_stmts);
  text_add(&r.text, " / ");
  const Location *location = net_location(&r.net, 0, 2);
  expr_print(&r.text, location->invariant_expr);
  assert_string_equal(text_chars(&r.text), "i == 1 && (x < 2 && j == 0) / local k = 1; i = k; "
                                           "j = k; k = 0 / x < 3 && i != 0");
  assert_int_equal(edge->update_locals, 1);
  assert_int_equal(location->labels.size, 2);
  reading_release(&r);
}

// Guards do not see the local variables of `do`, nor does another edge.
static void test_locals_stay(void **unused) {
  (void)unused;
  reading_refuse("edge:P:A:B:a{do: local k : provided: k == 0}", "`k` is not declared");
  reading_refuse("edge:P:A:B:a{do: local k}\nedge:P:B:A:a{do: k = 0}", "`k` is not declared");
}

// Conditions and statements may use what is declared further down.
static void test_late_names(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "edge:P:A:B:a{provided: late < 3 : do: later = 1}\n"
                              "clock:1:late\nint:1:0:1:0:later\n");
  reading_release(&r);
}

static void test_unknown(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, PREAMBLE "location:P:C{color: red and blue : rank: 3 : note:}\n"
                              "location:P:D{color: green}\nedge:P:A:B:a{weight: 3}\n"
                              "event:c{controllable: no}\n");
  const Location *location = net_location(&r.net, 0, 2);
  assert_int_equal(location->attributes.size, 3);
  assert_string_equal(location->attributes.items[0].key, "color");
  assert_string_equal(location->attributes.items[0].value, "red and blue");
  assert_string_equal(location->attributes.items[2].value, "");
  assert_int_equal(net_location(&r.net, 0, 3)->attributes.size, 1);
  assert_int_equal(r.net.edges.items[0].attributes.size, 1);
  assert_string_equal(r.net.events.items[2].attributes.items[0].key, "controllable");
  // Once for each key and kind of declaration.
  assert_int_equal(r.report.warning_count, 5);
  reading_release(&r);
}

static void test_many_warnings(void **unused) {
  (void)unused;
  Reading r;
  char *text = calloc(1, 65536);
  strcpy(text, PREAMBLE);
  for (int i = 0; i < 500; i++)
    sprintf(text + strlen(text), "location:P:l%d{k%d: : initial: 1}\n", i, i);
  reading_accept(&r, text);
  assert_in_range(r.report.warning_count, 50, 60);
  reading_release(&r);
  free(text);
}

static void test_errors(void **unused) {
  (void)unused;
  reading_refuse("location:P:C{initial: invariant: x<3}", "`:` is missing between");
  reading_refuse("edge:P:A:B:a{provided: x<3 do: x=0}",
                 "`:` is missing before the attribute `do`");
  reading_refuse("location:P:C{initial}", "expected `:` after the attribute `initial`");
  reading_refuse("location:P:C{initial: :}", "expected the name of an attribute, found `}`");
  reading_refuse("location:P:C{: initial:}", "expected the name of an attribute, found `:`");
  reading_refuse("location:P:C{invariant: x<3", "never closed");
  reading_refuse("location:P:C{", "never closed");
  reading_refuse("location:P:C{labels: a", "never closed");
  reading_refuse("location:P:C{labels: a\nlocation:P:D{initial:}", "`{` inside of braces");
  reading_refuse("location:P:C{labels: a # b\n}", "a comment cannot stand inside of braces");
  reading_refuse("location:P:C{# b\n}", "expected the name of an attribute, found `#`");
  reading_refuse("location:P:C{labels: a}}", "expected the end of the line, found `}`");
  reading_refuse("location:P:C labels", "expected `{` or the end of the line, found `labels`");
  reading_refuse("location:P:C{invariant: }", "attribute `invariant` has no value");
  reading_refuse("edge:P:A:B:a{provided:}", "attribute `provided` has no value");
  reading_refuse("edge:P:A:B:a{do: : provided: i}", "attribute `do` has no value");
  reading_refuse("edge:P:A:B:a{do: x := 0}", "assignments are written with `=`");
  reading_refuse("location:P:C{labels: a,,b}", "a label is missing here");
  reading_refuse("location:P:C{labels: ,b}", "a label is missing here");
  reading_refuse("location:P:C{labels: a,}", "a label is missing here");
  reading_warn("location:P:C{labels: a b}", "this label contains blanks");
}

// Conditions pile up over attributes; the tree stays within its limit.
static void test_depth(void **unused) {
  (void)unused;
  Reading r;
  char *text = calloc(1, 1 << 20);
  strcpy(text, PREAMBLE "edge:P:A:B:a{provided: i");
  for (int i = 0; i < 3000; i++)
    strcat(text, " : provided: i");
  strcat(text, "}\n");
  assert_false(reading_model(&r, text));
  assert_non_null(strstr(reading_error(&r), "operators in a row"));
  reading_release(&r);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_location),      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_repeated),      cmocka_unit_test(test_locals_stay),
      cmocka_unit_test(test_late_names),    cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_many_warnings), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_depth),
  };
  return cmocka_run_group_tests_name("tck_attr", tests, NULL, NULL);
}
