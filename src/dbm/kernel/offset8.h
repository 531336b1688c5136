// SPEED: a sixth of the instructions of critical-region 3 in local time. Without it (MODE=plain):
// dbm/offset.h.
//
// Actions on packed local zones (dbm/stored/offsetpack.h): what dbm/offset.h does on matrices, in
// one pass from packed rows to packed rows of 8 bits, or of 16, computed in 16 bits.
#ifndef TARN_DBM_KERNEL_OFFSET8_H
#define TARN_DBM_KERNEL_OFFSET8_H

#include "dbm/offset.h"
#include "dbm/stored/packed.h"

enum { OFFSET16_MOST = 8191 }; // of entries in 16 bits, so that sums fit

// Vectors of 16: rows are handled up to this many entries, and read and written that far.
static inline uint32_t offset8_stride(uint32_t n) { return (n + 15) / 16 * 16; }

// Masks of -1 and 0, padded to offset8_stride with 0.
typedef struct Offset8Shape {
  const int16_t *columns; // as OffsetShape
  const int16_t *times;   // the local times of the processes
} Offset8Shape;

typedef struct Offset8Action {
  const int16_t *becomes, *kept; // as OffsetAction; kept is NULL if there are none
} Offset8Action;

// Whether an action can be done here at all, in this format: no variable gets another's value, no
// difference of clocks is tested, and constants are not too large.
bool offset8_can(const OffsetAction *, PackedFormat);

typedef enum Offset8Result {
  OFFSET8_DONE,
  OFFSET8_EMPTY,
  OFFSET8_BEHIND, // done, but frozen times cannot be synchronised
  OFFSET8_LARGE,  // the result does not fit into the format
  OFFSET8_FITS,   // a bit with the first and the third: of 16 bits 8 would do
} Offset8Result;

typedef struct Offset8Zone {
  const OffsetShape *shape;
  const Offset8Shape *masks;
} Offset8Zone;

// Both zones, of the same format, are minima and rows; `to` has room for offset8_stride more.
Offset8Result offset8_fire(void *to, Offset8Zone, const void *from, const OffsetShape *,
                           const OffsetAction *, const Offset8Action *, int16_t *instant,
                           PackedFormat);

#endif
