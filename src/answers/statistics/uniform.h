// Exact probabilities of small models with exponential delays only, by uniformisation (Jensen):
// the chain in continuous time is one in discrete time whose steps come at the times of a Poisson
// process (Jen53). What is left out of the sum, and rounding, is below UNIFORM_ERROR.
#pragma once

#include "model/statistical.h"
#include "semantics/stochastic/chain.h"

#define UNIFORM_ERROR 1e-9

// The probability of a path within its bound of time or steps. False if the model is not of this
// kind, or the work would be large.
bool uniform_solve(Mem *, const Laws *, const PathQuery *, double *probability);
