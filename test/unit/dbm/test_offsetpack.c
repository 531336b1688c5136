// Packed local zones: what is written is read back, in every format; the synchronised zones
// against naive ones; inclusion entry by entry.
#include "dbm/stored/offsetpack.h"

#include "offsets.h"

#include <stdlib.h>

typedef struct Fixture {
  Random random;
  OffsetPack pack;
  _Alignas(64) char memory[1 << 14];
  _Alignas(64) char entries[1 << 12]; // the zone in another format
  Mem mem;
  ZoneTable table;
} Fixture;

static void start(Fixture *f, Walk *walk, uint32_t steps) {
  walk_start(walk, &f->random, random_below(&f->random, OFFSET_CLOCKS + 1),
             1 + random_below(&f->random, OFFSET_TIMES));
  for (uint32_t s = 0; s < steps; s++)
    walk_step(walk, &f->random);
}

static void pack(Fixture *f, const Walk *walk) {
  Bound low[16];
  offset_low(walk->d, &walk->shape, low);
  offsetpack_make(&f->pack, &walk->shape, walk->d, low);
}

// The packed zone in a format that is larger than it needs.
static void widen(Fixture *f, const OffsetShape *shape, PackedFormat format) {
  const size_t count = offsetpack_bytes(shape, PACKED_8);
  for (uint32_t i = 0; i < count; i++) {
    const Bound v = packed_entry(f->pack.entries, f->pack.format, i);
    if (format == PACKED_32)
      ((Bound *)(void *)f->entries)[i] = v;
    else if (format == PACKED_16)
      ((int16_t *)(void *)f->entries)[i] = v == BOUND_INF ? INT16_MAX : (int16_t)v;
    else
      ((int8_t *)f->entries)[i] = v == BOUND_INF ? INT8_MAX : (int8_t)v;
  }
}

static void test_read_back(void **state) {
  Fixture *f = *state;
  random_seed(&f->random, 1);
  for (int i = 0; i < 600; i++) {
    static Walk walk, copy;
    start(f, &walk, 6);
    pack(f, &walk);
    assert_int_equal(f->pack.format, PACKED_8);
    for (PackedFormat format = PACKED_8; format <= PACKED_32; format++) {
      widen(f, &walk.shape, format);
      memset(copy.d, 0, sizeof copy.d);
      offsetpack_read(copy.d, &walk.shape, f->entries, format);
      for (uint32_t r = 0; r < walk.shape.row_count; r++)
        assert_memory_equal(copy.d + walk.rows[r] * walk.shape.stride,
                            walk.d + walk.rows[r] * walk.shape.stride,
                            walk.shape.stride * sizeof(Bound));
    }
  }
}

// Zones are packed in the smallest format.
static void test_formats(void **state) {
  Fixture *f = *state;
  static const struct {
    Bound entry;
    PackedFormat format;
  } cases[] = {{126, PACKED_8},   {127, PACKED_16},    {-127, PACKED_16},    {8191, PACKED_16},
               {8192, PACKED_32}, {-40000, PACKED_32}, {BOUND_INF, PACKED_8}};
  random_seed(&f->random, 2);
  static Walk walk, copy;
  walk_start(&walk, &f->random, 3, 2);
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    walk.d[walk.shape.stride + 2] = cases[i].entry;
    pack(f, &walk);
    assert_int_equal(f->pack.format, cases[i].format);
    offsetpack_read(copy.d, &walk.shape, f->pack.entries, f->pack.format);
    assert_int_equal(copy.d[walk.shape.stride + 2], cases[i].entry);
  }
}

static void compare(const Walk *walk, const Zone *naive, const Bound *zone) {
  const OffsetShape *shape = &walk->shape;
  const uint32_t t = shape->first_time, k = shape->clock_rows, stride = dbm_stride(k + 1);
  for (uint32_t i = 0; i < k; i++) {
    const uint32_t x = walk->rows[i];
    assert_int_equal(zone[i + 1], zone_get(naive, x, t));
    assert_int_equal(zone[(i + 1) * stride], zone_get(naive, t, x));
    for (uint32_t j = 0; j < k; j++)
      assert_int_equal(zone[(j + 1) * stride + i + 1], zone_get(naive, x, walk->rows[j]));
    for (uint32_t j = k + 1; j < stride; j++)
      assert_int_equal(zone[i * stride + j], BOUND_INF);
  }
  assert_true(dbm_is_tight(zone, k + 1));
}

static void compare16(const Walk *walk, const Bound *zone, const int16_t *zone16) {
  const uint32_t k = walk->shape.clock_rows + 1, stride = dbm_stride(k);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      assert_int_equal(packed_entry(zone16, PACKED_16, i * k + j), zone[i * stride + j]);
}

