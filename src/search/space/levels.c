#include "search/space/levels.h"

#include "dbm/stored/packed.h"

#include <string.h>

// Where a clock of the target comes from. A way is a list of them, by clock; as clock 0 comes
// from nowhere, the first one has the number of clocks of the source instead.
typedef struct Origin {
  uint32_t clock;
  int32_t offset;
} Origin;

// Active clocks of a vector, clock 0 included.
static uint32_t clocks_of(const LevelTable *table, LevelsRef ref) {
  return (uint32_t)(intern_at(&table->vectors, ref)->size / (2 * sizeof(int32_t)));
}

void levels_init(LevelTable *table, Mem *mem, uint32_t n) {
  *table = (LevelTable){.arena = {.mem = mem}};
  intern_init(&table->vectors, mem);
  intern_init(&table->ways, mem);
  table->joins = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->backs = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->scratch = ARENA_ARRAY(&table->arena, int32_t, 2 * n);
}

static const PackedBounds *make_bounds(Arena *arena, uint32_t k, const int32_t *lower,
                                       const int32_t *upper) {
  const uint32_t padded = dbm_stride(k);
  PackedBounds *packed = ARENA_NEW(arena, PackedBounds);
  int32_t *copy = ARENA_ARRAY(arena, int32_t, 2 * padded);
  memcpy(copy, lower, k * sizeof *copy);
  memcpy(copy + padded, upper, k * sizeof *copy);
  *packed = (PackedBounds){.lower = copy, .upper = copy + padded};
  packed_bounds_init(packed, arena_alloc(arena, packed_bounds_bytes(k, false)), k, false);
  packed_bounds(packed, k);
  return packed;
}

// The vector in `scratch`: both rows of k, whose entries 1 .. k-1 are set.
static LevelsRef find_scratch(LevelTable *table, uint32_t k) {
  int32_t *lower = table->scratch, *upper = lower + k;
  bool some = false;
  lower[0] = upper[0] = 0;
  for (uint32_t x = 1; x < k; x++) {
    lower[x] = lower[x] < 0 ? CLOCK_NO_BOUND : lower[x];
    upper[x] = upper[x] < 0 ? CLOCK_NO_BOUND : upper[x];
    some |= lower[x] >= 0 || upper[x] >= 0;
  }
  if (!some)
    return 0;
  const LevelsRef ref = intern_number(&table->vectors, lower, 2 * k * sizeof *lower);
  InternItem *item = intern_at(&table->vectors, ref);
  if (!item->value)
    item->value = make_bounds(&table->arena, k, lower, upper);
  return ref;
}

LevelsRef levels_find(LevelTable *table, uint32_t k, const int32_t *lower, const int32_t *upper) {
  memcpy(table->scratch, lower, k * sizeof *lower);
  memcpy(table->scratch + k, upper, k * sizeof *upper);
  return find_scratch(table, k);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// What is made of two numbers, made if it is not remembered.
static LevelsRef recall(LevelTable *table, LevelsMemo *memos, uint32_t a, uint32_t b,
                        LevelsRef (*make)(LevelTable *, uint32_t, uint32_t)) {
  LevelsMemo *memo = &memos[(a * 0x9e3779b1u + b * 0x85ebca6bu) >> 16 & (LEVELS_MEMO - 1)];
  if (memo->a != a || memo->b != b)
    *memo = (LevelsMemo){a, b, make(table, a, b)};
  return memo->result;
}

static LevelsRef join(LevelTable *table, LevelsRef a, LevelsRef b) {
  const PackedBounds *one = levels_bounds(table, a), *two = levels_bounds(table, b);
  const uint32_t k = clocks_of(table, a);
  int32_t *lower = table->scratch, *upper = lower + k;
  for (uint32_t x = 1; x < k; x++) {
    lower[x] = larger(one->lower[x], two->lower[x]);
    upper[x] = larger(one->upper[x], two->upper[x]);
  }
  return find_scratch(table, k);
}

LevelsRef levels_join(LevelTable *table, LevelsRef a, LevelsRef b) {
  if (!a || !b || a == b)
    return a ? a : b;
  return recall(table, table->joins, a, b, join);
}

static int32_t less(int32_t bound, int32_t offset) {
  return bound < offset ? CLOCK_NO_BOUND : bound - offset;
}

static LevelsRef back(LevelTable *table, LevelsRef target, WayRef way) {
  const PackedBounds *levels = levels_bounds(table, target);
  const Origin *origins = intern_at(&table->ways, way)->bytes;
  const uint32_t source_k = origins[0].clock;
  int32_t *lower = table->scratch, *upper = lower + source_k;
  for (uint32_t x = 1; x < source_k; x++)
    lower[x] = upper[x] = CLOCK_NO_BOUND;
  for (uint32_t i = 1; i < clocks_of(table, target); i++) {
    const Origin from = origins[i];
    if (!from.clock)
      continue;
    lower[from.clock] = larger(lower[from.clock], less(levels->lower[i], from.offset));
    upper[from.clock] = larger(upper[from.clock], less(levels->upper[i], from.offset));
  }
  return find_scratch(table, source_k);
}

LevelsRef levels_back(LevelTable *table, LevelsRef target, WayRef way) {
  return target ? recall(table, table->backs, target, way, back) : 0;
}

WayRef levels_way(LevelTable *table, uint32_t k, uint32_t source_k, const ClockId *origin,
                  const int32_t *offset) {
  Origin *way = (Origin *)table->scratch;
  way[0] = (Origin){source_k, 0};
  for (uint32_t i = 1; i < k; i++)
    way[i] = (Origin){origin[i], offset ? offset[i] : 0};
  return intern_number(&table->ways, way, k * sizeof *way);
}

LevelsRef levels_find_bounds(LevelTable *table, uint32_t k, const PackedBounds *bounds) {
  return levels_find(table, k, bounds->lower, bounds->upper);
}

const PackedBounds *levels_bounds(const LevelTable *table, LevelsRef ref) {
  return intern_at(&table->vectors, ref)->value;
}
