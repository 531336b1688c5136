// Differences in certificates against points on a fine grid; and what is carried by transitions.
#include "check/nodediagonals.h"

#include "nets.h"

// As test/unit/dbm/test_splitting.c: points in thirds, those that simulate them in twelfths.
enum { K = 3, MAX = 2, FINE = 12, COARSE = 4, FAR = 5 * FINE, FARTHER = 8 * FINE };

static const ClockIndex clocks[K] = {0, 1, 2};
static const uint32_t position[K] = {0, 1, 2};
static int64_t lower[K], upper[K];
static NodeDiagonal diagonals[3];
static NodeBounds bounds = {.k = K,
                            .clocks = clocks,
                            .lower = lower,
                            .upper = upper,
                            .position = position,
                            .diagonals = diagonals};

static bool meets(const int *point, uint32_t i, uint32_t j, NodeBound bound) {
  const int left = point[i] - point[j], right = (int)(bound >> 1) * FINE;
  return bound >= NODEBOUND_INFINITE || (bound & 1 ? left <= right : left < right);
}

static bool contains(const NodeBound *m, const int *point) {
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++)
      if (!meets(point, i, j, m[i * K + j]))
        return false;
  return true;
}

static bool simulates(const int *u, const int *v) {
  for (uint32_t x = 1; x < K; x++) {
    const int64_t l = lower[x] * FINE, h = upper[x] * FINE;
    if (u[x] != v[x] && !(l < v[x] && v[x] < u[x]) && !(h < u[x] && u[x] < v[x]))
      return false;
  }
  for (uint32_t g = 0; g < bounds.diagonal_count; g++)
    if (meets(u, diagonals[g].i, diagonals[g].j, diagonals[g].bound) &&
        !meets(v, diagonals[g].i, diagonals[g].j, diagonals[g].bound))
      return false;
  return true;
}

static bool is_simulated(const NodeBound *big, const int *u) {
  for (int x = 0; x <= FARTHER; x++)
    for (int y = 0; y <= FARTHER; y++) {
      const int v[K] = {0, x, y};
      if (simulates(u, v) && contains(big, v))
        return true;
    }
  return false;
}

static bool naive_covers(const NodeBound *small, const NodeBound *big) {
  for (int x = 0; x <= FAR; x += COARSE)
    for (int y = 0; y <= FAR; y += COARSE) {
      const int u[K] = {0, x, y};
      if (contains(small, u) && !is_simulated(big, u))
        return false;
    }
  return true;
}

static bool sample(NodeBound *m, Random *random) {
  for (uint32_t i = 0; i < K; i++)
    for (uint32_t j = 0; j < K; j++)
      m[i * K + j] = i == j || !i ? NODEBOUND_ZERO : NODEBOUND_INFINITE;
  for (uint32_t t = random_below(random, 5); t > 0; t--) {
    const uint32_t i = random_below(random, K), j = (i + 1 + random_below(random, K - 1)) % K;
    const int32_t c = random_between(random, j ? -MAX : 0, i ? MAX : 0);
    if (!nodezone_constrain(m, K, i, j, 2 * c + random_between(random, 0, 1)))
      return false;
  }
  return true;
}

static void test_covered(void **unused) {
  (void)unused;
  Random random;
  random_seed(&random, 21);
  uint32_t covered = 0, split = 0;
  for (int round = 0; round < 400; round++) {
    Mem mem = {0};
    NodeBound small[K * K], big[K * K];
    if (!sample(small, &random) || !sample(big, &random))
      continue;
    for (uint32_t x = 1; x < K; x++) {
      lower[x] = random_between(&random, -1, MAX);
      upper[x] = random_between(&random, -1, MAX);
    }
    bounds.diagonal_count = 1 + random_below(&random, 3);
    for (uint32_t g = 0; g < bounds.diagonal_count; g++) {
      const uint32_t i = 1 + random_below(&random, 2);
      diagonals[g] = (NodeDiagonal){i, 3 - i, random_between(&random, -2 * MAX, 2 * MAX + 1)};
    }
    const bool result = nodediagonals_are_covered(&mem, small, big, &bounds);
    assert_int_equal(result, naive_covers(small, big));
    covered += result;
    split += !result && nodezone_is_covered(small, big, &bounds);
    assert_int_equal(mem.bytes, 0);
  }
  assert_true(covered > 30 && split > 15);
}

