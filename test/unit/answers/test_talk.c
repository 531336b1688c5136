// Talks of processes: what is said is heard, and whoever breaks off, at whatever moment, ends it
// for all, so that the next talk is not disturbed.
#include "answers/runs/talk.h"

#include "fakelink.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { RANKS = 3, ROUNDS = 5, TALKS = 60 };

// Some rounds, in which all say their rank and the round to all; one of them may leave. Returns
// whether all came to the end.
static bool talk_once(Mem *mem, Link *link, uint32_t number) {
  const uint32_t leaver = number % (RANKS + 1), when = number / RANKS % ROUNDS;
  const bool leaves = leaver == link->rank;
  Talk talk;
  talk_init(&talk, mem, link);
  for (uint32_t round = 0; round < ROUNDS && !talk.is_over; round++)
    for (uint32_t rank = 0; rank < RANKS; rank++) {
      if (leaves && round == when && rank == number % RANKS)
        return talk_end(&talk, false);
      const uint32_t words[] = {link->rank, round};
      size_t size;
      if (rank == link->rank)
        continue;
      const uint32_t *heard = talk_swap(&talk, rank, words, sizeof words, &size);
      if (!heard)
        break;
      assert_int_equal(size, sizeof words);
      assert_int_equal(heard[0], rank);
      assert_int_equal(heard[1], round);
    }
  return talk_end(&talk, true);
}

static void *play(void *context) {
  Mem mem = {0};
  for (uint32_t i = 0; i < TALKS; i++)
    assert_int_equal(talk_once(&mem, context, i), i % (RANKS + 1) == RANKS);
  assert_int_equal(mem.bytes, 0);
  return NULL;
}

static void test_talks(void **state) {
  (void)state;
  pthread_t threads[RANKS];
  Link *link = fakelink_new(RANKS);
  for (uint32_t i = 1; i < RANKS; i++)
    pthread_create(&threads[i], NULL, play, fakelink_at(link, i));
  play(fakelink_at(link, 0));
  for (uint32_t i = 1; i < RANKS; i++)
    pthread_join(threads[i], NULL);
  fakelink_release(link);
}

static void test_alone(void **state) {
  (void)state;
  Mem mem = {0};
  Talk talk;
  talk_init(&talk, &mem, NULL);
  assert_int_equal(talk.ranks, 1);
  assert_true(talk_end(&talk, true));
  assert_int_equal(mem.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_talks), cmocka_unit_test(test_alone)};
  return cmocka_run_group_tests_name("talk", tests, NULL, NULL);
}
