#include "plan/rescale.h"

#include "sessions.h"

#define MODEL                                                                                    \
  "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\n"            \
  "edge:P:A:B:a{provided: x>%s && x<=%s}\n"

static Tarn *read(const char *low, const char *high) {
  char model[400];
  snprintf(model, sizeof model, MODEL, low, high);
  return sessions_read(model);
}

static void ask(Tarn *tarn, const char *query, int64_t unit, bool is_wide) {
  rescale_for(tarn, &query, 1);
  Check check;
  sessions_begin(&check, tarn, query);
  assert_true(net_unit(&tarn->net) == unit);
  assert_int_equal(net_is_wide(&tarn->net), is_wide);
}

static void test_small(void **state) {
  (void)state;
  Tarn *tarn = read("3", "6");
  ask(tarn, "E<> P.B && x < 9", 1, false);
  ask(tarn, "E<> x < 90000000", 3, false);
  ask(tarn, "E<> x < 3000000001", 1, true);
  ask(tarn, "E<> P.B", 1, false); // what another query asked is forgotten
  rescale_to_model(tarn);
  assert_true(net_unit(&tarn->net) == 1);
  tarn_release(tarn);
}

static void test_large(void **state) {
  (void)state;
  Tarn *tarn = read("10000000000", "20000000000");
  assert_true(net_unit(&tarn->net) == 10000000000);
  ask(tarn, "E<> x < 5000000000", 5000000000, false);
  ask(tarn, "E<> x < 7", 1, true);
  rescale_to_model(tarn);
  assert_true(net_unit(&tarn->net) == 10000000000);
  assert_false(rescale_again(tarn));
  tarn_release(tarn);
  tarn = read("10000000001", "10000000003");
  ask(tarn, "E<> P.B", 1, true);
  tarn_release(tarn);
}

SESSIONS_MAIN("rescale", cmocka_unit_test(test_small), cmocka_unit_test(test_large))
