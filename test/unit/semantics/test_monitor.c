// Metric interval temporal logic: formulas on small runs.
#include "semantics/stochastic/monitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

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

// The meaning of formulas once more, by recursion over points: a position and a time in it. Truth
// changes at `moments` only, so it is enough to look at them and in between.
typedef VEC(double) Moments;

static double end_at(const Monitor *m, uint32_t at) {
  return at + 1 < m->positions.size ? m->positions.items[at + 1].start : m->end;
}

static void add_moments(const Monitor *m, const Mitl *f, Moments *moments) {
  if (f->kind == MITL_ATOM) {
    for (uint32_t k = 0; k < m->positions.size; k++)
      vec_push(m->mem, moments, m->positions.items[k].start);
    return;
  }
  const uint32_t first = moments->size;
  add_moments(m, f->a, moments);
  if (f->b)
    add_moments(m, f->b, moments);
  const uint32_t end = moments->size;
  for (uint32_t k = first; k < end && (f->kind == MITL_UNTIL || f->kind == MITL_RELEASE); k++) {
    const double low = moments->items[k] - f->low, high = moments->items[k] - f->high;
    vec_push(m->mem, moments, low);
    vec_push(m->mem, moments, high);
  }
}

static int compare_moments(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static bool sat(const Monitor *m, const Mitl *f, uint32_t atom, uint32_t at, double time);

// a U[low,high] b; with `dual`, !a U[low,high] !b.
static bool sat_until(const Monitor *m, const Mitl *f, uint32_t atom, uint32_t at, double time,
                      bool dual) {
  const uint32_t second = atom + monitor_atoms(f->a, (const Expr *[MONITOR_MAX_ATOMS]){0});
  Moments moments = {0};
  add_moments(m, f->a, &moments);
  add_moments(m, f->b, &moments);
  vec_push(m->mem, &moments, time);
  const double low = time + f->low, high = time + f->high;
  vec_push(m->mem, &moments, low);
  vec_push(m->mem, &moments, high);
  for (uint32_t k = 0; k < m->positions.size; k++)
    vec_push(m->mem, &moments, m->positions.items[k].start);
  qsort(moments.items, moments.size, sizeof(double), compare_moments);
  int result = -1;
  for (uint32_t p_at = at; p_at < m->positions.size && result < 0; p_at++)
    for (uint32_t k = 0; k < 2 * moments.size && result < 0; k++) {
      const double here = moments.items[k / 2];
      const double next = k / 2 + 1 < moments.size ? moments.items[k / 2 + 1] : here + 2;
      const double moment = k % 2 ? here + (next - here) / 2 : here;
      if (moment < time || moment < m->positions.items[p_at].start || moment > end_at(m, p_at))
        continue;
      if (moment >= low && moment <= high && sat(m, f->b, second, p_at, moment) != dual)
        result = true;
      else if (moment > high || sat(m, f->a, atom, p_at, moment) == dual)
        result = false;
    }
  vec_release(m->mem, &moments);
  return result == true;
}

static bool sat(const Monitor *m, const Mitl *f, uint32_t atom, uint32_t at, double time) {
  const Expr *unused[MONITOR_MAX_ATOMS];
  switch (f->kind) {
  case MITL_ATOM:
    return m->positions.items[at].truths >> atom & 1;
  case MITL_NOT:
    return !sat(m, f->a, atom, at, time);
  case MITL_AND:
    return sat(m, f->a, atom, at, time) &&
           sat(m, f->b, atom + monitor_atoms(f->a, unused), at, time);
  case MITL_OR:
    return sat(m, f->a, atom, at, time) ||
           sat(m, f->b, atom + monitor_atoms(f->a, unused), at, time);
  case MITL_UNTIL:
    return sat_until(m, f, atom, at, time, false);
  case MITL_RELEASE:
    return !sat_until(m, f, atom, at, time, true);
  default:
    while (++at < m->positions.size && !m->positions.items[at].is_step)
      ;
    return at < m->positions.size && sat(m, f->a, atom, at, m->positions.items[at].start);
  }
}

static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}
static double real(uint64_t *seed, double most) {
  return most * (double)next_random(seed) / (double)(1u << 31);
}

static Mitl *formula(uint64_t *seed, Mitl **room, int depth) {
  static const MitlKind kinds[] = {MITL_NOT,   MITL_AND,     MITL_OR,      MITL_UNTIL, MITL_UNTIL,
                                   MITL_UNTIL, MITL_RELEASE, MITL_RELEASE, MITL_NEXT};
  Mitl *f = (*room)++;
  *f = (Mitl){.kind = MITL_ATOM, .atom = &p};
  if (depth == 0 || next_random(seed) % 6 == 0)
    return f;
  f->kind = kinds[next_random(seed) % 9];
  f->low = next_random(seed) % 2 ? 0 : real(seed, 3);
  f->high = f->low + real(seed, 4);
  f->a = formula(seed, room, depth - 1);
  if (f->kind != MITL_NOT && f->kind != MITL_NEXT)
    f->b = formula(seed, room, depth - 1);
  return f;
}

// Random formulas on random runs, in some of which several steps lie at one time.
static void test_random(void **state) {
  (void)state;
  Mem mem = {0};
  unsigned true_ones = 0;
  enum { RUNS = 10000 };
  for (uint64_t k = 0; k < RUNS; k++) {
    uint64_t seed = 88172645463325252u + k * 2654435761u;
    Mitl formulas[64], *room = formulas;
    const Mitl *f = formula(&seed, &room, 1 + (int)(k % 3));
    Monitor m = {.mem = &mem, .end = 60};
    double time = 0;
    for (uint64_t count = 1 + next_random(&seed) % 6; count; count--) {
      const MonitorPosition position = {time, next_random(&seed), next_random(&seed) % 4 != 0};
      vec_push(&mem, &m.positions, position);
      time += next_random(&seed) % 4 ? real(&seed, 3) : 0;
    }
    const bool expected = sat(&m, f, 0, 0, 0);
    true_ones += expected;
    if (monitor_holds(&m, f) != expected)
      fail_msg("run %u: should be %d", (unsigned)k, expected);
    vec_release(&mem, &m.positions);
  }
  assert_true(true_ones > RUNS / 5 && true_ones < RUNS - RUNS / 5);
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_until), cmocka_unit_test(test_boolean),
                                     cmocka_unit_test(test_next), cmocka_unit_test(test_derived),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
