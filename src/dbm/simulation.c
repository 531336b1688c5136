// The test of Herbreteau, Srivathsan, Walukiewicz (HSW12). `small` is not included in
// a_LU(big) iff there are clocks x, y (0 among them) with
//
//   (1) small[0][x] >= (<=, -U_x)              some valuation of small has x <= U_x,
//   (2) big[y][x] < small[y][x]                which big cannot follow as it is,
//   (3) big[y][x] + (<, -L_y) < small[0][x]    nor by lowering y to just above L_y.
//
// A clock without U never serves as x, one without L never as y.
#include "dbm/simulation.h"

#include "dbm/clones.h"

// One row y. (1) is turned round to `U_x >= ...`, which is right for CLOCK_NO_BOUND too; (2) is
// false where big is infinite, so that (3) needs no care for infinity.
DBM_INLINE bool row_fails(const Bound *big, const Bound *small, const Bound *zero, uint32_t n,
                          int32_t lower, const int32_t *upper) {
  int found = 0;
  for (uint32_t x = 0; x < n; x++)
    found |= (upper[x] >= (2 - zero[x]) >> 1) & (big[x] < small[x]) &
             (bound_sum_finite(big[x], bound_lt(-lower)) < zero[x]);
  return found;
}

DBM_CLONES static bool fails(const Bound *big, const Bound *small, uint32_t n,
                             const int32_t *lower, const int32_t *upper) {
  const size_t stride = dbm_stride(n);
  for (size_t y = 0; y < n; y++)
    if (lower[y] != CLOCK_NO_BOUND &&
        row_fails(big + y * stride, small + y * stride, small, n, lower[y], upper))
      return true;
  return false;
}

bool simulation_alu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                    const int32_t *upper) {
  return !fails(big, small, n, lower, upper);
}
