// Probes of packed zones against the reference tests on whole matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/simulation.h"
#include "dbm/stored/compact.h"
#include "dbm/stored/zonetable.h"
#include "sample_zones.h"
#include "sanitized.h"

enum { MAX_ZONES = 12, CASES = RANDOM_CASES(20000) };

typedef struct Fixture {
  Random random;
  uint32_t n;
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
  PackedBounds bounds;
  _Alignas(64) char bounds_room[4096];
  _Alignas(64) char memory[131072];
  Probe probe;
  _Alignas(64) char block[MAX_ZONES * ZONE_MAX * ZONE_MAX * 4 + PACKED_SLACK];
  Zone stored[MAX_ZONES];
  uint32_t count;
} Fixture;

static void choose_bounds(Fixture *f, int max) {
  random_bounds(&f->random, f->n, max, f->lower, f->upper);
  const bool has_entry_bounds = random_below(&f->random, 4);
  f->bounds = (PackedBounds){.lower = f->lower, .upper = f->upper};
  assert_true(packed_bounds_bytes(f->n, has_entry_bounds) <= sizeof f->bounds_room);
  packed_bounds_init(&f->bounds, f->bounds_room, f->n, has_entry_bounds);
  packed_bounds(&f->bounds, f->n);
}

// In a format that holds it.
static void write_probe(const Probe *probe, char *to, PackedFormat format) {
  for (uint32_t at = 0; at < probe->k * probe->k; at++) {
    const Bound v = packed_entry(probe->entries, probe->format, at);
    if (format == PACKED_32)
      ((Bound *)(void *)to)[at] = v;
    else
      ((int16_t *)(void *)to)[at] = v == BOUND_INF ? INT16_MAX : (int16_t)v;
  }
}

static void store_zones(Fixture *f, PackedFormat format) {
  for (uint32_t i = 0; i < f->count; i++) {
    char *to = f->block + i * packed_bytes(f->n, format);
    const char after = to[packed_bytes(f->n, format)];
    probe_make(&f->probe, PROBE_INCLUSION, f->stored[i].d, f->n, &f->bounds);
    write_probe(&f->probe, to, format);
    assert_int_equal(after, to[packed_bytes(f->n, format)]);
  }
}

static bool covers(const Fixture *f, ProbeKind kind, const Zone *big, const Zone *small) {
  if (kind == PROBE_CLOSURE_LU)
    return simulation_closure_lu(big->d, small->d, f->n, f->lower, f->upper);
  return kind == PROBE_INCLUSION ? dbm_includes(big->d, small->d, f->n)
                                 : simulation_alu(big->d, small->d, f->n, f->lower, f->upper);
}

static const char *stored_at(const Fixture *f, uint32_t i, PackedFormat format) {
  return f->block + i * packed_bytes(f->n, format);
}

static void compare_true(Fixture *f, ProbeKind kind, const Zone *zone) {
  if (kind == PROBE_CLOSURE_LU)
    return;
  const bool expected = kind == PROBE_INCLUSION
                            ? dbm_is_universal(zone->d, f->n)
                            : simulation_alu_is_true(zone->d, f->n, f->lower, f->upper);
  probe_make(&f->probe, kind, zone->d, f->n, &f->bounds);
  assert_int_equal(probe_is_true(&f->probe), expected);
}

// The tests with single zones, in a given format.
static void compare(Fixture *f, ProbeKind kind, const Zone *zone, PackedFormat format) {
  compare_true(f, kind, zone);
  store_zones(f, format);
  probe_make(&f->probe, kind, zone->d, f->n, &f->bounds);
  for (uint32_t i = 0; i < f->count; i++) {
    const char *entries = stored_at(f, i, format);
    assert_int_equal(probe_is_covered(&f->probe, entries, format),
                     covers(f, kind, &f->stored[i], zone));
    assert_int_equal(probe_covers(&f->probe, entries, format),
                     covers(f, kind, zone, &f->stored[i]));
  }
}

