// Actions on packed zones against those on matrices: the same results in random walks.
#include "dbm/kernel/offsetstep.h"

#include "dbm/stored/offsetpack.h"
#include "offsets.h"

enum { MASKS = 32 };

typedef struct Masks {
  int16_t columns[MASKS], times[MASKS], becomes[MASKS], kept[MASKS];
  OffsetStepShape shape;
  OffsetStepAction action;
} Masks;

static void make_masks(Masks *masks, const Walk *next, const WalkAction *a) {
  const OffsetShape *shape = &next->shape;
  *masks = (Masks){0};
  for (uint32_t i = 0; i < shape->n; i++) {
    masks->columns[i] = (int16_t)next->columns[i];
    masks->becomes[i] = (int16_t)a->becomes[i];
  }
  for (uint32_t p = 0; p < shape->times; p++)
    masks->times[shape->first_time + p] = -1;
  for (uint32_t i = 0; i < a->action.kept_count; i++)
    masks->kept[a->kept[i]] = -1;
  masks->shape = (OffsetStepShape){masks->columns, masks->times};
  masks->action = (OffsetStepAction){masks->becomes, a->action.kept_count ? masks->kept : NULL};
}

typedef struct NodeBound {
  OffsetPack pack;
  _Alignas(64) char memory[1 << 14];
} NodeBound;

static void pack(NodeBound *room, const Walk *walk) {
  Bound low[16];
  offset_low(walk->d, &walk->shape, low);
  offsetpack_init(&room->pack, room->memory,
                  offsetpack_max(OFFSET_MAX, OFFSET_MAX, OFFSET_CLOCKS));
  offsetpack_make(&room->pack, &walk->shape, walk->d, low);
}

// The times without ceilings: only what is frozen can be behind.
static bool is_behind(const Walk *walk) {
  Bound low[16];
  offset_low(walk->d, &walk->shape, low);
  return !offset_can_meet(walk->d, &walk->shape, low, NULL, 0);
}

static OffsetStepResult expected(const Walk *next, const NodeBound *result, bool possible) {
  return !possible                         ? OFFSETSTEP_EMPTY
         : result->pack.format != PACKED_8 ? OFFSETSTEP_LARGE
         : is_behind(next)                 ? OFFSETSTEP_BEHIND
                                           : OFFSETSTEP_DONE;
}

// The same in 16 bits.
static void compare_small(const Walk *walk, const Walk *next, const WalkAction *a,
                          const Masks *masks, const NodeBound *result) {
  static _Alignas(64) int16_t from[1 << 10], to[1 << 10];
  static NodeBound room;
  int16_t instant16[MASKS];
  pack(&room, walk);
  for (uint32_t i = 0; i < offsetpack_bytes(&walk->shape, PACKED_8); i++) {
    const Bound v = packed_entry(room.pack.entries, room.pack.format, i);
    from[i] = v == BOUND_INF ? INT16_MAX : (int16_t)v;
  }
  const OffsetStepResult found =
      offsetstep_fire(to, (OffsetStepZone){&next->shape, &masks->shape}, from, &walk->shape,
                      &a->action, &masks->action, instant16, PACKED_16);
  const bool fits = result->pack.format == PACKED_8;
  const OffsetStepResult done = is_behind(next) ? OFFSETSTEP_BEHIND : OFFSETSTEP_DONE;
  assert_int_equal(found, fits ? done | OFFSETSTEP_FITS : done);
  for (uint32_t i = 0; i < offsetpack_bytes(&next->shape, PACKED_8); i++) {
    const Bound v = packed_entry(result->pack.entries, result->pack.format, i);
    assert_int_equal(to[i], v == BOUND_INF ? INT16_MAX : v);
  }
}

static void compare_step(const Walk *walk, Random *random, int *counts) {
  static Walk next;
  static NodeBound from, result;
  static Masks masks;
  static _Alignas(64) int8_t to[1 << 12];
  _Alignas(64) Bound instant[OFFSET_STRIDE], spare[OFFSET_STRIDE];
  int16_t instant16[MASKS];
  WalkAction a;
  walk_choose(&next, walk, &a, random);
  walk_anchor(&next);
  if (a.action.shift || a.action.origin)
    return;
  assert_true(offsetstep_can(&a.action, PACKED_8) && offsetstep_can(&a.action, PACKED_16));
  const bool possible = offset_instant(walk->d, &walk->shape, &a.action, instant);
  if (possible) {
    offset_fire(next.d, &next.shape, walk->d, &a.action, instant, spare);
    pack(&result, &next);
  }
  make_masks(&masks, &next, &a);
  pack(&from, walk);
  const OffsetStepResult found =
      offsetstep_fire(to, (OffsetStepZone){&next.shape, &masks.shape}, from.pack.entries,
                      &walk->shape, &a.action, &masks.action, instant16, PACKED_8);
  assert_int_equal(found, expected(&next, &result, possible));
  counts[found]++;
  if (found == OFFSETSTEP_DONE || found == OFFSETSTEP_BEHIND)
    assert_memory_equal(to, result.pack.entries, offsetpack_bytes(&next.shape, PACKED_8));
  if (possible)
    compare_small(walk, &next, &a, &masks, &result);
}

static void test_actions(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  int counts[4] = {0};
  for (int i = 0; i < 2500; i++) {
    static Walk walk;
    walk_start(&walk, &random, random_below(&random, OFFSET_CLOCKS + 1),
               1 + random_below(&random, OFFSET_TIMES));
    for (int s = 0; s < 10; s++) {
      compare_step(&walk, &random, counts);
      walk_step(&walk, &random);
    }
  }
  assert_true(counts[OFFSETSTEP_DONE] > 5000 && counts[OFFSETSTEP_EMPTY] > 500);
  assert_true(counts[OFFSETSTEP_BEHIND] > 50);
}

// Any numbers, though they are no zone: what fits is right, what does not is noticed.
static void test_large(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  int counts[4] = {0};
  for (int i = 0; i < 3000; i++) {
    static Walk walk;
    walk_start(&walk, &random, 1 + random_below(&random, OFFSET_CLOCKS), 2);
    for (int s = 0; s < 4; s++)
      walk_step(&walk, &random);
    const int32_t max = random_between(&random, 10, 126);
    for (uint32_t r = 0; r < walk.shape.row_count; r++)
      for (uint32_t j = 0; j < walk.shape.n; j++) {
        Bound *entry = &walk.d[walk.rows[r] * walk.shape.stride + j];
        if (*entry != BOUND_INF)
          *entry = random_between(&random, -max, max);
      }
    compare_step(&walk, &random, counts);
  }
  assert_true(counts[OFFSETSTEP_DONE] > 100 && counts[OFFSETSTEP_LARGE] > 20);
}

static void test_can(void **state) {
  (void)state;
  const OffsetLink large = {0, bound_le(9000)}, small = {0, bound_le(7000)};
  const uint32_t origin[1] = {0};
  const int32_t shift[1] = {0};
  assert_true(offsetstep_can(&(OffsetAction){.in = &small, .in_count = 1}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){.in = &small, .in_count = 1}, PACKED_16));
  assert_false(offsetstep_can(&(OffsetAction){.in = &large, .in_count = 1}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){.out = &large, .out_count = 1}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){.origin = origin}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){.shift = shift}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){.between_count = 1}, PACKED_8));
  assert_false(offsetstep_can(&(OffsetAction){0}, PACKED_32));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_actions), cmocka_unit_test(test_large),
                                     cmocka_unit_test(test_can)};
  return cmocka_run_group_tests_name("offset8", tests, NULL, NULL);
}
