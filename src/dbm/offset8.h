// Actions on local zones packed in 8 bits (dbm/offsetpack.h): what dbm/offset.h does on matrices,
// in one pass from packed rows to packed rows, computed in 16 bits. Most zones of most models
// fit.
#ifndef TARN_DBM_OFFSET8_H
#define TARN_DBM_OFFSET8_H

#include "dbm/offset.h"

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

// Whether an action can be done here at all: no variable gets another's value, no difference of
// clocks is tested, and constants are not too large.
bool offset8_can(const OffsetAction *);

typedef enum Offset8Result {
  OFFSET8_DONE,
  OFFSET8_EMPTY,
  OFFSET8_BEHIND, // done, but frozen times cannot be synchronised
  OFFSET8_LARGE,  // the result does not fit into 8 bits
} Offset8Result;

// Both bodies are minima and rows; `to` has room for offset8_stride more bytes.
typedef struct Offset8Zone {
  const OffsetShape *shape;
  const Offset8Shape *masks;
} Offset8Zone;

Offset8Result offset8_fire(int8_t *to, Offset8Zone, const int8_t *from, const OffsetShape *,
                           const OffsetAction *, const Offset8Action *, int16_t *instant);

#endif
