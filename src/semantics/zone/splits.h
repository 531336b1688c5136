// Covering where differences of clocks matter (analysis/differences.h): after the test modulo
// a_LU, which is necessary, the one of dbm/splitting.h.
#ifndef TARN_ZONE_SPLITS_H
#define TARN_ZONE_SPLITS_H

#include "semantics/zone/time.h"

// Finds the differences that matter, if there are any and the abstraction depends on them; false,
// with an error in the report, if they have no bound.
bool splits_find(Zones *, Report *);
static inline const Differences *splits_differences(const Zones *zones) { // NULL: there are none
  return zones->covering.splits.is_on ? &zones->covering.splits.differences : NULL;
}

// Whether the current node's state has differences that matter.
static inline bool splits_are_needed(const Zones *zones) {
  return zones->covering.splits.is_on && zones->vector->setting->differences.count;
}

// Whether the zone of a probe, the current one, is covered by a zone of the table, or with
// `covers` covers it, given that it is so modulo a_LU.
bool splits_agree(Zones *, const Probe *, ZoneRef, bool covers);
// Whether the current zone, as a matrix, covers every valuation.
bool splits_are_true(Zones *, const Bound *zone);

#endif
