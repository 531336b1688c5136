#include "pipeline/hunts.h"

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
  options.names_algorithm = true;
  assert_false(hunts_fit(&check, &options));
  options.names_algorithm = false;
  options.names_order = true;
  assert_false(hunts_fit(&check, &options));
  options.names_order = false;
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
