#include "analysis/diagonals.h"

#include "analysis/clockbounds.h"
#include "reading.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nclock:1:y\nclock:1:z\nclock:2:w\nint:1:0:3:0:i\n"               \
  "process:P\nlocation:P:A{initial:}\nlocation:P:B{}\nlocation:P:C{}\nedge:P:C:C:a{do:i=3}\n"

static void add_tests(Text *text, const Net *net, const TestList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const ClockTest t = list->items[i];
    text_addf(text, "%s%s-%s%s%lld", i ? " " : "", net->clock_names[t.i], net->clock_names[t.j],
              t.strict ? "<" : "<=", (long long)t.constant);
  }
}

// The differences of A, after a bar the tests of single clocks there; NULL: refused.
static void assert_set(const char *edges, const char *query, const char *expected) {
  Reading r;
  char model[2048];
  snprintf(model, sizeof model, MODEL "%s", edges);
  reading_accept(&r, model);
  Goal goal = {0};
  if (query) {
    const Source source = {.name = "query", .text = query, .size = strlen(query)};
    Query read;
    assert_true(query_read(&read, &r.arena, &r.net, &source, &r.report));
    assert_true(query_goal(&goal, &r.arena, &r.net, &read, &r.report));
  }
  Diagonals diagonals;
  const bool found =
      diagonals_compute(&diagonals, &r.arena, &r.net, query ? &goal : NULL, false, &r.report);
  assert_int_equal(found, expected != NULL);
  if (found) {
    add_tests(&r.text, &r.net, &diagonals.by_location[0]);
    text_add(&r.text, "|");
    add_tests(&r.text, &r.net, &diagonals.single[0]);
    if (strcmp(text_chars(&r.text), expected))
      fail_msg("%s: %s, not %s", edges, text_chars(&r.text), expected);
  } else {
    assert_non_null(strstr(text_chars(&r.report.error), "--abstraction none"));
  }
  reading_release(&r);
}

static void test_tests(void **state) {
  (void)state;
  assert_set("edge:P:A:B:a{provided: x<=9}\n", NULL, "|");
  assert_set("edge:P:A:B:a{provided: x-y<=-3}\n", NULL, "x-y<=-3|");
  assert_set("edge:P:A:B:a{provided: x-y>2}\n", NULL, "y-x<-2|");
  assert_set("edge:P:A:B:a{provided: x-y==2 && x-x<=1}\n", NULL, "x-y<=2 y-x<=-2|");
  assert_set("edge:P:A:B:a{provided: x-y<i}\n", NULL, "x-y<0 x-y<1 x-y<2 x-y<3|");
  assert_set("edge:P:A:B:a{provided: w[i]-x<1}\n", NULL, "w[0]-x<1 w[1]-x<1|");
  assert_set("location:P:D{initial: : invariant: x-y<5}\nedge:P:A:D:a{}\n", NULL, "x-y<5|");
  assert_set("edge:P:B:A:a{provided: x-y<5}\n", NULL, "|"); // before it is in B
}

static void test_updates(void **state) {
  (void)state;
#define TEST_IN_B "edge:P:B:C:a{provided: x-y<=3 }\n"
  assert_set(TEST_IN_B "edge:P:A:B:a{}\n", NULL, "x-y<=3|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: y=0}\n", NULL, "|x-0<=3");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=0}\n", NULL, "|"); // y >= -3
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=5}\n", NULL, "|0-y<=-2");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=2}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=5;y=0}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=z+2}\n", NULL, "z-y<=1|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: y=z+2}\n", NULL, "x-z<=5|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=z+2;y=z}\n", NULL, "|z-0<=0"); // one clock for both
  assert_set(TEST_IN_B "edge:P:A:B:a{do: z=x;x=z+1}\n", NULL, "x-y<=2|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: y=i}\n", NULL, "|x-0<=6");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: y=z+i}\n", NULL, "x-z<=3 x-z<=4 x-z<=5 x-z<=6|");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: if i==0 then y=0 else x=z end}\n", NULL,
             "z-y<=3|x-0<=3");
  assert_set(TEST_IN_B "edge:P:A:B:a{do: local t=0; while t<2 do x=z; t=t+1 end}\n", NULL,
             "x-y<=3 z-y<=3|");
  assert_set("edge:P:B:C:a{provided: w[0]-x<1}\nedge:P:A:B:a{do: w[i]=y}\n", NULL,
             "y-x<1 w[0]-x<1|");
}

