#include "plan/simulating.h"

#include "sessions.h"

static void test_delays(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_true(simulating_start(tarn, NULL, NULL));
  int64_t over, under;
  assert_true(simulating_delay(tarn, "3/2", &over, &under));
  assert_true(over == 3 && under == 2);
  assert_true(simulating_delay(tarn, "7", &over, &under));
  assert_true(over == 7 && under == 1);
  static const char *const wrong[] = {"", "x", "-1", "3/0", "3/", "3.5"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(simulating_delay(tarn, wrong[i], &over, &under));
  tarn_release(tarn);
}

// In a coarser unit of time.
static void test_unit(void **state) {
  (void)state;
  Tarn *tarn = sessions_read("system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\n"
                             "edge:P:A:A:a{provided: x>10000000000}\n");
  assert_true(simulating_start(tarn, NULL, NULL));
  int64_t over, under;
  assert_true(simulating_delay(tarn, "15000000000", &over, &under));
  assert_true(over == 3 && under == 2);
  tarn_release(tarn);
}

static void test_start(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  Text text = {.mem = &tarn->mem};
  assert_false(simulating_write(tarn, &text, "simulation", "text")); // none was started
  assert_true(simulating_start(tarn, NULL, NULL));
  assert_true(simulating_write(tarn, &text, "simulation", "text"));
  assert_non_null(strstr(text_chars(&text), "P.A"));
  assert_false(simulating_write(tarn, &text, "simulation", "html"));
  assert_false(simulating_start(tarn, "/nonexistent/run.json", NULL));
  tarn_release(tarn);
}

// A simulation that begins anew takes the place of the one before.
static void test_restart(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_true(simulating_start(tarn, NULL, NULL));
  const size_t bytes = tarn->mem.bytes;
  for (int i = 0; i < 10; i++) {
    assert_true(simulating_start_symbolic(tarn));
    assert_true(simulating_start(tarn, NULL, NULL));
    assert_true(simulating_start(tarn, NULL, NULL));
    assert_int_equal(tarn->mem.bytes, bytes);
  }
  tarn_release(tarn);
}

SESSIONS_MAIN("simulating", cmocka_unit_test(test_delays), cmocka_unit_test(test_unit),
              cmocka_unit_test(test_start), cmocka_unit_test(test_restart))
