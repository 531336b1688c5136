// Zones as difference bound matrices: numbers only, nothing here allocates.
//
// Representation: clock 0 is the constant zero. A matrix of dimension n (clock 0 included) has n
// rows of dbm_stride(n) bounds, row major; entry [i][j] bounds x_i - x_j. Columns n .. stride-1
// are padding, so that the kernels process whole vectors. Padding is BOUND_INF or a value that
// the column of a clock could hold, so sums there do not overflow. Operations treat it like other
// columns (infinite padding stays infinite); no result depends on it. Matrices are best aligned
// to DBM_ALIGN bytes.
//
// Invariant of a *tight* matrix (dbm_is_tight): the diagonal is (<=, 0), every entry is the
// strongest bound implied ([i][j] <= [i][k] + [k][j]), and x_j >= 0 for every clock. Unless said
// otherwise operations take tight non-empty matrices and give tight ones; those that can
// make the zone empty return false then, and leave the matrix unspecified.
//
// Range: in a matrix in range (dbm_in_range), a constraint x <= c or x >= c, an assignment or a
// shift by c moves the limits by at most |c|. So one check after a few operations with constants
// far below BOUND_MAX is enough. A diagonal constraint can triple the entries: check after each
// one.
#pragma once

#include "base/mem.h"
#include "dbm/bound.h"

#include <stddef.h>

enum { DBM_LANES = 8, DBM_ALIGN = 32 };

typedef uint32_t ClockId;

// x_i - x_j within `bound`.
typedef struct Constraint {
  ClockId i, j;
  Bound bound;
} Constraint;

static inline uint32_t dbm_stride(uint32_t n) {
  return (n + DBM_LANES - 1) / DBM_LANES * DBM_LANES;
}
static inline size_t dbm_bytes(uint32_t n) { return sizeof(Bound) * n * dbm_stride(n); }

void dbm_zero(Bound *, uint32_t n);      // every clock is 0
void dbm_universal(Bound *, uint32_t n); // every clock is >= 0
void dbm_copy(Bound *to, const Bound *from, uint32_t n);

// Whether the zone meets x_i - x_j <= bound, by one look: the bound for x_j - x_i decides.
static inline bool dbm_meets(const Bound *d, uint32_t n, Constraint c) {
  const Bound back = d[c.j * dbm_stride(n) + c.i];
  return bound_sum(back, c.bound) >= BOUND_LE_ZERO;
}

// Intersects with one constraint, O(n^2) when it cuts, O(1) when it does not. i != j. Ticks the
// Mem: thousands of clocks take long.
bool dbm_constrain(Mem *, Bound *, uint32_t n, Constraint);
// Intersects with several. Cheap tests first: false before any change if a single
// constraint misses the zone. Stops after a diagonal that leaves the range.
bool dbm_constrain_all(Mem *, Bound *, uint32_t n, const Constraint *, uint32_t count);

void dbm_up(Bound *, uint32_t n); // let time pass
// The same where some clocks stand still, clock 0 among them: the smallest zone that includes
// what can be. How far apart a running clock and one that stands still are is no longer known,
// from above.
void dbm_up_some(Bound *, uint32_t n, const bool *stands_still);
void dbm_down(Bound *, uint32_t n);                             // the past of the zone
void dbm_assign(Bound *, uint32_t n, ClockId x, int32_t value); // x := value >= 0
// x := y + c. The caller makes sure that the result is not negative (y + c >= 0 in the
// whole zone). x may be y.
void dbm_assign_clock(Bound *, uint32_t n, ClockId x, ClockId y, int32_t c);
void dbm_free(Bound *, uint32_t n, ClockId x); // forget x: any value >= 0

// Makes an arbitrary matrix in range tight (clocks become >= 0, the diagonal (<=, 0)), O(n^3);
// false if empty. Never wraps; with huge constants the result may be out of range, and is not
// tight then.
bool dbm_close(Bound *, uint32_t n);
// Cuts a closed zone by upper bounds of clocks, by index (BOUND_INF: none); it stays closed.
// False if nothing is left, and then the matrix has no meaning.
bool dbm_cut_above(Bound *, uint32_t n, const Bound *most);

// The smallest zone that includes both: the larger of both bounds in each entry, which is tight.
void dbm_join(Bound *, const Bound *other, uint32_t n);

bool dbm_equal(const Bound *, const Bound *, uint32_t n);
bool dbm_includes(const Bound *big, const Bound *small, uint32_t n); // small is a subset of big
bool dbm_is_tight(const Bound *, uint32_t n);
bool dbm_is_universal(const Bound *, uint32_t n);
// Every finite entry within +-BOUND_MAX.
bool dbm_in_range(const Bound *, uint32_t n);
// Whether the point (times `scale`, so that halves can be written as integers) is in the
// zone. point[0] is 0. Works on matrices that are not tight.
bool dbm_contains(const Bound *, uint32_t n, const int64_t *point, int64_t scale);
