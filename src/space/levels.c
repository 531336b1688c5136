#include "space/levels.h"

#include "dbm/stored/packed.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 256 };

struct Levels {
  uint32_t k;          // active clocks, clock 0 included
  PackedBounds packed; // with lower and upper; entry 0 is 0
};

static const Levels *levels_at(const LevelTable *table, LevelsRef ref) {
  return table->levels.items[ref];
}

void levels_init(LevelTable *table, Mem *mem, uint32_t n) {
  *table = (LevelTable){.mem = mem,
                        .arena = {.mem = mem},
                        .level_mask = FIRST_SLOTS - 1,
                        .way_mask = FIRST_SLOTS - 1};
  table->level_slots = mem_alloc(mem, sizeof(uint32_t) * FIRST_SLOTS);
  table->way_slots = mem_alloc(mem, sizeof(uint32_t) * FIRST_SLOTS);
  table->joins = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->backs = ARENA_ARRAY(&table->arena, LevelsMemo, LEVELS_MEMO);
  table->scratch = ARENA_ARRAY(&table->arena, int32_t, 2 * dbm_stride(n));
  vec_push(mem, &table->levels, NULL);
  vec_push(mem, &table->ways, (Way){0});
}

void levels_release(LevelTable *table) {
  mem_free(table->mem, table->level_slots);
  mem_free(table->mem, table->way_slots);
  vec_release(table->mem, &table->levels);
  vec_release(table->mem, &table->ways);
  arena_release(&table->arena);
}

static uint64_t hash_two(uint64_t seed, const void *a, const void *b, size_t bytes) {
  const uint64_t hash = XXH3_64bits_withSeed(a, bytes, seed);
  return b ? XXH3_64bits_withSeed(b, bytes, hash) : hash;
}

static uint64_t hash_levels(uint32_t k, const int32_t *lower, const int32_t *upper) {
  return hash_two(k, lower, upper, k * sizeof *lower);
}

static uint64_t hash_way(const Way *way) {
  return hash_two((uint64_t)way->source_k << 32 | way->k, way->origin, way->offset,
                  way->k * sizeof(int32_t));
}

static void insert(uint32_t *slots, uint32_t mask, uint64_t hash, uint32_t ref) {
  uint32_t at = (uint32_t)hash & mask;
  while (slots[at])
    at = (at + 1) & mask;
  slots[at] = ref;
}

static uint32_t *larger_slots(LevelTable *table, uint32_t *slots, uint32_t *mask) {
  *mask = *mask * 2 + 1;
  mem_free(table->mem, slots);
  return mem_alloc(table->mem, sizeof *slots * ((size_t)*mask + 1));
}

static void grow_levels(LevelTable *table) {
  table->level_slots = larger_slots(table, table->level_slots, &table->level_mask);
  for (uint32_t ref = 1; ref < table->levels.size; ref++) {
    const Levels *l = table->levels.items[ref];
    insert(table->level_slots, table->level_mask,
           hash_levels(l->k, l->packed.lower, l->packed.upper), ref);
  }
}

static void grow_ways(LevelTable *table) {
  table->way_slots = larger_slots(table, table->way_slots, &table->way_mask);
  for (uint32_t ref = 1; ref < table->ways.size; ref++)
    insert(table->way_slots, table->way_mask, hash_way(&table->ways.items[ref]), ref);
}

static LevelsRef add_levels(LevelTable *table, uint32_t k, const int32_t *lower,
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
  return table->levels.size - 1;
}

