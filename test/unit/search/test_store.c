// The store against a list with naive covering. The space is a fake: bodies are intervals of
// int32, covered by larger ones, in 16 bits where they fit and in 32 otherwise, followed by
// filling that makes them as long as the test likes; or words, with sketches.
#include "search/store.h"

#include "base/random.h"
#include "dbm/stored/sketch.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WORDS = 5, FORMATS = 2 };

typedef struct Interval {
  int32_t low, high;
} Interval;

typedef struct Fake {
  Space space; // first
  uint64_t key[MOST_WORDS];
  Interval current;
  size_t filling; // bytes of a body beyond the interval
  int prepared;   // calls of prepare for the current node
  uint32_t plans; // calls of plan
  uint32_t marks, sweeps;
  uint64_t marked; // the sum of the words
} Fake;

static Fake *fake_of(Space *space) { return (Fake *)space; }

static size_t interval_bytes(uint32_t format) {
  return format ? 2 * sizeof(int32_t) : 2 * sizeof(int16_t);
}

// Sizes differ from key to key, in steps that keep bodies aligned to 4 bytes.
static size_t fake_body_bytes(Space *space, uint32_t format) {
  const Fake *fake = fake_of(space);
  if (space->sketch)
    return sizeof(uint32_t);
  return interval_bytes(format) + fake->filling + fake->key[0] % 3 * 4;
}

static uint32_t fake_format(Space *space) {
  const Interval i = fake_of(space)->current;
  return i.low < INT16_MIN || i.high > INT16_MAX;
}

static unsigned char filling_of(Interval i, size_t at) {
  return (unsigned char)((size_t)(i.low * 7 + i.high * 13) + at * 3);
}

static void fake_write(Space *space, void *body, uint32_t format) {
  const Interval i = fake_of(space)->current;
  if (format) {
    const int32_t ends[] = {i.low, i.high};
    memcpy(body, ends, sizeof ends);
  } else {
    const int16_t ends[] = {(int16_t)i.low, (int16_t)i.high};
    memcpy(body, ends, sizeof ends);
  }
  const size_t bytes = fake_body_bytes(space, format);
  for (size_t at = interval_bytes(format); at < bytes; at++)
    ((unsigned char *)body)[at] = filling_of(i, at);
}

static Interval fake_read(const void *body, uint32_t format) {
  Interval i;
  if (format) {
    memcpy(&i, body, sizeof i);
  } else {
    int16_t ends[2];
    memcpy(ends, body, sizeof ends);
    i = (Interval){ends[0], ends[1]};
  }
  return i;
}

// Whether a body of the current key is this interval, filled as it was written.
static bool fake_is(Space *space, const void *body, uint32_t format, Interval expected) {
  const Interval i = fake_read(body, format);
  bool same = i.low == expected.low && i.high == expected.high;
  const size_t bytes = fake_body_bytes(space, format);
  for (size_t at = interval_bytes(format); at < bytes; at++)
    same &= ((const unsigned char *)body)[at] == filling_of(i, at);
  return same;
}

static bool covers(Interval big, Interval small) {
  return big.low <= small.low && small.high <= big.high;
}

// What every block has to offer: alignment, and readable bytes beyond its end.
static const char *check_block(Space *space, const void *bodies, uint32_t count,
                               uint32_t format) {
  const char *bytes = bodies;
  const bool is_word = space->sketch && count == 1; // in a node
  assert_true(format < FORMATS && (uintptr_t)bytes % (is_word ? 4 : 8) == 0);
  const volatile char *end = bytes + count * fake_body_bytes(space, format);
  for (int i = 0; !is_word && i < SPACE_SLACK; i++)
    (void)end[i];
  assert_int_equal(fake_of(space)->prepared, 1);
  return bytes;
}

static uint32_t fake_find_coverer(Space *space, const void *bodies, uint32_t count,
                                  uint32_t format) {
  const char *bytes = check_block(space, bodies, count, format);
  const size_t size = fake_body_bytes(space, format);
  uint32_t i = 0;
  while (i < count && !covers(fake_read(bytes + i * size, format), fake_of(space)->current))
    i++;
  return i;
}

