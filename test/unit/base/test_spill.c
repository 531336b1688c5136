// Spills: blocks keep their contents whatever is given back, are zero at first, and are freed; a
// Mem with a spill behaves as one without.
#define _POSIX_C_SOURCE 200809L
#include "base/spill.h"

#include "base/mem.h"
#include "base/random.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { BLOCKS = 40, MAX = 1 << 20, ROUNDS = 400 };

static const char *folder(void) { return getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp"; }

static void test_contents(void **state) {
  (void)state;
  Spill *spill = spill_open(folder());
  assert_non_null(spill);
  spill_limit(spill, 1); // everything is too much
  assert_true(spill_wants(spill, 2, true));
  char *blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = spill_alloc(spill, MAX);
    for (int j = 0; j < MAX; j += 4096)
      assert_int_equal(blocks[i][j], 0);
    memset(blocks[i], i + 1, MAX);
    spill_trim(spill, 0);
  }
  assert_true(spill_trims(spill) > 0);
  assert_true(spill_bytes(spill) >= (size_t)BLOCKS * MAX);
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < MAX; j += 1001)
      assert_int_equal(blocks[i][j], i + 1);
  for (int i = 0; i < BLOCKS; i++)
    spill_free(spill, blocks[i], MAX);
  spill_close(spill);
}

static size_t resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long all, now = 0;
  assert_int_equal(fscanf(file, "%lu %lu", &all, &now), 2);
  fclose(file);
  return now * (size_t)sysconf(_SC_PAGESIZE);
}

// A block that is larger than the limit is not in memory as a whole: not when it is made, when it
// is filled, or when it is moved.
static void test_large_block(void **state) {
  (void)state;
  enum { LIMIT = 40 << 20, LARGE = 160 << 20, PIECE = 1 << 20 };
  Spill *spill = spill_open(folder());
  spill_limit(spill, LIMIT);
  Mem mem = {.spill = spill};
  const size_t max = resident() + 2 * LIMIT;
  mem_alloc(&mem, LIMIT / 4); // from here on blocks go to the file
  char *block = mem_alloc(&mem, LARGE);
  assert_true(resident() < max);
  for (size_t at = 0; at < LARGE; at += PIECE) {
    memset(block + at, (int)(at / PIECE) + 1, PIECE);
    spill_trim(spill, 0);
    assert_true(resident() < max);
  }
  block = mem_resize(&mem, block, LARGE + PIECE);
  assert_true(resident() < max);
  for (size_t at = 0; at < LARGE; at += PIECE)
    assert_int_equal((unsigned char)block[at + 5], at / PIECE + 1);
  mem_release(&mem);
  spill_close(spill);
}

// A process that has too much without the file does not give the same pages back at every look.
static void test_rare_trims(void **state) {
  (void)state;
  Spill *spill = spill_open(folder());
  spill_limit(spill, 1);
  char *blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    blocks[i] = spill_alloc(spill, MAX);
  spill_trim(spill, 0);
  const size_t before = spill_trims(spill);
  for (int look = 0; look < 1000; look++) {
    blocks[look % BLOCKS][0]++;
    spill_trim(spill, 0);
  }
  assert_in_range(spill_trims(spill), before, before + 1);
  spill_close(spill);
}

// Random blocks that grow, shrink and go.
static void test_mem(void **state) {
  (void)state;
  for (size_t limit = 1; limit <= (size_t)1 << 30; limit <<= 15) {
    Mem mem = {0};
    mem.spill = spill_open(folder());
    spill_limit(mem.spill, limit);
    Random random;
    random_seed(&random, 7);
    char *blocks[BLOCKS] = {0};
    size_t sizes[BLOCKS] = {0};
    const size_t mark = mem_mark(&mem);
    for (int round = 0; round < ROUNDS; round++) {
      const uint32_t i = random_below(&random, BLOCKS);
      const size_t size = random_below(&random, 3) ? random_below(&random, MAX) : 0;
      const size_t kept = size < sizes[i] ? size : sizes[i];
      blocks[i] = mem_resize(&mem, blocks[i], size);
      for (size_t j = 0; j < kept; j += 997)
        assert_int_equal(blocks[i][j], (char)(i + 1));
      for (size_t j = kept; j < size; j += 997)
        assert_int_equal(blocks[i][j], 0);
      if (size)
        memset(blocks[i], (int)i + 1, size);
      sizes[i] = size;
      spill_trim(mem.spill, 0);
    }
    mem_release_to(&mem, mark);
    assert_int_equal(mem.bytes, 0);
    spill_close(mem.spill);
  }
}

// A file that may not grow is a full disk: running out of memory, no crash.
static void test_full(void **state) {
  (void)state;
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 1 << 22;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  Spill *spill = spill_open(folder());
  spill_limit(spill, 1);
  int count = 0;
  while (count < 100 && spill_alloc(spill, MAX))
    count++;
  setrlimit(RLIMIT_FSIZE, &old);
  assert_true(count < 10);
  assert_true(spill_is_full(spill));
  spill_close(spill);
}

static void test_no_folder(void **state) {
  (void)state;
  assert_null(spill_open("/nonexistent/folder"));
  assert_int_equal(errno, ENOENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contents),   cmocka_unit_test(test_large_block),
      cmocka_unit_test(test_rare_trims), cmocka_unit_test(test_mem),
      cmocka_unit_test(test_full),       cmocka_unit_test(test_no_folder)};
  return cmocka_run_group_tests_name("spill", tests, NULL, NULL);
}
