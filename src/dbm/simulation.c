// The test of Herbreteau, Srivathsan, Walukiewicz (HSW12). `small` is not included in
// a_LU(big) iff there are clocks x, y (0 among them) with
//
//   (1) small[0][x] >= (<=, -U_x)              some valuation of small has x <= U_x,
//   (2) big[y][x] < small[y][x]                which big cannot follow as it is,
//   (3) big[y][x] + (<, -L_y) < small[0][x]    nor with y lowered to just above L_y.
//
// A clock without U never serves as x, one without L never as y.
#include "dbm/simulation.h"

#include "dbm/rows.h"

// One block of columns x. A column that fails (1), or is padding, gets a target that no sum in
// (3) is below. (1) is turned round to `U_x >= ...`, which is right for CLOCK_NO_BOUND too; (2)
// is false where big is infinite, so that (3) needs no care for infinity.
DBM_INLINE bool block_fails(const Bound *big, const Bound *small, uint32_t n, uint32_t block,
                            const int32_t *lower, const int32_t *upper) {
  const size_t stride = dbm_stride(n);
  Bound targets[DBM_LANES];
  for (uint32_t l = 0, x = block; l < DBM_LANES; l++, x++)
    targets[l] = x < n && upper[x] >= (2 - small[x]) >> 1 ? small[x] : INT32_MIN;
  int32_t lanes[DBM_LANES] = {0};
  for (size_t y = 0; y < n; y++) {
    if (lower[y] < 0)
      continue;
    const Bound *b = big + y * stride + block, *s = small + y * stride + block;
    const Bound sink = bound_lt(-lower[y]);
    DBM_WHOLE for (size_t l = 0; l < DBM_LANES; l++) {
      lanes[l] |= (b[l] < s[l]) & ((b[l] & ~1) + sink < targets[l]);
    }
  }
  return rows_any(lanes, DBM_LANES);
}

DBM_CLONES static bool fails(const Bound *big, const Bound *small, uint32_t n,
                             const int32_t *lower, const int32_t *upper) {
  for (uint32_t block = 0; block < n; block += DBM_LANES)
    if (block_fails(big, small, n, block, lower, upper))
      return true;
  return false;
}

bool simulation_alu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                    const int32_t *upper) {
  return !fails(big, small, n, lower, upper);
}

// The universal zone has (<=, 0) in row 0, so that (1) holds for every x with U >= 0, and
// infinity elsewhere: what is left of (2) and (3) is a clock x that cannot be 0, or a clock y for
// which y - x is at most L_y.
bool simulation_alu_is_true(const Bound *zone, uint32_t n, const int32_t *lower,
                            const int32_t *upper) {
  const size_t stride = dbm_stride(n);
  for (uint32_t x = 0; x < n; x++) {
    if (upper[x] < 0)
      continue;
    if (zone[x] < BOUND_LE_ZERO)
      return false;
    for (size_t y = 1; y < n; y++)
      if (y != x && lower[y] != CLOCK_NO_BOUND && zone[y * stride + x] <= bound_le(lower[y]))
        return false;
  }
  return true;
}

bool simulation_closure_lu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                           const int32_t *upper) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++)
      if (x != y &&
          simulation_closure_lu_fails(big[y * stride + x], small[y * stride + x], big[y], big[x],
                                      small[x], y, lower[y], upper[y], lower[x], upper[x]))
        return false;
  return true;
}

static bool can_exceed(Bound max, int32_t bound) { return bound < 0 || max > bound_le(bound); }

// The result is closed as the zone is: for clocks i, k, j with finite entries (i, k) and (k, j)
// of the hull, neither i nor k can be above L. (i, k) is at least that of the zone, (k, j) that
// of the zone or that of (k, 0), less U_j; so their sum is at least (i, j), formed in the same
// way.
void simulation_alu_hull(Bound *hull, const Bound *zone, uint32_t n, const int32_t *lower,
                         const int32_t *upper) {
  const uint32_t stride = dbm_stride(n);
  dbm_copy(hull, zone, n);
  for (uint32_t j = 1; j < n; j++) {
    if (!can_exceed(zone[j * stride], upper[j]))
      continue;
    const Bound sunk = upper[j] < 0 ? BOUND_LE_ZERO : bound_lt(-upper[j]);
    for (uint32_t i = 0; i < n; i++) {
      const Bound max = bound_sum(zone[i * stride], sunk);
      if (i != j && max > hull[i * stride + j])
        hull[i * stride + j] = max;
    }
  }
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = 0; j < n && can_exceed(zone[i * stride], lower[i]); j++)
      if (i != j)
        hull[i * stride + j] = BOUND_INF;
}
