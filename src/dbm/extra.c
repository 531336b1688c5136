// Extrapolation in two steps: enlarge entries, then tighten what became loose (BBLP06).
//
// Enlarging. All four rules have the same shape. Every row i > 0 has a ceiling, above which an
// entry becomes infinite, every column j a floor, to which a smaller entry rises:
//
//   Extra_LU:   ceiling_i = (<=, L_i)                        floor_j = (<, -U_j)
//   Extra_LU+:  ceiling_i = (<=, L_i), or -infinity          floor_j = infinity if x_j > U_j in
//               if x_i > L_i in the whole zone                         the whole zone, else none
//
// "x > c in the whole zone" compares constants: [0][x] is (<=, -c-1) or smaller, (<, -c) is not
// enough. A missing L gives the ceiling -infinity, a missing U the floor infinity. Row 0 rises to
// (<, -U_j), without U to (<=, 0) only: clocks are never negative. The M rules are the LU
// rules with L = U = M.
//
// Tightening. Call D the tight matrix and E >= D the enlarged one; closing E gives C with
// D <= C <= E, so an entry that did not rise is final. R: the rows made infinite (dead). F: the
// columns made infinite below row 0. W: the other rows with an entry that rose outside F. Then
// Floyd and Warshall's algorithm, with pivot 0 first, may leave out
//   - pivots in R, for no path leaves them, and rows in R, for the same reason;
//   - for rows outside W every pivot but 0. Outside F such a row i is final. Every path to
//     j in F ends with the edge from 0, thus C[i][j] = C[i][0] + C[0][j]; here C[i][0] = D[i][0],
//     and C[0][j] = E[0][j], since a path from 0 to j that ends with [0][j] is not shorter than
//     that edge. Pivot 0 gives just this sum;
//   - pivot 0 altogether if F is empty. A finite [i][0] is below the ceiling and bounds its
//     row (each [0][j] <= (<=, 0)), so an entry that rose there rose to floor_j. Then so did
//     [0][j], which was smaller still, and [i][0] >= (<=, 0) cannot make that sum smaller.
// For Extra_LU+ W is small: row 0 is never in it, nor a row with a finite [i][0].
#include "dbm/extra.h"

#include "base/lanes.h"
#include "dbm/rows.h"

enum { MARK_WORDS = 16, MARK_BITS = 64 * MARK_WORDS };

// A set of clocks. Clocks from MARK_BITS on are always in it: the algorithm above stays
// right with larger sets of rows and of pivots.
typedef struct Marks {
  uint64_t words[MARK_WORDS];
} Marks;

static inline void marks_add(Marks *marks, uint32_t i) {
  if (i < MARK_BITS)
    marks->words[i / 64] |= (uint64_t)1 << i % 64;
}

// The first member from i on, n if there is none.
static inline uint32_t marks_next(const Marks *marks, uint32_t i, uint32_t n) {
  for (; i < n && i < MARK_BITS; i = (i / 64 + 1) * 64) {
    const uint64_t rest = marks->words[i / 64] >> i % 64;
    if (rest)
      return i + (uint32_t)__builtin_ctzll(rest);
  }
  return i < n ? i : n;
}

// What enlarging found out.
typedef struct Looseness {
  Marks live;   // the complement of R
  Marks loose;  // W
  bool columns; // F is not empty
} Looseness;

static inline Bound ceiling(Bound zero, int32_t lower, bool plus) {
  if (lower < 0 || (plus && zero < bound_lt(-lower)))
    return INT32_MIN;
  return bound_le(lower);
}

static inline Bound floor_below_zero(Bound zero, int32_t upper, bool plus) {
  if (upper < 0 || (plus && zero < bound_lt(-upper)))
    return BOUND_INF;
  return plus ? INT32_MIN : bound_lt(-upper);
}

