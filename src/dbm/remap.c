#include "dbm/remap.h"

#include "base/lanes.h"
#include "dbm/rows.h"

DBM_INLINE void gather_rows(Bound *restrict to, uint32_t k, size_t stride,
                            const Bound *restrict from, size_t from_stride,
                            const ClockId *restrict origin) {
  for (uint32_t i = 0; i < k; i++) {
    const Bound *row = from + origin[i] * from_stride;
    for (size_t j = 0; j < stride; j++)
      to[i * stride + j] = row[origin[j]];
  }
}

// Rows of one vector: a permutation of its lanes.
DBM_CLONES static void gather_narrow(Bound *to, uint32_t k, const Bound *from,
                                     const ClockId *origin) {
  const Lanes32 index = *(const Lanes32At *)origin;
  for (uint32_t i = 0; i < k; i++) {
    const Lanes32 row = *(const Lanes32At *)(from + origin[i] * LANES);
    *(Lanes32At *)(to + i * LANES) = LANES_PERMUTE(row, index);
  }
}

DBM_CLONES static void gather_wide(Bound *to, uint32_t k, const Bound *from, uint32_t n,
                                   const ClockId *origin) {
  gather_rows(to, k, dbm_stride(k), from, dbm_stride(n), origin);
}

static void shift_clock(Bound *d, uint32_t k, ClockId x, int32_t c) {
  const size_t stride = dbm_stride(k);
  rows_shift(d + x * stride, c, stride);
  for (size_t i = 0; i < k; i++)
    d[i * stride + x] = bound_shift(d[i * stride + x], -c);
}

void dbm_remap(Bound *to, uint32_t k, const Bound *from, uint32_t n, const ClockId *origin,
               const int32_t *offset) {
  if (k <= DBM_LANES && n <= DBM_LANES)
    gather_narrow(to, k, from, origin);
  else
    gather_wide(to, k, from, n, origin);
  for (uint32_t x = 1; offset && x < k; x++)
    if (offset[x])
      shift_clock(to, k, x, offset[x]);
  rows_paranoid(to, k);
}
