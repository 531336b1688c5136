// A search for deadlocks: what it finds with LU bounds, and what it leaves in doubt.
#include "answers/queries/deadgoal.h"

#include "reading.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

// In B an action is possible up to x == 3 only; `limit` is how late B is entered.
static ReachResult search(int limit, Abstraction abstraction, bool *doubtful) {
  char model[400];
  snprintf(
      model, sizeof model,
      "system:s\nprocess:P\nevent:a\nclock:1:x\nlocation:P:A{initial: : invariant: x <= %d}\n"
      "location:P:B{invariant: x <= %d}\nedge:P:A:B:a{}\n"
      "edge:P:B:A:a{provided: x <= 3 : do: x = 0}\n",
      limit, limit);
  Reading r;
  Query query;
  Goal goal;
  Options options;
  Statistics stats = {0};
  Reach reach;
  Deadgoal d;
  const char text[] = "E<> deadlock";
  reading_accept(&r, model);
  const Source source = {.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
  options_init(&options);
  options.abstraction = abstraction;
  Space *space = zones_new(&r.mem, &r.net, &goal, &options, &r.report);
  deadgoal_attach(&d, &r.mem, space, &r.net, &goal, abstraction == ABSTRACTION_AM);
  reach_init(&reach, &r.mem, space, ORDER_BFS, &stats);
  const ReachResult result = reach_run(&reach);
  *doubtful = d.doubtful;
  deadgoal_release(&d);
  reach_release(&reach);
  space_release(space);
  reading_release(&r);
  return result;
}

static void test_search(void **unused) {
  (void)unused;
  bool doubtful;
  assert_int_equal(search(3, ABSTRACTION_AM, &doubtful), REACH_NONE);
  assert_false(doubtful);
  assert_int_equal(search(4, ABSTRACTION_AM, &doubtful), REACH_GOAL);
  assert_int_equal(search(3, ABSTRACTION_ALU, &doubtful), REACH_NONE);
  assert_int_equal(search(4, ABSTRACTION_ALU, &doubtful), REACH_GOAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
