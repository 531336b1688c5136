// Locks: one holder at a time.
#include "base/lock.h"

#include "base/team.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { THREADS = 4, TIMES = 20000 };

typedef struct Play {
  Lock lock;
  uint64_t count; // under the lock
} Play;

static void work(void *context, uint32_t number) {
  Play *play = context;
  (void)number;
  for (uint32_t i = 0; i < TIMES; i++) {
    lock_acquire(&play->lock);
    play->count++;
    lock_release(&play->lock);
  }
}

static void test_exclusion(void **state) {
  (void)state;
  static Play play;
  Mem mem = {0}, *mems[THREADS] = {&mem, &mem, &mem, &mem};
  Team *team = team_new(mems, THREADS, 8, NULL);
  assert_true(team_run(team, work, &play));
  assert_int_equal(play.count, THREADS * TIMES);
  team_release(team);
  mem_release(&mem);
}

static void test_try(void **state) {
  (void)state;
  Lock lock = {0};
  assert_true(lock_try(&lock));
  assert_false(lock_try(&lock));
  lock_release(&lock);
  assert_true(lock_try(&lock));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exclusion),
      cmocka_unit_test(test_try),
  };
  return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
