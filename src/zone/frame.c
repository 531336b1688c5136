#include "zone/frame.h"

size_t frame_bounds_bytes(uint32_t k, bool has_flat) {
  const uint32_t padded = dbm_stride(k);
  return sizeof(FrameBounds) + 2 * padded * sizeof(int32_t) + packed_bounds_bytes(k, has_flat);
}

FrameBounds *frame_new_bounds(Arena *arena, uint32_t k, bool has_flat) {
  const uint32_t padded = dbm_stride(k);
  FrameBounds *bounds = arena_alloc(arena, frame_bounds_bytes(k, has_flat));
  PackedBounds *packed = &bounds->packed;
  bounds->lower = (int32_t *)(bounds + 1);
  bounds->upper = bounds->lower + padded;
  packed_bounds_init(packed, bounds->upper + padded, k, has_flat);
  packed->lower = bounds->lower;
  packed->upper = bounds->upper;
  return bounds;
}

void frame_init(Frame *frame, Arena *arena, uint32_t n, bool has_flat) {
  frame->clocks = ARENA_ARRAY(arena, ClockId, dbm_stride(n));
  frame->position = ARENA_ARRAY(arena, uint32_t, n);
  frame->bounds = frame_new_bounds(arena, n, has_flat);
  frame->k = 1;
}

void frame_set_all(Frame *frame, uint32_t n) {
  for (uint32_t x = 0; x < n; x++) {
    frame->clocks[x] = frame->position[x] = x;
    frame->bounds->lower[x] = frame->bounds->upper[x] = x ? CLOCK_NO_BOUND : 0;
  }
  frame->k = n;
  packed_bounds(&frame->bounds->packed, n);
}

void frame_set(Frame *frame, uint32_t n, const int32_t *lower, const int32_t *upper, bool is_m) {
  FrameBounds *bounds = frame->bounds;
  uint32_t k = 1;
  bounds->lower[0] = bounds->upper[0] = 0;
  for (uint32_t x = 1; x < n; x++) {
    const int32_t most = lower[x] > upper[x] ? lower[x] : upper[x];
    const bool matters = most != CLOCK_NO_BOUND;
    frame->position[x] = matters ? k : FRAME_NONE;
    if (!matters)
      continue;
    frame->clocks[k] = x;
    bounds->lower[k] = is_m ? most : lower[x];
    bounds->upper[k] = is_m ? most : upper[x];
    k++;
  }
  frame->k = k;
  packed_bounds(&bounds->packed, k);
}
