// A small exact linear program: are there x >= 0 with A x <= b, where some rows are strict?
//
// The tableau has integers only: all entries have one common denominator, the last pivot, and
// each pivot divides by the one before without a remainder (Edmonds 1967; entries are minors of
// A). Rows of runs have the coefficients -1, 0 and 1, and minors of them are small, so 64 bits
// are enough; if an entry outgrows them, the program gives up and says so. A floating-point
// solver would find solutions that have to be made exact, and could not show that no solution
// exists.
//
// Strict rows share a variable: A x + e <= b, e <= 1, and e is made positive.
#pragma once

#include "base/mem.h"
#include "base/vec.h"

typedef struct SimplexRow { // coefficients [0 .. columns), in Simplex.entries
  int64_t bound;
  bool is_strict;
} SimplexRow;

typedef struct Simplex {
  Mem *mem;
  uint32_t columns; // variables
  VEC(SimplexRow) rows;
  VEC(int8_t) entries;
  VEC(int64_t) values; // after simplex_solve: numerators
  int64_t denominator;
} Simplex;

typedef enum SimplexResult { SIMPLEX_NONE, SIMPLEX_SOLVED, SIMPLEX_GAVE_UP } SimplexResult;

void simplex_init(Simplex *, Mem *, uint32_t columns);
// Adds the row sum of row[k] * x_k <= bound, or <.
void simplex_add(Simplex *, const int8_t *row, int64_t bound, bool is_strict);
SimplexResult simplex_solve(Simplex *);
