// Zones with bounds of 64 bits: the textbook operations on difference bound matrices, without
// vectors and without padding. Engine wide (semantics/wide/wide.h) works on them. They are
// written apart from dbm/dbm.h, so that the tests can compare the two.
//
// Representation: as dbm/bound.h and dbm/dbm.h say, but a bound has 64 bits and row i of a matrix
// of dimension n begins at i * n. Matrices are tight and not empty unless said otherwise.
//
// Range: constants of tests and updates are at most 2^48 (NET_MAX_WIDE). In a matrix in range
// (widezone_in_range) finite entries are within +-2^58. One operation adds up three of these
// numbers at most, so that it stays below 2^60, which as a bound is 2^61 and less than WIDE_INF:
// nothing wraps. Callers check the range after each operation that can make entries larger.
#pragma once

#include "model/expr/code.h"

typedef int64_t WideBound;

#define WIDE_INF ((WideBound)1 << 62)
#define WIDE_LE_ZERO ((WideBound)1)
#define WIDE_MAX ((int64_t)1 << 58)

static inline WideBound widezone_bound(int64_t constant, bool strict) {
  return constant * 2 + !strict;
}
static inline size_t widezone_bytes(uint32_t n) { return sizeof(WideBound) * n * n; }

void widezone_zero(WideBound *, uint32_t n); // every clock is 0
void widezone_universal(WideBound *, uint32_t n);
bool widezone_in_range(const WideBound *, uint32_t n);

// Intersects with a test; false if nothing is left.
bool widezone_constrain(WideBound *, uint32_t n, const ClockTest *);
void widezone_up(WideBound *, uint32_t n); // time passes
// x := y + constant; false, and nothing is done, if that could be negative.
bool widezone_update(WideBound *, uint32_t n, const ClockUpdate *);
void widezone_free(WideBound *, uint32_t n, ClockIndex x); // any value >= 0

// Extrapolates (paper key BBLP06): Extra_LU+ with `plus`, else Extra_LU; with equal bounds these
// are Extra_M+ and Extra_M. Bounds below 0 are none; those of clock 0 are 0.
void widezone_extrapolate(WideBound *, uint32_t n, const int64_t *lower, const int64_t *upper,
                          bool plus);
bool widezone_includes(const WideBound *big, const WideBound *small, uint32_t n);
// Whether `small` is included in a_LU(big) (paper key HSW12).
bool widezone_simulates(const WideBound *big, const WideBound *small, uint32_t n,
                        const int64_t *lower, const int64_t *upper);
