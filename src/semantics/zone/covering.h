// Covering: which of the zones of a discrete state cover the current one, or are covered by it.
// Zones are compared as they are (global time) or by their synchronised zones (local time).
#pragma once

#include "semantics/zone/time.h"

// As the functions of Space.
uint32_t covering_find_subsumer(Space *, const uint32_t *zones, uint32_t count);
uint32_t covering_find_subsumed(Space *, const uint32_t *zones, uint32_t from, uint32_t count);

// A probe of the current zone, as it is compared, for the bounds of the current node.
Probe *covering_probe(Zones *);

// The first zone of the table that covers the compared zone `own` of the current node, from the
// index on; or, with `covers`, that is covered by it. `count` if there is none.
uint32_t covering_scan(Zones *, ZoneRef own, const ZoneRef *, uint32_t from, uint32_t count,
                       bool covers);

// Lets the space make sketches of compared zones.
void covering_allow_sketches(Zones *);
