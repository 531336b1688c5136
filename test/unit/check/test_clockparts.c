// The parts of conditions: disjoint, and together all of the condition.
#include "check/clockparts.h"

#include "reading.h"

static const char model[] = "system:s\nprocess:P\nevent:a\nclock:1:x\nclock:1:y\nint:1:0:3:0:n\n"
                            "location:P:A{initial:}\nlocation:P:B{invariant:x<=2}\n"
                            "location:P:C{invariant:n>3}\nedge:P:A:B:a{}\nedge:P:B:C:a{}\n";

static bool meets(const ClockTest *tests, uint32_t count, const int64_t *clocks) {
  for (uint32_t i = 0; i < count; i++) {
    const int64_t left = clocks[tests[i].i] - clocks[tests[i].j], right = 2 * tests[i].constant;
    if (tests[i].strict ? left >= right : left > right)
      return false;
  }
  return true;
}

static Goal goal(Reading *r, const char *text) {
  Query query;
  Goal goal;
  Source *source = ARENA_NEW(&r->arena, Source);
  *source = (Source){.name = "query", .text = text, .size = strlen(text)};
  assert_true(query_read(&query, &r->arena, &r->net, source, &r->report));
  assert_true(goal_build(&goal, &r->arena, query.formula, false, query.place, &r->report));
  return goal;
}

// Each half point up to 5 lies in one part, if it meets the condition; else in none. It meets it
// as `expected` says.
static void compare(const ClockParts *p, ClockPartsOf of, bool (*expected)(int64_t, int64_t)) {
  for (int64_t x = 0; x < 10; x++)
    for (int64_t y = 0; y < 10; y++) {
      const int64_t clocks[] = {0, x, y};
      int found = 0;
      for (uint32_t i = 0; i < of.count; i++) {
        const ClockPart *part = &p->list.items[of.first + i];
        found += meets(clockparts_tests(p, part), part->count, clocks);
      }
      if (found != expected(x, y))
        fail_msg("x = %g, y = %g: %d", (double)x / 2, (double)y / 2, found);
    }
}

static bool in_a(int64_t x, int64_t y) { return x < 6 || y >= 4 || (x > 2 && y <= 8); }

static void test_parts(void **unused) {
  (void)unused;
  Reading r;
  StateTransitions a;
  ClockParts p;
  reading_accept(&r, model);
  statetransitions_init(&a, &r.mem, &r.net);
  const Goal stay = goal(&r, "E<> x < 3 or y >= 2 or (x > 1 and y <= 4)"),
             start = goal(&r, "E<> x > 1 or P.A");
  clockparts_init(&p, &r.mem, &r.net, &stay, &start);
  int32_t state[] = {0, 0};
  ClockPartsOf of = clockparts_of(&p, &a, state);
  compare(&p, of, in_a);
  assert_int_equal(of.start_count, 2);
  state[r.net.location_slot] = 1; // with the invariant x <= 2 the first clause is all
  of = clockparts_of(&p, &a, state);
  assert_int_equal(of.count, 1);
  assert_int_equal(of.start_count, 1);
  state[r.net.location_slot] = 2;
  of = clockparts_of(&p, &a, state);
  assert_int_equal(of.count, 0);
  assert_null(p.error);
  reading_drop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
