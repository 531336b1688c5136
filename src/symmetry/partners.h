// Partners: which edges of processes that stand at the same place of a column correspond, as far
// as the processes that they synchronise with tell. For proposals of symmetry only
// (symmetry/propose.h).
//
// Edges correspond in the order of declaration. That order may be another one in one of the
// processes: a fork that its left philosopher takes first is, for the last philosopher, the one
// that is taken second. So edges that differ in nothing but their events are put in the order of
// their partners.
#ifndef TARN_SYMMETRY_PARTNERS_H
#define TARN_SYMMETRY_PARTNERS_H

#include "symmetry/builder.h"

typedef VEC(EdgeId) EdgeIds;

// The edges of a process that belongs to an id; the list is the caller's.
void partners_list_edges(const Builder *, ProcessId, uint32_t id, EdgeIds *);

#endif
