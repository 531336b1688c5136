// Metric interval temporal logic: formulas on small runs.
#include "semantics/stochastic/monitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const Expr p, q, always;

static const Mitl atom_p = {.kind = MITL_ATOM, .atom = &p};
static const Mitl atom_q = {.kind = MITL_ATOM, .atom = &q};

// p on [0, 2), q on [2, 5], p and q for no time at 2; ends at 9.
static void begin(Monitor *m, Mem *mem, unsigned first, unsigned second) {
  *m = (Monitor){.mem = mem, .end = 9};
  const MonitorPosition positions[] = {{0, 1u << first, false},
                                       {2, 1u << first | 1u << second, true},
                                       {2, 1u << second, true},
                                       {5, 0, false}};
  for (unsigned k = 0; k < 4; k++)
    vec_push(mem, &m->positions, positions[k]);
}

static bool holds(const Mitl *f) {
  Mem mem = {0};
  Monitor m;
  begin(&m, &mem, 0, 1);
  const bool result = monitor_holds(&m, f);
  vec_release(&mem, &m.positions);
  assert_int_equal(mem.bytes, 0);
  return result;
}

static Mitl pair(MitlKind kind, double low, double high) {
  return (Mitl){.kind = kind, .a = &atom_p, .b = &atom_q, .low = low, .high = high};
}

static void test_until(void **state) {
  (void)state;
  const Mitl soon = pair(MITL_UNTIL, 0, 3), late = pair(MITL_UNTIL, 3, 9);
  const Mitl early = pair(MITL_UNTIL, 0, 1), exact = pair(MITL_UNTIL, 2, 2);
  assert_true(holds(&soon));
  assert_false(holds(&late)); // p has ended by then
  assert_false(holds(&early));
  assert_true(holds(&exact));
}

static void test_boolean(void **state) {
  (void)state;
  const Mitl both = pair(MITL_AND, 0, 0), either = pair(MITL_OR, 0, 0);
  const Mitl no_p = {.kind = MITL_NOT, .a = &atom_p};
  assert_false(holds(&both));
  assert_true(holds(&either));
  assert_false(holds(&no_p));
  const Mitl next = {.kind = MITL_NEXT, .a = &both};
  assert_true(holds(&next)); // in the instant at 2
}

// X is about steps: what changes within a delay is none.
static void test_next(void **state) {
  (void)state;
  const Mitl later = {.kind = MITL_NEXT, .a = &atom_q};
  const Mitl truth = {.kind = MITL_ATOM, .atom = &always};
  const Mitl soon = {.kind = MITL_UNTIL, .a = &truth, .b = &later, .low = 0, .high = 1};
  const Mitl twice = {.kind = MITL_NEXT, .a = &later}, thrice = {.kind = MITL_NEXT, .a = &twice};
  Mem mem = {0};
  Monitor m = {.mem = &mem, .end = 9};
  const MonitorPosition positions[] = {
      {0, 1u, false}, {1, 5u, false}, {2, 3u, true}, {3, 1u, false}, {4, 3u, true}};
  for (unsigned k = 0; k < 5; k++)
    vec_push(&mem, &m.positions, positions[k]);
  // The atoms are: the first one of `soon`, then q of `later`.
  assert_true(monitor_holds(&m, &soon));
  for (unsigned k = 0; k < 5; k++)
    m.positions.items[k].truths >>= 1; // q is the first atom now
  assert_true(monitor_holds(&m, &later));
  assert_true(monitor_holds(&m, &twice));
  assert_false(monitor_holds(&m, &thrice)); // there is no third step
  m.positions.items[2].truths = 0;
  assert_false(monitor_holds(&m, &later));
  assert_int_equal(monitor_steps(&thrice), 3);
  assert_int_equal(monitor_steps(&soon), 1);
  assert_true(monitor_horizon(&soon) == 1);
  vec_release(&mem, &m.positions);
}

// The second atom is q, the first one is always true or false.
static void test_derived(void **state) {
  (void)state;
  const Mitl truth = {.kind = MITL_ATOM, .atom = &always};
  const Mitl falsity = {.kind = MITL_NOT, .a = &truth};
  Mem mem = {0};
  Monitor m = {.mem = &mem, .end = 9};
  const MonitorPosition positions[] = {{0, 1, true}, {2, 3, true}, {5, 1, true}};
  for (unsigned k = 0; k < 3; k++)
    vec_push(&mem, &m.positions, positions[k]);
  static const struct {
    MitlKind kind;
    double low, high;
    bool expected;
  } cases[] = {{MITL_UNTIL, 0, 1, false},   {MITL_UNTIL, 0, 3, true},
               {MITL_UNTIL, 6, 8, false},   {MITL_UNTIL, 4, 8, true},
               {MITL_RELEASE, 0, 9, false}, {MITL_RELEASE, 2.5, 4, true},
               {MITL_RELEASE, 3, 6, false}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    const Mitl f = {.kind = cases[k].kind,
                    .a = cases[k].kind == MITL_UNTIL ? &truth : &falsity,
                    .b = &atom_q,
                    .low = cases[k].low,
                    .high = cases[k].high};
    assert_int_equal(monitor_holds(&m, &f), cases[k].expected);
  }
  // <>[0,2] [][0,2] q: q holds from 2 on, up to 5.
  const Mitl inner = {.kind = MITL_RELEASE, .a = &falsity, .b = &atom_q, .low = 0, .high = 2};
  Mitl outer = {.kind = MITL_UNTIL, .a = &truth, .b = &inner, .low = 0, .high = 2};
  const MonitorPosition three[] = {
      {0, 3, true}, {2, 7, true}, {5, 3, true}}; // atoms: true, true, q
  memcpy(m.positions.items, three, sizeof three);
  assert_true(monitor_holds(&m, &outer));
  outer.high = 1;
  assert_false(monitor_holds(&m, &outer));
  assert_true(monitor_horizon(&outer) == 3);
  const Expr *atoms[MONITOR_MAX_ATOMS];
  assert_int_equal(monitor_atoms(&outer, atoms), 3);
  assert_ptr_equal(atoms[2], &q);
  vec_release(&mem, &m.positions);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_until), cmocka_unit_test(test_boolean),
                                     cmocka_unit_test(test_next), cmocka_unit_test(test_derived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
