// Finds the columns of a proposed family (analysis/symmetry/propose.h): which values stand for
// ids, and which variables and clocks belong to them. The alignment of processes reports them.
#pragma once

#include "analysis/symmetry/builder.h"

// False if the values of some class do not fit together.
bool columns_make(Builder *, Family *);
