// The store against a list with naive covering. The space is a fake: zones are intervals of
// 16-bit numbers, covered by larger ones, with or without sketches.
#include "search/passed/store.h"

#include "base/random.h"
#include "base/slab.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_WORDS = 5 };

static NodeRef add_to(Store *store, NodeRef parent) {
  return store->passed.add(&store->passed, parent);
}

typedef struct Interval {
  int32_t low, high;
} Interval;

typedef struct Fake {
  Space space; // first
  Statistics stats;
  uint64_t key[MAX_WORDS];
  Interval current;
  uint32_t legend; // calls of legend
  uint32_t marks, sweeps;
  uint64_t marked; // the sum of the zones
} Fake;

static Fake *fake_of(Space *space) { return (Fake *)space; }

static uint32_t fake_write(Interval i) { // never 0
  return (uint32_t)(i.low + 0x7fff) << 16 | (uint32_t)(i.high + 0x7fff);
}

static Interval fake_read(uint32_t zone) {
  return (Interval){(int32_t)(zone >> 16) - 0x7fff, (int32_t)(zone & 0xffff) - 0x7fff};
}

static uint32_t fake_keep(Space *space) { return fake_write(fake_of(space)->current); }

static bool covers(Interval big, Interval small) {
  return big.low <= small.low && small.high <= big.high;
}

// What every list has to offer: alignment, and readable bytes beyond its end.
static void check_list(const uint32_t *zones, uint32_t count) {
  const bool is_single = count == 1; // may be in a node
  assert_int_equal((uintptr_t)zones % (is_single ? 4 : 8), 0);
  const volatile char *end = (const volatile char *)(zones + count);
  for (int i = 0; !is_single && i < SPACE_SLACK; i++)
    (void)end[i];
}

static uint32_t fake_find_subsumer(Space *space, const uint32_t *zones, uint32_t count) {
  check_list(zones, count);
  uint32_t i = 0;
  while (i < count && !covers(fake_read(zones[i]), fake_of(space)->current))
    i++;
  return i;
}

static uint32_t fake_find_subsumed(Space *space, const uint32_t *zones, uint32_t from,
                                   uint32_t count) {
  check_list(zones, count);
  assert_true(from <= count);
  while (from < count && !covers(fake_of(space)->current, fake_read(zones[from])))
    from++;
  return from;
}

static void fake_init(Fake *fake, uint32_t key_words) {
  *fake = (Fake){.space = {.key_words = key_words,
                           .find_subsumer = fake_find_subsumer,
                           .find_subsumed = fake_find_subsumed,
                           .keep = fake_keep}};
  fake->space.key = fake->key;
}

// Bits of both ends, counted from where the legend says.
static void fake_legend(Space *space, void *legend, const uint32_t *zones, uint32_t count) {
  assert_true(count > 0);
  *(int32_t *)legend = fake_read(zones[count / 2]).low - 8;
  fake_of(space)->legend++;
}

static void fake_sketch(Space *space, const void *legend, uint32_t zone, uint32_t *supply,
                        uint32_t *demand) {
  const Interval i = zone ? fake_read(zone) : fake_of(space)->current;
  const int32_t start = *(const int32_t *)legend;
  *supply = 0;
  for (int b = 0; b < 16; b++) {
    *supply |= (uint32_t)(i.low <= start + b) << b;
    *supply |= (uint32_t)(i.high >= start + b) << (16 + b);
  }
  // Less may be demanded than is there.
  *demand = space->speed.sketch_words == 1 ? *supply : *supply & 0xf7ffff7f;
}

static void fake_use_sketches(Fake *fake, uint32_t sketch_words) {
  fake->space.speed.sketch_words = sketch_words;
  fake->space.speed.legend_bytes = sizeof(int32_t);
  fake->space.speed.choose_legend = fake_legend;
  fake->space.speed.sketch = fake_sketch;
}

static void fake_mark(Space *space, uint32_t zone) {
  fake_of(space)->marks++;
  fake_of(space)->marked += zone;
}

static void fake_sweep(Space *space) { fake_of(space)->sweeps++; }

