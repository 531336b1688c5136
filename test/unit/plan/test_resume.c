#include "plan/resume.h"

#include "plan/engines.h"

#include "sessions.h"

static bool attaches(bool is_compact, SearchOrder order, const char *folder) {
  Tarn *tarn = sessions_generate("fischer", "2", NULL);
  Check check;
  Checkpoint checkpoint;
  tarn_set(tarn, "engine", "zones");
  sessions_begin(&check, tarn, NULL);
  Options options = tarn->options;
  options.checkpoint = folder;
  options.compact = is_compact;
  options.order = order;
  check.space = engines_space(&check, &tarn->mem, &options);
  assert_non_null(check.space);
  reach_init(&check.reach, &tarn->mem, check.space, ORDER_BFS, &tarn->stats);
  const bool ok = resume_begin(&check, &options, &checkpoint);
  assert_int_equal(ok, !report_failed(&tarn->report));
  assert_int_equal(check.reach.saver != NULL, ok && folder);
  if (ok)
    resume_end(&check, &checkpoint);
  reach_release(&check.reach);
  space_release(check.space);
  tarn_release(tarn);
  return ok;
}

static void test_attach(void **state) {
  (void)state;
  assert_true(attaches(false, ORDER_RANK, NULL)); // nobody asked for checkpoints
  assert_true(attaches(false, ORDER_BFS, "/tmp"));
  assert_true(attaches(true, ORDER_BFS, "/tmp"));
  assert_true(attaches(false, ORDER_RANK, "/tmp"));
}

SESSIONS_MAIN("resume", cmocka_unit_test(test_attach))
