#include "plan/hunts.h"

#include "sessions.h"

// Whoever names an algorithm, or asks for what depends on it, gets no hunts.
static void test_fit(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Check check;
  sessions_begin(&check, tarn, "E<> P.C");
  Options options = tarn->options;
  options.engine = ENGINE_ZONES;
  assert_true(hunts_fit(&check, &options));
  options.engine = ENGINE_WIDE;
  assert_false(hunts_fit(&check, &options));
  options.engine = ENGINE_ZONES;
  options.effects = OPTION_NAMES;
  assert_false(hunts_fit(&check, &options));
  options.effects = OPTION_ORDERS;
  assert_false(hunts_fit(&check, &options));
  options.effects = 0;
  options.threads = 2;
  assert_false(hunts_fit(&check, &options));
  options.threads = 1;
  options.certificate = "proof.txt";
  assert_false(hunts_fit(&check, &options));
  options.certificate = NULL;
  assert_true(hunts_fit(&check, &options));
  sessions_begin(&check, tarn, NULL);
  assert_false(hunts_fit(&check, &options));
  sessions_begin(&check, tarn, "E<> deadlock");
  assert_false(hunts_fit(&check, &options));
  tarn_release(tarn);
}

SESSIONS_MAIN("hunts", cmocka_unit_test(test_fit))
