// Zones that another order of the same actions has led to: found in large numbers, the same as
// those that are computed (which builds with assertions compare one by one, too), and without any
// transformer on what a search counts.
#include "semantics/local/commute.h"

#include "search/reach.h"
#include "searching.h"
#include "semantics/local/local.h"
#include "semantics/local/localfiring.h"

typedef struct Counts {
  Statistics stats;
  uint64_t commuted;
} Counts;

static Counts count(const Net *net, const Options *options, bool can_commute) {
  Counts counts = {0};
  Mem mem = {0};
  Report report;
  report_init(&report, &mem);
  Space *space = local_new(&mem, net, NULL, options, &report);
  assert_non_null(space);
  Local *local = (Local *)space;
  local->can_commute &= can_commute;
  Reach reach;
  reach_init(&reach, &mem, space, (SearchOrder)options->order, &counts.stats);
  const ReachResult result = reach_run(&reach);
  assert_true(result == REACH_NONE || result == REACH_FAILED);
  counts.commuted = local->commuted;
  reach_release(&reach);
  space_release(space);
  mem_release(&mem);
  return counts;
}

// In all orders; the number of zones that were found, in that with the most.
static uint64_t compare(const Net *net, int seed) {
  uint64_t max = 0;
  for (int order = 0; order < 5; order++) {
    Options options;
    options_init(&options);
    options.order = order;
    options.seed = seed;
    const Counts with = count(net, &options, true), without = count(net, &options, false);
    assert_int_equal(with.stats.visited, without.stats.visited);
    assert_int_equal(with.stats.stored, without.stats.stored);
    assert_int_equal(with.stats.transitions, without.stats.transitions);
    assert_int_equal(without.commuted, 0);
    max = with.commuted > max ? with.commuted : max;
  }
  return max;
}

static uint64_t compare_family(const char *family, const char *size, int seed) {
  Search s;
  search_generate(&s, family, 1, (const char *const[]){size});
  const uint64_t max = compare(&s.reading.net, seed);
  text_release(&s.model);
  reading_release(&s.reading);
  return max;
}

// How many are expected: none in the reference build, which computes every zone.
static uint64_t expected(uint64_t count) {
#ifdef TARN_PLAIN
  count = 0;
#endif
  return count;
}

static void test_families(void **state) {
  (void)state;
  assert_true(compare_family("philosophers", "5", 0) >= expected(500));
  assert_true(compare_family("philosophers", "5", 7) >= expected(500));
  assert_true(compare_family("parallel", "5", 0) >= expected(50));
  compare_family("corsso", "2", 0);
  compare_family("fddi", "4", 0);
}

// Both orders of what P and Q do; with a variable that both write there is one.
#define BEGIN                                                                                    \
  "system:s\nprocess:P\nprocess:Q\nevent:tau\nclock:1:x\nclock:1:y\nint:1:0:9:0:v\n"             \
  "location:P:l0{initial:}\nlocation:P:l1{}\nlocation:Q:m0{initial:}\nlocation:Q:m1{}\n"

static uint64_t compare_text(const char *text) {
  Reading r;
  reading_accept(&r, text);
  const uint64_t max = compare(&r.net, 0);
  reading_release(&r);
  return max;
}

static void test_dependence(void **state) {
  (void)state;
  assert_int_equal(compare_text(BEGIN "edge:P:l0:l1:tau{provided:x>=1:do:x=0}\n"
                                      "edge:Q:m0:m1:tau{provided:y>=2:do:y=0}\n"),
                   expected(1));
  assert_int_equal(compare_text(BEGIN "edge:P:l0:l1:tau{provided:x>=1:do:x=0;v=1}\n"
                                      "edge:Q:m0:m1:tau{provided:y>=2:do:y=0;v=2}\n"),
                   0);
  assert_int_equal(compare_text(BEGIN "edge:P:l0:l1:tau{provided:x>=1:do:x=0;y=0}\n"
                                      "edge:Q:m0:m1:tau{provided:y>=2:do:y=0}\n"),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_families),
      cmocka_unit_test(test_dependence),
  };
  return cmocka_run_group_tests_name("commute", tests, NULL, NULL);
}
