// Symmetries in local time. A permutation of the processes also permutes their local times, and
// the moments of the resources (analysis/resources.h) of the variables that it moves.
//
// Local time asks more of an action than global time, depending on what the action reads and
// writes. So a symmetry of the network is a symmetry of local time if it permutes the resources
// and each edge accesses the images of the resources that its preimage accesses
// (doc/notes/symmetry.md).
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "semantics/local/localfiring.h"

// Those of the families that are symmetries of local time.
Symmetry localrename_restrict(const Symmetry *, Arena *, const Net *);

// As the functions of Time.
bool localrename_current(Zones *, LocVector *to);
const StoredZone *localrename_opened(Zones *);
