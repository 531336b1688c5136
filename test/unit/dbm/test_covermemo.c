// Covering tests of zones of many clocks, in a table and remembered, against the reference tests.
#include "dbm/stored/covermemo.h"

#include "base/random.h"
#include "dbm/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 80, ZONES = 12, CASES = 150, ENTRIES = MOST * MOST };

typedef struct Fixture {
  Random random;
  Mem mem;
  uint32_t n;
  int most;
  int32_t lower[MOST], upper[MOST];
  PackedBounds bounds;
  _Alignas(DBM_ALIGN) Bound zones[ZONES][ENTRIES];
  ZoneTable table;
  Probe probe;
  // The numbers of zones may be read by whole vectors.
  ZoneRef refs[ZONES + 8];
  CoverMemo *memo;
  uint32_t covered; // tests that succeeded
} Fixture;

static Constraint random_limit(Fixture *f) {
  const ClockId x = 1 + random_below(&f->random, f->n - 1);
  const int c = random_between(&f->random, 0, f->most);
  return random_below(&f->random, 2) ? (Constraint){x, 0, bound_le(c)}
                                     : (Constraint){0, x, bound_lt(-c)};
}

static void change(Fixture *f, Bound *d, uint32_t times) {
  for (uint32_t i = 0; i < times; i++) {
    const Constraint c = random_limit(f);
    switch (random_below(&f->random, 4)) {
    case 0:
      dbm_up(d, f->n);
      break;
    case 1:
      dbm_assign(d, f->n, 1 + random_below(&f->random, f->n - 1), 0);
      break;
    default:
      if (dbm_meets(d, f->n, c))
        assert_true(dbm_constrain(d, f->n, c));
    }
  }
}

// Zones that are alike: each is one before it, changed a little.
static void choose_zones(Fixture *f) {
  for (uint32_t i = 0; i < ZONES; i++) {
    Bound *d = f->zones[i];
    if (i) {
      dbm_copy(d, f->zones[random_below(&f->random, i)], f->n);
      change(f, d, 1 + random_below(&f->random, 2));
    } else {
      dbm_zero(d, f->n);
      change(f, d, 3 * f->n);
    }
    probe_make(&f->probe, PROBE_INCLUSION, d, f->n, &f->bounds);
    f->refs[i] = zonetable_add(&f->table, &f->probe);
    assert_int_equal(zonetable_find(&f->table, &f->probe), f->refs[i]);
  }
}

static void choose_bounds(Fixture *f, uint32_t number, void *room) {
  for (uint32_t x = 0; x < f->n; x++) {
    f->lower[x] =
        random_below(&f->random, 3) ? random_between(&f->random, 0, f->most) : CLOCK_NO_BOUND;
    f->upper[x] =
        random_below(&f->random, 3) ? random_between(&f->random, 0, f->most) : CLOCK_NO_BOUND;
  }
  f->lower[0] = f->upper[0] = 0;
  f->bounds = (PackedBounds){.lower = f->lower, .upper = f->upper, .number = number};
  packed_bounds_init(&f->bounds, room, f->n, false);
  packed_bounds(&f->bounds, f->n);
}

static bool is_inside(const Fixture *f, ProbeKind kind, uint32_t big, uint32_t small) {
  return kind == PROBE_INCLUSION
             ? dbm_includes(f->zones[big], f->zones[small], f->n)
             : simulation_alu(f->zones[big], f->zones[small], f->n, f->lower, f->upper);
}

// One after the other, then by scans of different lengths.
static void compare(Fixture *f, ProbeKind kind, uint32_t own) {
  Probe *probe = &f->probe;
  probe_make(probe, kind, f->zones[own], f->n, &f->bounds);
  uint32_t above = ZONES, below = ZONES; // the first ones
  for (uint32_t i = ZONES; i-- > 0;) {
    const StoredZone *zone = zonetable_at(&f->table, f->refs[i]);
    const bool is_covered = is_inside(f, kind, i, own), covers = is_inside(f, kind, own, i);
    assert_int_equal(probe_is_covered(probe, zone->entries, (PackedFormat)zone->format),
                     is_covered);
    assert_int_equal(probe_covers(probe, zone->entries, (PackedFormat)zone->format), covers);
    f->covered += is_covered;
    above = is_covered ? i : above;
    below = covers ? i : below;
  }
  const uint32_t ends[] = {ZONES, own, 3};
  for (int e = 0; e < 3; e++) {
    const uint32_t end = ends[e];
    const uint32_t first = above < end ? above : end, last = below < end ? below : end;
    assert_int_equal(zonetable_covered(&f->table, probe, f->refs, end), first);
    assert_int_equal(zonetable_covers(&f->table, probe, f->refs, 0, end), last);
    if (kind != PROBE_ALU)
      continue;
    const ZoneRef ref = f->refs[own];
    assert_int_equal(covermemo_covered(&f->table, f->memo, probe, ref, f->refs, end), first);
    assert_int_equal(covermemo_covers(&f->table, f->memo, probe, ref, f->refs, 0, end), last);
  }
}

static void many_clocks(void **state) {
  (void)state;
  static Fixture f;
  random_seed(&f.random, 1);
  zonetable_init(&f.table, &f.mem, MOST);
  f.memo = covermemo_new(&f.mem);
  void *memory = mem_alloc(&f.mem, probe_bytes(MOST) + 64);
  void *room = mem_alloc(&f.mem, packed_bounds_bytes(MOST, false));
  const int mosts[] = {5, 40, 1500, 30000};
  for (uint32_t c = 0; c < CASES; c++) {
    f.n = 9 + random_below(&f.random, c % 2 ? 40 : MOST - 8);
    f.most = mosts[c % 4];
    probe_init(&f.probe, (char *)memory + (64 - (uintptr_t)memory % 64), f.n);
    f.probe.allows_8 = random_below(&f.random, 2);
    choose_bounds(&f, c + 1, room);
    choose_zones(&f);
    for (uint32_t own = 0; own < ZONES; own++) {
      compare(&f, PROBE_INCLUSION, own);
      compare(&f, PROBE_ALU, own);
    }
  }
  assert_true(f.memo->mask > 2 << 10); // it grew
  assert_true(f.covered > 4 * CASES * ZONES && f.covered < CASES * ZONES * ZONES);
  zonetable_release(&f.table);
  mem_release(&f.mem);
}

// What does not help is given up: at once if nearly nothing is known, later if too little is.
static void given_up(void **state) {
  (void)state;
  Mem mem = {0};
  CoverMemo *memo = covermemo_new(&mem);
  assert_false(covermemo_helps(NULL));
  covermemo_count(memo, 3000, 3000);
  assert_false(covermemo_helps(memo));
  memo = covermemo_new(&mem);
  for (int i = 0; i < 3; i++)
    covermemo_count(memo, COVER_ENTRIES / 2, COVER_ENTRIES / 4);
  assert_true(covermemo_helps(memo));
  assert_int_equal(memo->mask, COVER_ENTRIES - 1);
  covermemo_count(memo, COVER_ENTRIES, COVER_ENTRIES);
  assert_false(covermemo_helps(memo));
  mem_release(&mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_clocks), cmocka_unit_test(given_up)};
  return cmocka_run_group_tests_name("covering", tests, NULL, NULL);
}
