// Parts of runs that repeat at other times each round: which can be repeated for ever.
#include "check/recur.h"

#include "check/lasso.h"
#include "reading.h"

typedef struct Moment { // after a step, in quarters
  int64_t time, x, y;
} Moment;

// A run of one location by its only edge; `stay` is a condition on the location, or NULL.
static bool recurs(const char *invariant, const char *edge, const Moment *moments, uint32_t count,
                   uint32_t from, bool diverges, Text *why) {
  Reading r;
  char text[400];
  snprintf(text, sizeof text,
           "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
           "location:P:A{initial: : invariant: %s}\nedge:P:A:A:a{%s}\n",
           invariant, edge);
  reading_accept(&r, text);
  const Edge *edges[] = {&r.net.edges.items[0]};
  static const int32_t state[] = {0};
  RunStep steps[8] = {0};
  int64_t clocks[8][3] = {{0}};
  for (uint32_t i = 0; i < count; i++) {
    clocks[i][1] = moments[i].x;
    clocks[i][2] = moments[i].y;
    steps[i] = (RunStep){i ? edges : NULL, i > 0, moments[i].time, state, clocks[i]};
  }
  const Run run = {.steps = steps,
                   .step_count = count,
                   .denominator = 4,
                   .end_time = moments[count - 1].time,
                   .repeats = true,
                   .loop_from = from,
                   .varies = true};
  const LassoClaim claim = {.diverges = diverges};
  const bool ok = lasso_check(&r.mem, &r.net, &claim, &run, why);
  reading_release(&r);
  return ok;
}

static void expect(const char *invariant, const char *edge, const Moment *moments, uint32_t count,
                   uint32_t from, const char *reason) {
  Mem mem = {0};
  Text why = {.mem = &mem};
  const bool ok = recurs(invariant, edge, moments, count, from, false, &why);
  if (reason ? ok || !strstr(text_chars(&why), reason) : !ok)
    fail_msg("%s %s: wanted %s, said %s", invariant, edge, reason ? reason : "acceptance",
             text_chars(&why));
  text_release(&why);
}

static void test_rounds(void **unused) {
  (void)unused;
  static const Moment unit[] = {{0, 0, 0}, {4, 4, 0}, {8, 8, 0}};
  static const Moment reset[] = {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}};
  static const Moment halves[] = {{0, 0, 0}, {2, 2, 0}, {3, 3, 0}};
  static const Moment whole[] = {{0, 0, 0}, {2, 2, 0}, {4, 4, 0}};
  const char *never = "cannot be repeated for ever";
  // Five rounds are possible, not infinitely many.
  expect("x <= 5", "provided: y >= 1 : do: y = 0", unit, 3, 0, never);
  expect("x <= 5", "provided: y >= 1 : do: y = 0", unit, 3, 1, never);
  expect("y <= 5", "provided: y >= 1 : do: y = 0", unit, 3, 1, NULL);
  expect("x <= 5", "provided: y >= 1 : do: y = 0; x = 0", reset, 3, 0, NULL);
  // Delays have to shrink: from x = 1/2 on they can, from x = 1 on they cannot.
  expect("x <= 1", "provided: y > 0 : do: y = 0", halves, 3, 0, NULL);
  expect("x <= 1", "provided: y > 0 : do: y = 0", halves, 3, 1, NULL);
  expect("x <= 1", "provided: y > 0 : do: y = 0", whole, 3, 0, NULL);
  static const Moment late[] = {{0, 0, 0}, {4, 4, 0}, {4, 4, 0}};
  expect("x <= 1", "do: y = 0", late, 3, 1, NULL);
  // The guard of the first round is not one of the next: y - 1 would be negative.
  static const Moment lowered[] = {{0, 0, 0}, {12, 12, 8}, {12, 12, 4}};
  expect("x <= 3", "provided: x >= 3 : do: y = y + -1", lowered, 3, 1, never);
}

