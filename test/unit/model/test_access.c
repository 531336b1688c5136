// What expressions and statements access, cell by cell.
#include "model/access.h"

#include "reading.h"

#define MODEL PREAMBLE "int:100:0:1:0:big\n"

typedef struct Probe {
  Reading r;
  Access access;
} Probe;

static char text[8192];

static void probe(Probe *p, const char *guard, const char *update) {
  snprintf(text, sizeof text, MODEL "edge:P:A:B:a{provided: %s : do: %s}\n", guard, update);
  reading_accept(&p->r, text);
  access_init(&p->access, &p->r.arena, &p->r.net);
  access_expr(&p->access, p->r.net.edges.items[0].guard_expr);
  access_stmts(&p->access, p->r.net.edges.items[0].update_stmts);
}

static void probe_release(Probe *p) {
  access_clear(&p->access);
  assert_int_equal(p->access.marked.size, 0);
  access_release(&p->access);
  reading_release(&p->r);
}

static unsigned of_slot(const Probe *p, const char *name, uint32_t index) {
  for (uint32_t v = 0; v < p->r.net.variables.size; v++)
    if (!strcmp(p->r.net.variables.items[v].name, name))
      return p->access.marks[p->access.first[v] + index];
  fail_msg("no variable %s", name);
  return 0;
}

static unsigned of_clock(const Probe *p, const char *name) {
  for (ClockIndex x = 1; x <= p->r.net.clock_count; x++)
    if (!strcmp(p->r.net.clock_names[x], name))
      return p->access.marks[p->access.first_clock + x];
  fail_msg("no clock %s", name);
  return 0;
}

static void test_variables(void **state) {
  (void)state;
  Probe p;
  probe(&p, "i == 1", "j = i + v[2]; v[1] = 0; if (i == 2) then v[0] = 1 end");
  assert_int_equal(of_slot(&p, "i", 0), ACCESS_READ);
  assert_int_equal(of_slot(&p, "j", 0), ACCESS_WRITE);
  assert_int_equal(of_slot(&p, "v", 0), ACCESS_WRITE);
  assert_int_equal(of_slot(&p, "v", 1), ACCESS_WRITE);
  assert_int_equal(of_slot(&p, "v", 2), ACCESS_READ);
  assert_int_equal(of_slot(&p, "v", 3), 0);
  probe_release(&p);
}

// An index that is not constant reaches what its range allows; large arrays are one cell.
static void test_indices(void **state) {
  (void)state;
  Probe p;
  probe(&p, "v[i] == 1", "big[i] = 1; v[(if i == 1 then 1 else 2)] = 2");
  assert_int_equal(of_slot(&p, "i", 0), ACCESS_READ);
  assert_int_equal(of_slot(&p, "v", 0), ACCESS_READ);
  assert_int_equal(of_slot(&p, "v", 1), ACCESS_READ | ACCESS_WRITE);
  assert_int_equal(of_slot(&p, "v", 2), ACCESS_READ | ACCESS_WRITE);
  assert_int_equal(of_slot(&p, "v", 3), ACCESS_READ);
  assert_int_equal(of_slot(&p, "big", 0), ACCESS_WRITE);
  probe_release(&p);
}

static void test_clocks(void **state) {
  (void)state;
  Probe p;
  probe(&p, "x <= i", "x = 0; y = x + j; z[1] = 0; z[2] = 3");
  assert_int_equal(of_clock(&p, "x"), ACCESS_READ | ACCESS_WRITE);
  assert_int_equal(of_clock(&p, "y"), ACCESS_WRITE | ACCESS_SET);
  assert_int_equal(of_clock(&p, "z[0]"), 0);
  assert_int_equal(of_clock(&p, "z[1]"), ACCESS_WRITE);
  assert_int_equal(of_clock(&p, "z[2]"), ACCESS_WRITE | ACCESS_SET);
  assert_int_equal(of_slot(&p, "i", 0), ACCESS_READ);
  assert_int_equal(of_slot(&p, "j", 0), ACCESS_READ);
  probe_release(&p);
}

static void test_locals(void **state) {
  (void)state;
  Probe p;
  probe(&p, "1", "local t = i; while t < 3 do t = t + 1; j = t end");
  assert_int_equal(of_slot(&p, "i", 0), ACCESS_READ);
  assert_int_equal(of_slot(&p, "j", 0), ACCESS_WRITE);
  assert_int_equal(p.access.marked.size, 2);
  probe_release(&p);
}

// Functions that each call the one before twice: reading them and looking at what they access
// must not follow all 2^40 paths.
static void test_calls(void **state) {
  (void)state;
  enum { DEPTH = 40 };
  int at = snprintf(text, sizeof text, "int n; int f0() { return n; } void g0() { n = 1; }\n");
  for (int i = 1; i <= DEPTH; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "int f%d() { return f%d() + f%d(); } void g%d() { g%d(); g%d(); }\n", i, i - 1,
                   i - 1, i, i - 1, i - 1);
  snprintf(text + at, sizeof text - (size_t)at,
           "process P() { state s; init s; trans s -> s { guard f%d() == 0; assign g%d(); }; }\n"
           "system P;\n",
           DEPTH, DEPTH);
  Probe p;
  reading_accept_uppaal(&p.r, text);
  access_init(&p.access, &p.r.arena, &p.r.net);
  access_expr(&p.access, p.r.net.edges.items[0].guard_expr);
  assert_int_equal(of_slot(&p, "n", 0), ACCESS_READ);
  access_clear(&p.access);
  access_stmts(&p.access, p.r.net.edges.items[0].update_stmts);
  assert_int_equal(of_slot(&p, "n", 0), ACCESS_WRITE);
  probe_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_variables), cmocka_unit_test(test_indices),
      cmocka_unit_test(test_clocks), cmocka_unit_test(test_locals), cmocka_unit_test(test_calls)};
  return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
