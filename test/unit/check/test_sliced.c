// Which processes a certificate may leave out. test/rules.py has certificates that break each
// rule, test/fuzz/agree_slices.c forges them for random networks.
#include "check/sliced.h"

#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// P is what the query is about, Q is left out.
#define GLOBALS "int[0,1] n, q, k, a[2]; clock x, y; chan c; broadcast chan b;\n"
#define P(body) "process P() { state A, B; init A; trans A -> B { " body " }; }\n"
#define Q(body) "process Q() { state A, B; init A; trans A -> B { " body " }; }\nsystem P, Q;\n"

typedef struct Case {
  const char *text, *query;
  const char *why; // a part of the reason; NULL: Q can be left out
} Case;

static const Case cases[] = {
    {GLOBALS P("") Q("assign q = 1, y = 0;"), "E<> P.B", NULL},
    {GLOBALS P("guard q == 0;") Q("assign q = 1;"), "E<> P.B", "a guard reads"},
    {GLOBALS P("guard y <= 1;") Q("assign y = 0;"), "E<> P.B", "a guard reads"},
    {GLOBALS P("guard x <= 1;") Q("assign y = 0;"), "E<> P.B", NULL},
    {GLOBALS
     "process P() { state A { x <= q }, B; init A; trans A -> B { }; }\n" Q("assign q = 1;"),
     "E<> P.B", "an invariant reads"},
    {GLOBALS P("assign n = q;") Q("assign q = 1;"), "E<> P.B", NULL},
    {GLOBALS P("assign n = q;") Q("assign q = 1;"), "E<> n == 1", "the query depends"},
    {GLOBALS P("assign k = q, n = k;") Q("assign q = 1;"), "E<> P.B", NULL},
    {GLOBALS P("assign k = q, n = k;") Q("assign q = 1;"), "E<> n == 1", "the query depends"},
    {GLOBALS P("assign a[q] = 1;") Q("assign q = 1;"), "E<> P.B", NULL},
    {GLOBALS P("assign a[q] = 1;") Q("assign q = 1;"), "E<> a[1] == 1", "the query depends"},
    {GLOBALS P("assign n = q + 1;") Q("assign q = 1;"), "E<> P.B", "an update reads"},
    {GLOBALS P("assign a[q + 1] = 1;") Q("assign q = 1;"), "E<> P.B", "an update reads"},
    {GLOBALS P("assign x = q;") Q("assign q = 1;"), "E<> P.B", "an update reads"},
    {GLOBALS P("assign n = (k = q);") Q("assign q = 1;"), "E<> P.B", "an update reads"},
    {GLOBALS "void f() { n = q; }\n" P("assign f();") Q("assign q = 1;"), "E<> P.B",
     "an update reads"},
    {GLOBALS P("") Q("assign q = 1;"), "E<> q == 1", "the query depends"},
    {GLOBALS P("") Q("assign y = 0;"), "E<> y > 1", "the query depends"},
    {GLOBALS P("") Q(""), "E<> Q.B", "the query depends"},
    {GLOBALS P("") Q(""), "E<> deadlock", "depends on all"},
    {GLOBALS P("") Q("assign q = q + 1;"), "E<> P.B", "may fail"},
    {GLOBALS P("assign n = 1;") Q("guard a[q + n] == 0; assign q = 1;"), "E<> P.B", "may fail"},
    {GLOBALS P("") Q("guard forall (i : int[0,9999]) forall (j : int[0,9999]) i + j >= n;"),
     "E<> P.B", "may fail"}, // in too many steps
    {GLOBALS P("") Q("guard forall (i : int[0,99]) forall (j : int[0,99]) i + j >= n;"),
     "E<> P.B", NULL},
    {GLOBALS "before_update { n = q; }\n" P("") Q(""), "E<> P.B", "around each step"},
    {GLOBALS "chan priority c < default;\n" P("") Q(""), "E<> P.B", "priorities"},
    {GLOBALS
     "process P() { state A { x' == 0 }, B; init A; trans A -> B { guard x < 1; }; }\n" Q(""),
     "E<> P.B", "stopped clocks"},
    {GLOBALS P("") "process Q() { state A { y >= 1 }; init A; }\nsystem P, Q;\n", "E<> P.B",
     "no initial state"},
};

static void test_rules(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Reading r;
    Query query;
    Goal goal;
    const bool left_out[] = {false, true};
    const Source source = {
        .name = "query", .text = cases[i].query, .size = strlen(cases[i].query)};
    reading_accept_uppaal(&r, cases[i].text);
    assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
    assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
    const char *why = sliced_refuse(&r.mem, &r.net, &goal, left_out);
    if (!why != !cases[i].why || (why && !strstr(why, cases[i].why)))
      fail_msg("case %zu: %s", i, why ? why : "it can be left out");
    reading_release(&r);
  }
}

static void test_all_states(void **unused) {
  (void)unused;
  Reading r;
  const bool left_out[] = {false, true};
  reading_accept_uppaal(&r, cases[0].text);
  assert_non_null(sliced_refuse(&r.mem, &r.net, NULL, left_out));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),
                                     cmocka_unit_test(test_all_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
