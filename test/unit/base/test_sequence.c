// Sequences against arrays: labels ascend, whatever the order of insertion.
#include "base/sequence.h"

#include "base/random.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 2000 };

typedef struct Fixture {
  Mem mem;
  Random random;
  Sequence sequence;
  uint32_t items[MAX], count; // in the order of the list
} Fixture;

static void fixture_init(Fixture *f, uint64_t seed) {
  memset(f, 0, sizeof *f);
  f->sequence.mem = &f->mem;
  random_seed(&f->random, seed);
}

static void insert(Fixture *f, uint32_t at) {
  const uint32_t item = sequence_insert(&f->sequence, at < f->count ? f->items[at] : 0);
  memmove(&f->items[at + 1], &f->items[at], (f->count - at) * sizeof *f->items);
  f->items[at] = item;
  f->count++;
}

static void remove_at(Fixture *f, uint32_t at) {
  sequence_remove(&f->sequence, f->items[at]);
  f->count--;
  memmove(&f->items[at], &f->items[at + 1], (f->count - at) * sizeof *f->items);
}

static void check(const Fixture *f) {
  const SequenceItem *items = f->sequence.items.items;
  uint64_t label = 0;
  uint32_t item = sequence_first(&f->sequence);
  for (uint32_t i = 0; i < f->count; i++) {
    assert_int_equal(item, f->items[i]);
    assert_true(sequence_label(&f->sequence, item) > label);
    label = sequence_label(&f->sequence, item);
    assert_int_equal(items[items[item].next].previous, item);
    item = items[item].next;
  }
  assert_int_equal(item, 0);
  if (f->sequence.items.size)
    assert_true(sequence_label(&f->sequence, 0) > label);
}

static void fixture_drop(Fixture *f) { mem_release(&f->mem); }

static void test_empty(void **state) {
  (void)state;
  static Fixture f;
  fixture_init(&f, 1);
  check(&f);
  insert(&f, 0);
  check(&f);
  remove_at(&f, 0);
  check(&f);
  fixture_drop(&f);
}

static void test_random(void **state) {
  (void)state;
  static Fixture f;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    fixture_init(&f, seed);
    uint32_t inserting = 6;
    for (uint32_t step = 0; step < 4 * MAX; step++) {
      if (step % 300 == 0)
        inserting = random_between(&f.random, 3, 8);
      if (f.count < MAX - 1 && random_below(&f.random, 10) < inserting)
        insert(&f, random_below(&f.random, f.count + 1));
      else if (f.count)
        remove_at(&f, random_below(&f.random, f.count));
      if (step % 50 == 0)
        check(&f);
    }
    fixture_drop(&f);
  }
}

// Always at one place, which uses up the labels there: at the start, at the end, before or behind
// one item, or before what came last but one.
static void test_places(void **state) {
  (void)state;
  static Fixture f;
  for (uint32_t place = 0; place < 5; place++) {
    fixture_init(&f, 1);
    for (uint32_t i = 0; i < 5; i++)
      insert(&f, i);
    for (uint32_t i = 5; i < MAX; i++) {
      const uint32_t places[] = {0, f.count, f.count - 2, 3,
                                 i % 2 ? f.count / 2 : f.count / 2 + 1};
      insert(&f, places[place]);
      if (i % 7 == 0)
        check(&f);
    }
    check(&f);
    fixture_drop(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_places),
  };
  return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
