// What is known of a discrete state: invariant, transitions, the parts of a condition, where it
// is stuck.
#include "answers/queries/situation.h"

#include "reading.h"

static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nint:1:0:1:0:i\n"
                            "location:P:A{initial: : invariant: x <= 5}\n"
                            "location:P:B{invariant: x < 1}\n"
                            "edge:P:A:B:a{provided: x >= 2 : do: x = 0; i = 1}\n"
                            "edge:P:A:B:a{provided: i == 1}\n";

static Goal goal(Reading *r, const char *text) {
  Query query;
  Goal goal;
  Source *source = ARENA_NEW(&r->arena, Source);
  *source = (Source){.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r->arena, &r->net, source, &r->report));
  assert_true(goal_build(&goal, &r->arena, query.formula, false, query.place, &r->report));
  return goal;
}

static void test_situation(void **unused) {
  (void)unused;
  Reading r;
  Situations s;
  reading_accept(&r, model);
  // Two overlapping conditions become disjoint parts.
  const Goal stay = goal(&r, "E<> x <= 3 or x >= 2 and x <= 4"), start = goal(&r, "E<> x >= 1");
  assert_true(situations_init(&s, &r.mem, &r.net, &stay, &start, &r.report));
  int32_t state[4] = {0};
  const uint32_t number = situation_find(&s, state);
  assert_int_equal(situation_find(&s, state), number);
  Situation *a = situation_at(&s, number);
  assert_true(a->is_possible && a->can_delay);
  assert_int_equal(a->stays.count, 2);
  assert_int_equal(a->starts.count, 1);
  Bound *both = mem_alloc(&r.mem, dbm_bytes(2));
  assert_false(federation_common(&(Mem){0}, both, situation_zone(&s, &a->stays, 0),
                                 situation_zone(&s, &a->stays, 1), 2));
  assert_true(situation_find_transitions(&s, a));
  assert_int_equal(a->transition_count, 1); // i is 0
  const uint32_t b = a->transitions[0].target;
  assert_int_equal(situation_at(&s, b)->state[r.net.location_slot], 1);

  situation_initial_zone(&s, both);
  assert_false(situation_fire(&s, &a->transitions[0], both));
  assert_null(s.failure);
  dbm_assign(both, 2, 1, 2);
  assert_true(situation_fire(&s, &a->transitions[0], both));
  assert_true(both[dbm_stride(2)] == BOUND_LE_ZERO); // x was set
  mem_free(&r.mem, both);

  // From part 0, x <= 3, time passes out of it, so it is not stuck there; in B nothing happens.
  const Federation *stuck = situation_find_stuck(&s, a, 0);
  assert_int_equal(stuck->count, 0);
  assert_int_equal(situation_at(&s, b)->stays.count, 1);
  assert_true(situation_find_stuck(&s, situation_at(&s, b), 0)->count > 0);
  situations_release(&s);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_situation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