// Whether an entry of a piece of a row rose, entries under an infinite floor apart.
DBM_INLINE bool enlarge_piece(Bound *row, Bound ceiling, const Bound *floors, uint32_t width) {
  Lanes32 rose = {0};
  for (uint32_t b = 0; b < width; b += LANES) {
    const Lanes32 old = *(const Lanes32At *)(row + b), floor = *(const Lanes32At *)(floors + b);
    const Lanes32 high = old > ceiling, cut = (old & ~high) | (BOUND_INF & high);
    const Lanes32 low = cut < floor, raised = (cut & ~low) | (floor & low);
    rose |= (old ^ raised) & ~(floor == BOUND_INF);
    *(Lanes32At *)(row + b) = raised;
  }
  return lanes_any32(&rose);
}

// Rows 1 .. n-1, in pieces, so that the floors need little memory. The diagonal may be lost here.
DBM_CLONES static void enlarge_rows(Bound *d, uint32_t n, const int32_t *lower,
                                    const int32_t *upper, bool plus, Looseness *found) {
  enum { PIECE = 4 * LANES };
  const uint32_t stride = dbm_stride(n);
  for (uint32_t piece = 0; piece < stride; piece += PIECE) {
    const uint32_t width = stride - piece < PIECE ? stride - piece : PIECE;
    Bound floors[PIECE];
    for (uint32_t l = 0, j = piece; l < width; l++, j++) {
      floors[l] = j && j < n ? floor_below_zero(d[j], upper[j], plus) : INT32_MIN;
      found->columns |= floors[l] == BOUND_INF;
    }
    for (uint32_t i = 1; i < n; i++) {
      Bound *row = d + i * (size_t)stride + piece;
      const Bound top = ceiling(d[i], lower[i], plus);
      if (top == INT32_MIN) {
        for (uint32_t b = 0; b < width; b += LANES)
          *(Lanes32At *)(row + b) = (Lanes32){0} + BOUND_INF;
        continue;
      }
      marks_add(&found->live, i);
      if (enlarge_piece(row, top, floors, width))
        marks_add(&found->loose, i);
    }
  }
}

static void enlarge_row_zero(Bound *d, uint32_t n, const int32_t *upper, bool plus,
                             Looseness *found) {
  const size_t stride = dbm_stride(n);
  for (uint32_t j = 1; j < n; j++) {
    d[j * stride + j] = BOUND_LE_ZERO;
    if (upper[j] < 0) {
      d[j] = BOUND_LE_ZERO;
    } else if (d[j] < bound_lt(-upper[j])) {
      d[j] = bound_lt(-upper[j]);
      if (!plus)
        marks_add(&found->loose, 0);
    }
  }
}

DBM_CLONES static void tighten(Mem *mem, Bound *d, uint32_t n, const Looseness *found) {
  const size_t stride = dbm_stride(n);
  const Marks *loose = &found->loose;
  for (uint32_t i = 1; found->columns && i < n; i++) {
    Bound *row = d + i * stride;
    if (row[0] != BOUND_INF)
      rows_relax(row, d, row[0], stride, ROWS_NO_LEAST);
  }
  for (uint32_t k = marks_next(&found->live, 1, n); k < n;
       k = marks_next(&found->live, k + 1, n)) {
    mem_tick(mem);
    for (uint32_t i = marks_next(loose, 0, n); i < n; i = marks_next(loose, i + 1, n)) {
      Bound *row = d + i * stride;
      if (i != k && row[k] != BOUND_INF)
        rows_relax(row, d + k * stride, row[k], stride, ROWS_NO_LEAST);
    }
  }
}

static void extrapolate(Mem *mem, Bound *d, uint32_t n, const int32_t *lower,
                        const int32_t *upper, bool plus) {
  Looseness found = {0};
  enlarge_rows(d, n, lower, upper, plus, &found);
  enlarge_row_zero(d, n, upper, plus, &found);
  if (found.columns || marks_next(&found.loose, 0, n) < n)
    tighten(mem, d, n, &found);
  rows_paranoid(d, n);
}

void extra_lu(Mem *mem, Bound *d, uint32_t n, const int32_t *lower, const int32_t *upper) {
  extrapolate(mem, d, n, lower, upper, false);
}

void extra_lu_plus(Mem *mem, Bound *d, uint32_t n, const int32_t *lower, const int32_t *upper) {
  extrapolate(mem, d, n, lower, upper, true);
}
