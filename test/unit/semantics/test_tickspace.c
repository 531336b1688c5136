// Spaces of ticks: initial states, discrete steps and kept nodes, with no semantics of time
// around them.
#include "semantics/discrete/tickspace.h"

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
static bool prepare(Ticks *ticks, int32_t *max, uint32_t *value_bytes) {
  (void)value_bytes;
  max[1] = 5;
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
  assert_true(stepper_guard(&ticks->stepper, ticks->source));
  assert_int_equal(ticks->stepper.tests.size, 1);
  assert_true(ticks_fire(ticks));
  assert_int_equal(ticks->state[0], 1);
  assert_int_equal(ticks->stepper.updates.size, 1);
  assert_false(shuffle_next(&ticks->shuffle));

  // Integers forbid one edge; the other one leaves the range, which is no error in this language.
  tickspace_take(ticks, 1);
  assert_true(shuffle_next(&ticks->shuffle));
  assert_false(stepper_guard(&ticks->stepper, ticks->source));
  assert_true(shuffle_next(&ticks->shuffle));
  assert_true(stepper_guard(&ticks->stepper, ticks->source));
  assert_false(ticks_fire(ticks));
  assert_null(space->failure);
  ticks->stepper.vm.invalid_is_error = true;
  assert_false(ticks_fire(ticks));
  assert_non_null(space->failure);
  space_release(space);
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

#define CLOSED "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"

// What is said about the model, with a query or NULL; "" if it is accepted.
static void assert_says(const char *text, const char *query, const Options *options,
                        const char *message) {
  Reading r;
  Goal goal;
  const Source source = {.name = "query", .text = query, .size = query ? strlen(query) : 0};
  reading_accept(&r, text);
  if (query) {
    Query parsed;
    assert_true(query_read(&parsed, &r.arena, &r.net, &source, &r.report));
    assert_true(query_goal(&goal, &r.arena, &r.net, &parsed, &r.report));
  }
  Space *space = tickspace_new(&kind, &r.mem, &r.net, query ? &goal : NULL, options, &r.report);
  assert_int_equal(space != NULL, !*message);
  if (strncmp(reading_error(&r), message, strlen(message)))
    fail_msg("says: %s\nexpected: %s", text_chars(&r.text), message);
  if (space)
    space_release(space);
  reading_release(&r);
}

static void test_closed(void **state) {
  (void)state;
  Options options;
  options_init(&options);
  const char *closed = CLOSED "edge:P:A:B:a{provided: x>=2 && x==3}\n";
  assert_says(closed, NULL, &options, "");
  assert_says(closed, "E<> P.B && x<=7", &options, "");
  assert_says(closed, "A[] !P.B || x>=7", &options, "query:1:13: engine points counts time");
  assert_says(closed, "A[] x<=5", &options, "query:1:5: engine points counts time");
  assert_says(CLOSED "edge:P:A:B:a{provided: x<2}\n", NULL, &options,
              "model:7:24: engine points counts time in whole units and cannot take a strict");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_refusal),
                                     cmocka_unit_test(test_closed)};
  return cmocka_run_group_tests_name("tickspace", tests, NULL, NULL);
}
