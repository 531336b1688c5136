#include "zone/activeclocks.h"

size_t activeclocks_bounds_bytes(uint32_t k, bool has_entry_bounds) {
  const uint32_t padded = dbm_stride(k);
  return sizeof(ActiveBounds) + 2 * padded * sizeof(int32_t) +
         packed_bounds_bytes(k, has_entry_bounds);
}

ActiveBounds *activeclocks_new_bounds(Arena *arena, uint32_t k, bool has_entry_bounds) {
  const uint32_t padded = dbm_stride(k);
  ActiveBounds *bounds = arena_alloc(arena, activeclocks_bounds_bytes(k, has_entry_bounds));
  PackedBounds *packed = &bounds->packed;
  bounds->lower = (int32_t *)(bounds + 1);
  bounds->upper = bounds->lower + padded;
  packed_bounds_init(packed, bounds->upper + padded, k, has_entry_bounds);
  packed->lower = bounds->lower;
  packed->upper = bounds->upper;
  return bounds;
}

void activeclocks_init(ActiveClocks *active, Arena *arena, uint32_t n, bool has_entry_bounds) {
  active->clocks = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  active->position = ARENA_ARRAY(arena, uint32_t, n);
  active->bounds = activeclocks_new_bounds(arena, n, has_entry_bounds);
  active->k = 1;
}

void activeclocks_set_all(ActiveClocks *active, uint32_t n) {
  for (uint32_t x = 0; x < n; x++) {
    active->clocks[x] = active->position[x] = x;
    active->bounds->lower[x] = active->bounds->upper[x] = x ? CLOCK_NO_BOUND : 0;
  }
  active->k = n;
  packed_bounds(&active->bounds->packed, n);
}

void activeclocks_set(ActiveClocks *active, uint32_t n, const int64_t *lower,
                      const int64_t *upper, const bool *needed, bool is_m) {
  ActiveBounds *bounds = active->bounds;
  uint32_t k = 1;
  bounds->lower[0] = bounds->upper[0] = 0;
  for (uint32_t x = 1; x < n; x++) {
    const int64_t most = lower[x] > upper[x] ? lower[x] : upper[x];
    const bool matters = most != CLOCK_NO_BOUND || (needed && needed[x]);
    active->position[x] = matters ? k : ACTIVE_NONE;
    if (!matters)
      continue;
    active->clocks[k] = x;
    bounds->lower[k] = code_narrow(is_m ? most : lower[x]);
    bounds->upper[k] = code_narrow(is_m ? most : upper[x]);
    k++;
  }
  active->k = k;
  packed_bounds(&bounds->packed, k);
}
