// Extrapolations: coarser zones, finitely many, that keep reachability (paper keys
// BBFL03, BBLP06; see doc/notes/papers.md).
//
// Bounds of clock x: lower[x] is the largest c of a guard x > c or x >= c, upper[x] of
// x < c or x <= c; CLOCK_NO_BOUND if there is none (a negative c is as good as none: clocks are
// not negative). lower[0] = upper[0] = 0. For the M variants pass the maximum of both. All take
// and give tight non-empty matrices; they close again only if an entry changed.
#pragma once

#include "dbm/dbm.h"

#define CLOCK_NO_BOUND INT32_MIN

// With thousands of clocks they take long: they tick the Mem.
void extra_lu(Mem *, Bound *, uint32_t n, const int32_t *lower, const int32_t *upper);
void extra_lu_plus(Mem *, Bound *, uint32_t n, const int32_t *lower, const int32_t *upper);
