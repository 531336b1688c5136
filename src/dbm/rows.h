// The inner loops of the matrix kernels, over one padded row.
//
// The loops are written so that gcc vectorises them at -O2: the index is a size_t, and
// `stride` is visibly a multiple of DBM_LANES where they are inlined (dbm_stride, or
// DBM_LANES itself, which makes them straight code).
#pragma once

#include "base/clones.h"
#include "dbm/dbm.h"

#include <assert.h>

// Sums with this for `least` are not limited from below.
#define ROWS_NO_LEAST INT32_MIN

// row[l] = min(row[l], first + via[l]), a path that enters `via` by the finite bound `first`.
// The sum of two bounds is the sum of the constants, strict if one of them is: with `first`
// fixed that is one `and` and one addition. Sums below `least` become `least`.
DBM_INLINE void rows_relax(Bound *restrict row, const Bound *restrict via, Bound first,
                           size_t stride, Bound least) {
  const Bound even = first & ~1, keep = first | ~1;
  DBM_WHOLE for (size_t l = 0; l < stride; l++) {
    Bound sum = even + (via[l] & keep);
    sum = sum < least ? least : sum;
    sum = via[l] == BOUND_INF ? BOUND_INF : sum;
    row[l] = sum < row[l] ? sum : row[l];
  }
}

DBM_INLINE void rows_copy_shifted(Bound *restrict to, const Bound *restrict from, int32_t c,
                                  size_t stride) {
  DBM_WHOLE for (size_t l = 0; l < stride; l++) { to[l] = bound_shift(from[l], c); }
}

DBM_INLINE void rows_shift(Bound *row, int32_t c, size_t stride) {
  DBM_WHOLE for (size_t l = 0; l < stride; l++) { row[l] = bound_shift(row[l], c); }
}

// Whether a test that was collected lane by lane succeeded in one of the first `count` lanes.
// Lanes, and not one flag, so that the loops that collect have nothing to add up.
DBM_INLINE bool rows_any(const int32_t *lanes, uint32_t count) {
  int32_t any = 0;
  for (uint32_t l = 0; l < DBM_LANES && l < count; l++)
    any |= lanes[l];
  return any;
}

// MODE=paranoid: every operation checks its result, as long as no number got too large.
#ifdef TARN_PARANOID
static inline void rows_paranoid(const Bound *d, uint32_t n) {
  assert(!dbm_in_range(d, n) || dbm_is_tight(d, n));
}
#else
static inline void rows_paranoid(const Bound *d, uint32_t n) { (void)d, (void)n; }
#endif
