// Columns of a proposed family (analysis/symmetry/propose.h): which values stand for ids, which
// variables and clocks belong to them, found from what the alignment of processes reported.
#pragma once

#include "analysis/symmetry/builder.h"

// False if the values of some class do not fit together.
bool columns_make(Builder *, Family *);
