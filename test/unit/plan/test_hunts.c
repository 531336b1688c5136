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
  space_release(check.space);
  tarn_release(tarn);
}

// When a search stops for slices: later, if partial order leaves out most transitions.
static void test_slices(void **state) {
  (void)state;
  static const char model[] = "system:s\nevent:a\nclock:1:x\n"
                              "process:P\nlocation:P:A{initial:}\n"
                              "process:Q\nlocation:Q:B{initial:}\nedge:Q:B:B:a{do: x = 0}\n";
  static const struct {
    uint64_t made, left_out;
    bool stops;
  } cases[] = {{100, 0, false},         {200000, 0, true},         {200000, 200000, true},
               {200000, 200001, false}, {1999999, 2000000, false}, {2000000, 9000000, true}};
  Tarn *tarn = sessions_read(model);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Check check;
    Hunts hunts;
    Options options = tarn->options;
    options.engine = ENGINE_ZONES;
    sessions_begin(&check, tarn, "E<> P.A");
    check.space = engines_space(&check, &tarn->mem, &options);
    hunts_attach(&hunts, &check, &options, true);
    hunts.length = cases[i].made; // too long for its share: no hunt
    check.space->left_out = cases[i].left_out;
    tarn->stats.transitions = cases[i].made;
    assert_int_equal(check.reach.between(check.reach.between_state), cases[i].stops);
    assert_int_equal(hunts.has_slice, cases[i].stops);
    space_release(check.space);
  }
  tarn_release(tarn);
}

SESSIONS_MAIN("hunts", cmocka_unit_test(test_short), cmocka_unit_test(test_slices))
