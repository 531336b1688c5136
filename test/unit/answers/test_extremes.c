// The extreme values that a search collects, and the search for a state in which time passes.
#include "answers/queries/extremes.h"

#include "reading.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nint:1:0:9:0:i\n"
    "location:P:A{initial: : invariant: x < 4}\nlocation:P:B{invariant: x <= 7}\nlocation:P:C{}\n"
    "edge:P:A:A:a{provided: x >= 2 && i < 3 : do: i = i + 2; x = 0}\nedge:P:A:B:a{}\n"
    "edge:P:B:C:a{provided: i == 2}\n";

typedef struct Result {
  Extremes found;
  ReachResult result;
} Result;

static Result search(const char *condition, bool is_clock, bool seeks) {
  Reading r;
  Query query, limit;
  Goal goal, bound;
  Options options;
  Statistics stats = {0};
  Reach reach;
  Result result;
  reading_accept(&r, model);
  const char limits[] = "E<> x <= 20 and x >= 20", value[] = "sup: x, i";
  Source sources[] = {{.name = "q", .text = condition, .size = strlen(condition)},
                      {.name = "l", .text = limits, .size = strlen(limits)},
                      {.name = "v", .text = value, .size = strlen(value)}};
  Query values;
  assert_true(query_read(&query, &r.arena, &r.net, &sources[0], &r.report));
  assert_true(query_read(&limit, &r.arena, &r.net, &sources[1], &r.report));
  assert_true(query_read(&values, &r.arena, &r.net, &sources[2], &r.report));
  assert_true(query_goal(&goal, &r.arena, &r.net, &query, &r.report));
  assert_true(query_goal(&bound, &r.arena, &r.net, &limit, &r.report));
  options_init(&options);
  Space *space = zones_new(&r.mem, &r.net, &bound, &options, &r.report);
  extremes_attach(&result.found, &r.mem, space, &r.net, &goal, values.values[!is_clock],
                  is_clock ? 1 : 0);
  if (seeks)
    extremes_seek_end(&result.found, space);
  reach_init(&reach, &r.mem, space, ORDER_BFS, &stats);
  result.result = reach_run(&reach);
  extremes_release(&result.found);
  reach_release(&reach);
  space_release(space);
  reading_release(&r);
  return result;
}

static void test_values(void **unused) {
  (void)unused;
  Result r = search("E<> P.A", true, false);
  assert_int_equal(r.result, REACH_NONE);
  assert_true(r.found.found && r.found.high == bound_lt(4) && r.found.low == bound_le(0));
  r = search("E<> P.B and i >= 2", true, false);
  assert_true(r.found.high == bound_le(7) && !r.found.is_endless);
  r = search("E<> P.C", true, false);
  assert_true(r.found.is_endless);
  r = search("E<> P.B", false, false);
  assert_int_equal(r.found.least, 0);
  assert_int_equal(r.found.max, 4);
  assert_false(search("E<> P.C and i == 4", false, false).found.found);
}

static void test_end(void **unused) {
  (void)unused;
  assert_int_equal(search("E<> P.C", true, true).result, REACH_GOAL);
  assert_int_equal(search("E<> P.B", true, true).result, REACH_NONE);
  assert_int_equal(search("E<> P.C and x < 9", true, true).result, REACH_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
