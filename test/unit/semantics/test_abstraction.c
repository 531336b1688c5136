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

static void admit(const char *edge, Abstraction abstraction, BoundsScope bounds, bool knows,
                  const char *error) {
  Reading r;
  char text[256];
  snprintf(text, sizeof text, MODEL "%s", edge);
  reading_accept(&r, text);
  Options options;
  options_init(&options);
  options.abstraction = (int)abstraction;
  options.bounds = bounds;
  assert_int_equal(abstraction_admits(&options, &r.net, NULL, knows, &r.report), !error);
  assert_non_null(strstr(text_chars(&r.report.error), error ? error : ""));
  if (bounds == BOUNDS_LOCAL)
    assert_int_equal(abstraction_is_sound(abstraction, &r.net, NULL, knows), !error);
  reading_release(&r);
}

static void test_known(void **unused) {
  (void)unused;
  const char *diagonal = "edge:P:A:A:a{provided: x[0]-x[1]<3}\n";
  const Abstraction known[] = {ABSTRACTION_ALU, ABSTRACTION_AM, ABSTRACTION_CLOSURE};
  for (int i = 0; i < 3; i++) {
    admit(diagonal, known[i], BOUNDS_LOCAL, true, NULL);
    admit(diagonal, known[i], BOUNDS_GLOBAL, true, NULL);
    admit(diagonal, known[i], BOUNDS_LAZY, true, "--bounds lazy");
    admit(diagonal, known[i], BOUNDS_FLY, true, "--bounds fly");
  }
  for (int a = ABSTRACTION_CLOSURE_LU_PLUS; a < ABSTRACTION_NONE; a++)
    admit(diagonal, (Abstraction)a, BOUNDS_LOCAL, true,
          "use --abstraction alu, am, closure or none");
  admit(diagonal, ABSTRACTION_NONE, BOUNDS_LAZY, true, NULL);
}

// By an engine that does not know differences.
static void test_diagonals(void **unused) {
  (void)unused;
  const char *plain = "edge:P:A:A:a{provided: x[0]<3}\n";
  const char *diagonal = "edge:P:A:A:a{provided: x[0]-x[1]<3}\n";
  admit(plain, ABSTRACTION_ALU, BOUNDS_LOCAL, false, NULL);
  admit(diagonal, ABSTRACTION_ALU, BOUNDS_LOCAL, false, "or --abstraction none");
  admit(diagonal, ABSTRACTION_NONE, BOUNDS_LOCAL, false, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_apply), cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_diagonals),
                                     cmocka_unit_test(test_known)};
  return cmocka_run_group_tests_name("abstraction", tests, NULL, NULL);
}
