// Partial order reduction in the space of zones: where time stands still, in a node or in a part
// of it, only the transitions of a stubborn set of processes (analysis/stubborn.h) are fired.
// LMMS20 do so where all of the node is still. doc/notes/partial-order.md has the rules and their
// proof.
#pragma once

#include "semantics/zone/time.h"

// Reduces the search of a space of global time, before it begins; the net and the goal have no
// obstacle (analysis/footprint.h).
void partialorder_attach(Zones *);

// What a certificate says of a node that leaves out transitions.
typedef struct PartialClaim {
  unsigned reason; // CERTIFY_STILL_..., 0: none is left out
  ProcessId process;
  ClockIndex clock;
  const bool *in; // by process: transitions of these are not left out
} PartialClaim;

bool partialorder_is_attached(const Space *);
// Before a certificate is written: the reduction is no longer given up.
void partialorder_begin_proof(Space *);
// Instead of it, if nothing was left out: the certificate has all successors.
void partialorder_end(Space *);
// Of the opened node; it holds until the next one is opened.
PartialClaim partialorder_claim(const Space *);
