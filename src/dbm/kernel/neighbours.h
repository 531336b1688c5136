// SPEED: a third of the instructions of Fischer 80, reduced by symmetry. Without it (MODE=plain):
// semantics/zone/reduce.c compares entry by entry.
//
// Finds neighbouring clocks of a packed matrix whose entries agree, apart from the entries
// between the two. Such clocks can be exchanged without looking at the rest. All pairs of
// neighbours are tested at once, because their columns lie side by side in each row.
#pragma once

#include "dbm/stored/packed.h"

// For clocks p and p + 1 of a matrix of k clocks: rows[p] is not 0 if their rows differ in a
// column other than p and p + 1; columns[p], if their columns differ in another row. The arrays
// have room for neighbours_room(k); `spare` is for a row.
static inline size_t neighbours_room(uint32_t k) { return (size_t)k + 32; }
void neighbours_find(const void *entries, PackedFormat, uint32_t k, uint16_t *rows,
                     uint16_t *columns, int16_t *spare);
