#include "engine/frame.h"

void frame_init(Frame *frame, Arena *arena, uint32_t n) { frame_init_sized(frame, arena, n, n); }

void frame_init_sized(Frame *frame, Arena *arena, uint32_t n, uint32_t k) {
  const uint32_t padded = dbm_stride(k);
  frame->clocks = ARENA_ARRAY(arena, ClockId, padded);
  frame->position = ARENA_ARRAY(arena, uint32_t, n);
  frame->numbers = ARENA_ARRAY(arena, uint32_t, 2);
  frame->lower = ARENA_ARRAY(arena, int32_t, padded);
  frame->upper = ARENA_ARRAY(arena, int32_t, padded);
  frame->packed = (PackedBounds){.twice_lower = ARENA_ARRAY(arena, int16_t, padded),
                                 .use = ARENA_ARRAY(arena, int16_t, padded),
                                 .twice_lower8 = ARENA_ARRAY(arena, int8_t, padded + 8),
                                 .use8 = ARENA_ARRAY(arena, int8_t, padded + 8),
                                 .lower = frame->lower,
                                 .upper = frame->upper};
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
