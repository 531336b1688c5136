// Frames: the clocks that matter in a discrete state, and their bounds.
//
// A clock that no test can look at before it is set again (both bounds missing) needs no row in
// the matrix: zones are kept and computed over the clocks of their state's frame only. Frames of
// different clocks may have the same bounds.
#ifndef TARN_ZONE_FRAME_H
#define TARN_ZONE_FRAME_H

#include "base/arena.h"
#include "dbm/stored/packed.h"
#include "model/code.h"

enum { FRAME_NONE = 0 }; // position of a clock that is not in the frame

typedef struct FrameBounds {
  int32_t *lower, *upper; // per index; CLOCK_NO_BOUND (dbm/extra.h) for none; padded
  PackedBounds packed;    // the same
  uint32_t numbers[2];    // 0 at first: where search/fly.c keeps what it finds for them
} FrameBounds;

typedef struct Frame {
  uint32_t k;         // clocks of the frame, clock 0 included
  ClockId *clocks;    // ascending, clocks[0] = 0; padded
  uint32_t *position; // per clock of the net: its index in `clocks`, or FRAME_NONE
  FrameBounds *bounds;
} Frame;

// Bounds of k clocks, all 0.
FrameBounds *frame_new_bounds(Arena *, uint32_t k,
                              bool has_flat);         // dbm/stored/packed.h: PackedFlat
size_t frame_bounds_bytes(uint32_t k, bool has_flat); // that this takes from the arena

// A frame with memory of its own, for any clocks of a net with n of them, clock 0 included.
void frame_init(Frame *, Arena *, uint32_t n, bool has_flat);
// All clocks, without bounds.
void frame_set_all(Frame *, uint32_t n);
// The clocks with some bound in the dense arrays. With `is_m` both bounds are the larger one.
void frame_set(Frame *, uint32_t n, const int32_t *lower, const int32_t *upper, bool is_m);

// A constraint of the net over the clocks of the frame. Tested clocks are always in it.
static inline Constraint frame_translate(const Frame *frame, Constraint c) {
  return (Constraint){frame->position[c.i], frame->position[c.j], c.bound};
}
static inline Constraint frame_constraint(const Frame *frame, const ClockTest *test) {
  return (Constraint){frame->position[test->i], frame->position[test->j],
                      bound_make(test->constant, test->strict)};
}

#endif