static void test_synchronise(void **state) {
  Fixture *f = *state;
  random_seed(&f->random, 3);
  int none = 0;
  for (int i = 0; i < 1500; i++) {
    static Walk walk;
    static _Alignas(64) Bound zone[16 * 16], rows[32];
    static int16_t zone16[16 * 16 + 8], high[24];
    Zone naive;
    start(f, &walk, random_below(&f->random, 10));
    pack(f, &walk);
    const bool exists = walk_synchronise_naive(&naive, &walk);
    none += !exists;
    if (walk.shape.frozen_from == walk.shape.row_count)
      assert_int_equal(
          offsetpack_can_meet(f->pack.entries, f->pack.format, walk.ceilings, walk.ceiling_count),
          exists);
    if (walk.shape.frozen_from == walk.shape.row_count && f->pack.format == PACKED_8) {
      int8_t least[64];
      assert_true(offsetpack_padded(walk.shape.clocks) <= sizeof least);
      offsetpack_least(least, walk.shape.clocks, walk.ceilings, walk.ceiling_count);
      assert_int_equal(offsetpack_is_least(f->pack.entries, least, walk.shape.clocks), exists);
    }
    for (PackedFormat format = PACKED_8; exists && format <= PACKED_32; format++) {
      widen(f, &walk.shape, format);
      offsetpack_synchronise(zone, &walk.shape, f->entries, format, walk.ceilings,
                             walk.ceiling_count, rows);
      compare(&walk, &naive, zone);
      if (format == PACKED_32)
        continue;
      assert_true(offsetpack_synchronise16(zone16, &walk.shape, f->entries, format, walk.ceilings,
                                           walk.ceiling_count, high));
      compare16(&walk, zone, zone16);
    }
  }
  assert_true(none > 50);
}

static bool includes(const Walk *big, const Walk *small) {
  for (uint32_t r = 0; r < big->shape.row_count; r++)
    for (uint32_t j = 0; j < big->shape.n; j++) {
      const uint32_t at = big->rows[r] * big->shape.stride + j;
      if (big->d[at] < small->d[at])
        return false;
    }
  return true;
}

static bool same_shape(const Walk *a, const Walk *b) {
  return !memcmp(a->frozen, b->frozen, sizeof a->frozen) &&
         !memcmp(a->dropped, b->dropped, sizeof a->dropped);
}

static ZoneRef keep(Fixture *f, const Walk *walk) {
  pack(f, walk);
  ZoneString zone = {.kind = 1,
                     .format = f->pack.format,
                     .entries = f->pack.entries,
                     .bytes = offsetpack_bytes(&walk->shape, f->pack.format)};
  const ZoneRef ref = zonetable_add_string(&f->table, zone);
  assert_int_equal(zonetable_find_string(&f->table, zone), ref);
  return ref;
}

static void test_find(void **state) {
  Fixture *f = *state;
  random_seed(&f->random, 4);
  int yes = 0;
  static Walk walks[30];
  for (int i = 0; i < 300; i++) {
    zonetable_init(&f->table, &f->mem, 64);
    start(f, &walks[0], 0);
    for (int w = 1; w < 30; w++) {
      walks[w] = walks[random_below(&f->random, (uint32_t)w)];
      walk_anchor(&walks[w]);
      walk_step(&walks[w], &f->random);
      const Walk *other = &walks[random_below(&f->random, (uint32_t)w)], *walk = &walks[w];
      if (!same_shape(other, walk))
        continue;
      const ZoneRef ref = keep(f, other);
      pack(f, walk);
      const bool in = includes(other, walk), out = includes(walk, other);
      const void *entries = f->pack.entries;
      assert_int_equal(
          offsetpack_find(&f->table, &walk->shape, entries, PACKED_8, &ref, 0, 1, false), !in);
      assert_int_equal(
          offsetpack_find(&f->table, &walk->shape, entries, PACKED_8, &ref, 0, 1, true), !out);
      yes += in + out;
    }
    mem_release(&f->mem);
  }
  assert_true(yes > 300);
}

static int setup(void **state) {
  *state = aligned_alloc(64, (sizeof(Fixture) + 63) / 64 * 64);
  memset(*state, 0, sizeof(Fixture));
  Fixture *f = *state;
  const size_t max = offsetpack_max(OFFSET_MAX, OFFSET_MAX, OFFSET_CLOCKS);
  assert_true(offsetpack_room(max) <= sizeof f->memory);
  offsetpack_init(&f->pack, f->memory, max);
  return 0;
}

static int teardown(void **state) {
  free(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read_back), cmocka_unit_test(test_formats),
      cmocka_unit_test(test_synchronise), cmocka_unit_test(test_find)};
  return cmocka_run_group_tests_name("offsetpack", tests, setup, teardown);
}
