// Searches in which differences of clocks matter: the same discrete states under all that decides
// how zones are kept and compared, and as many nodes.
#include "semantics/zone/zonediagonals.h"

#include "grid.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

static void explore(const char *text, const Options *options, Statistics *stats) {
  Reading r;
  reading_accept(&r, text);
  Space *space = zones_new(&r.mem, &r.net, NULL, options, &r.report);
  if (!space)
    fail_msg("%s", text_chars(&r.report.error));
  *stats = (Statistics){0};
  Reach reach;
  reach_init(&reach, &r.mem, space, (SearchOrder)options->order, stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  reach_release(&reach);
  space_release(space);
  reading_release(&r);
}

// Zones in minimal form make no difference; nor does the order to which states there are.
static void test_forms(void **unused) {
  (void)unused;
  const char *const arguments[] = {"diagonals=1", "clocks=3", "processes=1", "edges=8",
                                   "guards=100",  "ints=0",   NULL};
  uint64_t stored = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    char *text = points_random_text(seed, arguments);
    Options options;
    options_init(&options);
    Statistics plain, compact, ranked;
    options.order = ORDER_BFS;
    explore(text, &options, &plain);
    options.compact = true;
    explore(text, &options, &compact);
    assert_int_equal(plain.stored, compact.stored);
    assert_int_equal(plain.visited, compact.visited);
    options.compact = false;
    options.order = ORDER_RANK; // asks whether zones cover everything
    options.abstraction = ABSTRACTION_AM;
    explore(text, &options, &ranked);
    assert_int_equal(plain.states, ranked.states);
    stored += plain.stored;
    free(text);
  }
  assert_true(stored > 200);
}

// y is reset over and over while x grows: x - y matters up to 5, so there are finitely many
// nodes.
static void test_finite(void **unused) {
  (void)unused;
  const char *model =
      "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:A{initial:}\n"
      "location:P:B{}\nedge:P:A:A:a{provided: y==1 : do: y=0}\n"
      "edge:P:A:B:a{provided: x-y>=5}\n";
  Options options;
  options_init(&options);
  Statistics stats;
  options.order = ORDER_BFS;
  explore(model, &options, &stats);
  assert_int_equal(stats.states, 2);
  assert_true(stats.visited < 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_finite)};
  return cmocka_run_group_tests_name("splits", tests, NULL, NULL);
}