// A file may list any number of constraints, each of which splits what the last one left: that
// must not take all of the stack.
static void test_deep(void **unused) {
  (void)unused;
  enum { MANY = 200000 };
  Mem mem = {0};
  NodeDiagonal *many = mem_alloc(&mem, MANY * sizeof *many);
  for (int32_t g = 0; g < MANY; g++)
    many[g] = (NodeDiagonal){1, 2, 2 * (MANY - g) + 1}; // x - y <= MANY, <= MANY - 1, ...
  const int64_t none[K] = {0, BOUND_NONE, BOUND_NONE};
  NodeBounds deep = {.k = K,
                     .clocks = clocks,
                     .lower = none,
                     .upper = none,
                     .position = position,
                     .diagonals = many};
  NodeBound small[K * K] = {
      1, 1, 1, NODEBOUND_INFINITE, 1, NODEBOUND_INFINITE, NODEBOUND_INFINITE, NODEBOUND_INFINITE,
      1};
  NodeBound big[K * K];
  memcpy(big, small, sizeof big);
  assert_true(nodezone_constrain(big, K, 0, 1, -1)); // x >= 1, but no bound sees it
  deep.diagonal_count = 1000;
  assert_true(nodediagonals_are_covered(&mem, small, big, &deep));
  deep.diagonal_count = MANY;
  assert_false(nodediagonals_are_covered(&mem, small, big, &deep));
  mem_free(&mem, many);
  assert_int_equal(mem.bytes, 0);
}

// Constraints on different clocks split each part that the others leave: that must not take
// exponential time.
static void test_wide(void **unused) {
  (void)unused;
  enum { PAIRS = 40, WIDE = 2 * PAIRS + 1 };
  Mem mem = {0};
  int64_t none[WIDE];
  NodeDiagonal many[PAIRS];
  NodeBound small[WIDE * WIDE], big[WIDE * WIDE];
  for (uint32_t i = 0; i < WIDE; i++) {
    none[i] = i ? BOUND_NONE : 0;
    for (uint32_t j = 0; j < WIDE; j++)
      small[i * WIDE + j] = !i || i == j ? NODEBOUND_ZERO : NODEBOUND_INFINITE;
  }
  for (uint32_t g = 0; g < PAIRS; g++)
    many[g] = (NodeDiagonal){2 * g + 1, 2 * g + 2, 1};
  memcpy(big, small, sizeof big);
  assert_true(nodezone_constrain(big, WIDE, 0, 1, -1)); // as above
  NodeBounds wide = {
      .k = WIDE, .lower = none, .upper = none, .diagonals = many, .diagonal_count = 5};
  assert_true(nodediagonals_are_covered(&mem, small, big, &wide));
  wide.diagonal_count = PAIRS;
  assert_false(nodediagonals_are_covered(&mem, small, big, &wide));
  assert_int_equal(mem.bytes, 0);
}

static bool is_carried(const NodeBounds *from, NodeDiagonal diagonal, Origin x, Origin y,
                       const NodeBound *zone, const DiagonalTests *tests) {
  const NodeBounds to = {.k = K,
                         .clocks = clocks,
                         .lower = lower,
                         .upper = upper,
                         .diagonals = &diagonal,
                         .diagonal_count = 1};
  const Origin origin[K] = {{0, 0}, x, y};
  return nodediagonals_carry(from, &to, origin, zone, tests);
}

