// Spaces of ticks: initial states, discrete steps and kept nodes, with no semantics of time
// around them.
#include "discrete/tickspace.h"

#include "reading.h"

static const char model[] = "system:s\n"
                            "event:a\n"
                            "int:1:0:3:0:i\n"
                            "clock:1:x\n"
                            "process:P\n"
                            "location:P:A{initial: : invariant: x<=4}\n"
                            "location:P:B{initial:}\n"
                            "edge:P:A:B:a{provided: i<1 && x>=2 : do: i=i+1; x=0}\n"
                            "edge:P:B:B:a{provided: i>2}\n"
                            "edge:P:B:A:a{do: i=i-1}\n";

// A kind without time: values are up to 5, and said to be too large if there is a seed.
static bool prepare(Ticks *ticks, int32_t *most, uint32_t *value_bytes) {
  (void)value_bytes;
  most[1] = 5;
  return !ticks->options.seed;
}

static bool begin(Ticks *ticks) {
  ticks->is_packed = false;
  return ticks_invariant(ticks, ticks->state);
}

static const TickKind kind = {
    .engine = "points", .bytes = sizeof(Ticks), .prepare = prepare, .begin = begin};

static void test_steps(void **unused) {
  (void)unused;
  Reading r;
  Options options;
  Statistics stats = {0};
  reading_accept(&r, model);
  options_init(&options);
  Space *space = tickspace_new(&kind, &r.mem, &r.net, NULL, &options, &r.report);
  Ticks *ticks = (Ticks *)space;
  ticks->passed.stats = &stats;
  assert_int_equal(ticks->bounds.global_upper[1], 4);
  assert_true(space->initial(space));
  assert_int_equal(ticks->invariant.size, 1);
  ticks->values[1] = 3;
  bool is_new;
  assert_int_equal(ticks_add(ticks, &is_new), 0);
  assert_true(is_new);
  assert_int_equal(ticks_add(ticks, &is_new), 0);
  assert_false(is_new);
  assert_true(space->initial(space));
  assert_int_equal(space->ordinal, 1);
  assert_int_equal(ticks_add(ticks, &is_new), 1);
  assert_int_equal(stats.stored, 2);
  assert_false(space->initial(space));

  tickspace_take(ticks, 0);
  assert_int_equal(ticks->source_values[1], 3);
  assert_true(shuffle_next(&ticks->shuffle));
  assert_true(ticks_guard(ticks));
  assert_int_equal(ticks->tests.size, 1);
  assert_true(ticks_fire(ticks));
  assert_int_equal(ticks->state[0], 1);
  assert_int_equal(ticks->updates.size, 1);
  assert_false(shuffle_next(&ticks->shuffle));

  // Integers forbid one edge; the other one leaves the range, which is no error in this language.
  tickspace_take(ticks, 1);
  assert_true(shuffle_next(&ticks->shuffle));
  assert_false(ticks_guard(ticks));
  assert_true(shuffle_next(&ticks->shuffle));
  assert_true(ticks_guard(ticks));
  assert_false(ticks_fire(ticks));
  assert_null(space->failure);
  r.net.invalid_is_error = true;
  assert_false(ticks_fire(ticks));
  assert_non_null(space->failure);
  space->release(space);
  reading_release(&r);
}

static void test_refusal(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  Options options;
  options_init(&options);
  options.seed = 1;
  assert_null(tickspace_new(&kind, &r.mem, &r.net, NULL, &options, &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "too large for engine points; use"));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                     cmocka_unit_test(test_refusal)};
  return cmocka_run_group_tests_name("tickspace", tests, NULL, NULL);
}
