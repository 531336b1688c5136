// Zones as text: what is printed, read again, is the zone, and clocks that differ by a constant
// are printed as equal.
#include "output/answer.h"

#include "reading.h"
#include "sample_zones.h"

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
    answer_zone(&text, names, zone.d, n, 1);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_zones)};
  return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
