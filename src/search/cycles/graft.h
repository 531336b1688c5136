// Puts the nodes of a search depth first (search/cycles/cycles.h) into the place of suspicious
// components (search/cycles/sccs.h), once that search has shown that there is no run.
//
// A suspicious component has a cycle through covering nodes that meets all marks and is no run. A
// search without covering from its nodes finds equal nodes only within components, none of which
// has all marks. What it leaves out is covered by a node of a component that was complete before,
// or by one from which no suspicious component can be reached. So its graph, with what is not
// suspicious, is one in which numbers never grow, and no component has all marks: a proof.
// Only what is suspicious is unfolded, not the whole graph.
#pragma once

#include "search/cycles/cycles.h"

// The search has begun in all suspicious nodes, with their references as ordinals, and with
// sccs_hopeless of these components; it has ended with CYCLES_NONE and its links are kept. Or the
// store is empty, and it has begun in the initial nodes. Both have the same space. Its nodes are
// added to the store, and suspicious ones are taken out.
void graft_nodes(Sccs *, Cycles *, const SccsRules *);
