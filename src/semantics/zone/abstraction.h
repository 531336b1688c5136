// Abstractions: what their names (search/options.h) mean for zones, in global and in local time.
#pragma once

#include "analysis/clockbounds.h"
#include "dbm/stored/probe.h"
#include "model/query.h"
#include "search/options.h"
#include "semantics/zone/activeclocks.h"

ProbeKind abstraction_covering(Abstraction); // how zones are compared
// Both bounds of a clock are the larger one.
bool abstraction_is_maximal(Abstraction);
void abstraction_apply(Abstraction, Mem *, Bound *zone,
                       const ActiveClocks *); // if it is an extra-*

// Constraints on differences of clocks (analysis/diagonals.h): with `knows_diagonals` the
// simulations alu and am take them into account, with bounds for the whole model or for
// locations. Every extrapolation by clock bounds is unsound with them (Bouyer 2004), and so are
// simulations that do not know them: then such a model is searched on plain zones or not at all.
// `goal` may be NULL.
bool abstraction_is_sound(Abstraction, const Net *, const Goal *, bool knows_diagonals);
// The abstraction of options, for an engine, which must never make an unsound space. False with
// an error.
bool abstraction_admits(const Options *, const Net *, const Goal *, bool knows_diagonals,
                        Report *);

// The largest of all bounds of n clocks, at least 0.
int32_t abstraction_max(const ClockBounds *, uint32_t n);
