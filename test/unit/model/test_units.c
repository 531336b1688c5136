// Nets in other units of time: which unit a query needs, and what the net for it is like.
#include "model/units.h"

#include "reading.h"

#define EDGE "edge:P:A:B:a{provided: x>%s && x<=%s}\n"

static void read(Reading *r, const char *low, const char *high) {
  static char text[1000];
  snprintf(text, sizeof text, PREAMBLE EDGE, low, high);
  reading_accept(r, text);
}

static const Net *ask(Units *units, int64_t constant, int64_t unit, bool is_wide) {
  Scale scale = {0};
  scale_note(&scale, constant);
  const Net *net = units_net(units, &scale, false);
  assert_true(net_unit(net) == unit);
  assert_int_equal(net_is_wide(net), is_wide);
  assert_ptr_equal(units_net(units, &scale, false), net); // it is made once
  return net;
}

static void test_small(void **unused) {
  (void)unused;
  Reading r;
  read(&r, "3", "6");
  Units units = {.net = &r.net};
  assert_ptr_equal(ask(&units, 9, 1, false), &r.net);
  assert_ptr_equal(units_net(&units, NULL, false), &r.net);
  const Net *net = ask(&units, 90000000, 3, false);
  assert_int_equal(net->edges.items[0].guard.clock_tests[1].constant, 2);
  assert_int_equal(r.net.edges.items[0].guard.clock_tests[1].constant, 6);
  net = ask(&units, 3000000001, 1, true);
  assert_ptr_equal(net->edges.items, r.net.edges.items); // a view
  assert_ptr_equal(ask(&units, 9, 1, false), &r.net);
  units_release(&units);
  reading_release(&r);
}

static void test_large(void **unused) {
  (void)unused;
  Reading r;
  read(&r, "10000000000", "20000000000");
  Units units = {.net = &r.net};
  assert_true(net_unit(units_net(&units, NULL, false)) == 10000000000);
  const size_t mark = mem_mark(&r.mem);
  ask(&units, 5000000000, 5000000000, false);
  assert_ptr_equal(ask(&units, 7, 1, true), &r.net);
  units_forget(&units, mark);
  mem_release_to(&r.mem, mark);
  ask(&units, 0, 10000000000, false);
  ask(&units, 2500000000, 2500000000, false);
  units_release(&units);
  reading_release(&r);
  read(&r, "10000000001", "10000000003");
  units = (Units){.net = &r.net};
  assert_ptr_equal(units_net(&units, NULL, false), &r.net);
  assert_true(net_is_wide(&r.net));
  reading_release(&r);
}

// Functions that set clocks, also those that others call, and initial values.
static void test_functions(void **unused) {
  (void)unused;
  Reading r;
  const char *text = "clock x, y = 400000000; int n;\n"
                     "void g() { for (i : int[0,2]) { x = 200000000; n++; } }\n"
                     "void f(int k) { n = k; g(); }\n"
                     "process P() { state A { x <= 600000000 }, B; init A; trans A -> B { guard "
                     "y >= 1000000000; assign f(2); }; } system P;";
  reading_begin(&r, text);
  if (!uppaal_read(&r.net, &r.source, &r.report))
    fail_msg("%s", reading_error(&r));
  Units units = {.net = &r.net};
  const Net *net = units_net(&units, NULL, false);
  assert_true(net_unit(net) == 200000000);
  assert_int_equal(net->clock_initial[2], 2);
  assert_int_equal(net->locations.items[0].invariant.clock_tests[0].constant, 3);
  assert_int_equal(net->edges.items[0].guard.clock_tests[0].constant, -5);
  const Function *f = net->edges.items[0].update_stmts->value->function;
  assert_ptr_equal(f, net->functions.items[f->id]);
  assert_ptr_not_equal(f, r.net.functions.items[f->id]);
  Vm vm;
  net_vm(net, &vm, &r.mem);
  int32_t state[2] = {0, 0};
  ClockUpdates updates = {0};
  assert_int_equal(vm_update(&vm, &net->edges.items[0].update, state, &updates), VM_TRUE);
  assert_int_equal(updates.size, 3);
  for (uint32_t i = 0; i < updates.size; i++)
    assert_int_equal(updates.items[i].constant, 1);
  vec_release(&r.mem, &updates);
  vm_release(&vm);
  units_release(&units);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large),
                                     cmocka_unit_test(test_functions)};
  return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
