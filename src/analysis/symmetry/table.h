// Compares edges by tables of values. Edges with the same source, target and event form one
// relation on the variables. Two relations are compared by running the guards and updates on all
// values of the variables that they access. So a process may count with one edge and wrap around
// with another, or compute with values that a permutation moves.
#pragma once

#include "analysis/symmetry/permutation.h"
#include "model/access.h"

enum { TABLE_MAX_STATES = 1 << 12 };

typedef struct Relation {
  const Edge *const *items;
  uint32_t count;
} Relation;

// Whether the second relation is the image of the first: in every state what one of the first
// edges does is what one of the second does in the image of the state, and conversely. False also
// if there are more than TABLE_MAX_STATES states to look at.
bool table_match(const Permutation *, Access *, Vm *, Relation from, Relation to);
