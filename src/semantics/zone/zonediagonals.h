// Covering where diagonals matter (analysis/diagonals.h): first the test modulo a_LU, which is
// necessary, then that of dbm/diagonalcover.h.
#pragma once

#include "semantics/zone/time.h"

// Finds the differences that matter, if there are any and the abstraction depends on them; false,
// with an error in the report, if they have no bound.
bool zonediagonals_find(Zones *, Report *);
static inline const Diagonals *zonediagonals_sets(const Zones *zones) { // NULL: there are none
  return zones->covering.diagonals.is_on ? &zones->covering.diagonals.diagonals : NULL;
}

// Whether the current node's state has differences that matter.
static inline bool zonediagonals_are_needed(const Zones *zones) {
  return zones->covering.diagonals.is_on && zones->vector->setting->diagonals.count;
}

// Whether the zone of a probe, the current one, is covered by a zone of the table, or with
// `covers` covers it, given that it is so modulo a_LU.
bool zonediagonals_agree(Zones *, const Probe *, ZoneRef, bool covers);
// Whether the current zone, as a matrix, covers every valuation.
bool zonediagonals_are_true(Zones *, const Bound *zone);
