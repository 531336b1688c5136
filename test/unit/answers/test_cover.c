// Test suites: all that can be reached is covered, the rest is unreachable or, after a limit,
// undecided.
#include "answers/runs/cover.h"

#include "reading.h"

// C is reached over B only; D never, for x is 0 there.
static const char *const model =
    "system:s\nevent:a\nevent:b\nclock:1:x\nprocess:P\nprocess:Q\nlocation:P:A{initial:}\n"
    "location:P:B{}\nlocation:P:C{}\nlocation:P:D{}\nlocation:Q:E{initial:}\n"
    "edge:P:A:B:a{do: x=0}\nedge:P:B:C:b{provided: x>=3}\nedge:P:C:A:b{}\n"
    "edge:P:A:D:b{provided: x<0}\nedge:Q:E:E:a{}\nsync:P@a:Q@a\n";

static void cover(CoverGoal goal, uint32_t covered, uint32_t unreachable) {
  Reading r;
  reading_accept(&r, model);
  Statistics stats = {0};
  Cover cover = {.mem = &r.mem, .net = &r.net, .goal = goal, .stats = &stats};
  assert_true(cover_find(&cover, &r.report));
  uint32_t counts[3] = {0};
  for (uint32_t i = 0; i < cover.item_count; i++) {
    counts[cover.items[i].status]++;
    assert_int_equal(cover.items[i].status == COVER_COVERED, cover.items[i].run > 0);
    assert_true(cover.items[i].run <= cover.runs.size);
  }
  assert_int_equal(counts[COVER_COVERED], covered);
  assert_int_equal(counts[COVER_UNREACHABLE], unreachable);
  assert_int_equal(counts[COVER_UNDECIDED], 0);
  for (uint32_t i = 0; i < cover.runs.size; i++) {
    Text why = {.mem = &r.mem};
    assert_true(replay_run(&r.mem, &r.net, NULL, &cover.runs.items[i].run, &why));
    text_release(&why);
  }
  assert_int_equal(cover.runs.size, 1);
  cover_name(&r.text, &r.net, goal, &cover.items[0]);
  assert_string_equal(text_chars(&r.text), goal == COVER_EDGES ? "P.A -> B (a)"
                                           : goal == COVER_LOCATIONS
                                               ? "P.A"
                                               : "P.A -> B (a), B -> C (b)");
  reading_drop(&r);
}

static void test_edges(void **unused) {
  (void)unused;
  cover(COVER_EDGES, 4, 1);
}

static void test_locations(void **unused) {
  (void)unused;
  cover(COVER_LOCATIONS, 4, 1);
}

static void test_pairs(void **unused) {
  (void)unused;
  cover(COVER_PAIRS, 4, 1); // three of the cycle and that of Q; not from C to D
}

static const char *over(void *state) { return state; }

// With no time for runs nothing is covered, and nothing found is called unreachable.
static void test_limit(void **unused) {
  (void)unused;
  Reading r;
  reading_accept(&r, model);
  char reason[] = "time limit";
  Statistics stats = {0};
  MemWatch watch = {.reached = over, .state = reason};
  Cover cover = {.mem = &r.mem, .net = &r.net, .goal = COVER_EDGES, .stats = &stats};
  cover.limits[COVER_RUNS] = &watch;
  assert_true(cover_find(&cover, &r.report));
  assert_string_equal(cover.stop_reason, reason);
  assert_int_equal(cover.runs.size, 0);
  for (uint32_t i = 0; i < cover.item_count; i++)
    assert_int_equal(cover.items[i].status, i == 3 ? COVER_UNREACHABLE : COVER_UNDECIDED);
  // Without detours all is covered, too.
  cover.limits[COVER_RUNS] = NULL;
  cover.limits[COVER_DETOURS] = &watch;
  cover.runs = (CoverRuns){0};
  assert_true(cover_find(&cover, &r.report));
  assert_true(cover.runs.size > 0);
  for (uint32_t i = 0; i < cover.item_count; i++)
    assert_true(cover.items[i].status == COVER_COVERED || i == 3);
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges),
                                     cmocka_unit_test(test_locations),
                                     cmocka_unit_test(test_pairs), cmocka_unit_test(test_limit)};
  return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
