// The zones of the checker against sets of points on a grid of half units.
#include "check/rooms.h"

#include "nets.h"

enum { K = 3, MOST = 5, STEPS = 2 * MOST + 6 };

static const ClockIndex clocks[K] = {0, 1, 2};
static const uint32_t position[K] = {0, 1, 2};
static int64_t lower[K], upper[K];
static const NodeBounds bounds = {
    .k = K, .clocks = clocks, .lower = lower, .upper = upper, .position = position};

static bool contains(const Room *m, const int *point) {
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++) {
      const Room room = m[i * K + j];
      const int difference = point[i] - point[j];
      if (room < ROOM_INFINITE && (room & 1 ? difference > room - 1 : difference >= room))
        return false;
    }
  return true;
}

// A random tight zone.
static bool sample(Room *m, Random *random) {
  for (uint32_t i = 0; i < K; i++)
    lower[i] = upper[i] = BOUND_INFINITE; // every test is seen
  lower[0] = upper[0] = 0;
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++)
      m[i * K + j] = i == j || !i ? ROOM_ZERO : ROOM_INFINITE;
  ClockTest tests[4];
  for (uint32_t t = 0; t < 4; t++) {
    const ClockIndex i = (ClockIndex)random_between(random, 0, K - 1);
    const ClockIndex j = (i + (ClockIndex)random_between(random, 1, K - 1)) % K;
    const int32_t least = i ? 0 : -MOST;
    tests[t] = (ClockTest){i, j, random_between(random, least, i ? MOST : 0),
                           random_between(random, 0, 1)};
  }
  return rooms_meet(m, &bounds, tests, 4);
}

static void test_meet(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 5);
  uint32_t met = 0;
  for (int round = 0; round < 3000; round++) {
    Room m[K * K];
    if (!sample(m, &random))
      continue;
    assert_true(rooms_are_tight(m, K));
    const ClockTest test = {(ClockIndex)random_between(&random, 1, 2), 0,
                            random_between(&random, 0, MOST), random_between(&random, 0, 1)};
    Room cut[K * K];
    memcpy(cut, m, sizeof m);
    const bool is_met = rooms_meet(cut, &bounds, &test, 1);
    assert_int_equal(is_met, !rooms_miss(m, &bounds, &test, 1));
    met += is_met;
    for (int x = 0; x < STEPS; x++)
      for (int y = 0; y < STEPS; y++) {
        const int point[K] = {0, x, y};
        const int64_t value = point[test.i], most = 2 * test.constant;
        const bool holds = test.strict ? value < most : value <= most;
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
    Room a[K * K], b[K * K];
    if (!sample(a, &random) || !sample(b, &random))
      continue;
    bool is_inside = true;
    for (uint32_t i = 0; i < K * K; i++)
      is_inside &= a[i] <= b[i];
    assert_int_equal(rooms_are_covered(a, b, &bounds), is_inside);
    covered += is_inside;
    // Without bounds every zone covers every other one.
    for (uint32_t i = 1; i < K; i++)
      lower[i] = upper[i] = BOUND_NONE;
    assert_true(rooms_are_covered(a, b, &bounds));
  }
  assert_true(covered > 20);
}

static void test_enter_and_delay(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 7);
  for (int round = 0; round < 500; round++) {
    Room m[K * K], after[K * K];
    Origin columns[K];
    if (!sample(m, &random))
      continue;
    const Origin origin[K] = {{0, 0}, {0, 3}, {1, 0}}; // x = 3, y = x
    rooms_enter(m, &bounds, &bounds, origin, columns, after);
    assert_true(rooms_are_tight(after, K));
    for (int x = 0; x < STEPS; x++)
      for (int y = 0; y < STEPS; y++) {
        const int before[K] = {0, x, y}, now[K] = {0, 6, x};
        if (contains(m, before))
          assert_true(contains(after, now));
      }
    rooms_delay(m, K);
    assert_true(rooms_are_tight(m, K));
    assert_true(m[K] >= ROOM_INFINITE && m[2 * K] >= ROOM_INFINITE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_meet), cmocka_unit_test(test_covered),
                                     cmocka_unit_test(test_enter_and_delay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
