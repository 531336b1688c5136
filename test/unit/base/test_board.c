// Boards: equal strings have one number, whoever asks, and nothing is lost when the room is full.
#include "base/board.h"

#include <pthread.h>

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { STRINGS = 200, THREADS = 4 };

static void test_numbers(void **state) {
  (void)state;
  Mem mem = {0};
  Board *board = board_new(&mem, 1 << 16);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 1; i <= STRINGS; i++) {
      const uint32_t words[2] = {i * 7, i};
      assert_int_equal(board_number(board, words, i % 2 ? 4 : 8), i);
    }
  for (uint32_t i = 1; i <= STRINGS; i++) {
    const uint32_t words[2] = {i * 7, i};
    size_t size;
    const void *bytes = board_at(board, i, &size);
    assert_int_equal((uintptr_t)bytes % 8, 0);
    assert_int_equal(size, i % 2 ? 4 : 8);
    assert_memory_equal(bytes, words, size);
  }
  mem_release(&mem);
}

static void test_full(void **state) {
  (void)state;
  Mem mem = {0};
  Board *board = board_new(&mem, 1024);
  uint32_t i = 0;
  while (board_number(board, &i, sizeof i) && i < 1024)
    i++;
  assert_in_range(i, 1, 128);
  assert_int_equal(board_number(board, &i, sizeof i), 0);
  while (i-- > 0)
    assert_int_equal(board_number(board, &i, sizeof i), i + 1);
  mem_release(&mem);
}

typedef struct Asker {
  Board *board;
  uint32_t numbers[STRINGS];
} Asker;

static void *ask(void *argument) {
  Asker *asker = argument;
  for (uint32_t i = 0; i < STRINGS; i++)
    asker->numbers[i] = board_number(asker->board, &i, sizeof i);
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  Mem mem = {0};
  Board *board = board_new(&mem, 1 << 16);
  Asker askers[THREADS];
  pthread_t threads[THREADS];
  for (uint32_t t = 0; t < THREADS; t++) {
    askers[t].board = board;
    assert_int_equal(pthread_create(&threads[t], NULL, ask, &askers[t]), 0);
  }
  for (uint32_t t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
  for (uint32_t t = 1; t < THREADS; t++)
    assert_memory_equal(askers[t].numbers, askers[0].numbers, sizeof askers[0].numbers);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
