// Claims about extreme values: what they mean, and which answer a query.
#include "plan/valueclaims.h"

#include "model/expr/print.h"
#include "model/syntax.h"
#include "sessions.h"

static void expect(const Expr *expr, const char *wanted) {
  Mem mem = {0};
  Text text = {.mem = &mem};
  if (expr)
    expr_print(&text, expr);
  assert_string_equal(text_chars(&text), wanted);
  text_release(&text);
}

static void test_claims(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  sessions_begin(&check, tarn, "bounds{P.A}: x, n");
  const Query *query = &check.query;
  const ValueBounds x = {.found = true, .high = 5, .high_strict = true}, n = {.found = true};
  const CertificateClaim claims[] = {valueclaims_of(query->kind, &x),
                                     valueclaims_of(query->kind, &n)};
  assert_int_equal(claims[0].is, CERTIFY_LOW | CERTIFY_HIGH | CERTIFY_HIGH_STRICT);
  assert_true(valueclaims_answers(query, 0, &claims[0]));
  assert_true(valueclaims_answers(query, 1, &claims[1]));
  assert_false(valueclaims_answers(query, 1, &claims[0])); // an integer is reached
  expect(valueclaims_contradiction(&check.arena, query, claims),
         "P.A && (x < 0 || x >= 5 || n < 0 || n > 0)");
  expect(valueclaims_shown(&check.arena, query, 0, &claims[0], false), "P.A && (x > 4 && x < 5)");
  expect(valueclaims_shown(&check.arena, query, 1, &claims[1], true),
         "P.A && (n >= 0 && n <= 0)");
  const ValueBounds back = valueclaims_bounds(query, 0, &claims[0]);
  assert_true(back.is_clock && back.found && back.high_strict && back.high == 5);
  tarn_release(tarn);
}

// Conditions as syntax trees, of models that have one.
static void test_trees(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  Check check;
  if (tarn_read_text(tarn, "int[0,3] n; clock x; process P() { state A; init A; } system P;",
                     "uppaal"))
    fail_msg("%s", tarn_error(tarn));
  sessions_begin(&check, tarn, "bounds{P.A}: x, n");
  const Query *query = &check.query;
  const ValueBounds bound = {.found = true, .high = 3};
  const CertificateClaim claims[] = {valueclaims_of(query->kind, &bound),
                                     valueclaims_of(query->kind, &bound)};
  const Expr *beyond = valueclaims_contradiction(&check.arena, query, claims);
  const Tree *tree = valueclaims_tree(&check.arena, query, beyond, 10);
  assert_int_equal(tree->op, EXPR_AND); // P.A && (x < 0 || x > 3 || n < 0 || n > 3)
  assert_ptr_equal(tree->a, query->tree);
  assert_int_equal(tree->b->b->b->value, 3);
  assert_ptr_equal(tree->b->b->a, query->value_trees[1]);
  assert_int_equal(tree->b->a->a->b->b->value, 30); // clocks count in the unit
  assert_null(
      valueclaims_tree(&check.arena, query, expr_deadlock(&check.arena, query->place), 1));
  tarn_release(tarn);
}

static void test_others(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  sessions_begin(&check, tarn, "sup: x");
  const CertificateClaim grows = {.is = CERTIFY_GROWS}, empty = {.is = CERTIFY_EMPTY},
                         low = {.is = CERTIFY_LOW}, large = {CERTIFY_HIGH, 0, INT64_MAX};
  const CertificateClaim both = {.is = CERTIFY_GROWS | CERTIFY_HIGH};
  assert_true(valueclaims_answers(&check.query, 0, &grows));
  assert_null(valueclaims_contradiction(&check.arena, &check.query, &grows));
  assert_false(valueclaims_answers(&check.query, 0, &empty)); // some state satisfies nothing
  assert_false(valueclaims_answers(&check.query, 0, &low));
  assert_false(valueclaims_answers(&check.query, 0, &large));
  assert_false(valueclaims_answers(&check.query, 0, &both));
  sessions_begin(&check, tarn, "inf{P.C}: n");
  assert_true(valueclaims_answers(&check.query, 0, &low));
  assert_true(valueclaims_answers(&check.query, 0, &empty));
  assert_false(valueclaims_answers(&check.query, 0, &grows));
  expect(valueclaims_contradiction(&check.arena, &check.query, &empty), "P.C");
  tarn_release(tarn);
}

SESSIONS_MAIN("valueclaims", cmocka_unit_test(test_claims), cmocka_unit_test(test_trees),
              cmocka_unit_test(test_others))
