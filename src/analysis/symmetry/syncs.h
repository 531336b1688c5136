// Verifies symmetries of synchronisations. A synchronisation is compared as a multiset of
// participants: their events, weak or strong, and the channel. The order of participants may
// differ only if their updates do not depend on each other.
#pragma once

#include "analysis/symmetry/verifier.h"

// Whether the permutation maps the synchronisations of the network to themselves.
bool syncs_match(Verifier *);
