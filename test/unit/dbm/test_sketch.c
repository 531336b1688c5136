// Sketches of random zones against the tests that they spare.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dbm/simulation.h"
#include "dbm/stored/sketch.h"

#include "base/bitsets.h"
#include "dbm/stored/zonetable.h"
#include "sample_zones.h"

enum { MAX_ZONES = 40, CASES = 2000 };

typedef struct Fixture {
  Random random;
  uint32_t n, count;
  ProbeKind kind;
  int32_t lower[ZONE_STRIDE], upper[ZONE_STRIDE];
  PackedBounds bounds;
  _Alignas(64) char bounds_room[4096], probe_room[65536], sketcher_room[131072];
  Probe probe;
  Sketcher sketcher;
  Zone zones[MAX_ZONES];
  ZoneRef refs[MAX_ZONES];
  Sketch sketches[MAX_ZONES];
  Mem mem;
  ZoneTable table;
  SketchLegend legend;
} Fixture;

static void choose_bounds(Fixture *f, int max) {
  f->lower[0] = f->upper[0] = 0;
  for (uint32_t x = 1; x < f->n; x++) {
    f->lower[x] =
        random_below(&f->random, 6) ? random_between(&f->random, 0, max) : CLOCK_NO_BOUND;
    f->upper[x] =
        random_below(&f->random, 6) ? random_between(&f->random, 0, max) : CLOCK_NO_BOUND;
  }
  f->bounds = (PackedBounds){.lower = f->lower, .upper = f->upper};
  assert_true(packed_bounds_bytes(f->n, true) <= sizeof f->bounds_room);
  packed_bounds_init(&f->bounds, f->bounds_room, f->n, random_below(&f->random, 4));
  packed_bounds(&f->bounds, f->n);
}

static void begin(Fixture *f, int max) {
  choose_bounds(f, max);
  assert_true(probe_bytes(f->n) <= sizeof f->probe_room);
  assert_true(sketcher_bytes(f->n) <= sizeof f->sketcher_room);
  probe_init(&f->probe, f->probe_room, f->n);
  sketcher_init(&f->sketcher, f->sketcher_room, f->n);
  zonetable_init(&f->table, &f->mem, f->n);
  for (uint32_t i = 0; i < f->count; i++) {
    static const int maxima[] = {400, 1000000}; // zones in all formats
    const uint32_t which = random_below(&f->random, 20);
    random_zone(&f->zones[i], &f->random, f->n, which < 2 ? maxima[which] : max);
    probe_make(&f->probe, f->kind, f->zones[i].d, f->n, &f->bounds);
    f->refs[i] = zonetable_add(&f->table, &f->probe);
  }
  sketch_choose(&f->sketcher, &f->legend, &f->table, &f->probe, f->refs, f->count);
  for (uint32_t i = 0; i < f->count; i++)
    f->sketches[i] = sketch_zone(&f->sketcher, &f->legend, &f->table, &f->probe, f->refs[i]);
}

static bool covers(const Fixture *f, const Zone *big, const Zone *small) {
  return f->kind == PROBE_INCLUSION ? dbm_includes(big->d, small->d, f->n)
                                    : simulation_alu(big->d, small->d, f->n, f->lower, f->upper);
}

// Compares a sift of words with what it should find.
static void check_sift(Fixture *f, const Sketch *own, bool by_own) {
  uint32_t words[MAX_ZONES + BITSETS_OVER] = {0}, passed[MAX_ZONES + BITSETS_OVER];
  for (uint32_t i = 0; i < f->count; i++)
    words[i] = by_own ? f->sketches[i].demand : f->sketches[i].supply;
  const uint32_t from = random_below(&f->random, f->count + 1);
  const uint32_t size = by_own ? bitsets_within(words, from, f->count, own->supply, passed)
                               : bitsets_including(words, from, f->count, own->demand, passed);
  uint32_t expected = 0;
  for (uint32_t i = from; i < f->count; i++)
    if (by_own ? !(words[i] & ~own->supply) : !(own->demand & ~words[i])) {
      assert_true(expected < size);
      assert_int_equal(passed[expected++], i);
    }
  assert_int_equal(size, expected);
}

// No zone that covers another one is refused; what share of the others is.
static double run(ProbeKind kind, uint64_t seed) {
  static Fixture f;
  uint64_t refused = 0, others = 0;
  random_seed(&f.random, seed);
  f.kind = kind;
  for (int c = 0; c < CASES; c++) {
    f.n = 1 + random_below(&f.random, c % 10 ? 9 : ZONE_MAX - 1);
    f.count = 1 + random_below(&f.random, MAX_ZONES);
    begin(&f, c % 3 ? 5 : 500);
    for (uint32_t i = 0; i < f.count; i++) {
      probe_make(&f.probe, kind, f.zones[i].d, f.n, &f.bounds);
      const Sketch own = sketch_probe(&f.legend, &f.probe);
      assert_int_equal(own.supply, f.sketches[i].supply);
      assert_int_equal(own.demand, f.sketches[i].demand);
      assert_true(kind == PROBE_ALU || own.supply == own.demand);
      for (uint32_t j = 0; j < f.count; j++) {
        const bool is_refused = f.sketches[j].demand & ~own.supply;
        const bool is_covered = covers(&f, &f.zones[i], &f.zones[j]);
        assert_false(is_refused && is_covered);
        refused += is_refused;
        others += !is_covered;
      }
    }
    check_sift(&f, &f.sketches[0], false);
    check_sift(&f, &f.sketches[0], true);
    mem_release(&f.mem);
  }
  return (double)refused / (double)others;
}

static void test_alu(void **state) {
  (void)state;
  assert_true(run(PROBE_ALU, 1) > 0.8);
}

static void test_inclusion(void **state) {
  (void)state;
  assert_true(run(PROBE_INCLUSION, 2) > 0.8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alu),
      cmocka_unit_test(test_inclusion),
  };
  return cmocka_run_group_tests_name("sketch", tests, NULL, NULL);
}