// Where the guard decides a test it does not go back; unless another process updates the clock in
// the same joint transition.
static void test_guards(void **state) {
  (void)state;
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x<=3}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x<=4}\n", NULL, "x-y<=3|");
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x<=4 && y>=1}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x>=4 && y<1}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x>=4 && y<=1}\n", NULL, "x-y<=3|");
  assert_set("edge:P:B:C:a{provided: x-y<3}\nedge:P:A:B:a{provided: x>=4 && y<=1}\n", NULL, "|");
  assert_set(TEST_IN_B "edge:P:A:B:a{provided: x<=3}\n"
                       "process:Q\nlocation:Q:A{initial:}\nedge:Q:A:A:a{do: x=0}\n",
             NULL, "x-y<=3|");
  // Guarded subtraction ends.
  assert_set(TEST_IN_B "edge:P:A:B:a{}\nedge:P:A:A:a{provided: x<=9 && x>=1 : do: x=x+-1}\n",
             NULL, "x-y<=3 x-y<=4 x-y<=5 x-y<=6 x-y<=7 x-y<=8|");
}

static void test_foreign(void **state) {
  (void)state;
#define OTHER "process:Q\nlocation:Q:A{initial:}\n"
  // Q tests, P updates: P has what its updates make of the test, Q has the test itself.
  assert_set("edge:P:A:B:a{do: y=0}\n" OTHER "edge:Q:A:A:a{provided: x-y<=3}\n", NULL, "|x-0<=3");
  assert_set("edge:P:A:B:a{do: y=z}\n" OTHER "edge:Q:A:A:a{provided: x-y<=3}\n", NULL, "x-z<=3|");
  assert_set("edge:P:A:B:a{do: z=0}\n" OTHER "edge:Q:A:A:a{provided: x-y<=3}\n", NULL, "|");
  // Both update in one joint transition: what one makes of it goes on to the other.
  assert_set("edge:P:A:B:a{do: z=w[0]}\n" OTHER
             "edge:Q:A:A:a{provided: x-y<=3}\nedge:Q:A:A:a{do: y=z}\n",
             NULL, "x-w[0]<=3|");
  assert_set("edge:P:A:B:a{do: y=z}\n", "E<> x-y > 7", "z-x<-7|");
  assert_set("edge:P:A:B:a{}\n", "E<> x-y != 7", "|"); // the goal has it
}

static void test_refused(void **state) {
  (void)state;
  assert_set(TEST_IN_B "edge:P:A:B:a{}\nedge:P:A:A:a{do: x=x+1}\n", NULL, NULL);
  assert_set(TEST_IN_B "edge:P:A:B:a{do: x=z+1;z=x}\nedge:P:B:A:a{}\n", NULL, NULL);
}

// Single tests that differences become are clock bounds; differences alone are not.
// With both ways each test has its negation.
static void test_symmetric(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL "edge:P:A:A:a{provided: x - y < 3}\n");
  Diagonals diagonals;
  assert_true(diagonals_compute(&diagonals, &r.arena, &r.net, NULL, true, &r.report));
  assert_int_equal(diagonals.by_location[0].count, 2);
  const ClockTest *a = &diagonals.by_location[0].items[0], *b = a + 1;
  assert_true(a->i == b->j && a->j == b->i && a->constant == -b->constant &&
              a->strict != b->strict);
  reading_release(&r);
}

static void test_bounds(void **state) {
  (void)state;
  Reading r;
  reading_accept(&r, MODEL TEST_IN_B "edge:P:A:B:a{do: y=0}\nedge:P:C:A:a{do: x=z}\n");
  Diagonals diagonals;
  ClockBounds bounds;
  assert_true(diagonals_compute(&diagonals, &r.arena, &r.net, NULL, false, &r.report));
  assert_true(clockbounds_compute_beside(&bounds, &r.arena, &r.net, NULL, &diagonals, &r.report));
  const uint32_t sizes[] = {2, 1, 1}; // z everywhere: x is set to it on the way to A
  for (uint32_t l = 0; l < 3; l++)
    assert_int_equal(bounds.by_location[l].size, sizes[l]);
  const ClockBound at_a = bounds.by_location[0].items[0], at_c = bounds.by_location[2].items[0];
  assert_int_equal(at_a.clock, 1); // x <= 3
  assert_int_equal(at_a.upper, 3);
  assert_int_equal(at_a.lower, CLOCK_UNBOUNDED);
  assert_int_equal(at_c.clock, 3);
  assert_int_equal(at_c.upper, 3);
  ClockTests list = {0};
  int32_t states[8] = {0};
  states[r.net.location_slot] = 1;
  diagonals_of_state(&diagonals, &r.mem, &r.net, states, &list);
  assert_int_equal(list.size, 1);
  states[r.net.location_slot] = 0;
  diagonals_of_state(&diagonals, &r.mem, &r.net, states, &list);
  assert_int_equal(list.size, 0);
  vec_release(&r.mem, &list);
  reading_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tests),   cmocka_unit_test(test_updates),
      cmocka_unit_test(test_guards),  cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_symmetric),
      cmocka_unit_test(test_bounds)};
  return cmocka_run_group_tests_name("differences", tests, NULL, NULL);
}
