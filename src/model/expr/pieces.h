// Pieces: a set of clock valuations as a union of disjoint conjunctions of clock tests. The
// valuations where a guard does not hold are such a set. It is needed for receivers that stay
// out, for actions of higher priority and for urgent synchronisations.
#pragma once

#include "model/expr/vm.h"

typedef VEC(uint32_t) PieceEnds;

typedef struct Pieces {
  Mem *mem;
  ClockTests tests;
  PieceEnds ends;     // of each piece: the end of its tests
  ClockTests scratch; // of the next generation
  PieceEnds scratch_ends;
  VEC(int64_t) distances; // by clock, see pieces_contradict
} Pieces;

void pieces_init(Pieces *, Mem *);

// One piece: everything.
void pieces_begin(Pieces *);
// Takes the valuations away that meet the whole conjunction. A conjunction that misses a piece
// leaves it whole. What contradicts the context, another conjunction, is left out: the pieces are
// used together with it.
void pieces_subtract(Pieces *, const ClockTest *conjunction, uint32_t count,
                     const ClockTest *context, uint32_t context_count);

static inline uint32_t pieces_first(const Pieces *pieces, uint32_t piece) {
  return piece ? pieces->ends.items[piece - 1] : 0;
}
static inline const ClockTest *pieces_at(const Pieces *pieces, uint32_t piece, uint32_t *count) {
  const uint32_t first = pieces_first(pieces, piece);
  *count = pieces->ends.items[piece] - first;
  return pieces->tests.items + first;
}

ClockTest pieces_negate(ClockTest);

// Whether no valuation meets both lists. Exact: looks for a negative cycle of differences.
bool pieces_contradict(Pieces *, const ClockTest *, uint32_t count, const ClockTest *more,
                       uint32_t more_count);
