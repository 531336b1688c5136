// SPEED: a sixth of the instructions of critical-region 3 in local time. Without it (MODE=plain):
// dbm/offset.h.
//
// Actions on packed local zones (dbm/stored/offsetpack.h). They do what dbm/offset.h does on
// matrices, in one pass from packed rows to packed rows. Rows have 8 or 16 bits per entry; the
// kernel computes in 16 bits.
#pragma once

#include "dbm/offset.h"
#include "dbm/stored/packed.h"

enum { OFFSETSTEP_MAX16 = 8191 }; // of entries in 16 bits, so that sums fit

// Vectors of 16: rows are handled up to this many entries, and read and written that far.
static inline uint32_t offsetstep_stride(uint32_t n) { return (n + 15) / 16 * 16; }

// Masks of -1 and 0, padded to offsetstep_stride with 0.
typedef struct OffsetStepShape {
  const int16_t *columns; // as OffsetShape
  const int16_t *times;   // the local times of the processes
} OffsetStepShape;

typedef struct OffsetStepAction {
  const int16_t *becomes, *kept; // as OffsetAction; kept is NULL if there are none
} OffsetStepAction;

// Whether an action can be done here at all, in this format: no variable gets another's value, no
// difference of clocks is tested, and constants are not too large.
bool offsetstep_can(const OffsetAction *, PackedFormat);

typedef enum OffsetStepResult {
  OFFSETSTEP_DONE,
  OFFSETSTEP_EMPTY,
  OFFSETSTEP_BEHIND, // done, but frozen times cannot be synchronised
  OFFSETSTEP_LARGE,  // the result does not fit into the format
  OFFSETSTEP_FITS,   // a bit with the first and the third: of 16 bits 8 would do
} OffsetStepResult;

typedef struct OffsetStepZone {
  const OffsetShape *shape;
  const OffsetStepShape *masks;
} OffsetStepZone;

// Both zones, of the same format, are minima and rows; `to` has room for offsetstep_stride more.
OffsetStepResult offsetstep_fire(void *to, OffsetStepZone, const void *from, const OffsetShape *,
                                 const OffsetAction *, const OffsetStepAction *, int16_t *instant,
                                 PackedFormat);
