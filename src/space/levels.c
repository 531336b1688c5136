#include "space/levels.h"

#include "dbm/stored/packed.h"

#include <string.h>

struct Levels {
  uint32_t k;          // active clocks, clock 0 included
  PackedBounds packed; // with lower and upper; entry 0 is 0
};

// Where a clock of the target comes from. A way is a list of them, by clock; as clock 0 comes
// from nowhere, the first one has the number of clocks of the source instead.
typedef struct Origin {
  uint32_t clock;
  int32_t offset;
} Origin;

static const Levels *levels_at(const LevelTable *table, LevelsRef ref) {
  return table->levels.items[ref - 1];
}

void levels_init(LevelTable *table, Mem *mem, uint32_t n) {
  *table = (LevelTable){.mem = mem, .arena = {.mem = mem}};
  intern_init(&table->vectors, mem);
  intern_init(&table->ways, mem);
  table->joins = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->backs = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->scratch = ARENA_ARRAY(&table->arena, int32_t, 2 * n);
}

void levels_release(LevelTable *table) {
  intern_release(&table->vectors);
  intern_release(&table->ways);
  vec_release(table->mem, &table->levels);
  arena_release(&table->arena);
}

static void add_levels(LevelTable *table, uint32_t k, const int32_t *lower,
                       const int32_t *upper) {
  Arena *arena = &table->arena;
  const uint32_t padded = dbm_stride(k);
  Levels *levels = ARENA_NEW(arena, Levels);
  int32_t *copy = ARENA_ARRAY(arena, int32_t, 2 * padded);
  memcpy(copy, lower, k * sizeof *copy);
  memcpy(copy + padded, upper, k * sizeof *copy);
  levels->k = k;
  levels->packed = (PackedBounds){.lower = copy, .upper = copy + padded};
  packed_bounds_init(&levels->packed, arena_alloc(arena, packed_bounds_bytes(k, false)), k,
                     false);
  packed_bounds(&levels->packed, k);
  vec_push(table->mem, &table->levels, levels);
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
  if (ref > table->levels.size)
    add_levels(table, k, lower, upper);
  return ref;
}

LevelsRef levels_find(LevelTable *table, uint32_t k, const int32_t *lower, const int32_t *upper) {
  memcpy(table->scratch, lower, k * sizeof *lower);
  memcpy(table->scratch + k, upper, k * sizeof *upper);
  return find_scratch(table, k);
}

bool levels_is(const LevelTable *table, LevelsRef ref, const int32_t *lower,
               const int32_t *upper) {
  const Levels *levels = levels_at(table, ref);
  const size_t bytes = (levels->k - 1) * sizeof *lower; // entry 0 does not matter
  return !memcmp(levels->packed.lower + 1, lower + 1, bytes) &&
         !memcmp(levels->packed.upper + 1, upper + 1, bytes);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static LevelsMemo *memo_at(LevelsMemo *memos, uint32_t a, uint32_t b) {
  return &memos[(a * 0x9e3779b1u + b * 0x85ebca6bu) >> 16 & (LEVELS_MEMO - 1)];
}

static LevelsRef join(LevelTable *table, LevelsRef a, LevelsRef b) {
  const Levels *one = levels_at(table, a), *two = levels_at(table, b);
  int32_t *lower = table->scratch, *upper = lower + one->k;
  for (uint32_t x = 1; x < one->k; x++) {
    lower[x] = larger(one->packed.lower[x], two->packed.lower[x]);
    upper[x] = larger(one->packed.upper[x], two->packed.upper[x]);
  }
  return find_scratch(table, one->k);
}

LevelsRef levels_join(LevelTable *table, LevelsRef a, LevelsRef b) {
  if (!a || !b || a == b)
    return a ? a : b;
  LevelsMemo *memo = memo_at(table->joins, a, b);
  if (memo->a != a || memo->b != b)
    *memo = (LevelsMemo){a, b, join(table, a, b)};
  return memo->result;
}

static int32_t less(int32_t bound, int32_t offset) {
  return bound < offset ? CLOCK_NO_BOUND : bound - offset;
}

static LevelsRef back(LevelTable *table, LevelsRef target, WayRef way) {
  const Levels *levels = levels_at(table, target);
  const Origin *origins = table->ways.items.items[way - 1].bytes;
  const uint32_t source_k = origins[0].clock;
  int32_t *lower = table->scratch, *upper = lower + source_k;
  for (uint32_t x = 1; x < source_k; x++)
    lower[x] = upper[x] = CLOCK_NO_BOUND;
  for (uint32_t i = 1; i < levels->k; i++) {
    const Origin from = origins[i];
    if (!from.clock)
      continue;
    lower[from.clock] = larger(lower[from.clock], less(levels->packed.lower[i], from.offset));
    upper[from.clock] = larger(upper[from.clock], less(levels->packed.upper[i], from.offset));
  }
  return find_scratch(table, source_k);
}

LevelsRef levels_back(LevelTable *table, LevelsRef target, WayRef way) {
  if (!target)
    return 0;
  LevelsMemo *memo = memo_at(table->backs, target, way);
  if (memo->a != target || memo->b != way)
    *memo = (LevelsMemo){target, way, back(table, target, way)};
  return memo->result;
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
  return &levels_at(table, ref)->packed;
}
