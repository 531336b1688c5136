// Actions of local time: the links, origins and names that the rules ask for, on one network.
#define _POSIX_C_SOURCE 200809L
#include "semantics/local/localaction.h"

#include "planting.h"
#include "reading.h"

// Processes P and Q share the clock x, which P sets; y is Q's own.
static const char model[] = "system:s\n"
                            "event:a\n"
                            "clock:1:x\n"
                            "clock:1:y\n"
                            "process:P\n"
                            "location:P:A{initial: : invariant: x<=5}\n"
                            "edge:P:A:A:a{provided: x>=2 : do: x=0}\n"
                            "process:Q\n"
                            "location:Q:A{initial:}\n"
                            "edge:Q:A:A:a{provided: x>1 && y<3 : do: y=0}\n";

typedef struct Fixture {
  Reading r;
  Resources resources;
  OffsetShape all, shape;
  int32_t columns[64];
  LocalActions actions;
} Fixture;

static void start(Fixture *f) {
  reading_accept(&f->r, model);
  const Net *net = &f->r.net;
  assert_true(resources_find(&f->resources, &f->r.arena, net, &f->r.report));
  f->all = (OffsetShape){.clocks = net->clock_count,
                         .first_time = net->clock_count + f->resources.written_count,
                         .times = net->processes.size};
  f->all.n = f->all.first_time + f->all.times + f->resources.count;
  f->all.stride = dbm_stride(f->all.n);
  f->shape = f->all;
  for (uint32_t i = 0; i < f->all.n; i++)
    f->columns[i] = -1;
  f->shape.columns = f->columns;
  localaction_init(&f->actions, &f->r.mem, &f->r.arena, &f->resources, &f->all);
}

static void end(Fixture *f) { reading_drop(&f->r); }

static bool has_link(const OffsetLink *links, uint32_t count, uint32_t variable, Bound bound) {
  for (uint32_t i = 0; i < count; i++)
    if (links[i].variable == variable && links[i].bound == bound)
      return true;
  return false;
}

static bool make(Fixture *f, EdgeId e, const LocalUse *use, const Constraint *ceiling,
                 const ClockTest *invariant, OffsetAction *action) {
  const Edge *edge = &f->r.net.edges.items[e];
  localaction_begin(&f->actions, &f->shape, use, ceiling, ceiling != NULL);
  localaction_guard(&f->actions, edge->guard.clock_tests, edge->guard.clock_test_count);
  localaction_update(&f->actions, &f->shape, edge->update.clock_updates,
                     edge->update.clock_update_count);
  localaction_invariant(&f->actions, invariant, invariant != NULL);
  return localaction_end(&f->actions, action);
}

static void test_action(void **unused) {
  (void)unused;
  Fixture f;
  start(&f);
  const ProcessId p = 0;
  const uint32_t time = localaction_time(&f.all, p);
  const Constraint ceiling = {time, 0, bound_le(5)};
  const LocalUse use = {.domain = &p, .domain_count = 1};
  OffsetAction action;
  assert_true(make(&f, 0, &use, &ceiling, NULL, &action));
  assert_int_equal(action.in_count, 2);
  assert_true(has_link(action.in, 2, time, BOUND_LE_ZERO)); // the instant is not before P's time
  assert_true(has_link(action.in, 2, 0, bound_le(-2)));     // x >= 2
  assert_int_equal(action.out_count, 1);
  assert_true(has_link(action.out, 1, 0, bound_le(5))); // the ceiling
  assert_int_equal(action.between_count, 0);
  assert_int_equal(action.becomes[0], -1);
  assert_int_equal(action.becomes[1], 0);
  assert_int_equal(action.becomes[time], -1);
  assert_int_equal(action.becomes[time + 1], 0);
  assert_null(action.origin);
  assert_null(action.shift);

  // Of the target's invariant: of a clock that is set a constant, of another one a link.
  const ClockTest never = {.i = 1, .constant = -1}, later = {.i = 2, .constant = 7};
  assert_true(make(&f, 0, &use, &ceiling, &later, &action));
  assert_true(has_link(action.out, action.out_count, 1, bound_le(7)));
  assert_false(make(&f, 0, &use, &ceiling, &never, &action));
  end(&f);
}

// What is read and written, with the rules and without.
static void test_resources(void **unused) {
  (void)unused;
  Fixture f;
  start(&f);
  assert_int_equal(f.resources.count, 1);
  const ProcessId q = 1;
  const ResourceId x = 0;
  const uint32_t known = localaction_known(&f.all, x);
  for (int without = 0; without <= CAN_PLANT; without++) {
    LocalUse use = {.domain = &q, .domain_count = 1, .reads = {&x, 1}};
    OffsetAction action;
    plant(without ? "local-read-before" : NULL);
    make(&f, 1, &use, NULL, NULL, &action);
    assert_int_equal(action.kept_count, !without);
    assert_int_equal(action.becomes[known], 0);
    use.writes = use.reads;
    use.reads.size = 0;
    plant(without ? "local-writes" : NULL);
    make(&f, 1, &use, NULL, NULL, &action);
    assert_int_equal(has_link(action.in, action.in_count, known, BOUND_LE_ZERO), !without);
    assert_int_equal(action.becomes[known], -1);
    assert_int_equal(action.kept_count, 0);
    plant(NULL);
  }
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_action),
                                     cmocka_unit_test(test_resources)};
  return cmocka_run_group_tests_name("localaction", tests, NULL, NULL);
}
