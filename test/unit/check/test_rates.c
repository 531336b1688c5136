// The same as the checker finds it.
#include "check/rates.h"
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
  Rates rates;
  reading_accept_uppaal(&r, model);
  assert_true(r.net.traits.has_stopwatches);
  net_vm(&r.net, &vm, &r.mem);
  rates_init(&rates, &r.mem, &r.net);
  const bool *stopped = rates.stands_still;
  int32_t state[] = {0, 0, 0}; // v, P, Q
  assert_null(rates_find(&rates, &vm, state));
  assert_true(stopped[1] && !stopped[2] && stopped[3] && !stopped[4]);
  state[0] = 1;
  assert_null(rates_find(&rates, &vm, state));
  assert_true(!stopped[1] && stopped[3]);
  state[0] = 2; // no rate
  assert_non_null(rates_find(&rates, &vm, state));
  state[1] = state[2] = 1; // two rates
  assert_non_null(rates_find(&rates, &vm, state));
  vm_release(&vm);
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
