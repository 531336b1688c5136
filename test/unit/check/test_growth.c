// Runs in which a clock grows without end, and such as only look like it.
#include "check/growth.h"

#include "reading.h"

// x is at most 2; y is never set in A and B, but on the way to C, where time can pass for ever.
static const char model[] =
    "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
    "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{invariant: x <= 2}\n"
    "location:P:C{}\nlocation:P:D{invariant: y <= 9}\n"
    "edge:P:A:B:a{provided: x >= 1 : do: x = 0}\nedge:P:B:A:a{do: x = 0}\n"
    "edge:P:B:C:a{do: y = 0}\nedge:P:B:D:a{}\n";

typedef struct Step {
  int edge; // -1: none
  int64_t time;
  int32_t location;
  int64_t x, y;
} Step;

// With loop_to, not -1, the run goes on behind that step.
static bool accepts_part(const char *text, const Step *steps, uint32_t count, int loop_from,
                         int loop_to, const char *condition) {
  Reading r;
  Query query;
  Goal goal;
  RunStep list[8] = {0};
  const Edge *edges[8];
  int32_t states[8][8] = {{0}};
  int64_t clocks[8][3];
  reading_accept(&r, text);
  const Source source = {.name = "query", .text = condition, .size = strlen(condition)};
  assert_true(query_read(&query, &r.arena, &r.net, &source, &r.report));
  assert_true(goal_build(&goal, &r.arena, query.formula, false, query.place, &r.report));
  for (uint32_t i = 0; i < count; i++) {
    states[i][r.net.location_slot] = steps[i].location;
    memcpy(clocks[i], (int64_t[]){0, steps[i].x, steps[i].y}, sizeof clocks[i]);
    edges[i] = steps[i].edge < 0 ? NULL : &r.net.edges.items[steps[i].edge];
    list[i] = (RunStep){.edges = &edges[i],
                        .edge_count = edges[i] != NULL,
                        .time = steps[i].time,
                        .state = states[i],
                        .clocks = clocks[i]};
  }
  const Run run = {.steps = list,
                   .step_count = count,
                   .denominator = 1,
                   .end_time = steps[count - 1].time,
                   .repeats = loop_from >= 0,
                   .loop_from = loop_from < 0 ? 0 : (uint32_t)loop_from,
                   .goes_on = loop_to >= 0,
                   .loop_to = loop_to < 0 ? 0 : (uint32_t)loop_to};
  Text why = {.mem = &r.mem};
  const bool accepted = growth_check(&r.mem, &r.net, &goal, 2, &run, &why);
  assert_int_equal(accepted, !why.size);
  text_release(&why);
  reading_release(&r);
  return accepted;
}

static bool accepts_of(const char *text, const Step *steps, uint32_t count, int loop_from,
                       const char *condition) {
  return accepts_part(text, steps, count, loop_from, -1, condition);
}

static bool accepts(const Step *steps, uint32_t count, int loop_from, const char *condition) {
  return accepts_of(model, steps, count, loop_from, condition);
}

static void test_loops(void **unused) {
  (void)unused;
  const Step steps[] = {{-1, 0, 0, 0, 0},  {0, 2, 1, 0, 2},  {1, 4, 0, 0, 4},
                        {0, 6, 1, 0, 6},   {1, 8, 0, 0, 8},  {0, 10, 1, 0, 10},
                        {1, 12, 0, 0, 12}, {0, 14, 1, 0, 14}};
  assert_true(accepts(steps, 8, 5, "E<> true"));
  assert_true(accepts(steps, 8, 5, "E<> P.A")); // on the way
  assert_false(accepts(steps, 8, 5, "E<> P.C"));
  assert_false(accepts(steps, 8, 4, "E<> true")); // other locations at the ends
  assert_false(accepts(steps, 8, 1, "E<> true")); // y is not yet above the constant 9
  const Step still[] = {{-1, 0, 0, 0, 0}, {0, 1, 1, 0, 1}, {1, 1, 0, 0, 1}};
  assert_false(accepts(still, 3, 0, "E<> true"));
}

static void test_idling(void **unused) {
  (void)unused;
  const Step idle[] = {{-1, 0, 0, 0, 0}, {0, 1, 1, 0, 1}, {2, 2, 2, 1, 0}};
  assert_true(accepts(idle, 3, -1, "E<> P.C"));
  assert_false(accepts(idle, 3, -1, "E<> P.C and y < 5"));
  assert_false(accepts(idle, 2, -1, "E<> P.B")); // it cannot idle there
  const Step stuck[] = {{-1, 0, 0, 0, 0}, {0, 1, 1, 0, 1}, {3, 2, 3, 1, 2}};
  assert_false(accepts(stuck, 3, -1, "E<> P.D"));
}

// y is set in each round: at first to what it is anyway. It is never above 14.
static void test_hidden(void **unused) {
  (void)unused;
  static const char *const updates[] = {"y = 12; x = 0", "x = 12; y = x; x = 0", "x = 0"};
  const Step steps[] = {{-1, 0, 0, 0, 0}, {0, 0, 1, 0, 10}, {1, 2, 1, 0, 12}};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
             "location:P:A{initial: : urgent:}\nlocation:P:B{invariant: x <= 2}\n"
             "edge:P:A:B:a{do: y = 10}\nedge:P:B:B:a{provided: x >= 2 : do: %s}\n",
             updates[i]);
    assert_int_equal(accepts_of(text, steps, 3, 1, "E<> true"), i == 2);
  }
}

