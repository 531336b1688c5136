// Minimal form of zones: the fewest constraints that imply the whole matrix (paper key LLPY97),
// as a string of bits. Equal zones have equal strings.
//
// Clocks whose differences are fixed form a class. A clock that is not the first of its class is
// a *member*; the string gives only the first clock of its class and the distance from it.
// Between first clocks there are no cycles of length zero, so the set of constraints that do not
// follow from others is unique. The constraints x >= 0, which every zone satisfies, are left out.
//
// The string, of fields as in dbm/stored/bits.h, the last byte filled up with zeros:
//   width 5         bits of a bound
//   is_matrix 1     which of the shapes below is shorter
//   is_closed 1     no bound is strict: constants instead of bounds
//   has_members 1   if so:
//     width 5         bits of a distance
//     flags n - 1     is clock 1, 2, ... a member?
//     members         each the number of its first clock (b) and its distance, signed
//   count 2b        of constraints
//   shape           matrix: r * r flags; else for each row a one per constraint, then a zero
//   constraints     by rows: the column (b) unless the shape is a matrix, and the bound, signed
// The r first clocks are numbered in their order; b is the number of bits of r - 1.
//
// Blocks of strings must have MINIMAL_SLACK readable bytes after the last one.
#pragma once

#include "dbm/stored/probe.h"

enum { MINIMAL_SLACK = 8 };

// Room to work in; laid out by minimal_init (aligned to DBM_ALIGN).
typedef struct MinimalScratch {
  Bound *work;       // a matrix, over the first clocks
  Bound *row;        // two rows
  Constraint *list;  // between first clocks, by number
  ClockId *firsts;   // clocks by number
  ClockId *origin;   // per clock: the number of its first one
  int32_t *distance; // from there
} MinimalScratch;

// For zones of up to n clocks.
size_t minimal_scratch_bytes(uint32_t n);
void minimal_init(MinimalScratch *, void *memory, uint32_t n);

// Writes a tight non-empty zone in range, at most minimal_max_bytes(n); returns how many.
size_t minimal_make(MinimalScratch *, void *to, const Bound *zone, uint32_t n);
size_t minimal_max_bytes(uint32_t n);
// The tight matrix; its padding is what a clock's column could hold.
void minimal_read(MinimalScratch *, Bound *zone, uint32_t n, const void *from);
