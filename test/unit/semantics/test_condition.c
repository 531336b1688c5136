// Conditions on moving clocks: when they begin and cease to hold.
#include "racing.h"

typedef struct ConditionCase {
  const char *text;
  double x, y, rate; // the clocks; the rate of x, that of y is 1
  bool wanted;
  double limit, delay;
  bool is_open;
} ConditionCase;

static const ConditionCase cases[] = {
    {"x >= 5", 2, 0, 1, true, INFINITY, 3, false},
    {"x > 5", 2, 0, 1, true, INFINITY, 3, true},
    {"x > 5", 2, 0, 1, true, 3, INFINITY, false}, // only after the limit
    {"x >= 5", 2, 0, 2, true, INFINITY, 1.5, false},
    {"x >= 5", 2, 0, 0, true, INFINITY, INFINITY, false},
    {"x >= 5", 2, 0, -1, true, INFINITY, INFINITY, false},
    {"x <= 1", 2, 0, -1, true, INFINITY, 1, false},
    {"x <= 5", 2, 0, 1, false, INFINITY, 3, true},
    {"x < 5", 2, 0, 1, false, INFINITY, 3, false},
    {"x <= 5", 5, 0, 1, false, INFINITY, 0, true}, // it is at its bound
    {"x <= 5", 6, 0, 1, false, INFINITY, 0, false},
    {"x == 5 && y >= 1", 2, 0, 1, true, INFINITY, 3, false},
    {"x == 5 && y >= 4", 2, 0, 1, true, INFINITY, INFINITY, false},
    {"x >= 3 && x <= 4", 2, 0, 1, true, 0.5, INFINITY, false},
    {"x - y >= 2", 2, 0, 1, true, INFINITY, 0, false},
    {"x - y >= 3", 2, 0, 2, true, INFINITY, 1, false},
    {"n == 1", 0, 0, 1, true, INFINITY, 0, false},
    {"n == 2", 0, 0, 1, true, INFINITY, INFINITY, false},
    {"x <= n + 3", 2, 0, 1, false, INFINITY, 2, true},
    {"x <= 5 && y < 3", 2, 0, 1, false, INFINITY, 3, false}, // two bounds at once: the strict one
    // Moments that rounding makes two: 21 / 0.7 is more than 30.
    {"x >= 21 && y <= 30", 0, 0, 0.7, true, INFINITY, 30, false},
    {"x >= 21", 0, 0, 0.7, true, 30, 30, false},
    {"x >= 21 && y < 30", 0, 0, 0.7, true, INFINITY, INFINITY, false},
    // Trees.
    {"x >= 21.0 && y <= 30.0", 0, 0, 0.7, true, INFINITY, 30, false},
    {"x >= 21.0", 0, 0, 0.7, true, 30, 30, false},
    {"x < 1 || x > 5", 2, 0, 1, true, INFINITY, 3, true},
    {"x <= 1 || y >= 2", 2, 0, 1, true, INFINITY, 2, false},
    {"!(x < 5)", 2, 0, 1, true, INFINITY, 3, false},
    {"x != 5", 5, 0, 1, true, INFINITY, 0, true},
    {"(x >= 4) == (n == 1)", 2, 0, 1, true, 10, 2, false}, // sampled
    {"exists (i : int[0, 1]) (i == 1 && x >= 4)", 2, 0, 1, true, 10, 2, false},
    // Between samples: where a difference that is not linear changes its sign.
    {"x * x == 16.0", 2, 0, 1, true, 100, 2, false},
    {"x * x == 16.0 && y >= 2.0", 2, 0, 1, true, 100, 2, false},
    {"x * x == 16.0 && y >= 3.0", 2, 0, 1, true, 100, INFINITY, false},
    {"x * x >= 16.0 && x * x <= 16.001", 2, 0, 1, true, 100, 2, false}, // a narrow window
    {"x * x > 16.0 && x * x <= 16.001", 2, 0, 1, true, 100, 2, true},
    {"(x - 5.0) * (x - 5.0) <= 0.0001", 2, 0, 1, true, 100, 2.99, false}, // there and back
    {"sqrt(x) < 2.0", 2, 0, 1, false, 100, 2, false},
    {"x * 2.0 - y == 8.0", 2, 0, 1, true, 100, 4, false},
};

static void test_first(void **state) {
  (void)state;
  Racing racing;
  racing_begin(&racing, "clock x, y; int n = 1; process P() { state s; init s; } system P;",
               NULL);
  Race race;
  race_init(&race, &racing.laws, &racing.r.mem);
  race_start(&race, 1, 0);
  Access access;
  access_init(&access, &racing.r.arena, &racing.r.net);
  for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const ConditionCase *c = &cases[k];
    const Expr *expr = racing_condition(&racing, c->text);
    const Condition *condition =
        condition_make(&racing.r.arena, &access, expr, expr_locals(expr));
    Motion *motion = &race.motion;
    motion->clocks[1] = c->x, motion->clocks[2] = c->y;
    motion->rates[1] = c->rate, motion->rates[2] = 1;
    double delay;
    bool is_open;
    assert_int_equal(condition_first(condition, motion, c->wanted, c->limit, &delay, &is_open),
                     VM_TRUE);
    if (!(delay == c->delay || fabs(delay - c->delay) < 1e-8) ||
        (isfinite(delay) && is_open != c->is_open))
      fail_msg("%s: %g %d", c->text, delay, is_open);
    const bool holds = condition_holds(condition, motion) == VM_TRUE;
    assert_int_equal(holds == c->wanted, c->delay == 0 && !c->is_open);
  }
  access_release(&access);
  race_release(&race);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_first)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
