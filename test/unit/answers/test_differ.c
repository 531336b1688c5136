// Runs that differ: each uses something new, and there is none if all is used.
#include "answers/runs/differ.h"

#include "reading.h"

// Two ways to C, and one that never gets there.
static const char *const model =
    "system:s\nevent:a\nclock:1:x\nprocess:P\nprocess:Q\nlocation:P:A{initial:}\n"
    "location:P:B{}\nlocation:P:C{labels: end}\nlocation:P:D{}\nlocation:Q:E{initial:}\n"
    "edge:P:A:C:a{provided: x>2}\nedge:P:A:B:a{}\nedge:P:B:C:a{provided: x<1}\nedge:P:A:D:a{}\n"
    "edge:Q:E:E:a{provided: x>5}\n";

static uint32_t count_runs(Differ by) {
  Reading r;
  reading_accept(&r, model);
  Query query = {0};
  DifferUsed used;
  Trace trace;
  Statistics stats = {0};
  Source source = {.name = "labels", .text = "end", .size = 3};
  assert_true(query_read_labels(&query, &r.arena, &r.net, &source, &r.report));
  differ_init(&used, &r.arena, &r.net, by);
  const DifferSearch search = {.mem = &r.mem,
                               .used = &used,
                               .query = &query,
                               .kind = TRACE_CONCRETE,
                               .stats = &stats,
                               .max = 100};
  uint32_t count = 0;
  ReachResult result;
  while ((result = differ_find(&search, &trace)) == REACH_GOAL) {
    Text names = {.mem = &r.mem}, why = {.mem = &r.mem};
    Goal goal;
    count++;
    assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
    assert_true(replay_run(&r.mem, &r.net, &goal, &trace.run, &why));
    differ_add(&used, &trace.run, &names);
    assert_true(names.size > 0);
    text_release(&names);
    text_release(&why);
    trace_release(&trace);
  }
  assert_int_equal(result, REACH_NONE);
  reading_release(&r);
  return count;
}

static void test_differ(void **unused) {
  (void)unused;
  assert_int_equal(count_runs(DIFFER_EDGES), 3);     // A -> C, over B, with a step of Q
  assert_int_equal(count_runs(DIFFER_LOCATIONS), 2); // C, B
  assert_int_equal(count_runs(DIFFER_PROCESSES), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_differ)};
  return cmocka_run_group_tests_name("differ", tests, NULL, NULL);
}
