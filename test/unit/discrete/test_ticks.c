// Ticks: initial states, discrete steps and kept nodes, with no semantics of time around them.
#include "discrete/ticks.h"

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

static void start(Ticks *ticks, Reading *r, const int32_t *most) {
  Options options;
  options_init(&options);
  memset(ticks, 0, sizeof *ticks);
  ticks_init(ticks, &r->mem, &r->net, NULL, &options);
  static Statistics stats;
  ticks->passed.stats = &stats;
  assert_true(ticks_accept(ticks, "points", &r->report));
  ticks_keep(ticks, most, 0);
}

static void pack(Ticks *ticks) {
  packing_state(&ticks->packing, ticks->state_key, ticks->state);
  packing_values(&ticks->packing, ticks->key, ticks->state_key, ticks->values);
}

static void test_steps(void **unused) {
  (void)unused;
  Reading r;
  Ticks ticks;
  const int32_t most[] = {0, 5};
  reading_accept(&r, model);
  start(&ticks, &r, most);
  assert_int_equal(ticks.bounds.global_upper[1], 4);
  assert_true(ticks_initial(&ticks));
  assert_true(ticks_invariant(&ticks, ticks.state, &ticks.tests));
  assert_int_equal(ticks.tests.size, 1);
  ticks.values[1] = 3;
  pack(&ticks);
  bool is_new;
  assert_int_equal(ticks_add(&ticks, &is_new), 0);
  assert_true(is_new);
  assert_int_equal(ticks_add(&ticks, &is_new), 0);
  assert_false(is_new);
  assert_true(ticks_initial(&ticks));
  assert_int_equal(ticks.space.ordinal, 1);
  pack(&ticks);
  assert_int_equal(ticks_add(&ticks, &is_new), 1);
  assert_int_equal(ticks.passed.stats->stored, 2);
  assert_false(ticks_initial(&ticks));

  ticks_take(&ticks, 0);
  assert_int_equal(ticks.source_values[1], 3);
  assert_true(shuffle_next(&ticks.shuffle));
  assert_true(ticks_guard(&ticks));
  assert_int_equal(ticks.tests.size, 1);
  assert_true(ticks_fire(&ticks));
  assert_int_equal(ticks.state[0], 1);
  assert_int_equal(ticks.updates.size, 1);
  assert_false(shuffle_next(&ticks.shuffle));

  // Integers forbid one edge; the other one leaves the range, which is no error in this language.
  ticks_take(&ticks, 1);
  assert_true(shuffle_next(&ticks.shuffle));
  assert_false(ticks_guard(&ticks));
  assert_true(shuffle_next(&ticks.shuffle));
  assert_true(ticks_guard(&ticks));
  assert_false(ticks_fire(&ticks));
  assert_null(ticks.space.failure);
  r.net.invalid_is_error = true;
  assert_false(ticks_fire(&ticks));
  assert_non_null(ticks.space.failure);
  ticks_release(&ticks);
  reading_release(&r);
}

static void test_refusal(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  assert_false(ticks_refuse("points", &r.report));
  assert_non_null(strstr(text_chars(&r.report.error), "too large for engine points; use"));
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                     cmocka_unit_test(test_refusal)};
  return cmocka_run_group_tests_name("ticks", tests, NULL, NULL);
}
