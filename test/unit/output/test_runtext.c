// Runs as text. Zones: what is printed, read again, is the zone, and clocks that differ by a
// constant are printed as equal.
#include "output/runtext.h"

#include "answers/runs/simulate.h"

#include "sample_zones.h"
#include "searching.h"

#include <ctype.h>

// A clock called c3, or the number before it.
static const char *read_side(const char *chars, uint32_t *clock, int32_t *constant) {
  *clock = 0;
  *constant = 0;
  char *end;
  if (*chars == 'c') {
    *clock = (uint32_t)strtoul(chars + 1, &end, 10);
    chars = end;
  }
  if (*chars == '-' && chars[1] == 'c')
    return chars; // a difference: the caller goes on
  if (*chars == '+' || *chars == '-' || isdigit((unsigned char)*chars)) {
    *constant = (int32_t)strtol(chars, &end, 10);
    chars = end;
  }
  return chars;
}

static void tighten(Zone *zone, uint32_t i, uint32_t j, int32_t constant, bool is_strict) {
  naive_tighten(zone, (Constraint){i, j, is_strict ? bound_lt(constant) : bound_le(constant)});
}

// One constraint, `left < right` with `left` a clock, a difference or a number.
static const char *read_constraint(const char *chars, Zone *zone) {
  uint32_t i, j = 0, k;
  int32_t a, b;
  chars = read_side(chars, &i, &a);
  if (*chars == '-')
    chars = read_side(chars + 1, &j, &b);
  const bool is_equal = *chars == '=', is_strict = !is_equal && chars[1] != '=';
  chars = read_side(chars + (is_equal || is_strict ? 1 : 2), &k, &b);
  assert_true(!j || !k);
  tighten(zone, i, j ? j : k, b - a, is_strict);
  if (is_equal)
    tighten(zone, k, i, a - b, false);
  return strncmp(chars, " && ", 4) ? chars : chars + 4;
}

static void test_zones(void **unused) {
  (void)unused;
  static const char *const names[] = {"0", "c1", "c2", "c3", "c4", "c5", "c6"};
  Mem mem = {0};
  Text text = {.mem = &mem};
  Random random;
  random_seed(&random, 5);
  int equalities = 0;
  for (int round = 0; round < 5000; round++) {
    Zone zone, again;
    const uint32_t n = 2 + random_below(&random, 6);
    naive_universal(&zone, n);
    for (uint32_t k = 0; k < n + 1; k++) {
      const uint32_t i = random_below(&random, n), j = random_below(&random, n);
      if (i == j)
        continue;
      const int32_t c = (int32_t)random_below(&random, 9) - 2;
      tighten(&zone, i, j, c, random_below(&random, 3) == 0);
      if (random_below(&random, 3) == 0)
        tighten(&zone, j, i, -c, false);
    }
    if (!naive_close(&zone))
      continue;
    text_clear(&text);
    runtext_zone(&text, names, zone.d, n, 1);
    const char *chars = text_chars(&text);
    equalities += strchr(chars, '=') && strstr(chars, "=c");
    naive_universal(&again, n);
    while (*chars && strcmp(chars, "true"))
      chars = read_constraint(chars, &again);
    assert_true(naive_close(&again));
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        if (zone_get(&zone, i, j) != zone_get(&again, i, j))
          fail_msg("`%s` is another zone", text_chars(&text));
  }
  assert_true(equalities > 100);
  text_release(&text);
}

#define WALK                                                                                     \
  "system:walk\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:9:0:n\nint:6:0:9:0:v\nprocess:P\n"        \
  "location:P:A{initial:}\nlocation:P:B{}\nlocation:P:C{}\n"                                     \
  "edge:P:A:B:a{provided: x>=2 : do: x=0; v[1]=3}\nedge:P:B:C:a{}\n"                             \
  "edge:P:C:C:a{do: n=n+1}\n"

static void expect(Simulation *sim, const RunText *how, uint32_t loop, const char *expected) {
  Text text = {.mem = sim->mem};
  Trace trace = {.net = sim->net, .kind = TRACE_CONCRETE, .run = simulate_run(sim)};
  trace.run.repeats = loop;
  trace.run.loop_from = loop;
  runtext_write(&text, &trace, how);
  assert_string_equal(text_chars(&text), expected);
  text_release(&text);
}

// A step tells what it changes; the whole state is at the beginning and at the end.
static void test_runs(void **unused) {
  (void)unused;
  Search s = {0};
  reading_accept(&s.reading, WALK);
  Simulation sim;
  assert_true(simulate_init(&sim, &s.mem, &s.reading.net));
  expect(&sim, &(RunText){.end = "it ends"}, 0,
         "      P.A,n=0,v=[0*6]  x=0 y=0\n      at 0  it ends\n");
  assert_true(simulate_step(&sim, 0, -1, 1) && simulate_step(&sim, 0, 1, 1) &&
              simulate_step(&sim, 0, -1, 1));
  expect(&sim, &(RunText){.end = "it ends"}, 0,
         "      P.A,n=0,v=[0*6]  x=0 y=0\n"
         "   1  at 2  P: A -> B (a)\n      v[1]=3  x=0\n"
         "   2  at 3  P: B -> C (a)\n"
         "   3  at 3  P: C -> C (a)\n      n=1\n"
         "      at 3  it ends\n      P.C,n=1,v=[0,3,0,0,0,0]  x=1 y=3\n");
  expect(&sim, &(RunText){.end = "it ends", .last = 1}, 0,
         "      P.C,n=0,v=[0,3,0,0,0,0]  x=1 y=3\n"
         "   3  at 3  P: C -> C (a)\n      n=1\n"
         "      at 3  it ends\n      P.C,n=1,v=[0,3,0,0,0,0]  x=1 y=3\n");
  expect(&sim, &(RunText){.end = "it ends", .is_full = true, .last = 1}, 0,
         "      P.C,n=0,v=[0,3,0,0,0,0]  x=1 y=3\n"
         "   3  at 3  P: C -> C (a)\n      P.C,n=1,v=[0,3,0,0,0,0]  x=1 y=3\n"
         "      at 3  it ends\n");
  expect(&sim, &(RunText){.end = "it ends"}, 2,
         "      P.A,n=0,v=[0*6]  x=0 y=0\n"
         "   1  at 2  P: A -> B (a)\n      v[1]=3  x=0\n"
         "   2  at 3  P: B -> C (a)\n      P.C,n=0,v=[0,3,0,0,0,0]  x=1 y=3\n"
         "   3  at 3  P: C -> C (a)\n      P.C,n=1,v=[0,3,0,0,0,0]  x=1 y=3\n"
         "      from here on it repeats what followed step 2\n");
  simulate_release(&sim);
  search_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_zones), cmocka_unit_test(test_runs)};
  return cmocka_run_group_tests_name("runtext", tests, NULL, NULL);
}
