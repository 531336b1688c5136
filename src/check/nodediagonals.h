// Diagonals in certificates: constraints x - y <= c on differences of clocks. A node may list
// some (NodeBounds.diagonals). It then stands for the valuations u for which its zone has a point
// v such that v simulates u for L and U, and v meets every listed constraint that u meets.
// Differences do not change with time.
//
// So the node sees a test of a difference if it lists it. After a transition, v still simulates
// u, for the list of the covering node, if each constraint of that list, carried back over the
// updates,
//   - is listed by the source, too, or
//   - compares at most one clock, within L or U, or
//   - holds for all such v, or for no u that meets the tests of the transition.
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
