// Cutting a matrix to 16 bits: shared by dbm/packed.c and dbm/step.c, inlined into their clones.
#ifndef TARN_DBM_CUT_H
#define TARN_DBM_CUT_H

#include "dbm/bound.h"
#include "dbm/lanes.h"

// Cuts a tight matrix to 16 bits, rows without padding; false if that loses something. Rows
// are written whole, each over the padding of the one before; behind the last there is room.
// Small entries need a look in row 0 only: [i][j] >= [0][j] - [0][i] >= [0][j].
DBM_INLINE bool cut_rows(int16_t *image, const Bound *zone, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  Lanes32 lost = {0};
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes32 valid = index < (int32_t)(k - b);
    Lanes32 outside = *(const Lanes32At *)(zone + b) < -32767;
    for (uint32_t y = 0; y < k; y++) {
      const Lanes32 v = *(const Lanes32At *)(zone + y * stride + b);
      outside |= (v > 32765) ^ (v == BOUND_INF);
    }
    lost |= outside & valid;
  }
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes32 v = *(const Lanes32At *)(zone + y * stride + b);
      *(Lanes16At *)(image + y * k + b) = __builtin_convertvector(v, Lanes16);
    }
  return !lanes_any32(&lost);
}

#endif
