#include "engine/frame.h"

size_t frame_bytes(uint32_t n, uint32_t k) {
  const uint32_t padded = dbm_stride(k);
  return (n + 2 + 3 * padded) * sizeof(uint32_t) + 2 * padded * sizeof(int16_t) +
         2 * (padded + 8) * sizeof(int8_t);
}

void frame_init(Frame *frame, Arena *arena, uint32_t n, uint32_t k) {
  const uint32_t padded = dbm_stride(k);
  uint32_t *words = arena_alloc(arena, frame_bytes(n, k));
  frame->clocks = words;
  frame->lower = (int32_t *)(words + padded);
  frame->upper = (int32_t *)(words + 2 * padded);
  frame->packed.twice_lower = (int16_t *)(words + 3 * padded);
  frame->packed.use = frame->packed.twice_lower + padded;
  frame->packed.twice_lower8 = (int8_t *)(frame->packed.use + padded);
  frame->packed.use8 = frame->packed.twice_lower8 + padded + 8;
  frame->position = (uint32_t *)(void *)(frame->packed.use8 + padded + 8);
  frame->numbers = frame->position + n;
  frame->packed.lower = frame->lower;
  frame->packed.upper = frame->upper;
  frame->k = 1;
}

void frame_set_all(Frame *frame, uint32_t n) {
  for (uint32_t x = 0; x < n; x++) {
    frame->clocks[x] = frame->position[x] = x;
    frame->lower[x] = frame->upper[x] = x ? CLOCK_NO_BOUND : 0;
  }
  frame->k = n;
  packed_bounds(&frame->packed, n);
}

void frame_set(Frame *frame, uint32_t n, const int32_t *lower, const int32_t *upper, bool is_m) {
  uint32_t k = 1;
  frame->lower[0] = frame->upper[0] = 0;
  for (uint32_t x = 1; x < n; x++) {
    const int32_t most = lower[x] > upper[x] ? lower[x] : upper[x];
    const bool matters = most != CLOCK_NO_BOUND;
    frame->position[x] = matters ? k : FRAME_NONE;
    if (!matters)
      continue;
    frame->clocks[k] = x;
    frame->lower[k] = is_m ? most : lower[x];
    frame->upper[k] = is_m ? most : upper[x];
    k++;
  }
  frame->k = k;
  packed_bounds(&frame->packed, k);
}
