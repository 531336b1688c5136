// Verification of symmetries: synchronisations. They are compared as multisets of participants
// with their events, weak and strong, with the channel. The order of participants may differ only
// if their updates do not depend on each other.
#pragma once

#include "analysis/symmetry/verifier.h"

// Whether the permutation maps the synchronisations of the network to themselves.
bool syncs_match(Verifier *);
