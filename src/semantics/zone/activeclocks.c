#include "semantics/zone/activeclocks.h"

#include "dbm/extra.h"

ActiveBounds *activeclocks_new_bounds(Arena *arena, uint32_t k, bool has_entry_bounds) {
  const uint32_t padded = dbm_stride(k);
  ActiveBounds *bounds = arena_alloc(arena, sizeof *bounds + 2 * padded * sizeof(int32_t) +
                                                packed_bounds_bytes(k, has_entry_bounds));
  PackedBounds *packed = &bounds->packed;
  bounds->lower = (int32_t *)(bounds + 1);
  bounds->upper = bounds->lower + padded;
  packed_bounds_init(packed, bounds->upper + padded, k, has_entry_bounds);
  packed->lower = bounds->lower;
  packed->upper = bounds->upper;
  return bounds;
}

// One clock more, as activeclocks_set writes behind the last one.
void activeclocks_init(ActiveClocks *active, Arena *arena, uint32_t n) {
  active->clocks = ARENA_ARRAY(arena, ClockId, dbm_stride(n + 1));
  active->position = ARENA_ARRAY(arena, uint32_t, n);
  active->bounds = activeclocks_new_bounds(arena, n + 1, false);
  active->k = 1;
}

void activeclocks_set(ActiveClocks *active, uint32_t n, const int32_t *lower,
                      const int32_t *upper, const bool *needed, bool is_m) {
  int32_t *own_lower = active->bounds->lower, *own_upper = active->bounds->upper;
  uint32_t k = 1;
  for (uint32_t x = 1; x < n; x++) {
    const int32_t max = lower[x] > upper[x] ? lower[x] : upper[x];
    const bool matters = max != CLOCK_NO_BOUND || needed[x];
    active->position[x] = matters ? k : ACTIVE_NONE;
    active->clocks[k] = x;
    own_lower[k] = is_m ? max : lower[x];
    own_upper[k] = is_m ? max : upper[x];
    k += matters;
  }
  active->k = k;
}
