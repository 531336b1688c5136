// Partial order in the space of zones: which transitions of a node are left out.
#include "semantics/zone/partialorder.h"

#include "reading.h"
#include "search/reach.h"
#include "semantics/zone/zones.h"

// Three processes that end together, at x = 5; then each starts again.
static const char together[] =
    "system:s\nprocess:P\nprocess:Q\nprocess:R\nevent:tau\nclock:1:x\nclock:1:y\nclock:1:z\n"
    "location:P:l{initial: : invariant:x<=5}\nedge:P:l:l:tau{provided:x>=5 : do:x=0}\n"
    "location:Q:l{initial: : invariant:y<=5}\nedge:Q:l:l:tau{provided:y>=5 : do:y=0}\n"
    "location:R:l{initial: : invariant:z<=5}\nedge:R:l:l:tau{provided:z>=5 : do:z=0}\n";

static Statistics explore(const char *model, bool reduces) {
  Reading r;
  Options options;
  Statistics stats = {0};
  Reach reach;
  reading_accept(&r, model);
  options_init(&options);
  const Goal goal = {0};
  Space *space = zones_new(&r.mem, &r.net, &goal, &options, &r.report);
  if (reduces)
    partialorder_attach((Zones *)space);
  reach_init(&reach, &r.mem, space, ORDER_BFS, &stats);
  assert_int_equal(reach_run(&reach), REACH_NONE);
  reach_release(&reach);
  space_release(space);
  reading_release(&r);
  return stats;
}

static void test_together(void **state) {
  (void)state;
  const Statistics full = explore(together, false), reduced = explore(together, true);
  assert_int_equal(full.left_out, 0);
  assert_true(reduced.left_out > 0);
  assert_int_equal(reduced.stored, 3);
  assert_true(full.stored > reduced.stored);
}

// Whatever is possible where time stands still shares Q: nothing is left out, nothing is made.
static void test_one_group(void **state) {
  (void)state;
  static const char one[] =
      "system:s\nprocess:P\nprocess:Q\nprocess:R\nevent:tau\nevent:a\nevent:b\nclock:1:x\n"
      "location:P:l{initial: : urgent:}\nedge:P:l:l:a{do:x=0}\n"
      "location:Q:l{initial:}\nedge:Q:l:l:a{}\nedge:Q:l:l:b{}\n"
      "location:R:l{initial:}\nedge:R:l:l:b{}\nsync:P@a:Q@a\nsync:Q@b:R@b\n";
  const Statistics full = explore(one, false), reduced = explore(one, true);
  assert_int_equal(reduced.left_out, 0);
  assert_int_equal(reduced.stored, full.stored);
}

// Nothing to leave out in more nodes than the reduction is patient for.
static void test_patience(void **state) {
  (void)state;
  static const char counts[] =
      "system:s\nprocess:P\nprocess:Q\nevent:tau\nclock:1:x\nint:1:0:3000:0:v\n"
      "location:P:l{initial:}\nedge:P:l:l:tau{do:v=v+1}\n"
      "location:Q:l{initial:}\nedge:Q:l:l:tau{provided:v>=9999}\n";
  assert_int_equal(explore(counts, true).stored, explore(counts, false).stored);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_together),
                                     cmocka_unit_test(test_one_group),
                                     cmocka_unit_test(test_patience)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
