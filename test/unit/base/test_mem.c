// The tracked heap: contents and byte counts against a list of blocks kept beside it, and
// the ways in which memory runs out.
#define _DEFAULT_SOURCE // madvise, mincore
#include "base/mem.h"

#include "aborts.h"
#include "base/random.h"
#include "base/timer.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { STEPS = 20000, BLOCKS = 40 };

typedef struct Mirror { // what the heap should hold
  unsigned char *data;
  size_t size;
  unsigned char fill;
  int birth; // step at which it was allocated
} Mirror;

static size_t mirror_bytes(const Mirror *blocks) {
  size_t sum = 0;
  for (int i = 0; i < BLOCKS; i++)
    sum += blocks[i].data ? blocks[i].size : 0;
  return sum;
}

static void assert_filled(const unsigned char *data, size_t from, size_t to,
                          unsigned char value) {
  for (size_t i = from; i < to; i++)
    if (data[i] != value)
      fail_msg("byte %zu is %d, not %d", i, data[i], value);
}

static void mirror_alloc(Mem *mem, Mirror *block, size_t size, int step) {
  const bool is_raw = step % 3 == 0;
  block->data = is_raw ? mem_alloc_raw(mem, size) : mem_alloc(mem, size);
  block->size = size;
  block->fill = (unsigned char)(step % 251 + 1);
  block->birth = step;
  assert_int_equal((uintptr_t)block->data % 16, 0);
  if (!is_raw)
    assert_filled(block->data, 0, size, 0);
  memset(block->data, block->fill, size);
  mem_populate(mem, block->data, size);
}

static void mirror_resize(Mem *mem, Mirror *block, size_t size) {
  const size_t kept = size < block->size ? size : block->size;
  block->data = mem_resize(mem, block->data, size);
  assert_int_equal((uintptr_t)block->data % 16, 0);
  assert_filled(block->data, 0, kept, block->fill);
  assert_filled(block->data, kept, size, 0);
  memset(block->data, block->fill, size);
  block->size = size;
}

static void mirror_free(Mem *mem, Mirror *block) {
  assert_filled(block->data, 0, block->size, block->fill);
  mem_free(mem, block->data);
  block->data = NULL;
}

// Blocks of all kinds: small ones, and now and then one in a region or with a region of its own.
static size_t random_size(Random *random) {
  if (!random_below(random, 500))
    return 1 + random_below(random, 10 << 20);
  return 1 + random_below(random, random_below(random, 4) ? 100 : 50000);
}

static void test_against_mirror(void **state) {
  (void)state;
  Mem mem = {0};
  Mirror blocks[BLOCKS] = {0};
  Random random;
  random_seed(&random, 1);
  size_t peak = 0;
  for (int step = 0; step < STEPS; step++) {
    Mirror *block = &blocks[random_below(&random, BLOCKS)];
    const size_t size = random_size(&random);
    if (!block->data)
      mirror_alloc(&mem, block, size, step);
    else if (random_below(&random, 3))
      mirror_resize(&mem, block, size);
    else
      mirror_free(&mem, block);
    const size_t bytes = mirror_bytes(blocks);
    peak = bytes > peak ? bytes : peak;
    assert_int_equal(mem.bytes, bytes);
    assert_int_equal(mem.peak, peak);
  }
  mem_release(&mem);
  assert_int_equal(mem.bytes, 0);
  assert_null(mem.newest);
}

static void test_nothing(void **state) {
  (void)state;
  Mem mem = {0};
  assert_null(mem_alloc(&mem, 0));
  mem_free(&mem, NULL);
  assert_null(mem_resize(&mem, NULL, 0));
  void *data = mem_resize(&mem, NULL, 10);
  assert_non_null(data);
  assert_int_equal(mem.bytes, 10);
  assert_null(mem_resize(&mem, data, 0));
  assert_int_equal(mem.bytes, 0);
  assert_null(mem.newest);
}

