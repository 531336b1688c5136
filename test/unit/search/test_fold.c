// Folded keys against a plain list of keys.
#include "search/space/fold.h"

#include "base/random.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { MAX_WORDS = 70, KEYS = 400 };

typedef struct Sample {
  Mem mem;
  Fold fold;
  Random random;
  uint32_t words, size;
  uint64_t keys[KEYS][MAX_WORDS], folded[KEYS];
} Sample;

// A few words of an earlier key change; now and then all do.
static void next_key(Sample *s, uint64_t *key) {
  const uint64_t *from = s->keys[s->size ? random_below(&s->random, s->size) : 0];
  memcpy(key, from, sizeof *s->keys);
  const bool is_other = !random_below(&s->random, 20);
  for (uint32_t i = 0; i < s->words; i++)
    if (is_other || !random_below(&s->random, s->words))
      key[i] = random_below(&s->random, 3) ? random_below(&s->random, 3) : UINT64_MAX - i;
}

static uint32_t find(const Sample *s, const uint64_t *key) {
  uint32_t i = 0;
  while (i < s->size && memcmp(s->keys[i], key, sizeof *s->keys) != 0)
    i++;
  return i;
}

static void try_words(uint32_t words) {
  static Sample s;
  s = (Sample){.words = words};
  random_seed(&s.random, words);
  fold_init(&s.fold, &s.mem, words);
  for (uint32_t step = 0; step < 2 * KEYS && s.size < KEYS; step++) {
    uint64_t key[MAX_WORDS], found[MAX_WORDS] = {0};
    next_key(&s, key);
    const uint64_t folded = fold_key(&s.fold, key);
    const uint32_t known = find(&s, key);
    for (uint32_t i = 0; i < s.size; i++)
      assert_int_equal(s.folded[i] == folded, i == known);
    if (known == s.size) {
      memcpy(s.keys[s.size], key, sizeof *s.keys);
      s.folded[s.size++] = folded;
    }
    fold_unfold(&s.fold, folded, found);
    assert_memory_equal(found, key, words * sizeof *key);
    const uint32_t opened = random_below(&s.random, s.size);
    if (!random_below(&s.random, 3))
      assert_memory_equal(fold_base(&s.fold, s.folded[opened]), s.keys[opened],
                          words * sizeof *key);
  }
  assert_true(keytable_ok(&s.fold.table));
  mem_release(&s.mem);
}

static void test_words(void **state) {
  (void)state;
  for (uint32_t words = 2; words <= 20; words++)
    try_words(words);
  try_words(33);
  try_words(64);
  try_words(MAX_WORDS);
}

// Keys of 13 words whose parts are independent of each other: what the table holds is nothing
// beside the number of keys.
static void test_sharing(void **state) {
  (void)state;
  Mem mem = {0};
  Fold fold;
  fold_init(&fold, &mem, 13);
  uint64_t key[13] = {0};
  const uint32_t count = 10 * 10 * 10 * 10 * 10;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0, rest = i; k < 5; k++, rest /= 10)
      key[k * 3] = rest % 10 * 0x123456789;
    fold_key(&fold, key);
  }
  assert_true(fold_bytes(&fold) < count);
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                     cmocka_unit_test(test_sharing)};
  return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
