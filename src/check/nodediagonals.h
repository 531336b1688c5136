// Differences of clocks in certificates. A node that lists some (NodeBounds.gaps) stands for the
// valuations u that a point v of its zone simulates for L and U and, besides, u meets none of the
// listed constraints x - y <= c that v does not. Differences do not change with time.
//
// Then a test of a difference is seen by the node if it is listed. And after a transition u is
// simulated by v again, for what the covering node lists, if each constraint, as it is before the
// updates,
//   is listed by the source, too, or
//   compares one clock only, within L or U, or none, or
//   holds for every such v, or for no u that meets the tests of the transition.
#pragma once

#include "check/nodezone.h"

typedef struct DiagonalTests { // what u meets, in two lists
  const ClockTest *tests, *more;
  uint32_t count, more_count;
} DiagonalTests;

// Whether nobody who meets the tests meets this one, of a difference: by this one and two of
// them.
bool nodediagonals_contradict(const DiagonalTests *, const ClockTest *);

// Whether the listed constraints of the covering node hold for v if they hold for u, after a
// transition from `source`, the zone of those v that take it.
bool nodediagonals_carry(const NodeBounds *from, const NodeBounds *to, const Origin *,
                         const NodeBound *source, const DiagonalTests *);

// Whether each point of `small` is simulated by one of `big`, by L and U and what is listed.
bool nodediagonals_are_covered(Mem *, const NodeBound *small, const NodeBound *big,
                               const NodeBounds *);
