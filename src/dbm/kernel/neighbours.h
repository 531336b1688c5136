// SPEED: a third of the instructions of Fischer 80, reduced by symmetry. Without it (MODE=plain):
// semantics/zone/reduce.c compares entry by entry.
//
// Neighbouring clocks of a packed matrix whose entries are all the same, but for those between
// the two: they can be exchanged without a look at the rest. All pairs of neighbours at once, as
// their columns lie side by side in each row.
#pragma once

#include "dbm/stored/packed.h"

// For clocks p and p + 1 of a matrix of k clocks: rows[p] is not 0 if their rows differ in a
// column other than p and p + 1; columns[p], if their columns differ in another row. The arrays
// have room for neighbours_room(k); `spare` is for a row.
static inline size_t neighbours_room(uint32_t k) { return (size_t)k + 32; }
void neighbours_find(const void *entries, PackedFormat, uint32_t k, uint16_t *rows,
                     uint16_t *columns, int16_t *spare);
