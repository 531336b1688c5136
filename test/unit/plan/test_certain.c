// Probabilities that the zone engine knows.
#include "plan/certain.h"

#include "asking.h"

// x has come to 3 at the latest, y may wait for ever; z is never reached.
static const char model[] =
    "clock x; int n = 0;\n"
    "process P() { state s { x <= 3 }, t, z; init s; trans s -> t { guard x >= 2; assign n = 1; "
    "},\n"
    " t -> z { guard n == 2; }; }\n"
    "process Q() { state s { ; 1 }, t; init s; trans s -> t { }; }\nsystem P, Q;\n";

// `expected` is -1 if nothing is certain.
static void expect(const char *query, double expected) {
  Asking asking;
  Certain certain;
  asking_begin(&asking, model, query);
  certain_find(&certain, asking.tarn, &asking.query->path);
  if ((certain.why ? certain.value : -1) != expected)
    fail_msg("%s: %g, %s", query, certain.value, certain.why ? certain.why : "not certain");
  asking_release(&asking);
}

static void test_zero(void **state) {
  (void)state;
  expect("Pr[<=100](<> P.z)", 0);
  expect("Pr[<=100](n < 2 U P.z)", 0);
  expect("Pr[<=1](<> P.t)", 0);  // not before 2
  expect("Pr[<=2](<> P.t)", -1); // at 2, but that has no probability of its own
  expect("Pr[#<=5](<> P.z)", 0);
}

static void test_one(void **state) {
  (void)state;
  expect("Pr[<=3](<> P.t)", 1);
  expect("Pr[<=100]([] n < 2)", 1);
  expect("Pr[<=100](<> Q.t)", -1); // Q may wait
  expect("Pr[#<=1](<> P.t)", -1);  // Q may be first
}

// Of `[] p`: 1 if no run leaves p, 0 if every one does.
static void test_always(void **state) {
  (void)state;
  expect("Pr[<=3]([] P.s)", 0);
  expect("Pr[<=1]([] P.s)", 1);
  expect("Pr[<=2]([] Q.s)", -1);
}

// Without an answer of the zone engine nothing is said.
static void test_nothing(void **state) {
  (void)state;
  expect("Pr(<>[0,3] P.z)", -1);
}

SESSIONS_MAIN("certain", cmocka_unit_test(test_zero), cmocka_unit_test(test_one),
              cmocka_unit_test(test_always), cmocka_unit_test(test_nothing))
