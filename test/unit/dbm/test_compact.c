// A compact zone table: what comes out is what went in, through the cache and past it. The
// covering scans are tested with those of packed zones (test_packed.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/stored/compact.h"
#include "dbm/stored/zonetable.h"
#include "sample_zones.h"

enum { ZONES = 3000, TURNS = 30000 };

typedef struct Fixture {
  Mem mem;
  Random random;
  ZoneTable table;
  Probe probe;
  _Alignas(64) char memory[65536];
  _Alignas(64) char room[8192];
  PackedBounds bounds;
  Zone zones[ZONES];
  ZoneRef refs[ZONES];
} Fixture;

static Fixture *begin(uint64_t seed) {
  static Fixture f;
  f.mem = (Mem){0};
  random_seed(&f.random, seed);
  zonetable_init(&f.table, &f.mem, ZONE_MAX);
  probe_init(&f.probe, f.memory, ZONE_MAX);
  f.probe.compact = compact_new(&f.mem, ZONE_MAX);
  assert_true(f.probe.compact->max_bytes <= sizeof f.room);
  return &f;
}

static void end(Fixture *f) { mem_release(&f->mem); }

static void add(Fixture *f, uint32_t i) {
  static const int maxima[] = {3, 10, 8000, 1000000};
  Zone *zone = &f->zones[i];
  random_zone(zone, &f->random, 1 + random_below(&f->random, ZONE_MAX),
              maxima[random_below(&f->random, 4)]);
  probe_make(&f->probe, PROBE_INCLUSION, zone->d, zone->n, &f->bounds);
  const ZoneRef found = zonetable_find(&f->table, &f->probe);
  f->refs[i] = zonetable_add(&f->table, &f->probe);
  assert_true(found == ZONE_NONE || found == f->refs[i]);
}

static void assert_holds(const StoredZone *kept, const Zone *zone) {
  Zone back;
  naive_universal(&back, zone->n);
  assert_int_equal(kept->k, zone->n);
  packed_read(back.d, zone->n, kept->entries, (PackedFormat)kept->format);
  assert_true(naive_equal(&back, zone));
  const char *behind = kept->entries + packed_bytes(kept->k, (PackedFormat)kept->format);
  for (uint32_t i = 0; i < PACKED_PADDING; i++)
    assert_int_equal(behind[i], 0);
}

static void test_zones(void **state) {
  (void)state;
  Fixture *f = begin(1);
  for (uint32_t i = 0; i < ZONES; i++)
    add(f, i);
  for (int turn = 0; turn < TURNS; turn++) {
    const uint32_t i = random_below(&f->random, turn % 2 ? ZONES : 10);
    const StoredZone *held = compact_hold(f->probe.compact, &f->table, f->refs[i], f->room);
    assert_holds(compact_open(f->probe.compact, &f->table, f->refs[i]), &f->zones[i]);
    compact_open(f->probe.compact, &f->table, f->refs[random_below(&f->random, ZONES)]);
    assert_holds(held, &f->zones[i]);
  }
  assert_true(zonetable_bytes(&f->table) > ZONES * sizeof(StoredZone));
  assert_true(zonetable_bytes(&f->table) < f->mem.bytes);
  end(f);
}

// Equal zones have one number, different ones do not.
static void test_numbers(void **state) {
  (void)state;
  Fixture *f = begin(2);
  for (uint32_t i = 0; i < ZONES; i++)
    add(f, i);
  for (int turn = 0; turn < TURNS; turn++) {
    const uint32_t i = random_below(&f->random, ZONES), j = random_below(&f->random, ZONES);
    const bool is_same =
        f->zones[i].n == f->zones[j].n && naive_equal(&f->zones[i], &f->zones[j]);
    assert_int_equal(f->refs[i] == f->refs[j], is_same);
    probe_make(&f->probe, PROBE_INCLUSION, f->zones[i].d, f->zones[i].n, &f->bounds);
    assert_int_equal(zonetable_find(&f->table, &f->probe), f->refs[i]);
  }
  end(f);
}

// The cache grows with the table, and not beyond a limit.
static void test_growth(void **state) {
  (void)state;
  for (int is_limited = 0; is_limited < 2; is_limited++) {
    Fixture *f = begin(3);
    Compact *compact = f->probe.compact;
    const uint32_t mask = compact->mask;
    void *other = mem_alloc(&f->mem, 1 << 22);
    f->mem.limit = is_limited ? 5 << 20 : 0;
    for (uint32_t i = 0; i < ZONES; i++)
      add(f, i);
    for (int turn = 0; turn < TURNS; turn++)
      compact_open(compact, &f->table, f->refs[random_below(&f->random, ZONES)]);
    assert_int_equal(compact->mask > mask, !is_limited);
    assert_true((compact->mask + 1) * compact->place_bytes < zonetable_bytes(&f->table) / 2);
    mem_free(&f->mem, other);
    end(f);
  }
}

// A zone out of range is never used again, but must not do harm.
static void test_out_of_range(void **state) {
  (void)state;
  Fixture *f = begin(4);
  Zone zone;
  naive_universal(&zone, 3);
  *zone_at(&zone, 1, 2) = *zone_at(&zone, 2, 1) = BOUND_INF - 2;
  probe_make(&f->probe, PROBE_INCLUSION, zone.d, 3, &f->bounds);
  assert_int_not_equal(zonetable_add(&f->table, &f->probe), ZONE_NONE);
  end(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zones),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_out_of_range),
  };
  return cmocka_run_group_tests_name("compact", tests, NULL, NULL);
}
