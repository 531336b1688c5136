// Which stages a plan has.
#include "plan/plan.h"

#include "sessions.h"

static const Plan *made(Tarn *tarn, Check *check, const char *text, const Options *options) {
  sessions_begin(check, tarn, text);
  const Query *query = text ? &check->query : NULL;
  const Request request = {check->net, query, query ? &check->goal : NULL, options, false,
                           false,      false};
  const Plan *plan = plan_make(&check->arena, &request, false);
  assert_true(plan->count && plan->stages[0].when & OPEN_START);
  for (uint32_t i = 0; i < plan->count; i++)
    assert_non_null(plan->stages[i].purpose);
  return plan;
}

static bool hunts(Tarn *tarn, const char *text, const Options *options) {
  Check check;
  return made(tarn, &check, text, options)->stages[0].has_hunts;
}

// If an option names an algorithm, or asks for what depends on it, there are no hunts.
static void test_hunts(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  assert_true(hunts(tarn, "E<> P.C", &options));
  options.engine = ENGINE_WIDE;
  assert_false(hunts(tarn, "E<> P.C", &options));
  options.engine = ENGINE_ZONES;
  options.effects = OPTION_NAMES;
  assert_false(hunts(tarn, "E<> P.C", &options));
  options.effects = OPTION_ORDERS;
  assert_false(hunts(tarn, "E<> P.C", &options));
  options.effects = 0;
  options.threads = 2;
  assert_false(hunts(tarn, "E<> P.C", &options));
  options.threads = 1;
  assert_true(hunts(tarn, "E<> P.C", &options));
  assert_false(hunts(tarn, NULL, &options));
  assert_false(hunts(tarn, "E<> deadlock", &options));
  tarn_release(tarn);
}

static const Plan *made_with_proof(Tarn *tarn, Check *check, const char *text) {
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  options.certificate = "proof.txt";
  return made(tarn, check, text, &options);
}

// For a certificate the whole network is searched, with hunts beside; if that is long, one zone
// for each discrete state comes first, and dead variables are set back.
static void test_proof(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  const Plan *plan = made_with_proof(tarn, &check, "E<> P.C");
  assert_int_equal(plan->count, 5);
  assert_true(plan->stages[0].has_hunts);
  assert_false(plan->stages[0].may_slice);
  assert_true(plan->stages[0].max_transitions > 0);
  assert_int_equal(plan->stages[1].kind, STAGE_REPEAT);
  assert_int_equal(plan->stages[1].when, OPEN_HIT);
  assert_int_equal(plan->stages[2].kind, STAGE_HULLS);
  assert_int_equal(plan->stages[3].kind, STAGE_SEARCH);
  assert_int_equal(plan->stages[3].when, OPEN_LIMIT | OPEN_NOTHING);
  assert_int_equal(plan->stages[3].max_transitions, 0);
  assert_int_equal(plan->stages[4].kind, STAGE_REPEAT);
  const Query *query = &check.query;
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  options.certificate = "proof.txt";
  Request request = {check.net, query, &check.goal, &options, false, true, false};
  plan = plan_make(&check.arena, &request, false);
  assert_int_equal(plan->count, 7);
  assert_int_equal(plan->stages[3].kind, STAGE_SLICE);
  assert_int_equal(plan->stages[3].slice, SLICE_WHOLE);
  assert_int_equal(plan->stages[3].max_transitions, 0);
  request.has_slice = true; // these come late, and the others for a while only
  plan = plan_make(&check.arena, &request, false);
  assert_int_equal(plan->count, 10);
  assert_int_equal(plan->stages[3].slice, SLICE_WHOLE);
  assert_true(plan->stages[3].max_transitions > 0);
  assert_int_equal(plan->stages[4].slice, SLICE_LOOSE);
  assert_int_equal(plan->stages[5].slice, SLICE_EXACT);
  assert_int_equal(plan->stages[6].slice, SLICE_WHOLE);
  for (uint32_t i = 3; i < 7; i++)
    assert_int_equal(plan->stages[i].kind, STAGE_SLICE);
  tarn_release(tarn);
}

// A search for deadlocks of moderate length, hulls, dead variables set back, the search to the
// end, M bounds.
static void test_deadlock(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  Options options = tarn->options;
  options.engine = ENGINE_LOCAL;
  const Plan *plan = made(tarn, &check, "A[] not deadlock", &options);
  assert_int_equal(plan->count, 5);
  assert_true(plan->stages[0].max_transitions > 0);
  assert_int_equal(plan->stages[1].kind, STAGE_HULLS);
  assert_false(plan->stages[1].proves_reached);
  assert_int_equal(plan->stages[2].kind, STAGE_SLICE);
  assert_int_equal(plan->stages[3].max_transitions, 0);
  assert_int_equal(plan->stages[4].when, OPEN_DOUBT);
  assert_int_equal(plan->stages[4].options.abstraction, ABSTRACTION_AM);
  for (uint32_t i = 0; i < plan->count; i++)
    assert_int_equal(plan->stages[i].options.engine, ENGINE_ZONES);
  tarn_release(tarn);
}

// For a certificate hulls come before the search to the end; a smaller network has none.
static void test_deadlock_proof(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  const Plan *plan = made_with_proof(tarn, &check, "A[] not deadlock");
  assert_int_equal(plan->count, 4);
  assert_int_equal(plan->stages[1].kind, STAGE_HULLS);
  assert_false(plan->stages[1].options.is_reduced);
  assert_int_equal(plan->stages[2].kind, STAGE_SEARCH);
  assert_int_equal(plan->stages[2].max_transitions, 0);
  tarn_release(tarn);
}

SESSIONS_MAIN("plan", cmocka_unit_test(test_hunts), cmocka_unit_test(test_proof),
              cmocka_unit_test(test_deadlock), cmocka_unit_test(test_deadlock_proof))
