// Parts of runs that repeat at other times each round: which can be repeated for ever.
#include "check/recur.h"

#include "check/lasso.h"
#include "reading.h"

typedef struct Moment { // after a step, in quarters
  int64_t time, x, y;
} Moment;

// A run of one location by its only edge; `stay` is a condition on the location, or NULL.
static bool recurs(const char *invariant, const char *edge, const Moment *moments, uint32_t count,
                   uint32_t from, Text *why) {
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
  const LassoClaim claim = {0};
  const bool ok = lasso_check(&r.mem, &r.net, &claim, &run, why);
  reading_release(&r);
  return ok;
}

static void expect(const char *invariant, const char *edge, const Moment *moments, uint32_t count,
                   uint32_t from, const char *reason) {
  Mem mem = {0};
  Text why = {.mem = &mem};
  const bool ok = recurs(invariant, edge, moments, count, from, &why);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests_name("recur", tests, NULL, NULL);
}
