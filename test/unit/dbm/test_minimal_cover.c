// Covering between zones and minimal forms against naive versions on whole matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/simulation.h"
#include "dbm/stored/minimal_cover.h"
#include "minimal_zones.h"
#include "sanitized.h"

enum { PAIRS = RANDOM_CASES(150000) };

// A zone like another: most pairs of random ones say no at the first look.
static void change_zone(MinimalFixture *f, Zone *zone, int max) {
  for (uint32_t turn = random_below(&f->random, 4); f->n > 1 && turn > 0; turn--) {
    const Zone before = *zone;
    const Constraint c = random_constraint(&f->random, f->n, max, true);
    switch (random_below(&f->random, 4)) {
    case 0:
      dbm_up(zone->d, f->n);
      break;
    case 1:
      dbm_free(zone->d, f->n, 1 + random_below(&f->random, f->n - 1));
      break;
    case 2:
      dbm_assign(zone->d, f->n, 1 + random_below(&f->random, f->n - 1), 0);
      break;
    default:
      if (!dbm_constrain(&(Mem){0}, zone->d, f->n, c))
        *zone = before;
    }
  }
}

static bool covers(const MinimalFixture *f, ProbeKind kind, const Zone *big, const Zone *small) {
  if (kind == PROBE_CLOSURE_LU)
    return simulation_closure_lu(big->d, small->d, f->n, f->lower, f->upper);
  return kind == PROBE_INCLUSION ? naive_includes(big, small)
                                 : simulation_alu(big->d, small->d, f->n, f->lower, f->upper);
}

typedef struct Tally {
  uint32_t covers[3][2], is_covered[3][2]; // by answer and truth
} Tally;

static void compare(MinimalFixture *f, ProbeKind kind, Tally *tally) {
  const int max = minimal_maxima[random_below(&f->random, 5)];
  Zone zone, other;
  minimal_choose_n(f);
  random_bounds(&f->random, f->n, max, f->lower, f->upper);
  minimal_choose_zone(f, &zone, max);
  other = zone;
  if (random_below(&f->random, 4))
    change_zone(f, &other, max);
  else
    minimal_choose_zone(f, &other, max);
  minimal_make(&f->room, f->string, other.d, f->n);
  const MinimalTest test = {
      .kind = kind, .n = f->n, .zone = zone.d, .lower = f->lower, .upper = f->upper};
  const MinimalAnswer is_big = minimal_covers(&f->room, f->string, &test);
  const MinimalAnswer is_small = minimal_is_covered(&f->room, f->string, &test);
  const bool big = covers(f, kind, &other, &zone), small = covers(f, kind, &zone, &other);
  assert_true(is_big == MINIMAL_DOUBT || (is_big == MINIMAL_YES) == big);
  assert_true(is_small == MINIMAL_DOUBT || (is_small == MINIMAL_YES) == small);
  tally->covers[is_big][big]++;
  tally->is_covered[is_small][small]++;
}

static Tally run(ProbeKind kind, uint64_t seed) {
  static MinimalFixture f;
  Tally tally = {0};
  minimal_begin(&f, seed);
  for (int c = 0; c < PAIRS; c++)
    compare(&f, kind, &tally);
  return tally;
}

static void test_inclusion(void **state) {
  (void)state;
  const Tally tally = run(PROBE_INCLUSION, 3);
  assert_int_equal(tally.covers[MINIMAL_DOUBT][0] + tally.covers[MINIMAL_DOUBT][1], 0);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
  assert_true(tally.is_covered[MINIMAL_NO][0] > tally.is_covered[MINIMAL_DOUBT][0]);
}

static void test_alu(void **state) {
  (void)state;
  const Tally tally = run(PROBE_ALU, 4);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
  assert_true(tally.covers[MINIMAL_NO][0] > 2 * tally.covers[MINIMAL_DOUBT][0]);
  assert_true(tally.is_covered[MINIMAL_NO][0] > tally.is_covered[MINIMAL_DOUBT][0]);
}

static void test_closure_lu(void **state) {
  (void)state;
  const Tally tally = run(PROBE_CLOSURE_LU, 5);
  assert_true(tally.covers[MINIMAL_YES][1] > PAIRS / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inclusion),
      cmocka_unit_test(test_alu),
      cmocka_unit_test(test_closure_lu),
  };
  return cmocka_run_group_tests_name("minimal_cover", tests, NULL, NULL);
}
