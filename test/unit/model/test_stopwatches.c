// Which clocks stand still in a state.
#include "model/stopwatches.h"
#include "reading.h"

static const char model[] =
    "clock x, y, z[2];\nint[0,2] v = 0;\n"
    "process P() { state A { x' == v && forall (i : int[0,1]) z[i]' == i "
    "}, B { x' == 1 }; init A; trans A -> B { guard x >= 1; }; }\n"
    "process Q() { state A, B { x' == 0 }; init A; trans A -> B { guard x >= 1; }; }\n"
    "system P, Q;\n";

static void test_rates(void **unused) {
  (void)unused;
  Reading r;
  Vm vm;
  ClockTests tests = {0};
  bool stopped[5];
  reading_accept_uppaal(&r, model);
  assert_true(r.net.traits.has_stopwatches);
  net_vm(&r.net, &vm, &r.mem);
  int32_t state[] = {0, 0, 0}; // v, P, Q
  assert_int_equal(stopwatches_find(&r.net, &vm, state, &tests, stopped), VM_TRUE);
  assert_true(stopped[1] && !stopped[2] && stopped[3] && !stopped[4]);
  state[0] = 1;
  assert_int_equal(stopwatches_find(&r.net, &vm, state, &tests, stopped), VM_TRUE);
  assert_true(!stopped[1] && stopped[3]);
  state[0] = 2; // no rate
  assert_int_equal(stopwatches_find(&r.net, &vm, state, &tests, stopped), VM_ERROR);
  state[1] = state[2] = 1; // two rates
  assert_int_equal(stopwatches_find(&r.net, &vm, state, &tests, stopped), VM_ERROR);
  vec_release(&r.mem, &tests);
  vm_release(&vm);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