// The scans of zones in a table, each in its smallest format. The probe is made from the matrix,
// or from the zone in the table, which keeps packed zones, or compact ones.
static void scan(Fixture *f, ProbeKind kind, const Zone *zone, bool is_compact) {
  static Mem mem;
  static _Alignas(64) char room[8192];
  ZoneTable table;
  ZoneRef refs[MAX_ZONES + DBM_LANES] = {0};
  zonetable_init(&table, &mem, f->n);
  Probe *probe = &f->probe;
  Compact *compact = probe->compact = is_compact ? compact_new(&mem, f->n) : NULL;
  assert_true(!compact || compact->max_bytes <= sizeof room);
  for (uint32_t i = 0; i < f->count; i++) {
    probe_make(probe, kind, f->stored[i].d, f->n, &f->bounds);
    refs[i] = zonetable_add(&table, probe);
    assert_int_equal(refs[i], zonetable_add(&table, probe));
  }
  probe_make(probe, kind, zone->d, f->n, &f->bounds);
  ZoneRef own = zonetable_find(&table, probe);
  if (random_below(&f->random, 2)) {
    own = zonetable_add(&table, probe);
    const StoredZone *kept = compact_at(compact, &table, own, room);
    probe_take(probe, kind, kept->entries, kept->k, (PackedFormat)kept->format, &f->bounds);
  }
  uint32_t first = f->count;
  for (uint32_t i = f->count; i-- > 0;)
    if (covers(f, kind, &f->stored[i], zone))
      first = i;
  const uint32_t found = zonetable_same(own, refs, f->count);
  assert_true(found >= f->count || refs[found] == own);
  assert_int_equal(zonetable_covered(&table, probe, refs, f->count), first);
  uint32_t at = 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (covers(f, kind, zone, &f->stored[i])) {
      at = zonetable_covers(&table, probe, refs, at, f->count);
      assert_int_equal(at, i);
      at++;
    }
  assert_int_equal(zonetable_covers(&table, probe, refs, at, f->count), f->count);
  probe->compact = NULL;
  mem_release(&mem);
}

static void run(ProbeKind kind, uint64_t seed) {
  static Fixture f;
  random_seed(&f.random, seed);
  static const int maxima[] = {3, 10, 60, 8000, 1000000};
  for (int c = 0; c < CASES; c++) {
    f.n = 1 + random_below(&f.random, c % 10 ? 9 : ZONE_MAX - 1);
    const int max = maxima[random_below(&f.random, 5)];
    choose_bounds(&f, max);
    probe_init(&f.probe, f.memory, f.n);
    f.count = random_below(&f.random, MAX_ZONES + 1);
    PackedFormat least = PACKED_16;
    for (uint32_t i = 0; i < f.count; i++) {
      random_zone(&f.stored[i], &f.random, f.n, max);
      if (naive_format(&f.stored[i]) > least)
        least = naive_format(&f.stored[i]);
    }
    Zone zone;
    random_zone(&zone, &f.random, f.n,
                random_below(&f.random, 8) ? max : maxima[random_below(&f.random, 5)]);
    if (f.count && random_below(&f.random, 4) == 0)
      zone = f.stored[random_below(&f.random, f.count)];
    for (; least <= PACKED_32; least++)
      compare(&f, kind, &zone, least);
    scan(&f, kind, &zone, false);
    scan(&f, kind, &zone, true);
    probe_make(&f.probe, kind, zone.d, f.n, &f.bounds);
    assert_int_equal(f.probe.format, naive_format(&zone));
  }
}

static void test_inclusion(void **state) {
  (void)state;
  run(PROBE_INCLUSION, 1);
}

static void test_closure_lu(void **state) {
  (void)state;
  run(PROBE_CLOSURE_LU, 3);
}

static void test_alu(void **state) {
  (void)state;
  run(PROBE_ALU, 2);
}

static void test_round_trip(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 3);
  for (int c = 0; c < CASES; c++) {
    f.n = 1 + random_below(&f.random, ZONE_MAX - 1);
    probe_init(&f.probe, f.memory, f.n);
    random_zone(&f.stored[0], &f.random, f.n, c % 2 ? 10 : 1000000);
    f.count = 1;
    for (PackedFormat format = naive_format(&f.stored[0]); format <= PACKED_32; format++) {
      store_zones(&f, (PackedFormat)format);
      Zone back;
      naive_universal(&back, f.n);
      packed_read(back.d, f.n, f.block, (PackedFormat)format);
      assert_true(naive_equal(&back, &f.stored[0]));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inclusion),
      cmocka_unit_test(test_alu),
      cmocka_unit_test(test_closure_lu),
      cmocka_unit_test(test_round_trip),
  };
  return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
