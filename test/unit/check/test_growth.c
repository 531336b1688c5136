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

static bool accepts_of(const char *text, const Step *steps, uint32_t count, int loop_from,
                       const char *condition) {
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
                   .loop_from = loop_from < 0 ? 0 : (uint32_t)loop_from};
  Text why = {.mem = &r.mem};
  const bool accepted = growth_check(&r.mem, &r.net, &goal, 2, &run, &why);
  assert_int_equal(accepted, !why.size);
  text_release(&why);
  reading_release(&r);
  return accepted;
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops), cmocka_unit_test(test_idling),
                                     cmocka_unit_test(test_hidden)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