static uint32_t fake_find_covered(Space *space, const void *bodies, uint32_t from, uint32_t count,
                                  uint32_t format) {
  const char *bytes = check_block(space, bodies, count, format);
  const size_t size = fake_body_bytes(space, format);
  assert_true(from <= count);
  while (from < count && !covers(fake_of(space)->current, fake_read(bytes + from * size, format)))
    from++;
  return from;
}

static void fake_prepare(Space *space) { fake_of(space)->prepared++; }

static void fake_init(Fake *fake, uint32_t key_words, size_t filling) {
  *fake = (Fake){.space = {.key_words = key_words,
                           .most_body_bytes = interval_bytes(1) + filling + 8,
                           .prepare = fake_prepare,
                           .find_coverer = fake_find_coverer,
                           .find_covered = fake_find_covered,
                           .format = fake_format,
                           .body_bytes = fake_body_bytes,
                           .write = fake_write},
                 .filling = filling};
  fake->space.key = fake->key;
}

// Bits of both ends, counted from where the plan says.
static void fake_plan(Space *space, SketchPlan *plan, const uint32_t *bodies, uint32_t count) {
  assert_true(count > 0);
  memset(plan, 0, sizeof *plan);
  plan->start[0] = (uint16_t)(fake_read(&bodies[count / 2], 0).low - 8);
  fake_of(space)->plans++;
}

static void fake_sketch(Space *space, const SketchPlan *plan, const uint32_t *body,
                        Sketch *sketch) {
  const Interval i = body ? fake_read(body, 0) : fake_of(space)->current;
  sketch->supply = 0;
  for (int b = 0; b < 16; b++) {
    sketch->supply |= (uint32_t)(i.low <= plan->start[0] + b) << b;
    sketch->supply |= (uint32_t)(i.high >= plan->start[0] + b) << (16 + b);
  }
  // Less may be demanded than is there.
  sketch->demand = space->sketch_words == 1 ? sketch->supply : sketch->supply & 0xf7ffff7f;
}

static void fake_use_words(Fake *fake, uint32_t sketch_words) {
  fake->space.most_body_bytes = sizeof(uint32_t);
  fake->space.sketch_words = sketch_words;
  fake->space.plan = fake_plan;
  fake->space.sketch = fake_sketch;
}

static void fake_mark(Space *space, uint32_t word) {
  fake_of(space)->marks++;
  fake_of(space)->marked += word;
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

static void twin_init(Twin *t, uint32_t key_words, size_t filling) {
  *t = (Twin){0};
  fake_init(&t->fake, key_words, filling);
  store_init(&t->store, &t->mem, &t->fake.space);
}

static void twin_release(Twin *t) {
  store_release(&t->store);
  vec_release(&t->mem, &t->list);
  assert_int_equal(t->mem.bytes, 0);
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
  t->fake.prepared = 0;
  t->fake.space.ordinal = key * 3 + t->list.size;
  const NodeRef parent = t->list.size ? t->list.size / 2 : NODE_NONE;
  const NodeRef ref = store_add(&t->store, parent);
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

// Every record, key and body is as in the list.
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
    uint32_t format;
    const void *body = store_body(&t->store, ref, &format);
    assert_int_equal(body != NULL, entry->is_stored);
    if (!entry->is_stored)
      continue;
    assert_true(fake_is(&t->fake.space, body, format, entry->interval));
  }
}

// The space is told of all words that are stored, and of no others.
static void twin_sweep(Twin *t) {
  Fake *fake = &t->fake;
  fake->marks = fake->sweeps = 0;
  fake->marked = 0;
  fake->space.mark = fake_mark;
  fake->space.sweep = fake_sweep;
  store_sweep(&t->store);
  uint64_t sum = 0;
  for (NodeRef ref = 0; ref < t->list.size; ref++) {
    uint32_t format;
    const uint32_t *body = store_body(&t->store, ref, &format);
    assert_int_equal(body != NULL, t->list.items[ref].is_stored);
    sum += body ? *body : 0;
  }
  assert_int_equal(fake->marks, t->stored);
  assert_int_equal(fake->marked, sum);
  assert_int_equal(fake->sweeps, 1);
}