// The vector in `scratch`, whose entries 1 .. k-1 are set.
static LevelsRef find_scratch(LevelTable *table, uint32_t k) {
  int32_t *lower = table->scratch, *upper = lower + dbm_stride(k);
  bool some = false;
  lower[0] = upper[0] = 0;
  for (uint32_t x = 1; x < k; x++) {
    lower[x] = lower[x] < 0 ? CLOCK_NO_BOUND : lower[x];
    upper[x] = upper[x] < 0 ? CLOCK_NO_BOUND : upper[x];
    some |= lower[x] >= 0 || upper[x] >= 0;
  }
  if (!some)
    return 0;
  if (table->levels.size > table->level_mask / 2)
    grow_levels(table);
  const uint64_t hash = hash_levels(k, lower, upper);
  uint32_t at = (uint32_t)hash & table->level_mask;
  for (; table->level_slots[at]; at = (at + 1) & table->level_mask) {
    const Levels *l = table->levels.items[table->level_slots[at]];
    if (l->k == k && !memcmp(l->packed.lower, lower, k * sizeof *lower) &&
        !memcmp(l->packed.upper, upper, k * sizeof *upper))
      return table->level_slots[at];
  }
  return table->level_slots[at] = add_levels(table, k, lower, upper);
}

LevelsRef levels_find(LevelTable *table, uint32_t k, const int32_t *lower, const int32_t *upper) {
  memcpy(table->scratch, lower, k * sizeof *lower);
  memcpy(table->scratch + dbm_stride(k), upper, k * sizeof *upper);
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
  int32_t *lower = table->scratch, *upper = lower + dbm_stride(one->k);
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

static LevelsRef back(LevelTable *table, LevelsRef target, WayRef ref) {
  const Levels *levels = levels_at(table, target);
  const Way *way = &table->ways.items[ref];
  int32_t *lower = table->scratch, *upper = lower + dbm_stride(way->source_k);
  for (uint32_t x = 1; x < way->source_k; x++)
    lower[x] = upper[x] = CLOCK_NO_BOUND;
  for (uint32_t i = 1; i < way->k; i++) {
    const ClockId x = way->origin[i];
    const int32_t offset = way->offset ? way->offset[i] : 0;
    if (!x)
      continue;
    lower[x] = larger(lower[x], less(levels->packed.lower[i], offset));
    upper[x] = larger(upper[x], less(levels->packed.upper[i], offset));
  }
  return find_scratch(table, way->source_k);
}

LevelsRef levels_back(LevelTable *table, LevelsRef target, WayRef way) {
  if (!target)
    return 0;
  LevelsMemo *memo = memo_at(table->backs, target, way);
  if (memo->a != target || memo->b != way)
    *memo = (LevelsMemo){target, way, back(table, target, way)};
  return memo->result;
}

static bool same_way(const Way *a, const Way *b) {
  const size_t bytes = a->k * sizeof(int32_t);
  if (a->k != b->k || a->source_k != b->source_k || !a->offset != !b->offset)
    return false;
  return !memcmp(a->origin, b->origin, bytes) &&
         (!a->offset || !memcmp(a->offset, b->offset, bytes));
}

WayRef levels_way(LevelTable *table, uint32_t k, uint32_t source_k, const ClockId *origin,
                  const int32_t *offset) {
  Way way = {k, source_k, origin, offset};
  if (table->ways.size > table->way_mask / 2)
    grow_ways(table);
  uint32_t at = (uint32_t)hash_way(&way) & table->way_mask;
  for (; table->way_slots[at]; at = (at + 1) & table->way_mask)
    if (same_way(&table->ways.items[table->way_slots[at]], &way))
      return table->way_slots[at];
  ClockId *origins = ARENA_ARRAY(&table->arena, ClockId, k);
  memcpy(origins, origin, k * sizeof *origin);
  way.origin = origins;
  if (offset) {
    int32_t *offsets = ARENA_ARRAY(&table->arena, int32_t, k);
    memcpy(offsets, offset, k * sizeof *offset);
    way.offset = offsets;
  }
  vec_push(table->mem, &table->ways, way);
  return table->way_slots[at] = table->ways.size - 1;
}

LevelsRef levels_find_bounds(LevelTable *table, uint32_t k, const PackedBounds *bounds) {
  return levels_find(table, k, bounds->lower, bounds->upper);
}

const PackedBounds *levels_bounds(const LevelTable *table, LevelsRef ref) {
  return &levels_at(table, ref)->packed;
}
