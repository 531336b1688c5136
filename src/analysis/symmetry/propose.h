// Proposals of symmetry: families of processes that look alike.
//
// Processes are alike if they have the same locations and edges, and their expressions differ
// only in clocks, variables and *ids*: constants that are compared with or assigned to a
// variable, or that index an array. The processes are aligned edge by edge; what differs becomes
// a column of the family (analysis/symmetry/family.h). Synchronisations lead to their partners,
// which are aligned in turn. So are processes that share only ids or variables with those of the
// family.
//
// A declared scalar set whose elements are only values and indices, and no processes, is a family
// without processes: the elements of arrays, of clocks, too, that it indexes are its columns.
//
// Nothing here is proved: a proposal that is not a symmetry is refused by
// analysis/symmetry/verify.h.
#pragma once

#include "analysis/symmetry/family.h"

typedef struct Proposals {
  const Net *net;
  struct Classes *classes; // which variables hold values of the same sort
  uint64_t *shapes;        // by process: a hash of its form
  bool *used;              // by process: it is in a column of a family already, or was tried
  struct SyncUses *syncs;  // the synchronisations of each process
  uint32_t sets;           // of the scalar sets: so many were tried
} Proposals;

// The work of an object is in the arena. Release returns what is not.
void proposals_init(Proposals *, Arena *, const Net *);
void proposals_release(Proposals *);

// The next family; false if there is none left. Its processes are not proposed again.
bool proposals_next(Proposals *, Arena *, Family *);
