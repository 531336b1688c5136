// Packed local zones: what is written is read back, in every format; covering against the
// a_LU test on the synchronised zones.
#include "dbm/synced.h"

#include "dbm/simulation.h"
#include "offsets.h"

#include <stdlib.h>

enum { PAIR = 2 };

typedef struct Fixture {
  Random random;
  SyncedProbe probe;
  _Alignas(64) char memory[1 << 16];
  int32_t lower[16], upper[16];
  int16_t twice[16], has[16], use[16];
  SyncedBounds bounds;
  _Alignas(64) char body[1 << 14];
} Fixture;

static void choose_bounds(Fixture *f, uint32_t clocks) {
  for (uint32_t x = 0; x < clocks; x++) {
    f->lower[x] = random_below(&f->random, 5) ? random_between(&f->random, 0, 9) : CLOCK_NO_BOUND;
    f->upper[x] = random_below(&f->random, 5) ? random_between(&f->random, 0, 9) : CLOCK_NO_BOUND;
  }
  f->bounds = (SyncedBounds){.twice_lower = f->twice,
                             .has_lower = f->has,
                             .use = f->use,
                             .lower = f->lower,
                             .upper = f->upper};
  synced_bounds(&f->bounds, clocks);
}

// Zones of one discrete state: the same processes are frozen.
static bool same_kind(const Walk *a, const Walk *b) {
  return !memcmp(a->frozen, b->frozen, sizeof a->frozen);
}

static bool make_probe(Fixture *f, ProbeKind kind, const Walk *walk) {
  f->probe.kind = kind;
  f->probe.shape = &walk->shape;
  f->probe.bounds = &f->bounds;
  f->probe.has_high = true;
  if (!offset_minima(walk->d, &walk->shape, f->probe.low, f->probe.high))
    return false;
  if (kind == PROBE_INCLUSION)
    offset_synchronise(f->probe.zone, walk->d, &walk->shape, f->probe.low, f->probe.high);
  synced_make(&f->probe, walk->d);
  return true;
}

static bool expected(Fixture *f, ProbeKind kind, const Walk *big, const Walk *small) {
  static Bound zones[PAIR][16 * 16];
  Bound low[16], high[16];
  int32_t lower[17] = {0}, upper[17] = {0};
  const uint32_t k = big->shape.clocks + 1;
  for (int i = 0; i < PAIR; i++) {
    const Walk *walk = i ? small : big;
    assert_true(offset_minima(walk->d, &walk->shape, low, high));
    offset_synchronise(zones[i], walk->d, &walk->shape, low, high);
  }
  memcpy(lower + 1, f->lower, (k - 1) * sizeof *lower);
  memcpy(upper + 1, f->upper, (k - 1) * sizeof *upper);
  return kind == PROBE_ALU ? simulation_alu(zones[0], zones[1], k, lower, upper)
                           : dbm_includes(zones[0], zones[1], k);
}

// The stored zone is `other`; the probe's is `walk`.
static void compare(Fixture *f, ProbeKind kind, const Walk *walk, const Walk *other, int *yes) {
  if (!make_probe(f, kind, other))
    return;
  const PackedFormat least = synced_format(&f->probe);
  for (PackedFormat format = least; format <= PACKED_32; format++) {
    assert_true(make_probe(f, kind, other));
    synced_write(&f->probe, f->body, format);
    if (!make_probe(f, kind, walk))
      return;
    const bool covered = expected(f, kind, other, walk), covers = expected(f, kind, walk, other);
    assert_int_equal(synced_covered(&f->probe, f->body, 1, format), !covered);
    assert_int_equal(synced_covers(&f->probe, f->body, 0, 1, format), !covers);
    *yes += covered + covers;
  }
}

static void test_covering(void **state) {
  Fixture *f = *state;
  random_seed(&f->random, 1);
  int yes = 0;
  static Walk walks[40];
  for (int i = 0; i < 250; i++) {
    const uint32_t clocks = random_below(&f->random, OFFSET_CLOCKS + 1);
    const uint32_t times = 1 + random_below(&f->random, 3);
    choose_bounds(f, clocks);
    synced_init(&f->probe, f->memory, OFFSET_MOST, OFFSET_MOST, OFFSET_CLOCKS);
    walk_start(&walks[0], &f->random, clocks, times);
    for (int w = 1; w < 40; w++) {
      walks[w] = walks[w - 1 - (int)random_below(&f->random, (uint32_t)w)];
      walks[w].shape.rows = walks[w].rows;
      walks[w].shape.elapsed = walks[w].elapsed;
      walk_step(&walks[w], &f->random);
      const Walk *other = &walks[random_below(&f->random, (uint32_t)w)];
      if (same_kind(other, &walks[w]))
        compare(f, random_below(&f->random, 4) ? PROBE_ALU : PROBE_INCLUSION, &walks[w], other,
                &yes);
    }
  }
  assert_true(yes > 1000);
}

static void test_read_back(void **state) {
  Fixture *f = *state;
  random_seed(&f->random, 2);
  for (int i = 0; i < 400; i++) {
    static Walk walk, copy;
    const uint32_t clocks = random_below(&f->random, OFFSET_CLOCKS + 1);
    choose_bounds(f, clocks);
    synced_init(&f->probe, f->memory, OFFSET_MOST, OFFSET_MOST, OFFSET_CLOCKS);
    walk_start(&walk, &f->random, clocks, 2);
    for (int s = 0; s < 6; s++)
      walk_step(&walk, &f->random);
    const ProbeKind kind = random_below(&f->random, 2) ? PROBE_ALU : PROBE_INCLUSION;
    if (!make_probe(f, kind, &walk))
      continue;
    for (PackedFormat format = synced_format(&f->probe); format <= PACKED_32; format++) {
      synced_write(&f->probe, f->body, format);
      copy = walk;
      memset(copy.d, 0, sizeof copy.d);
      synced_read(copy.d, kind, &walk.shape, true, f->body, format);
      for (uint32_t r = 0; r < walk.shape.row_count; r++)
        assert_memory_equal(copy.d + walk.rows[r] * walk.shape.stride,
                            walk.d + walk.rows[r] * walk.shape.stride,
                            walk.shape.n * sizeof(Bound));
    }
  }
}

static int setup(void **state) {
  *state = aligned_alloc(64, (sizeof(Fixture) + 63) / 64 * 64);
  memset(*state, 0, sizeof(Fixture));
  return 0;
}

static int teardown(void **state) {
  free(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_covering),
                                     cmocka_unit_test(test_read_back)};
  return cmocka_run_group_tests_name("synced", tests, setup, teardown);
}
