// Symmetries in local time. A permutation of the processes permutes their local times, and the
// moments of the resources (analysis/components.h) along with the variables that they stand for.
//
// What local time asks of an action, beyond global time, depends on what the action reads and
// writes. So a symmetry of the network is one of local time if it permutes the resources, and
// edges access the images of what their preimages access (doc/notes/symmetry.md).
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "semantics/local/localfiring.h"

// Those of the families that are symmetries of local time.
Symmetry localrename_restrict(const Symmetry *, Arena *, const Net *);

// As the functions of Time.
bool localrename_current(Zones *, LocVector *to);
const StoredZone *localrename_opened(Zones *);
