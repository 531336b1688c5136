// Runs in the making: the times of their steps, from the constraints that transitions add.
#include "answers/runs/course.h"

#include "reading.h"

// In A time passes up to 2; B is left at x > 3, and C is urgent.
static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
                            "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{}\n"
                            "location:P:C{urgent:}\n"
                            "edge:P:A:B:a{provided: y >= 1 : do: y = 0}\n"
                            "edge:P:B:C:a{provided: x > 3}\nedge:P:C:A:a{do: x = 0}\n";

static void go_round(Course *c, Reading *r, Arena *arena) {
  assert_true(course_init(c, &r->net, arena, (const int32_t[]){0}));
  for (uint32_t i = 0; i < 3; i++) {
    assert_true(course_delay(c));
    assert_true(course_fire(c, 0));
  }
  assert_true(course_delay(c));
}

static void test_times(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  Arena arena = {.mem = &r.mem};
  Course c;
  Run run = {0};
  go_round(&c, &r, &arena);
  assert_true(concretetimes_solve(&c.times));
  course_fill(&c, &run);
  assert_int_equal(run.step_count, 4);
  assert_int_equal(run.denominator, 1);
  const int64_t times[] = {0, 1, 4, 4};
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(run.steps[i].time, times[i]);
  assert_int_equal(run.steps[2].clocks[2], 3);
  assert_int_equal(run.steps[2].edges[0]->target, 2);
  assert_int_equal(run.steps[3].clocks[1], 0);
  assert_int_equal(run.end_time, 4);
  Text why = {.mem = &r.mem};
  assert_true(replay_run(&r.mem, &r.net, NULL, &run, &why));
  text_release(&why);
  assert_false(course_fire(&c, 1)); // there is one transition only
  course_release(&c);
  arena_release(&arena);
  reading_release(&r);
}

// Of two zones the first has no solution: in A x is at most 2.
static void test_choice(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  Arena arena = {.mem = &r.mem};
  Course c;
  Federation zones;
  Run run = {0};
  go_round(&c, &r, &arena);
  federation_init(&zones, &r.mem, 3);
  Bound *zone = arena_align(&arena, dbm_bytes(3), 0);
  dbm_universal(zone, 3);
  assert_true(dbm_constrain(&(Mem){0}, zone, 3, (Constraint){0, 1, bound_le(-3)}));
  federation_add(&zones, zone);
  assert_false(course_choose(&c, &zones));
  dbm_universal(zone, 3);
  assert_true(dbm_constrain(&(Mem){0}, zone, 3, (Constraint){1, 0, bound_le(2)}));
  assert_true(dbm_constrain(&(Mem){0}, zone, 3, (Constraint){0, 1, bound_le(-2)}));
  federation_add(&zones, zone);
  course_release(&c);
  go_round(&c, &r, &arena);
  assert_true(course_choose(&c, &zones));
  course_fill(&c, &run);
  assert_int_equal(run.end_time, 6);
  federation_release(&zones);
  course_release(&c);
  arena_release(&arena);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_times), cmocka_unit_test(test_choice)};
  return cmocka_run_group_tests_name("course", tests, NULL, NULL);
}
