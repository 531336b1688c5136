#include "plan/hunts.h"

#include "plan/engines.h"
#include "sessions.h"

// A search that is too short for hunts makes none.
static void test_short(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  Hunts hunts;
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  sessions_begin(&check, tarn, "E<> P.A && x > 5");
  check.space = engines_space(&check, &tarn->mem, &options);
  reach_init(&check.reach, &tarn->mem, check.space, ORDER_STAGES, &tarn->stats);
  hunts_attach(&hunts, &check, &options, true);
  assert_int_equal(reach_run(&check.reach), REACH_NONE);
  assert_false(hunts.has_found || hunts.has_slice || hunts.spent);
  reach_release(&check.reach);
  check.space->release(check.space);
  tarn_release(tarn);
}

SESSIONS_MAIN("hunts", cmocka_unit_test(test_short))
