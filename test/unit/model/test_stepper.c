// The stepper: each call gives what the transition, the state or the goal asks of the clocks, and
// nothing of the calls before.
#include "model/stepper.h"

#include "reading.h"

static const char model[] = "system:s\n"
                            "event:a\n"
                            "int:1:0:1:0:i\n"
                            "clock:1:x\n"
                            "process:P\n"
                            "location:P:A{initial: : invariant: x<=4}\n"
                            "location:P:B{}\n"
                            "edge:P:A:B:a{provided: x>=2 && x<=3 : do: i=i+1; x=0}\n";

static void test_steps(void **unused) {
  (void)unused;
  Reading r;
  Query query;
  Goal goal;
  Stepper stepper;
  const Source source = {.name = "query", .text = "E<> P.B && x<=7", .size = 15};
  reading_accept(&r, model);
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
  stepper_init(&stepper, &r.net, &r.arena);
  for (int32_t i = 0; i < 3; i++) { // the second time i is out of its range
    int32_t state[] = {i > 0, 0};
    uint32_t clause = 0;
    assert_int_equal(stepper_goal(&stepper, &goal, state, &clause), VM_FALSE);
    assert_int_equal(stepper_invariant(&stepper, state), VM_TRUE);
    assert_int_equal(stepper.tests.size, 1);
    assert_int_equal(stepper.tests.items[0].constant, 4);
    assert_true(joint_seek(&stepper.joint, state, 0));
    assert_int_equal(stepper_guard(&stepper, state), VM_TRUE);
    assert_int_equal(stepper.tests.size, 2);
    assert_int_equal(stepper_fire(&stepper, state), i ? VM_INVALID : VM_TRUE);
    assert_int_equal(stepper.updates.size, !i);
    if (i)
      continue;
    assert_int_equal(state[1], 1);
    assert_int_equal(stepper_invariant(&stepper, state), VM_TRUE);
    assert_int_equal(stepper.tests.size, 0);
    assert_int_equal(stepper_goal(&stepper, &goal, state, &clause), VM_FALSE); // behind the last
    clause = 0;
    assert_int_equal(stepper_goal(&stepper, &goal, state, &clause), VM_TRUE);
    assert_int_equal(stepper.tests.size, 1);
    assert_int_equal(stepper.tests.items[0].constant, 7);
  }
  stepper_release(&stepper);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests_name("stepper", tests, NULL, NULL);
}
