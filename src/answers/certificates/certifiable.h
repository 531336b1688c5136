// Finds the symmetries and dead variables that a certificate can use: those that the independent
// checker (check/renaming.h, check/forgotten.h) accepts, too.
#pragma once

#include "analysis/forget.h"
#include "analysis/symmetry/symmetry.h"
#include "check/renaming.h"
#include "model/query.h"

// The families that the checker accepts for this goal (NULL: none), in the arena.
Symmetry certifiable_restrict(const Symmetry *, Arena *, const Net *, const Goal *);

// The family as the checker reads it from a certificate.
RenamedFamily certifiable_family(const Family *, Arena *, const Net *);

// The slots that are dead, by location, in the arena, if the checker accepts them for this goal.
// NULL: there are none, or nodes would have to list differences of clocks as well.
const ForgetList *certifiable_dead(const Net *, Arena *, const Query *, const Goal *);