// What is not a run is rejected before.
static void test_steps(void **unused) {
  (void)unused;
  static const Moment wrong[] = {{0, 0, 0}, {4, 4, 1}, {8, 8, 0}};
  expect("y <= 5", "provided: y >= 1 : do: y = 0", wrong, 3, 0, "step 1");
  static const Moment none[] = {{0, 0, 0}, {4, 4, 0}};
  expect("y <= 5", "provided: y >= 1 : do: y = 0", none, 2, 1, "has no steps");
}

static Goal goal_of(Reading *r, const char *condition) {
  Query query;
  Goal goal;
  const Source source = {.name = "query", .text = condition, .size = strlen(condition)};
  assert_true(query_read(&query, &r->arena, &r->net, &source, &r->report));
  assert_true(goal_build(&goal, &r->arena, query.formula, false, query.place, &r->report));
  return goal;
}

// A round between A and B ends at `end`, in quarters. Rounds can be repeated until x = 5. At x =
// 6 there is no way but to C.
static bool leads_astray(const char *start, int64_t end) {
  Reading r;
  reading_accept(&r, "system:s\nprocess:P\nevent:a\nclock:1:x\n"
                     "location:P:A{initial: : invariant: x <= 6}\n"
                     "location:P:B{invariant: x <= 6}\nlocation:P:C{}\n"
                     "edge:P:A:B:a{provided: x <= 5}\nedge:P:B:A:a{}\n"
                     "edge:P:A:C:a{provided: x >= 6}\n");
  const Goal began = goal_of(&r, start), stay = goal_of(&r, "E<> not P.C");
  const Edge *edges[] = {&r.net.edges.items[0], &r.net.edges.items[1]};
  static const int32_t states[] = {0, 1};
  const int64_t clocks[][2] = {{0, 0}, {0, 0}, {0, end}};
  const RunStep steps[] = {{NULL, 0, 0, &states[0], clocks[0]},
                           {&edges[0], 1, 0, &states[1], clocks[1]},
                           {&edges[1], 1, end, &states[0], clocks[2]}};
  const Run run = {.steps = steps,
                   .step_count = 3,
                   .denominator = 4,
                   .end_time = end,
                   .repeats = true,
                   .varies = true};
  const LassoClaim claim = {.stay = &stay, .start = &began};
  Text why = {.mem = &r.mem};
  const bool ok = lasso_check(&r.mem, &r.net, &claim, &run, &why);
  text_release(&why);
  reading_release(&r);
  return ok;
}

// What is met in the given round alone counts only if other rounds can follow that one.
static void test_start(void **unused) {
  (void)unused;
  assert_false(leads_astray("E<> x >= 6", 24));
  assert_true(leads_astray("E<> x >= 5", 20));
  assert_true(leads_astray("E<> x <= 0", 24)); // where the part begins
  assert_false(leads_astray("E<> x > 5 and x < 6", 24));
}

// Each round takes a unit of time, or it need not.
static void test_diverges(void **unused) {
  (void)unused;
  static const Moment moments[] = {{0, 0, 0}, {4, 0, 4}, {8, 0, 8}};
  const struct {
    const char *invariant, *edge;
    bool diverges;
  } cases[] = {
      {"x <= 2", "do: x = 0", true},
      {"x <= 1", "do: x = 0", true},
      {"x <= 1", "provided: x < 1 : do: x = 0",
       false}, // no run is as slow as the one that is given
      {"y <= 9", "do: x = 0", false},
      {"x >= 0", "provided: y < 9 : do: x = 0", false},
  };
  Mem mem = {0};
  Text why = {.mem = &mem};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (recurs(cases[i].invariant, cases[i].edge, moments, 3, 1, true, &why) != cases[i].diverges)
      fail_msg("case %zu: %s", i, text_chars(&why));
  assert_true(recurs("y <= 9", "do: x = 0", moments, 3, 1, false, &why));
  text_release(&why);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_diverges),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_start),
  };
  return cmocka_run_group_tests_name("recur", tests, NULL, NULL);
}
