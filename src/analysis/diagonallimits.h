// Diagonals that are tested, and how far they matter: for engines that cut off clock values
// beyond which no test can tell them apart (points, darts).
//
// Two valuations are alike for a group of clocks if, for each clock, the values are equal or both
// above `max`, and, for each two, the differences are equal or both above `difference`, with the
// same sign. Then the same tests hold after the same delays and updates; doc/notes/darts.md has
// the proof.
#pragma once

#include "analysis/clockbounds.h"

typedef struct DiagonalLimits {
  ClockIndex *clocks; // in some tested difference, or copied to one that is
  uint32_t count;
  bool *contains; // by clock
  int32_t difference, max;
} DiagonalLimits;

// False with an error if there are no such limits (x = y + c over and over).
bool diagonallimits_compute(DiagonalLimits *, Arena *, const Net *, const Goal *goal,
                            const ClockBounds *, Report *);
