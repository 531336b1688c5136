// Covering modulo a_LU and constraints on differences of clocks (Gastin, Mukherjee, Srivathsan,
// paper key GMS19): v' simulates v if it does so for L and U (dbm/simulation.h) and meets each
// constraint of a list that v meets. Differences do not change with time, so nothing more is
// asked.
//
// A zone is covered by another if each of its points is simulated by a point of the other. With
// one constraint c, `big` covers `small` iff
//   the part of `small` in c is covered by the part of `big` in c, and
//   the part of `small` outside of c is covered by `big`,
// where both tests use the remaining constraints. So the test splits the zones, but only where it
// has to: a constraint that no point of `small` meets, or that all of `big` meets, needs no
// split.
#pragma once

#include "dbm/simulation.h"

typedef struct DiagonalCover {
  Mem *mem; // that is ticked: there can be 2^count parts
  uint32_t n;
  const int32_t *lower, *upper; // as in dbm/extra.h
  const Constraint *list;       // on differences of two clocks
  uint32_t count;
} DiagonalCover;

// Whether a constraint can fail for the zones, given single entries of them: `back` is the bound
// on x_j - x_i of small, `bound` that on x_i - x_j of big.
static inline bool diagonalcover_matters(Constraint c, Bound back, Bound bound) {
  return bound > c.bound && bound_sum(back, c.bound) >= BOUND_LE_ZERO;
}

// Bytes of the room for the matrices of the parts.
size_t diagonalcover_bytes(uint32_t n, uint32_t count);

// Whether `big` covers `small`: tight, non-empty zones. False also where bounds of parts would
// leave the range (dbm_in_range). `scratch` is aligned as matrices are.
bool diagonalcover_holds(const DiagonalCover *, const Bound *big, const Bound *small,
                         void *scratch);
