// Where a small model is deadlocked, point by point: a state is if no delay leads to an action,
// which is tried here for delays of halves.
#include "answers/queries/deadlock.h"

#include "dbm/dbm.h"
#include "reading.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 5}\nlocation:P:B{}\nlocation:P:C{urgent:}\n"
    "location:P:D{invariant: y < 4}\n"
    "edge:P:A:B:a{provided: x >= 2 && x < 3}\nedge:P:A:D:a{provided: y == 4 : do: y = 1}\n"
    "edge:P:B:A:a{}\nedge:P:C:A:a{provided: x > 1 && y <= 2}\nedge:P:D:A:a{provided: x == 4}\n";

enum { MAX = 14 }; // halves

// Whether an action is possible at once; in halves.
static bool can_act(int location, int x, int y) {
  switch (location) {
  case 0:
    return x <= 10 && ((x >= 4 && x < 6) || y == 8);
  case 1:
    return x <= 10; // the invariant of A
  case 2:
    return x > 2 && y <= 4 && x <= 10;
  default:
    return y < 8 && x == 8;
  }
}

static bool is_deadlocked(int location, int x, int y) {
  for (int delay = 0; delay <= (location == 2 ? 0 : 2 * MAX); delay++) {
    if ((location == 0 && x + delay > 10) || (location == 3 && y + delay >= 8))
      return true;
    if (can_act(location, x + delay, y + delay))
      return false;
  }
  return true;
}

static bool has_point(const Federation *set, int x, int y) {
  const int values[] = {0, x, y};
  for (uint32_t z = 0; z < set->count; z++) {
    const Bound *zone = federation_zone(set, z);
    bool is_in = true;
    for (uint32_t i = 0; i < 3; i++)
      for (uint32_t j = 0; j < 3; j++) {
        const Bound b = zone[i * dbm_stride(3) + j];
        const int difference = values[i] - values[j], max = 2 * bound_constant(b);
        is_in &= b == BOUND_INF || (bound_is_strict(b) ? difference < max : difference <= max);
      }
    if (is_in)
      return true;
  }
  return false;
}

static void test_points(void **unused) {
  (void)unused;
  Reading r;
  Deadlocks d;
  reading_accept(&r, model);
  deadlocks_init(&d, &r.mem, &r.net);
  for (int location = 0; location < 4; location++) {
    int32_t state[8] = {0};
    state[r.net.location_slot] = location;
    const Federation *set = deadlocks_of(&d, state);
    assert_non_null(set);
    assert_ptr_equal(set, deadlocks_of(&d, state)); // it is remembered
    for (int x = 0; x <= MAX; x++)
      for (int y = 0; y <= MAX; y++) {
        if ((location == 0 && x > 10) || (location == 3 && y >= 8))
          continue; // outside of the invariant
        if (has_point(set, x, y) != is_deadlocked(location, x, y))
          fail_msg("location %d, x = %d/2, y = %d/2", location, x, y);
      }
  }
  deadlocks_release(&d);
  reading_release(&r);
}

typedef struct Asked { // a zone of two clocks; without bounds it stands for itself
  const Bound *zone;
  const int32_t *lower, *upper;
} Asked;

static const Bound *asked_zone(void *asked) { return ((Asked *)asked)->zone; }

static bool asked_bounds(void *asked, const int32_t **lower, const int32_t **upper) {
  *lower = ((Asked *)asked)->lower;
  *upper = ((Asked *)asked)->upper;
  return *lower;
}

static DeadlockAnswer meet(Deadlocks *d, const Goal *goal, const int32_t *state,
                           const Bound *zone, const int32_t *lower, const int32_t *upper) {
  Asked asked = {zone, lower, upper};
  return deadlocks_meet(d, goal, state, false, &(DeadlockZone){asked_zone, asked_bounds, &asked});
}

// A zone without deadlocks of its own may stand for some.
static void test_doubt(void **unused) {
  (void)unused;
  Reading r;
  Query query;
  Goal goal;
  Deadlocks d;
  reading_accept(&r, model);
  const char text[] = "E<> deadlock";
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
  deadlocks_init(&d, &r.mem, &r.net);
  int32_t state[8] = {0};
  Bound *zone = mem_alloc(&r.mem, dbm_bytes(3));
  dbm_zero(zone, 3);
  const int32_t low[] = {0, 1, 1, 0, 0, 0, 0, 0}, high[] = {0, 9, 9, 0, 0, 0, 0, 0};
  assert_int_equal(meet(&d, &goal, state, zone, NULL, NULL), DEADLOCK_NO);
  assert_int_equal(meet(&d, &goal, state, zone, high, high), DEADLOCK_NO);
  dbm_assign(zone, 3, 1, 2);
  dbm_assign(zone, 3, 2, 9);
  assert_int_equal(meet(&d, &goal, state, zone, low, high), DEADLOCK_DOUBT);
  dbm_assign(zone, 3, 1, 4);
  assert_int_equal(meet(&d, &goal, state, zone, low, high), DEADLOCK_YES);
  mem_free(&r.mem, zone);
  deadlocks_release(&d);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_doubt)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
