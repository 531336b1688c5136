// The zones of the checker against sets of points on a grid of half units.
#include "check/nodezone.h"

#include "nets.h"

enum { K = 3, MAX = 5, STEPS = 2 * MAX + 6 };

static const ClockIndex clocks[K] = {0, 1, 2};
static const uint32_t position[K] = {0, 1, 2};
static int64_t lower[K], upper[K];
static const NodeBounds bounds = {
    .k = K, .clocks = clocks, .lower = lower, .upper = upper, .position = position};

static bool contains(const NodeBound *m, const int *point) {
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++) {
      const NodeBound bound = m[i * K + j];
      const int difference = point[i] - point[j];
      if (bound < NODEBOUND_INFINITE &&
          (bound & 1 ? difference > bound - 1 : difference >= bound))
        return false;
    }
  return true;
}

// A random tight zone.
static bool sample(NodeBound *m, Random *random) {
  for (uint32_t i = 0; i < K; i++)
    lower[i] = upper[i] = BOUND_INFINITE; // every test is seen
  lower[0] = upper[0] = 0;
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++)
      m[i * K + j] = i == j || !i ? NODEBOUND_ZERO : NODEBOUND_INFINITE;
  ClockTest tests[4];
  for (uint32_t t = 0; t < 4; t++) {
    const ClockIndex i = (ClockIndex)random_between(random, 0, K - 1);
    const ClockIndex j = (i + (ClockIndex)random_between(random, 1, K - 1)) % K;
    const int32_t least = i ? 0 : -MAX;
    tests[t] = (ClockTest){i, j, random_between(random, least, i ? MAX : 0),
                           random_between(random, 0, 1)};
  }
  return nodezone_meet(m, &bounds, tests, 4);
}

static void test_meet(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 5);
  uint32_t met = 0;
  for (int round = 0; round < 3000; round++) {
    NodeBound m[K * K];
    if (!sample(m, &random))
      continue;
    assert_true(nodezone_is_tight(m, K));
    const ClockTest test = {(ClockIndex)random_between(&random, 1, 2), 0,
                            random_between(&random, 0, MAX), random_between(&random, 0, 1)};
    NodeBound cut[K * K];
    memcpy(cut, m, sizeof m);
    const bool is_met = nodezone_meet(cut, &bounds, &test, 1);
    assert_int_equal(is_met, !nodezone_misses(m, &bounds, &test, 1));
    met += is_met;
    for (int x = 0; x < STEPS; x++)
      for (int y = 0; y < STEPS; y++) {
        const int point[K] = {0, x, y};
        const int64_t value = point[test.i], max = 2 * test.constant;
        const bool holds = test.strict ? value < max : value <= max;
        assert_int_equal(is_met && contains(cut, point), holds && contains(m, point));
      }
  }
  assert_true(met > 300);
}

// With bounds without end covering is inclusion.
static void test_covered(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 6);
  uint32_t covered = 0;
  for (int round = 0; round < 3000; round++) {
    NodeBound a[K * K], b[K * K];
    if (!sample(a, &random) || !sample(b, &random))
      continue;
    bool is_inside = true;
    for (uint32_t i = 0; i < K * K; i++)
      is_inside &= a[i] <= b[i];
    assert_int_equal(nodezone_is_covered(a, b, &bounds), is_inside);
    covered += is_inside;
    // Without bounds every zone covers every other one.
    for (uint32_t i = 1; i < K; i++)
      lower[i] = upper[i] = BOUND_NONE;
    assert_true(nodezone_is_covered(a, b, &bounds));
  }
  assert_true(covered > 20);
}

static void test_enter_and_delay(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  for (int round = 0; round < 500; round++) {
    NodeBound m[K * K], after[K * K];
    Origin columns[K];
    if (!sample(m, &random))
      continue;
    const Origin origin[K] = {{0, 0}, {0, 3}, {1, 0}}; // x = 3, y = x
    nodezone_enter(m, &bounds, &bounds, origin, columns, after);
    assert_true(nodezone_is_tight(after, K));
    for (int x = 0; x < STEPS; x++)
      for (int y = 0; y < STEPS; y++) {
        const int before[K] = {0, x, y}, now[K] = {0, 6, x};
        if (contains(m, before))
          assert_true(contains(after, now));
      }
    const bool all_run[K] = {0}, y_stops[K] = {[2] = true};
    memcpy(after, m, sizeof m);
    nodezone_delay(after, &bounds, y_stops);
    assert_true(nodezone_is_tight(after, K));
    for (int x = 0; x < STEPS; x++)
      for (int y = 0; y < STEPS; y++)
        for (int delay = 0; delay < 4; delay++) {
          const int before[K] = {0, x, y}, now[K] = {0, x + delay, y};
          if (contains(m, before))
            assert_true(contains(after, now));
        }
    nodezone_delay(m, &bounds, all_run);
    assert_true(nodezone_is_tight(m, K));
    assert_true(m[K] >= NODEBOUND_INFINITE && m[2 * K] >= NODEBOUND_INFINITE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_meet), cmocka_unit_test(test_covered),
                                     cmocka_unit_test(test_enter_and_delay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