// Keys of one number differ in one word only, the last one mostly.
static void fake_key(Fake *fake, uint32_t number) {
  memset(fake->key, 0, sizeof fake->key);
  fake->key[fake->space.key_words - 1] = number;
}

typedef struct Entry { // of the naive list, by NodeRef
  Interval interval;
  uint32_t key, ordinal;
  NodeRef parent;
  bool is_stored;
} Entry;

typedef struct Twin { // a store and its naive list
  Mem mem;
  Fake fake;
  Store store;
  VEC(Entry) list;
  uint32_t stored;
} Twin;

static void twin_init(Twin *t, uint32_t key_words, uint32_t sketch_words) {
  *t = (Twin){0};
  fake_init(&t->fake, key_words);
  fake_use_sketches(&t->fake, sketch_words);
  store_init(&t->store, &t->mem, &t->fake.space, &t->fake.stats);
}

static void twin_release(Twin *t) {
  vec_release(&t->mem, &t->list);
  mem_release(&t->mem);
}

static bool naive_is_covered(const Twin *t, uint32_t key, Interval interval) {
  for (uint32_t i = 0; i < t->list.size; i++) {
    const Entry *entry = &t->list.items[i];
    if (entry->is_stored && entry->key == key && covers(entry->interval, interval))
      return true;
  }
  return false;
}

// Evicts from the list; what the store evicted must be the same set.
static void naive_evict(Twin *t, uint32_t key, Interval interval) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->list.size; i++) {
    Entry *entry = &t->list.items[i];
    if (!entry->is_stored || entry->key != key || !covers(interval, entry->interval))
      continue;
    entry->is_stored = false;
    t->stored--;
    count++;
    uint32_t found = 0;
    for (uint32_t e = 0; e < t->store.evicted.size; e++)
      found += t->store.evicted.items[e] == i;
    assert_int_equal(found, 1);
  }
  assert_int_equal(t->store.evicted.size, count);
}

// One addition to both.
static bool twin_add(Twin *t, uint32_t key, Interval interval) {
  fake_key(&t->fake, key);
  t->fake.current = interval;
  t->fake.space.ordinal = key * 3 + t->list.size;
  const NodeRef parent = t->list.size ? t->list.size / 2 : NODE_NONE;
  const NodeRef ref = add_to(&t->store, parent);
  if (naive_is_covered(t, key, interval)) {
    assert_int_equal(ref, NODE_NONE);
    assert_int_equal(t->store.evicted.size, 0);
    return false;
  }
  assert_int_equal(ref, t->list.size);
  naive_evict(t, key, interval);
  vec_push(&t->mem, &t->list, ((Entry){interval, key, t->fake.space.ordinal, parent, true}));
  t->stored++;
  assert_int_equal(t->store.stored, t->stored);
  return true;
}

// Every record, key and zone is as in the list.
static void twin_compare(Twin *t) {
  assert_true(store_ok(&t->store));
  assert_int_equal(t->store.stored, t->stored);
  for (NodeRef ref = 0; ref < t->list.size; ref++) {
    const Entry *entry = &t->list.items[ref];
    const Node *node = store_node(&t->store, ref);
    assert_int_equal(node->is_stored, entry->is_stored);
    assert_int_equal(node->parent, entry->parent);
    assert_int_equal(node->ordinal, entry->ordinal);
    assert_false(node->is_visited);
    fake_key(&t->fake, entry->key);
    assert_memory_equal(store_key(&t->store, node->group), t->fake.key,
                        t->fake.space.key_words * sizeof(uint64_t));
    assert_int_equal(node->zone, entry->is_stored ? fake_write(entry->interval) : 0);
  }
}

// The space is told of all zones that are stored, and of no others.
static void twin_sweep(Twin *t) {
  Fake *fake = &t->fake;
  fake->marks = fake->sweeps = 0;
  fake->marked = 0;
  fake->space.speed.mark = fake_mark;
  fake->space.speed.sweep = fake_sweep;
  store_sweep(&t->store);
  uint64_t sum = 0;
  for (NodeRef ref = 0; ref < t->list.size; ref++) {
    sum += store_node(&t->store, ref)->zone;
  }
  assert_int_equal(fake->marks, t->stored);
  assert_int_equal(fake->marked, sum);
  assert_int_equal(fake->sweeps, 1);
}

