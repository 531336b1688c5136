// Inclusion of a zone in a non-convex abstraction of another, without building it: one
// O(n^2) pass over two tight plain zones. Bounds as in dbm/extra.h.
//
// simulation_alu(big, small): small is included in a_LU(big) (paper key HSW12). With lower ==
// upper == M it is a_M, which equals Closure_M (paper key HKSW11): Theorem 5 there makes the same
// comparisons as the test for a_M.
//
// simulation_closure_lu(big, small): small is included in Closure_M(Extra_LU+(big)), M the larger
// of L and U (HKSW11, Theorem 6): finer than a_LU, coarser than Extra_LU+.
//
// These are the reference versions on unpacked matrices; the store scans packed ones
// (dbm/stored/packed.h) and is tested against them.
#pragma once

#include "dbm/extra.h"

bool simulation_alu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                    const int32_t *upper);
// Whether every valuation is included in a_LU(zone): simulation_alu with the universal zone.
bool simulation_alu_is_true(const Bound *zone, uint32_t n, const int32_t *lower,
                            const int32_t *upper);
bool simulation_closure_lu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                           const int32_t *upper);

// A zone that contains a_LU(zone): the least one that a look at two clocks at a time gives. u in
// a_LU(zone) is simulated by some v in the zone: for each clock u = v, or L < v < u, or U < u <
// v. So a clock that can be above L can be anything above; one that can be above U can sink to U.
void simulation_alu_hull(Bound *hull, const Bound *zone, uint32_t n, const int32_t *lower,
                         const int32_t *upper);

// One entry of the second test, for the pair y, x: big and small are their entries [y][x];
// big_y, big_x and small_x the entries [0][y], [0][x] of row 0. True if it shows that small is
// not included. Entry 0 of both bounds is 0.
static inline bool simulation_closure_lu_fails(Bound big, Bound small, Bound big_y, Bound big_x,
                                               Bound small_x, uint32_t y, int32_t lower_y,
                                               int32_t upper_y, int32_t lower_x,
                                               int32_t upper_x) {
  const int32_t max_x = lower_x > upper_x ? lower_x : upper_x;
  const int32_t max_y = lower_y > upper_y ? lower_y : upper_y;
  if (max_x < 0 || small_x < bound_le(-max_x))
    return false;
  if (!y) { // row 0 of Extra_LU+ rises to (<, -U_x), without U to (<=, 0)
    const Bound raised = upper_x < 0 ? BOUND_LE_ZERO : bound_lt(-upper_x);
    return (big < raised ? raised : big) < small;
  }
  // An entry that Extra_LU+ makes infinite shows nothing.
  if (lower_y < 0 || big > bound_le(lower_y) || big_y < bound_lt(-lower_y))
    return false;
  if (upper_x < 0 || big_x < bound_lt(-upper_x))
    return false;
  return big < small && big <= 2 * max_y + ((small_x - 1) | 1);
}