static void test_carry(void **unused) {
  (void)unused;
  const DiagonalTests nothing = {0};
  const NodeBound any[K * K] = {
      1, 1, 1, NODEBOUND_INFINITE, 1, NODEBOUND_INFINITE, NODEBOUND_INFINITE, NODEBOUND_INFINITE,
      1};
  const Origin x = {1, 0}, y = {2, 0};
  const NodeDiagonal diagonal = {1, 2, 7}; // x - y <= 3
  diagonals[0] = (NodeDiagonal){1, 2, 7};
  bounds.diagonal_count = 1;
  lower[1] = upper[1] = lower[2] = upper[2] = BOUND_NONE;
  assert_true(is_carried(&bounds, diagonal, x, y, any, &nothing));
  assert_false(is_carried(&bounds, (NodeDiagonal){1, 2, 6}, x, y, any, &nothing)); // strict
  assert_false(is_carried(&bounds, (NodeDiagonal){2, 1, 7}, x, y, any, &nothing));
  assert_false(is_carried(&bounds, diagonal, (Origin){1, 1}, y, any, &nothing)); // x - y <= 2
  assert_true(is_carried(&bounds, diagonal, (Origin){1, 1}, (Origin){2, 1}, any, &nothing));
  assert_true(is_carried(&bounds, (NodeDiagonal){1, 2, 9}, (Origin){1, 1}, y, any, &nothing));
  assert_true(is_carried(&bounds, diagonal, (Origin){1, 5}, (Origin){1, 1}, any, &nothing));
  // One clock is left: its bounds decide.
  assert_false(is_carried(&bounds, diagonal, x, (Origin){0, 0}, any, &nothing)); // x <= 3
  upper[1] = 2;
  assert_false(is_carried(&bounds, diagonal, x, (Origin){0, 0}, any, &nothing));
  upper[1] = 3;
  assert_true(is_carried(&bounds, diagonal, x, (Origin){0, 0}, any, &nothing));
  assert_true(is_carried(&bounds, diagonal, (Origin){0, 3}, y, any, &nothing));  // y >= 0
  assert_false(is_carried(&bounds, diagonal, (Origin){0, 5}, y, any, &nothing)); // y >= 2
  lower[2] = 1;
  assert_false(is_carried(&bounds, diagonal, (Origin){0, 5}, y, any, &nothing));
  lower[2] = 2;
  assert_true(is_carried(&bounds, diagonal, (Origin){0, 5}, y, any, &nothing));
  // The zone or the tests decide.
  bounds.diagonal_count = 0;
  NodeBound zone[K * K];
  memcpy(zone, any, sizeof zone);
  assert_true(nodezone_constrain(zone, K, 1, 2, 7));
  assert_true(is_carried(&bounds, diagonal, x, y, zone, &nothing));
  assert_false(is_carried(&bounds, (NodeDiagonal){1, 2, 6}, x, y, zone, &nothing));
  const ClockTest tests[] = {{0, 1, -5, false}, {2, 0, 1, false}}; // x >= 5, y <= 1
  const DiagonalTests some = {tests, NULL, 2, 0}, apart = {tests, tests + 1, 1, 1};
  assert_true(is_carried(&bounds, diagonal, x, y, any, &some)); // x - y >= 4
  assert_true(is_carried(&bounds, diagonal, x, y, any, &apart));
  assert_false(is_carried(&bounds, (NodeDiagonal){1, 2, 9}, x, y, any, &some));
}

static void test_contradict(void **unused) {
  (void)unused;
  const ClockTest tests[] = {{0, 1, -5, false}, {2, 0, 1, true}, {2, 1, -7, false}};
  const DiagonalTests two = {tests, NULL, 2, 0}, all = {tests, tests + 2, 2, 1};
  assert_true(nodediagonals_contradict(&two, &(ClockTest){1, 2, 4, false})); // x - y > 4
  assert_false(nodediagonals_contradict(&two, &(ClockTest){1, 2, 5, true}));
  assert_true(nodediagonals_contradict(&all, &(ClockTest){1, 2, 6, false}));
  assert_false(nodediagonals_contradict(&all, &(ClockTest){1, 2, 7, false}));
  assert_false(nodediagonals_contradict(&all, &(ClockTest){1, 0, 4, false})); // of one clock
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_covered), cmocka_unit_test(test_deep),
                                     cmocka_unit_test(test_wide), cmocka_unit_test(test_carry),
                                     cmocka_unit_test(test_contradict)};
  return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
