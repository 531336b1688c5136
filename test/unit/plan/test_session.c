#define _XOPEN_SOURCE 700
#include "plan/session.h"

#include "aborts.h"
#include "sessions.h"

#include <pthread.h>
#include <unistd.h>

#ifdef NDEBUG
enum { IS_DEBUG = 0 };
#else
enum { IS_DEBUG = 1 };
#endif

static void test_memory(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  session_limit_memory(tarn);
  assert_true(tarn->mem.limit > 0); // a share of what there is
  assert_non_null(strstr(tarn->memory_reason, "% of what was available"));
  tarn->options.memory_limit = 7;
  session_limit_memory(tarn);
  assert_int_equal(tarn->mem.limit, 7 << 20);
  assert_string_equal(tarn->memory_reason, "memory limit");
  tarn_release(tarn);
}

static int stop(void *state) { return *(bool *)state; }

static void test_time(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  bool is_stopped = false;
  tarn_set_terminate(tarn, &is_stopped, stop);
  session_begin(tarn);
  assert_null(session_time_limit(tarn));
  is_stopped = true;
  assert_string_equal(session_time_limit(tarn), "interrupted");
  tarn->options.time_limit = 100;
  tarn->reading = 101; // counts
  assert_string_equal(session_time_limit(tarn), "time limit");
  tarn_release(tarn);
}

// A call that reaches a limit says which; the next one has its own.
static void test_running_out(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  jmp_buf escape;
  tarn->options.time_limit = 0.001;
  session_begin(tarn);
  session_limit(tarn);
  if (GUARD(tarn, escape))
    session_ran_out(tarn, " while nothing was done");
  else
    for (;;)
      mem_tick(&tarn->mem);
  assert_string_equal(text_chars(&tarn->report.error), "time limit while nothing was done\n");
  assert_true(!tarn->mem.watch && !tarn->mem.escape && !tarn->mem.limit);
  session_begin(tarn);
  session_limit(tarn);
  assert_string_equal(session_reason(tarn), tarn->memory_reason);
  session_unlimit(tarn);
  tarn_release(tarn);
}

static void test_messages(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  session_begin(tarn);
  report_warning(&tarn->report, (Place){0}, "odd");
  assert_true(session_is_clean(tarn));
  session_keep_messages(tarn);
  assert_non_null(strstr(text_chars(&tarn->warnings), "odd"));
  tarn->options.strict = true;
  assert_false(session_is_clean(tarn));
  assert_non_null(strstr(text_chars(&tarn->report.error), "with --strict a warning is an error"));
  session_begin(tarn);
  assert_true(session_is_clean(tarn)); // what was said before is over
  tarn_release(tarn);
}

static void misuse(void *state) { REQUIRE((Tarn *)state, LOADED); }

static void test_misuse(void **state) {
  (void)state;
  Tarn *tarn = tarn_init();
  assert_true(aborts(misuse, tarn, "misuse: called in a wrong state"));
  tarn_release(tarn);
}

static void *enter(void *tarn) {
  REQUIRE((Tarn *)tarn, EMPTY);
  return NULL;
}

// While a call of this thread is under way, another thread makes one.
static void use_twice(void *state) {
  REQUIRE((Tarn *)state, EMPTY);
  enter(state); // as a callback does
  pthread_t other;
  pthread_create(&other, NULL, enter, state);
  pthread_join(other, NULL);
}

static void *release(void *tarn) {
  tarn_release(tarn);
  return NULL;
}

static void release_early(void *state) {
  REQUIRE((Tarn *)state, EMPTY);
  pthread_t other;
  pthread_create(&other, NULL, release, state);
  pthread_join(other, NULL);
}

static void test_threads(void **state) {
  (void)state;
  if (!IS_DEBUG)
    skip();
  Tarn *tarn = tarn_init();
  assert_true(aborts(use_twice, tarn, "enter: another thread uses this Tarn"));
  assert_true(aborts(release_early, tarn, "tarn_release: another thread uses this Tarn"));
  enter(tarn);
  pthread_t other; // one after the other is allowed
  pthread_create(&other, NULL, release, tarn);
  pthread_join(other, NULL);
}

static void test_unwritable(void **state) {
  (void)state;
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  assert_true(session_can_write(tarn));
  tarn_set(tarn, "certificate", "/nonexistent/proof.txt");
  assert_false(session_can_write(tarn));
  tarn_release(tarn);
}

// The folder for checkpoints is made; if it cannot be, that is known before the search.
static void test_checkpoint(void **state) {
  (void)state;
  char folder[] = "/tmp/tarn-refuse-XXXXXX";
  assert_non_null(mkdtemp(folder));
  assert_int_equal(rmdir(folder), 0);
  Tarn *tarn = sessions_read(SESSIONS_SMALL);
  tarn_set(tarn, "checkpoint", folder);
  assert_true(session_can_write(tarn));
  assert_true(session_can_write(tarn)); // now it is there
  assert_int_equal(rmdir(folder), 0);
  tarn_set(tarn, "checkpoint", "/nonexistent/saved");
  assert_false(session_can_write(tarn));
  assert_non_null(strstr(tarn_error(tarn), "/nonexistent/saved: this folder cannot be made"));
  tarn_release(tarn);
}

SESSIONS_MAIN("session", cmocka_unit_test(test_memory), cmocka_unit_test(test_time),
              cmocka_unit_test(test_running_out), cmocka_unit_test(test_messages),
              cmocka_unit_test(test_misuse), cmocka_unit_test(test_threads),
              cmocka_unit_test(test_unwritable), cmocka_unit_test(test_checkpoint))