typedef struct Shape { // of a random sequence
  uint32_t key_words, keys;
  size_t filling;
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
  twin_init(&t, shape->key_words, shape->filling);
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

// Few keys with many bodies, many keys with few, long keys, both formats.
static void test_random_sequences(void **state) {
  (void)state;
  const Shape shapes[] = {
      {1, 1, 0, 3000, 50, 300, 100},        {1, 3, 0, 3000, 200, 40000, 100},
      {2, 40, 20, 3000, 20000, 60000, 100}, {5, 1000, 100, 3000, 100, 300, 100},
      {1, 2, 36, 3000, 70000, 100000, 100}, {3, 5, 400, 2000, 300, 33000, 100},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    run_shape(&shapes[i], i + 1);
}

// A block of its own for each, or few per block: around the largest block, and beyond.
static void test_large_bodies(void **state) {
  (void)state;
  const size_t fillings[] = {5000, 16300, 32700, 32740, 32760, 50000, 300000};
  for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++) {
    const Shape shape = {1, 3, fillings[i], fillings[i] > 100000 ? 60 : 200, 100, 33000, 50};
    run_shape(&shape, i + 1);
  }
}

// Groups that grow, are swept by wide intervals, and grow again; bodies are never 0.
static void test_sketches(void **state) {
  (void)state;
  static Twin t;
  for (uint32_t words = 0; words <= 2; words++) {
    t = (Twin){0};
    fake_init(&t.fake, 1, 0);
    fake_use_words(&t.fake, words);
    store_init(&t.store, &t.mem, &t.fake.space);
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
    assert_int_equal(t.fake.plans > 3, words > 0);
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
    t.fake.prepared = 0;
    assert_int_equal(store_add(&t.store, NODE_NONE), key);
  }
  assert_true(store_ok(&t.store));
  assert_int_equal(t.store.groups.size, KEYS);
  for (uint32_t key = 0; key < KEYS; key++) {
    fake_key(&t.fake, key);
    t.fake.current = (Interval){0, 1 + (int)(key & 1)};
    t.fake.prepared = 0;
    const NodeRef ref = store_add(&t.store, key);
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

// Key by key, many bodies that one body then covers: the blocks of one key serve the next.
static void test_blocks_are_reused(void **state) {
  (void)state;
  static Twin t;
  twin_init(&t, 1, 2000);
  enum { KEYS = 300, BODIES = 100 };
  for (uint32_t key = 0; key < KEYS; key++) {
    for (int i = 0; i <= BODIES; i++) {
      fake_key(&t.fake, key);
      t.fake.current = i < BODIES ? (Interval){10 * i, 10 * i + 1} : (Interval){0, 10 * BODIES};
      t.fake.prepared = 0;
      assert_int_not_equal(store_add(&t.store, NODE_NONE), NODE_NONE);
    }
    assert_int_equal(t.store.evicted.size, BODIES);
    assert_int_equal(t.store.stored, key + 1);
  }
  assert_true(store_ok(&t.store));
  // 60 MB went through it; one body a key and one key's worth of blocks are left.
  assert_true(t.mem.peak < 5 << 20);
  twin_release(&t);
}

// The free room of a growing group stays small.
static void test_little_is_wasted(void **state) {
  (void)state;
  static Twin t;
  twin_init(&t, 1, 100);
  enum { BODIES = 3000 };
  for (int i = 0; i < BODIES; i++) {
    fake_key(&t.fake, 0);
    t.fake.current = (Interval){i, i + 1};
    t.fake.prepared = 0;
    assert_int_equal(store_add(&t.store, NODE_NONE), i);
  }
  assert_true(t.mem.bytes <
              (size_t)BODIES * (104 + sizeof(Node) + sizeof(NodeRef)) * 4 / 3 + (3 << 20));
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
    twin_init(&t, 1, 1000);
    t.mem.limit = limit;
    jmp_buf escape;
    t.mem.escape = &escape;
    if (!setjmp(escape))
      for (int i = 0;; i++) {
        fake_key(&t.fake, (uint32_t)i % 50);
        t.fake.current = (Interval){i, i + 1};
        t.fake.prepared = 0;
        store_add(&t.store, NODE_NONE);
      }
    assert_true(t.mem.bytes <= t.mem.limit);
    mem_release(&t.mem);
    assert_int_equal(t.mem.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_sequences), cmocka_unit_test(test_large_bodies),
      cmocka_unit_test(test_many_keys),        cmocka_unit_test(test_blocks_are_reused),
      cmocka_unit_test(test_little_is_wasted), cmocka_unit_test(test_limit),
      cmocka_unit_test(test_sketches),
  };
  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
