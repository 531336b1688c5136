// The space of runs under conditions on clocks: parts, hops between them, ends, ticks. That it
// decides rightly is tested in test_liveness.c and test/fuzz/agree_queries.c.
#include "answers/queries/runs.h"

#include "reading.h"

static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:z\n"
                            "location:P:A{initial:}\nlocation:P:B{invariant: x <= 2}\n"
                            "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\n"
                            "edge:P:B:A:a{provided: x >= 1 : do: x = 0}\n";

static Goal goal(Reading *r, const char *text) {
  Query query;
  Goal goal;
  Source *source = ARENA_NEW(&r->arena, Source);
  *source = (Source){.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r->arena, &r->net, source, &r->report));
  assert_true(goal_build(&goal, &r->arena, query.formula, false, query.place, &r->report));
  return goal;
}

typedef struct Count {
  uint32_t hops, actions, ticks;
} Count;

static Count count_steps(Space *space) {
  Count count = {0};
  const uint64_t key = *space->key;
  space->open(space, &key, space->keep(space));
  while (space->next(space)) {
    count.hops += space->ordinal == SPACE_DELAY;
    count.actions += space->ordinal != SPACE_DELAY;
    count.ticks += (runs_marks(space) & RUNS_TICK) != 0;
  }
  return count;
}

// Time passes from x < 2 to x >= 2, where it can pass for ever.
static void test_hops(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  const Goal stay = goal(&r, "E<> P.A and x < 2 or P.A and x >= 2");
  const RunsRules rules = {.claim.stay = &stay};
  Space *space = runs_new(&r.mem, &r.net, &rules, &r.report);
  assert_non_null(space);
  assert_true(space->initial(space));
  assert_int_equal(runs_mode(*space->key), 1);
  assert_int_equal(runs_end(space), RUNS_GOES_ON);
  const Count count = count_steps(space);
  assert_int_equal(count.hops, 1);
  assert_int_equal(count.actions, 0); // B is not in the condition
  space->next_initial = 0;
  assert_true(space->initial(space));
  const uint64_t key = *space->key;
  space->open(space, &key, space->keep(space));
  assert_true(space->next(space));
  assert_int_equal(runs_mode(*space->key), 2);
  assert_int_equal(runs_end(space), RUNS_IDLES);
  space_release(space);
  reading_release(&r);
}

// With ticks each action is there once more, where the last clock is at least 1.
static void test_ticks(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  const Goal label = goal(&r, "E<> P.B");
  const RunsRules rules = {.claim = {.labels = &label, .label_count = 1}, .is_divergent = true};
  assert_int_equal(runs_all_marks(&rules), RUNS_ACTION | RUNS_TICK | RUNS_FIRST_LABEL);
  Space *space = runs_new(&r.mem, &r.net, &rules, &r.report);
  assert_true(space->initial(space));
  const Count count = count_steps(space);
  assert_int_equal(count.actions, 2);
  assert_int_equal(count.ticks, 1);
  space_release(space);
  reading_release(&r);
}

// A label without a value in some state is an error of the search.
static void test_label_error(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, "system:s\nprocess:P\nevent:a\nclock:1:z\nint:1:0:3:2:n\nint:3:0:9:7:a\n"
                     "location:P:A{initial:}\nedge:P:A:A:a{provided: n < 3 : do: n = n + 1}\n");
  const Goal label = goal(&r, "E<> a[n] == 7");
  const RunsRules rules = {.claim = {.labels = &label, .label_count = 1}, .is_divergent = true};
  Space *space = runs_new(&r.mem, &r.net, &rules, &r.report);
  assert_true(space->initial(space));
  assert_null(space->failure);
  const uint64_t key = *space->key;
  space->open(space, &key, space->keep(space));
  assert_false(space->next(space));
  assert_string_equal(space->failure, "an index is out of the bounds of its array");
  space_release(space);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hops), cmocka_unit_test(test_ticks),
                                     cmocka_unit_test(test_label_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
