// Pieces of the clock space, against sampled points.
#include "model/expr/pieces.h"

#include "nets.h"

enum { CLOCKS = 3, DENOMINATOR = 4, MAX = 5 };

static ClockTest random_test(Random *random) {
  ClockTest test = {.constant = (int32_t)random_below(random, 2 * MAX) - MAX,
                    .strict = random_below(random, 2)};
  test.i = random_below(random, CLOCKS + 1);
  do
    test.j = random_below(random, CLOCKS + 1);
  while (test.i == test.j);
  return test;
}

static bool holds(const ClockTest *tests, uint32_t count, const int *clocks) {
  for (uint32_t t = 0; t < count; t++) {
    const int left = clocks[tests[t].i] - clocks[tests[t].j];
    const int64_t right = tests[t].constant * DENOMINATOR;
    if (tests[t].strict ? left >= right : left > right)
      return false;
  }
  return true;
}

static bool next_point(int *clocks) {
  for (uint32_t x = 1; x <= CLOCKS; x++) {
    if (++clocks[x] <= 2 * MAX * DENOMINATOR)
      return true;
    clocks[x] = 0;
  }
  return false;
}

// Each point within the context that meets no conjunction is in just one piece, the others in
// none.
static void test_subtract(void **unused) {
  (void)unused;
  Mem mem = {0};
  Random random;
  Pieces pieces;
  random_seed(&random, 7);
  pieces_init(&pieces, &mem);
  for (int round = 0; round < 25; round++) {
    ClockTest lists[4][3];
    uint32_t counts[4];
    for (int i = 0; i < 4; i++) {
      counts[i] = i ? 1 + random_below(&random, 3) : random_below(&random, 3);
      for (uint32_t t = 0; t < counts[i]; t++)
        lists[i][t] = random_test(&random);
    }
    pieces_begin(&pieces);
    for (int i = 1; i < 4; i++)
      pieces_subtract(&pieces, lists[i], counts[i], lists[0], counts[0]);
    int clocks[CLOCKS + 1] = {0};
    do {
      if (!holds(lists[0], counts[0], clocks))
        continue;
      bool is_taken = false;
      for (int i = 1; i < 4; i++)
        is_taken |= holds(lists[i], counts[i], clocks);
      int found = 0;
      for (uint32_t p = 0; p < pieces.ends.size; p++) {
        uint32_t count;
        const ClockTest *tests = pieces_at(&pieces, p, &count);
        found += holds(tests, count, clocks);
      }
      assert_int_equal(found, !is_taken);
    } while (next_point(clocks));
  }
  mem_release(&mem);
}

static void test_contradict(void **unused) {
  (void)unused;
  Mem mem = {0};
  Random random;
  Pieces pieces;
  random_seed(&random, 8);
  pieces_init(&pieces, &mem);
  for (int round = 0; round < 60; round++) {
    ClockTest tests[4];
    const uint32_t count = 1 + random_below(&random, 4);
    for (uint32_t t = 0; t < count; t++)
      tests[t] = random_test(&random);
    int clocks[CLOCKS + 1] = {0};
    bool is_possible = false;
    do
      is_possible |= holds(tests, count, clocks);
    while (!is_possible && next_point(clocks));
    const uint32_t first = random_below(&random, count + 1);
    assert_int_equal(pieces_contradict(&pieces, tests, first, tests + first, count - first),
                     !is_possible);
  }
  mem_release(&mem);
}

// Bounds of single clocks are compared clock by clock, with a test of a difference by cycles: the
// answers are the same.
static void test_by_clock(void **unused) {
  (void)unused;
  Mem mem = {0};
  Random random;
  Pieces pieces;
  random_seed(&random, 11);
  pieces_init(&pieces, &mem);
  uint32_t contradictions = 0;
  enum { TESTS = 4, TRIES = 2000 };
  for (int round = 0; round < TRIES; round++) {
    ClockTest tests[TESTS];
    for (int t = 0; t < TESTS; t++) {
      tests[t] = random_test(&random);
      *(random_below(&random, 2) ? &tests[t].i : &tests[t].j) = 0;
    }
    const ClockTest always = {1, 2, 1000, false};
    const bool found = pieces_contradict(&pieces, tests, TESTS - 3, tests + TESTS - 3, 3);
    assert_int_equal(found, pieces_contradict(&pieces, tests, TESTS, &always, 1));
    contradictions += found;
  }
  assert_true(contradictions > TRIES / 10 && contradictions < TRIES - TRIES / 10);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_clock),
                                     cmocka_unit_test(test_subtract),
                                     cmocka_unit_test(test_contradict)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
