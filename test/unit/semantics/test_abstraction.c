// Abstractions: the tables against each other, and what is said of diagonal constraints.
#include "semantics/zone/abstraction.h"

#include "dbm/extra.h"
#include "reading.h"

#define MODEL "system:s\nevent:a\nclock:2:x\nprocess:P\nlocation:P:A{initial:}\n"

static void test_apply(void **unused) {
  (void)unused;
  Mem mem = {0};
  Arena arena = {.mem = &mem};
  ActiveClocks active;
  const int32_t lower[] = {0, 3}, upper[] = {0, 5};
  const bool needed[] = {false, false};
  activeclocks_init(&active, &arena, 2);
  activeclocks_set(&active, 2, lower, upper, needed, false);
  for (Abstraction a = ABSTRACTION_ALU; a <= ABSTRACTION_NONE; a++) {
    Bound *zone = arena_align(&arena, dbm_bytes(2), 0);
    dbm_zero(zone, 2);
    dbm_assign(zone, 2, 1, 9);
    const bool has_covering = abstraction_covering(a) != PROBE_INCLUSION;
    abstraction_apply(a, &(Mem){0}, zone, &active);
    assert_int_equal(zone[dbm_stride(2)] == BOUND_INF, !has_covering && a != ABSTRACTION_NONE);
  }
  assert_true(abstraction_is_maximal(ABSTRACTION_EXTRA_M));
  assert_false(abstraction_is_maximal(ABSTRACTION_ALU));
  arena_release(&arena);
}

static void test_bounds(void **unused) {
  (void)unused;
  int64_t lower[] = {0, -1, 7}, upper[] = {0, 12, 99};
  const ClockBounds bounds = {.global_lower = lower, .global_upper = upper};
  assert_int_equal(abstraction_max(&bounds, 2), 12);
  assert_int_equal(abstraction_max(&bounds, 3), 99);
}

static void admit_with(const char *edge, Abstraction abstraction, BoundsScope bounds, bool knows,
                       bool is_chosen, bool expected, Abstraction result, const char *error,
                       const char *warning) {
  Reading r;
  char text[256];
  snprintf(text, sizeof text, MODEL "%s", edge);
  reading_accept(&r, text);
  Options options;
  options_init(&options);
  options.effects = is_chosen ? OPTION_ABSTRACTS : 0;
  options.bounds = bounds;
  assert_int_equal(abstraction_admits(&abstraction, &r.net, NULL, &options, knows, &r.report),
                   expected);
  assert_int_equal(abstraction, result);
  assert_non_null(strstr(text_chars(&r.report.error), error));
  assert_non_null(strstr(text_chars(&r.report.warnings), warning));
  reading_release(&r);
}

// By an engine that does not know differences.
static void admit(const char *edge, bool is_chosen, bool expected, Abstraction result,
                  const char *error, const char *warning) {
  admit_with(edge, ABSTRACTION_ALU, BOUNDS_LOCAL, false, is_chosen, expected, result, error,
             warning);
}

static void test_known(void **unused) {
  (void)unused;
  const char *diagonal = "edge:P:A:A:a{provided: x[0]-x[1]<3}\n";
  const Abstraction known[] = {ABSTRACTION_ALU, ABSTRACTION_AM, ABSTRACTION_CLOSURE};
  for (int i = 0; i < 3; i++) {
    admit_with(diagonal, known[i], BOUNDS_LOCAL, true, true, true, known[i], "", "");
    admit_with(diagonal, known[i], BOUNDS_GLOBAL, true, true, true, known[i], "", "");
    admit_with(diagonal, known[i], BOUNDS_LAZY, true, false, false, known[i], "--bounds lazy",
               "");
    admit_with(diagonal, known[i], BOUNDS_FLY, true, true, false, known[i], "--bounds fly", "");
  }
  for (int a = ABSTRACTION_CLOSURE_LU_PLUS; a < ABSTRACTION_NONE; a++)
    admit_with(diagonal, (Abstraction)a, BOUNDS_LOCAL, true, true, false, (Abstraction)a,
               "use --abstraction alu, am, closure or none", "");
}

static void test_diagonals(void **unused) {
  (void)unused;
  const char *plain = "edge:P:A:A:a{provided: x[0]<3}\n";
  const char *diagonal = "edge:P:A:A:a{provided: x[0]-x[1]<3}\n";
  admit(plain, true, true, ABSTRACTION_ALU, "", "");
  admit(diagonal, true, false, ABSTRACTION_ALU, "or --abstraction none", "");
  admit(diagonal, false, true, ABSTRACTION_NONE, "", "searching without abstraction");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_apply), cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_diagonals),
                                     cmocka_unit_test(test_known)};
  return cmocka_run_group_tests_name("abstraction", tests, NULL, NULL);
}
