// Columns of proposed families: values that fit together, arrays whose elements belong to ids.
#include "analysis/symmetry/columns.h"

#include "reading.h"

static const char model[] =
    "system:s\nevent:tau\nclock:1:x\nclock:1:y\nint:1:0:2:0:id\nint:3:0:1:0:f\nprocess:P\n"
    "process:Q\nlocation:P:A{initial:}\nlocation:Q:A{initial:}\n"
    "edge:P:A:A:tau{provided:f[id]==0 : do:id=1;x=0}\n"
    "edge:Q:A:A:tau{provided:f[id]==0 : do:id=2;y=0}\n";

// As the alignment of P and Q would report it: id = 1 and id = 2, x and y.
static bool make(Reading *r, int32_t second, Family *family) {
  Classes classes;
  classes_init(&classes, &r->arena, &r->net);
  Builder b = {.mem = &r->mem,
               .arena = &r->arena,
               .net = &r->net,
               .classes = &classes,
               .size = 2,
               .is_member = ARENA_ARRAY(&r->arena, bool, r->net.processes.size),
               .clocks = ARENA_ARRAY(&r->arena, ClockIndex *, r->net.clock_count + 1),
               .slots = ARENA_ARRAY(&r->arena, uint32_t *, r->net.location_slot + 1),
               .is_taken = ARENA_ARRAY(&r->arena, bool, r->net.location_slot + 1)};
  ProcessId processes[] = {0, 1};
  ClockIndex clocks[] = {1, 2 + 1};
  int32_t values[] = {1, second};
  vec_push(&r->mem, &b.processes, processes);
  vec_push(&r->mem, &b.uses, ((ConstantUse){0, values}));
  b.clocks[1] = clocks;
  const bool good = columns_make(&b, family);
  if (good) { // `values` is not the arena's
    assert_int_equal(family->value_columns, 1);
    assert_int_equal(family->values[0].values[1], second);
    assert_int_equal(family->clock_columns, 1);
    assert_int_equal(family->clocks[1], 2);
    assert_int_equal(family->slot_columns, 1); // f[1] and f[2]
    assert_int_equal(family->slots[0], 2);
    assert_int_equal(family->slots[1], 3);
    assert_int_equal(family->sort[0], family->values[0].sort);
  }
  vec_release(&r->mem, &b.processes);
  vec_release(&r->mem, &b.uses);
  vec_release(&r->mem, &b.values);
  vec_release(&r->mem, &b.slot_columns);
  classes_release(&classes);
  return good;
}

static void test_ids(void **state) {
  (void)state;
  Reading r;
  Family family;
  reading_accept(&r, model);
  assert_true(make(&r, 2, &family));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
