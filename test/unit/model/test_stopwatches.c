// Which clocks stand still in a state.
#include "language/query_reader.h"
#include "model/stopwatches.h"
#include "model/units.h"
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

// Nothing in the model reads x and z; z never stops.
static const char unread[] =
    "clock x, y, z;\n"
    "process P() { state A { y <= 5 && x' == 0 && z' == 1 }, B; init A;\n"
    "trans A -> B { guard y >= 2; assign x = 0; }; }\nsystem P;\n";

static bool are_read(Reading *r, const char *text) {
  Arena arena = {.mem = &r->mem};
  Query query;
  const Source source = {.name = "<query>", .text = text, .size = strlen(text)};
  Report report;
  report_init(&report, &r->mem);
  assert_true(query_read(&query, &arena, &r->net, &source, &report));
  const bool found = stopwatches_are_read(&r->net, &query);
  arena_release(&arena);
  report_release(&report);
  return found;
}

static void test_unread(void **unused) {
  (void)unused;
  static const char *const read[] = {"E<> x > 3",
                                     "A[] P.A imply y - x <= 5",
                                     "sup: y, x",
                                     "inf{x > 2}: y",
                                     "P.A --> P.B && x < 3",
                                     "A[] not (deadlock && x > 1)"},
                           *const others[] = {"E<> y > 3", "A[] not deadlock", "sup{P.A}: y, z",
                                              "A<> P.B", "E<> z > 2 && P.A"};
  Reading r;
  reading_accept_uppaal(&r, unread);
  assert_false(r.net.traits.has_stopwatches);
  assert_true(r.net.traits.has_unread_rates);
  for (size_t i = 0; i < sizeof read / sizeof *read; i++)
    assert_true(are_read(&r, read[i]));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(are_read(&r, others[i]));
  // The same net with the rates in force; the one that was read stays as it is.
  Units units = {.net = &r.net};
  const Net *with = units_net(&units, NULL, true);
  assert_ptr_not_equal(with, &r.net);
  assert_true(with->traits.has_stopwatches && !with->traits.has_unread_rates);
  assert_ptr_equal(units_net(&units, NULL, true), with); // it is made once
  assert_ptr_equal(units_net(&units, NULL, false), &r.net);
  assert_false(r.net.traits.has_stopwatches);
  units_release(&units);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates), cmocka_unit_test(test_unread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
