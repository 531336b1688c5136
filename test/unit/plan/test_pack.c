#include "plan/pack.h"

#include "sessions.h"

static PackResult run(Tarn *tarn, const char *query, uint64_t max, int *seed) {
  Check check;
  sessions_plan(&check, tarn, query);
  Options options = tarn->options;
  options.order = ORDER_DFS;
  options.seed = 1;
  return pack_run(&check, &options, 2, max, seed);
}

static void test_pack(void **state) {
  (void)state;
  Tarn *tarn = sessions_generate("fischer", "4", NULL);
  int seed = 0;
  tarn_set(tarn, "symmetry", "off");
  assert_int_equal(run(tarn, "E<> P1.cs", 100000, &seed), PACK_FOUND);
  assert_true(seed == 1 || seed == 2);
  assert_int_equal(run(tarn, "E<> P1.cs && P2.cs", 20, &seed), PACK_NOTHING);
  assert_int_equal(run(tarn, "E<> P1.cs && P2.cs", 100000, &seed), PACK_FOUND); // it is decided
  tarn_release(tarn);
}

static void test_failure(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  int seed = 0;
  tarn_set(tarn, "engine", "points"); // which refuses strict constraints
  assert_int_equal(run(tarn, "E<> P.C", 100, &seed), PACK_FAILED);
  tarn_release(tarn);
}

SESSIONS_MAIN("pack", cmocka_unit_test(test_pack), cmocka_unit_test(test_failure))