// The condition is met behind the part that repeats.
static void test_going_on(void **unused) {
  (void)unused;
  const char *text = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
                     "location:P:A{initial: : invariant: x <= 2}\nlocation:P:B{}\n"
                     "location:P:C{}\n"
                     "edge:P:A:A:a{provided: x >= 2 : do: x = 0}\n"
                     "edge:P:A:B:a{provided: y >= 5}\n"
                     "edge:P:A:B:a{provided: y >= 5 : do: y = 9}\n"
                     "edge:P:B:C:a{provided: y <= 9}\n";
  const Step steps[] = {{-1, 0, 0, 0, 0},  {0, 2, 0, 0, 2},  {0, 4, 0, 0, 4},
                        {0, 6, 0, 0, 6},   {0, 8, 0, 0, 8},  {0, 10, 0, 0, 10},
                        {0, 12, 0, 0, 12}, {1, 13, 1, 1, 13}};
  assert_true(accepts_part(text, steps, 8, 5, 6, "E<> P.B"));
  assert_true(accepts_part(text, steps, 8, 5, 6, "E<> P.B && x <= 1"));
  assert_false(accepts_part(text, steps, 8, 5, 6, "E<> P.B && x > 1"));
  assert_false(accepts_part(text, steps, 8, 5, 6, "E<> P.A")); // only before
  assert_true(accepts_part(text, steps, 7, 5, 6, "E<> P.A"));  // nothing follows but the end
  assert_false(accepts_part(text, steps, 8, 5, 7, "E<> P.B")); // other locations at the ends
  assert_false(accepts_part(text, steps, 8, 6, 5, "E<> P.B"));
  assert_false(accepts_part(text, steps, 8, 5, 8, "E<> P.B")); // there is no such step
  assert_false(accepts_part(text, steps, 8, 5, 5, "E<> P.B")); // time cannot pass for ever
  // y is not yet above all constants, those of the condition included.
  assert_false(accepts_part(text, steps, 8, 3, 4, "E<> P.B"));
  assert_false(accepts_part(text, steps, 8, 5, 6, "E<> P.B && y <= 13"));
  assert_false(accepts_part(text, steps, 8, 5, 6, "E<> P.B && y <= 10 + 3"));
  // y is set behind the part, to what it need not be.
  const Step set[] = {{-1, 0, 0, 0, 0}, {0, 2, 0, 0, 2},   {0, 4, 0, 0, 4},   {0, 6, 0, 0, 6},
                      {0, 8, 0, 0, 8},  {0, 10, 0, 0, 10}, {0, 12, 0, 0, 12}, {2, 13, 1, 1, 9}};
  assert_false(accepts_part(text, set, 8, 5, 6, "E<> P.B"));
  // What follows has to be a run: y is too large for the last edge.
  const Step late[] = {{-1, 0, 0, 0, 0}, {0, 2, 0, 0, 2},   {0, 4, 0, 0, 4},   {0, 6, 0, 0, 6},
                       {0, 8, 0, 0, 8},  {0, 10, 0, 0, 10}, {1, 10, 1, 0, 10}, {3, 10, 2, 0, 10}};
  assert_false(accepts_part(text, late, 8, 4, 5, "E<> P.C"));
  assert_false(accepts_part(text, late, 8, 3, 4, "E<> P.C"));
}

// The part is a delay, after which no test distinguishes the clocks from larger ones.
static void test_waiting(void **unused) {
  (void)unused;
  const char *text = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\n"
                     "location:P:A{initial:}\nlocation:P:B{invariant: x <= 3}\n"
                     "location:P:C{urgent:}\n"
                     "edge:P:A:B:a{provided: y >= 5 : do: x = 0}\n"
                     "edge:P:A:B:a{provided: y >= 5 : do: y = x}\n"
                     "edge:P:B:C:a{provided: y >= 5}\n";
  const Step steps[] = {{-1, 0, 0, 0, 0}, {0, 6, 1, 0, 6}, {2, 6, 2, 0, 6}};
  assert_true(accepts_part(text, steps, 2, 0, 0, "E<> P.B"));
  assert_true(accepts_part(text, steps, 3, 0, 0, "E<> P.C"));
  assert_true(accepts_part(text, steps, 2, 0, 0, "E<> P.B && x < 1"));
  assert_false(accepts_part(text, steps, 2, 0, 0, "E<> P.B && y < 7"));
  assert_false(accepts_part(text, steps, 2, 0, 0, "E<> P.A"));
  assert_false(accepts_part(text, steps, 2, 1, 1, "E<> P.B")); // the invariant
  assert_false(accepts_part(text, steps, 3, 2, 2, "E<> P.C")); // it is urgent
  const Step soon[] = {{-1, 0, 0, 0, 0}, {0, 5, 1, 0, 5}};
  assert_false(accepts_part(text, soon, 2, 0, 0, "E<> P.B")); // 5 is a constant
  const Step set[] = {{-1, 0, 0, 0, 0}, {1, 6, 1, 6, 6}};
  assert_false(accepts_part(text, set, 2, 0, 0, "E<> P.B"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loops), cmocka_unit_test(test_idling), cmocka_unit_test(test_hidden),
      cmocka_unit_test(test_going_on), cmocka_unit_test(test_waiting)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
