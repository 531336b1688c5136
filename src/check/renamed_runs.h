// Compares relations under other names by running them: edges of a location that differ as texts
// (check/naming.h) are run on all values of the variables that they access.
#pragma once

#include "check/naming.h"

// Whether the edges of a location of a process that stays do the same under both names. Only
// edges that are taken alone, and few values; else false.
bool renamed_runs_agree(Prover *, const Names *, const Names *own, LocationId);
