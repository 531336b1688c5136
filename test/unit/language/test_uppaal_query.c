// Queries of UPPAAL's language: kinds, files of them, and what is refused with a reason.
#include "reading.h"

static const char model[] = "int n, A[2]; clock x; int f(int i) { return i + 1; }\n"
                            "process P(const int[1,2] id) { int v; state A, B; init A;\n"
                            "trans A -> B { assign n = id; }; }\nsystem P;";

static bool ask(Reading *r, Query *query, const char *text) {
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  report_clear(&r->report);
  return uppaal_query(query, &r->arena, &r->net, &source, 0, (uint32_t)source.size, &r->report);
}

static void test_kinds(void **state) {
  (void)state;
  static const char *const good[] = {"E<> P(1).B",
                                     "A[] forall (i : int[1,2]) P(i).A imply P(i).v == 0",
                                     "E<> (x < 3) == 1 and (x > 1) == (n > 0)",
                                     "A[1] == 0 --> n == 1",
                                     "A<> n == f(1)",
                                     "E[] x <= 3 or n > 0",
                                     "P(1).A --> P(2).B",
                                     "A[] not deadlock",
                                     "sup{P(1).B}: x, n",
                                     "inf: n",
                                     "bounds{n > 0}: n",
                                     "buchi: P(1).A, n == 1 or P(2).B",
                                     "E<> (sum (i : int[1,2]) P(i).v) == 0",
                                     "E<> exists (i : int[1,2]) i < 2 && P(i + 1).B",
                                     "A[] forall (i : int[1,2]) i == 2 || P(i + 1).A",
                                     "A[] forall (i : int[1,2]) i < 2 imply P(i + 1).A"};
  Reading r;
  reading_accept_uppaal(&r, model);
  for (uint32_t k = 0; k < sizeof good / sizeof *good; k++) {
    Query query;
    if (!ask(&r, &query, good[k]))
      fail_msg("%s: %s", good[k], text_chars(&r.report.error));
  }
  reading_release(&r);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } cases[] = {{"E<> P(3).B", "P"},
               {"E<> exists (i : int[1,2]) i < 3 && P(i + 1).B", "there is no process"},
               {"E<> nobody", "nobody"},
               {"E<> (x < 3) == 2", "is not a number"},
               {"control: A[] n == 1", "games"},
               {"strategy s = control: A<> n == 1", "strategies"},
               {"E<> B", "write `P(1).B`"},
               {"A[] (n == 1 and A<> n == 2)", "beginning"},
               {"E<>", "query:1"},
               {"A[] P(1)", "query:1"},
               {"buchi: x > 1", "without clocks"},
               {"buchi{n > 0}: n", "expected `:`"},
               {"A[] n == 1 => n > 0", "imply"}};
  Reading r;
  reading_accept_uppaal(&r, model);
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Query query;
    assert_false(ask(&r, &query, cases[k].text));
    if (!strstr(text_chars(&r.report.error), cases[k].why))
      fail_msg("%s: %s", cases[k].text, text_chars(&r.report.error));
  }
  reading_release(&r);
}

// Functions that write a parameter, themselves or by a call, are for updates.
static void test_effects(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool good;
  } cases[] = {{"E<> reads(v) == 3", true},   {"E<> own(v) == 3", true},
               {"E<> writes(v) == 3", false}, {"E<> passes(v) == 3", false},
               {"sup: reads(v)", true},       {"sup: writes(v)", false},
               {"sup: v[0]++", false},        {"sup: deadlock", false}};
  Reading r;
  reading_accept_uppaal(&r,
                        "int v[2] = {1, 2};\n"
                        "void copy(const int &a[2], int &b[2]) { b[0] = a[0]; b[1] = a[1]; }\n"
                        "void twice(int &a[2]) { copy(a, a); }\n"
                        "int reads(int &a[2]) { int b[2]; copy(a, b); return b[0] + b[1]; }\n"
                        "int own(int a[2]) { twice(a); return a[0] + a[1]; }\n"
                        "int writes(int &a[2]) { int b[2]; copy(b, a); return 3; }\n"
                        "int passes(int &a[2]) { twice(a); return 3; }\n"
                        "process P() { state A; init A; }\nsystem P;");
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Query query;
    if (ask(&r, &query, cases[k].text) != cases[k].good)
      fail_msg("%s: %s", cases[k].text, text_chars(&r.report.error));
  }
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_effects)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