typedef struct Shape { // of a random sequence
  uint32_t key_words, keys;
  int steps;
  int width;   // intervals are up to this wide: wider ones cover more
  int range;   // and start within +-range
  int compare; // steps between full comparisons
} Shape;

static Interval random_interval(Random *random, const Shape *shape) {
  const int low = random_between(random, -shape->range, shape->range);
  // Mostly of one width, which never cover each other; now and then wide ones that sweep.
  const int width = random_below(random, 50) ? random_between(random, 0, 3) : shape->width;
  return (Interval){low, low + width};
}

static void run_shape(const Shape *shape, uint64_t seed) {
  static Twin t;
  twin_init(&t, shape->key_words, 0);
  Random random;
  random_seed(&random, seed);
  for (int step = 0; step < shape->steps; step++) {
    const uint32_t key = random_below(&random, shape->keys);
    twin_add(&t, key, random_interval(&random, shape));
    assert_true(store_ok(&t.store));
    if (step % shape->compare == 0)
      twin_compare(&t);
  }
  twin_compare(&t);
  twin_release(&t);
}

// Few keys with many zones, many keys with few, long keys.
static void test_random_sequences(void **state) {
  (void)state;
  const Shape shapes[] = {
      {1, 1, 3000, 50, 300, 100},       {1, 3, 3000, 200, 20000, 100},
      {2, 40, 3000, 10000, 20000, 100}, {5, 1000, 3000, 100, 300, 100},
      {1, 2, 3000, 3000, 25000, 100},   {3, 5, 2000, 300, 20000, 100},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    run_shape(&shapes[i], i + 1);
}

// Groups that grow, are swept by wide intervals, and grow again.
static void test_sketches(void **state) {
  (void)state;
  static Twin t;
  for (uint32_t words = 0; words <= 2; words++) {
    twin_init(&t, 1, words);
    Random random;
    random_seed(&random, words + 1);
    for (int step = 0; step < 6000; step++) {
      const int low = random_between(&random, 100, 2000);
      const int width = random_below(&random, 400)  ? random_between(&random, 0, 2)
                        : random_below(&random, 10) ? 300
                                                    : 3000;
      twin_add(&t, random_below(&random, 2), (Interval){low, low + width});
      assert_true(store_ok(&t.store));
      if (step % 200 == 0)
        twin_compare(&t);
    }
    twin_compare(&t);
    twin_sweep(&t);
    assert_int_equal(t.fake.legend > 3, words > 0);
    twin_release(&t);
  }
}

// More keys than the hash table has room for at first, several times.
static void test_many_keys(void **state) {
  (void)state;
  static Twin t;
  twin_init(&t, 2, 0);
  enum { KEYS = 20000 };
  for (uint32_t key = 0; key < KEYS; key++) {
    fake_key(&t.fake, key);
    t.fake.current = (Interval){0, 1};
    assert_int_equal(add_to(&t.store, NODE_NONE), key);
  }
  assert_true(store_ok(&t.store));
  assert_int_equal(t.store.groups.size, KEYS);
  for (uint32_t key = 0; key < KEYS; key++) {
    fake_key(&t.fake, key);
    t.fake.current = (Interval){0, 1 + (int)(key & 1)};
    const NodeRef ref = add_to(&t.store, key);
    assert_int_equal(ref != NODE_NONE, key & 1);
    if (ref != NODE_NONE) {
      assert_int_equal(t.store.evicted.size, 1);
      assert_int_equal(t.store.evicted.items[0], key);
    }
  }
  assert_int_equal(t.store.groups.size, KEYS);
  assert_int_equal(t.store.stored, KEYS);
  assert_true(store_ok(&t.store));
  twin_release(&t);
}

// Key by key, many zones that one zone then covers: the blocks of one key serve the next.
static void test_blocks_are_reused(void **state) {
  (void)state;
  static Twin t;
  twin_init(&t, 1, 0);
  enum { KEYS = 300, ZONES = 1000 };
  for (uint32_t key = 0; key < KEYS; key++) {
    for (int i = 0; i <= ZONES; i++) {
      fake_key(&t.fake, key);
      t.fake.current = i < ZONES ? (Interval){10 * i, 10 * i + 1} : (Interval){0, 10 * ZONES};
      assert_int_not_equal(add_to(&t.store, NODE_NONE), NODE_NONE);
    }
    assert_int_equal(t.store.evicted.size, ZONES);
    assert_int_equal(t.store.stored, key + 1);
  }
  assert_true(store_ok(&t.store));
  assert_int_equal(t.fake.stats.covered, KEYS * ZONES);
  assert_int_equal(t.fake.stats.max_stored, KEYS - 1 + ZONES);
  // One zone a key and one key's worth of blocks are left, besides the records of nodes.
  assert_true(slab_bytes(t.store.slab) < 1 << 20);
  twin_release(&t);
}

// The free room of a growing group stays small.
static void test_little_is_wasted(void **state) {
  (void)state;
  static Twin t;
  twin_init(&t, 1, 0);
  enum { ZONES = 8000 };
  for (int i = 0; i < ZONES; i++) {
    fake_key(&t.fake, 0);
    t.fake.current = (Interval){i, i + 1};
    assert_int_equal(add_to(&t.store, NODE_NONE), i);
  }
  assert_true(t.mem.bytes <
              (size_t)ZONES * (4 + sizeof(Node) + sizeof(NodeRef)) * 4 / 3 + (3 << 20));
  // What the store says of its memory leaves out lists of a few kilobytes.
  assert_true(store_bytes(&t.store) <= t.mem.bytes);
  assert_true(store_bytes(&t.store) > t.mem.bytes - (1 << 17));
  twin_release(&t);
}

// Memory runs out in the middle: everything can still be returned.
static void test_limit(void **state) {
  (void)state;
  static Twin t;
  static size_t limit; // static: survives the jump, as t does
  for (limit = 400000; limit < 5000000; limit += 300007) {
    twin_init(&t, 1, 0);
    t.mem.limit = limit;
    jmp_buf escape;
    t.mem.escape = &escape;
    if (!setjmp(escape))
      for (int i = 0;; i++) {
        fake_key(&t.fake, (uint32_t)i / 100);
        t.fake.current = (Interval){i % 100, i % 100 + 1};
        add_to(&t.store, NODE_NONE);
      }
    assert_true(t.mem.bytes <= t.mem.limit);
    mem_release(&t.mem);
    mem_release(&t.mem);
  }
}

// The last references of nodes: all workers together have NODE_NONE of them.
static void test_references(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 9; workers++) {
    const NodeRef last = NODE_NONE / workers - 1;
    for (uint32_t number = 0; number < workers; number++) {
      const Store store = {.workers = workers, .number = number};
      const Store other = {.workers = workers, .number = (number + 1) % workers};
      for (NodeRef ref = last; ref > last - 3; ref--) {
        const NodeRef global = store_global(&store, ref);
        assert_true(global < NODE_NONE);
        assert_int_equal(store_own(&store, global), ref);
        assert_int_equal(store_own(&other, global), workers == 1 ? ref : NODE_NONE);
      }
      assert_int_equal(store_own(&store, NODE_NONE), NODE_NONE);
    }
  }
}

// With so many workers a store has few references: it runs out of them as it runs out of memory.
static void test_references_end(void **state) {
  (void)state;
  enum { FEW = 7 };
  static Twin t;
  static uint32_t added; // static: survives the jump, as t does
  twin_init(&t, 1, 0);
  t.store.workers = NODE_NONE / FEW;
  jmp_buf escape;
  t.mem.escape = &escape;
  if (!setjmp(escape))
    for (added = 0; added < 2 * FEW; added++) {
      fake_key(&t.fake, added);
      assert_int_equal(add_to(&t.store, NODE_NONE), added);
    }
  assert_int_equal(added, FEW);
  mem_release(&t.mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_sequences),
      cmocka_unit_test(test_many_keys),
      cmocka_unit_test(test_blocks_are_reused),
      cmocka_unit_test(test_little_is_wasted),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_sketches),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_references_end),
  };
  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
