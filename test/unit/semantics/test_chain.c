// Markov chains of small models: states, rates and probabilities; models that are none.
#include "semantics/stochastic/chain.h"

#include "racing.h"

static bool make(Racing *racing, Chain *chain, const char *goal, uint32_t max_states) {
  Access access;
  access_init(&access, &racing->r.arena, &racing->r.net);
  const Expr *expr = racing_condition(racing, goal);
  const Condition *condition = condition_make(&racing->r.arena, &access, expr, expr_locals(expr));
  access_release(&access);
  return chain_make(chain, &racing->r.mem, &racing->laws, condition, NULL, max_states);
}

static const char text[] =
    "broadcast chan c; int n = 0, hits = 0; process P() { state s, f; init s; trans s -> f { "
    "select i : int[0,2]; guard i > 0; sync c!; assign n = i; }; } process Q() { state s, f; "
    "init "
    "s; trans s -> f { sync c?; assign hits = hits + 1; }, s -> s { sync c?; }; } process R() { "
    "state u, v; init u; trans u -> v { }; } system P, Q, R;";

static void test_states(void **state) {
  (void)state;
  static const RacingRate rates[] = {{"P", "s", 3}, {"R", "u", 1}, {NULL, NULL, 0}};
  Racing racing;
  Chain chain;
  racing_begin(&racing, text, rates);
  assert_true(make(&racing, &chain, "n == 2", 100));
  const ChainState *first = &chain.states.items[0];
  assert_true(first->rate == 4 && !first->is_goal);
  double sum = 0, to_goal = 0;
  for (uint32_t k = 0; k < first->count; k++) {
    const ChainMove *move = &chain.moves.items[first->first + k];
    sum += move->probability;
    to_goal += chain.states.items[move->target].is_goal ? move->probability : 0;
  }
  assert_int_equal(first->count, 5); // two bindings, two answers; and R
  assert_true(fabs(sum - 1) < 1e-12);
  assert_true(fabs(to_goal - 0.375) < 1e-12); // P first, and the second of two bindings
  for (uint32_t k = 0; k < chain.states.size; k++)
    assert_true(!chain.states.items[k].is_goal || !chain.states.items[k].count);
  chain_release(&chain);
  assert_false(make(&racing, &chain, "n == 2", 3)); // too many states
  chain_release(&chain);
  racing_release(&racing);
}

static void test_others(void **state) {
  (void)state;
  Racing racing;
  Chain chain;
  racing_begin(
      &racing,
      "clock x; process P() { state s { x <= 2 }, f; init s; trans s -> f { }; } system P;",
      NULL);
  assert_false(make(&racing, &chain, "P.f", 100)); // a delay that is not exponential
  chain_release(&chain);
  racing_release(&racing);
  racing_begin(&racing, "process P() { state s, f; init s; trans s -> f { }; } system P;", NULL);
  assert_false(make(&racing, &chain, "P.f", 100)); // no rate
  chain_release(&chain);
  racing_release(&racing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states),
                                     cmocka_unit_test(test_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