static void test_copy_text(void **state) {
  (void)state;
  Mem mem = {0};
  char *copy = mem_copy_text(&mem, "Fischer", 4);
  assert_string_equal(copy, "Fisc");
  assert_string_equal(mem_copy_text(&mem, "", 0), "");
  assert_int_equal(mem.bytes, 6);
  mem_release(&mem);
}

// Marks against birthdays, while blocks are resized (which moves them) and freed: also the
// one that was the newest when the mark was made.
static void test_release_to_mark(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (int round = 0; round < 300; round++) {
    Mem mem = {0};
    Mirror blocks[BLOCKS] = {0};
    const int before = random_between(&random, 0, BLOCKS / 2);
    size_t mark = 0;
    for (int i = 0; i < BLOCKS; i++) {
      if (i == before)
        mark = mem_mark(&mem);
      mirror_alloc(&mem, &blocks[i], random_size(&random), i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      Mirror *block = &blocks[random_below(&random, BLOCKS)];
      if (block->data && random_below(&random, 4))
        mirror_resize(&mem, block, random_size(&random) * 10);
      else if (block->data)
        mirror_free(&mem, block);
    }
    mem_release_to(&mem, mark);
    for (int i = 0; i < BLOCKS; i++)
      if (blocks[i].birth >= before)
        blocks[i].data = NULL;
      else if (blocks[i].data)
        assert_filled(blocks[i].data, 0, blocks[i].size, blocks[i].fill);
    assert_int_equal(mem.bytes, mirror_bytes(blocks));
    mem_release(&mem);
    assert_int_equal(mem.bytes, 0);
  }
}

static void test_release_keeps_the_rest(void **state) {
  (void)state;
  jmp_buf escape;
  Mem mem = {.limit = 100, .escape = &escape};
  mem_alloc(&mem, 60);
  mem_release(&mem);
  assert_int_equal(mem.limit, 100);
  assert_ptr_equal(mem.escape, &escape);
  assert_int_equal(mem.peak, 60);
  assert_non_null(mem_alloc(&mem, 100));
  mem_release(&mem);
}

// Whether the request (a new block, or `data` resized) jumps.
static bool escapes(Mem *mem, void *data, size_t size) {
  jmp_buf escape;
  mem->escape = &escape;
  if (setjmp(escape)) {
    mem->escape = NULL;
    return true;
  }
  mem_resize(mem, data, size);
  mem->escape = NULL;
  return false;
}

static void test_limit(void **state) {
  (void)state;
  Mem mem = {.limit = 1000};
  unsigned char *data = mem_alloc(&mem, 600);
  memset(data, 7, 600);
  assert_false(escapes(&mem, NULL, 400));
  assert_int_equal(mem.bytes, 1000);
  assert_true(escapes(&mem, NULL, 1));
  assert_true(escapes(&mem, data, 601));
  assert_true(escapes(&mem, NULL, SIZE_MAX));
  assert_true(escapes(&mem, data, SIZE_MAX));
  // Nothing has changed.
  assert_int_equal(mem.bytes, 1000);
  assert_int_equal(mem.peak, 1000);
  assert_filled(data, 0, 600, 7);
  data = mem_resize(&mem, data, 599);
  assert_false(escapes(&mem, NULL, 1));
  assert_true(escapes(&mem, NULL, 1));
  mem_release(&mem);
  assert_int_equal(mem.bytes, 0);
}

static void test_absurd_sizes(void **state) {
  (void)state;
  Mem mem = {0};
  unsigned char *data = mem_alloc(&mem, 16);
  memset(data, 9, 16);
  assert_true(escapes(&mem, NULL, SIZE_MAX));
  assert_true(escapes(&mem, data, SIZE_MAX));
  assert_int_equal(mem.bytes, 16);
  assert_filled(data, 0, 16, 9);
  mem_release(&mem);
}

typedef struct Limit {
  int asked;
  bool is_reached;
} Limit;

static const char *limit_reached(void *state) {
  Limit *limit = state;
  limit->asked++;
  return limit->is_reached ? "a limit" : NULL;
}

// Ticks for the given time; false if they end in a jump.
static bool tick_for(Mem *mem, double seconds) {
  jmp_buf escape;
  mem->escape = &escape;
  const double end = timer_seconds() + seconds;
  const bool has_jumped = setjmp(escape);
  while (!has_jumped && timer_seconds() < end)
    mem_tick(mem);
  mem->escape = NULL;
  return !has_jumped;
}

// A limit that is reached is told at once, and ends the work a little later.
static void test_watch(void **state) {
  (void)state;
  Mem mem = {0};
  for (int i = 0; i < 1000; i++)
    mem_tick(&mem); // without a watch nothing happens
  Limit limit = {0};
  MemWatch watch = {.reached = limit_reached, .state = &limit};
  assert_null(mem_watch(&mem, &watch));
  assert_true(tick_for(&mem, 0.1));
  assert_true(limit.asked > 0 && limit.asked <= 11);
  assert_null(watch.struck);
  limit = (Limit){.is_reached = true};
  assert_false(tick_for(&mem, 10));
  assert_true(limit.asked > 1); // there is time to end in good order
  assert_string_equal(watch.struck, "a limit");
  assert_ptr_equal(mem_watch(&mem, NULL), &watch);
  assert_true(tick_for(&mem, 0.05));
}

// A table that is made anew when time is up: the one that nobody knows is freed.
static void test_watch_in_tables(void **state) {
  (void)state;
  Mem mem = {0};
  Limit limit = {.is_reached = true};
  MemWatch watch = {.reached = limit_reached, .state = &limit};
  jmp_buf escape;
  mem_watch(&mem, &watch);
  mem.escape = &escape;
  void *spare = mem_alloc(&mem, 100);
  if (!setjmp(escape))
    for (size_t item = 1;; item++)
      mem_tick_item(&mem, item, spare);
  assert_int_equal(mem.bytes, 0);
  assert_string_equal(watch.struck, "a limit");
}

static void exceed(void *mem) { mem_alloc(mem, 11); }

static void test_aborts_without_escape(void **state) {
  (void)state;
  Mem mem = {.limit = 10};
  assert_true(aborts(exceed, &mem, NULL));
}

// Two share a budget: what one has drawn the other cannot have, until it is given back.
static void test_budget(void **state) {
  (void)state;
  enum { MIB = 1 << 20 };
  MemBudget budget = {.limit = 10 * MIB};
  Mem a = {0}, b = {0};
  mem_alloc(&a, MIB);
  assert_true(mem_share(&a, &budget));
  assert_true(mem_share(&b, &budget));
  assert_int_equal(budget.drawn, MIB + 2);
  void *large = mem_alloc(&a, 6 * MIB);
  assert_true(escapes(&b, NULL, 4 * MIB));
  assert_false(escapes(&b, NULL, 2 * MIB));
  assert_true(budget.drawn >= 9 * MIB && budget.drawn <= 10 * MIB);
  mem_free(&a, large);
  assert_false(escapes(&b, NULL, 4 * MIB));
  // Down to the last bytes, below a whole step.
  while (!escapes(&b, NULL, 1000))
    ;
  assert_true(budget.drawn <= budget.limit && budget.limit - budget.drawn < 1000);
  assert_true(budget.peak <= budget.limit);
  mem_share(&b, NULL);
  assert_false(escapes(&b, NULL, 20 * MIB));
  mem_release(&b);
  assert_false(escapes(&a, NULL, 8 * MIB));
  mem_share(&a, NULL);
  assert_int_equal(budget.drawn, 0);
  mem_release(&a);
  assert_int_equal(a.bytes + b.bytes, 0);
}

static void test_budget_is_too_small(void **state) {
  (void)state;
  MemBudget budget = {.limit = 1000};
  Mem mem = {0};
  mem_alloc(&mem, 2000);
  assert_false(mem_share(&mem, &budget));
  assert_int_equal(budget.drawn, 0);
  assert_false(escapes(&mem, NULL, 5000));
  mem_release(&mem);
}

// Branches go with the blocks of their age.
static void test_branches(void **state) {
  (void)state;
  Mem mem = {0};
  Mem *first = mem_branch(&mem);
  mem_alloc(first, 100);
  const size_t mark = mem_mark(&mem), bytes = mem.bytes;
  Mem *second = mem_branch(&mem), *third = mem_branch(&mem);
  mem_alloc(second, 100);
  mem_alloc(third, 100);
  mem_alloc(mem_branch(third), 100);
  mem_release_branch(&mem, second);
  mem_release_to(&mem, mark);
  assert_int_equal(mem.bytes, bytes);
  assert_int_equal(first->bytes, 100);
  mem_release(&mem);
  assert_int_equal(mem.bytes, 0);
  assert_null(mem.branches);
}

static void test_tables(void **state) {
  (void)state;
  enum { MIB = 1 << 20 };
  Mem mem = {0};
  char *table = mem_alloc_table(&mem, 3 * MIB + 1);
  for (size_t i = 0; i <= 3 * MIB; i++)
    assert_int_equal(table[i], 0);
  assert_int_equal(mem_in_use(&mem), mem.bytes);
  MemBudget budget = {.threads = 2};
  assert_true(mem_share(&mem, &budget));
  assert_in_range(mem_in_use(&mem), 2 * MIB, 2 * MIB + 10); // the other one's cache is not there
  mem_share(&mem, NULL);
  mem_release(&mem);
}

// Parts count as their owner's, have its limit and its escape, and go as a whole, or with it.
static void test_parts(void **state) {
  (void)state;
  Mem mem = {0};
  jmp_buf escape;
  char *own = mem_alloc(&mem, 100);
  Mem *part = mem_part(&mem), *inner = mem_part(part);
  const size_t empty = mem.bytes;
  char *block = mem_alloc(part, 1000);
  mem_alloc(inner, 10000);
  assert_int_equal(mem.bytes, empty + 11000);
  assert_int_equal(mem.peak, empty + 11000);
  assert_ptr_equal(mem_whole(inner), &mem);
  own = mem_resize(&mem, own, 200);
  block = mem_resize(part, block, 3000);
  assert_int_equal(mem.bytes, empty + 13100);
  mem.limit = empty + 14000;
  mem.escape = &escape;
  if (!setjmp(escape)) {
    mem_alloc(inner, 1000);
    fail();
  }
  mem_release_part(part);
  mem.limit = 0;
  assert_int_equal(mem.bytes, 200);
  const size_t mark = mem_mark(&mem);
  part = mem_part(&mem);
  mem_alloc(part, 50);
  mem_release_to(&mem, mark);
  assert_int_equal(mem.bytes, 200);
  mem_free(&mem, own);
  assert_null(mem.newest);
}

#ifdef MADV_POPULATE_WRITE
// Pages are there before anybody has written to them.
static void test_populate(void **state) {
  (void)state;
  enum { SIZE = 1 << 20 };
  Mem mem = {0};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *data = mem_alloc_raw(&mem, SIZE);
  char *first = data + (page - (uintptr_t)data % page);
  if (madvise(first, page, MADV_POPULATE_WRITE))
    skip(); // a system that cannot
  unsigned char is_there[SIZE] = {0};
  mem_populate(&mem, data, SIZE);
  assert_int_equal(mincore(first, SIZE - page, is_there), 0);
#ifndef TARN_PLAIN
  for (size_t i = 0; i < SIZE / page - 1; i++)
    assert_int_equal(is_there[i] & 1, 1);
#endif
  assert_int_equal(mem.bytes, SIZE);
  mem_release(&mem);
}
#else
static void test_populate(void **state) {
  (void)state;
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_mirror),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_copy_text),
      cmocka_unit_test(test_release_to_mark),
      cmocka_unit_test(test_release_keeps_the_rest),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_absurd_sizes),
      cmocka_unit_test(test_watch),
      cmocka_unit_test(test_watch_in_tables),
      cmocka_unit_test(test_aborts_without_escape),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_budget_is_too_small),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_populate),
  };
  return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
