// Finds the symmetries that a certificate can use: those that the independent checker
// (check/renaming.h) accepts, too.
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "check/renaming.h"
#include "model/query.h"

// The families that the checker accepts for this goal (NULL: none), in the arena.
Symmetry certifiable_restrict(const Symmetry *, Arena *, const Net *, const Goal *);

// The family as the checker reads it from a certificate.
RenamedFamily certifiable_family(const Family *, Arena *, const Net *);
