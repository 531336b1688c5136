// Cutting a matrix to 16 bits: shared by dbm/packed.c and dbm/step.c, inlined into their clones.
#ifndef TARN_DBM_CUT_H
#define TARN_DBM_CUT_H

#include "dbm/bound.h"
#include "dbm/lanes.h"

// Cuts the zone to 16 bits, rows without padding; false if that loses something. Rows are
// written whole, each over the padding of the one before; behind the last there is room.
DBM_INLINE bool cut_rows(int16_t *image, const Bound *zone, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  Lanes32 lost = {0};
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes32 v = *(const Lanes32At *)(zone + y * stride + b);
      // Negative unless -32767 <= v <= 32765.
      const Lanes32 outside = ((v + 32767) | (32765 - v)) & (v != BOUND_INF);
      lost |= stride == LANES ? outside : outside & (index < (int32_t)(k - b));
      *(Lanes16At *)(image + y * k + b) = __builtin_convertvector(v, Lanes16);
    }
  lost = (lost < 0) & (stride == LANES ? index < (int32_t)k : index >= 0);
  return !lanes_any32(&lost);
}

#endif
