// Reduction by symmetry in the space of zones (symmetry/orbit.h): a node that was just made gives
// way to its representative before it is tested or stored, and transitions of twins are left out.
//
// The representative of a zone is a gather of its matrix, which is remembered for zone and
// permutation.
#ifndef TARN_ZONE_REDUCE_H
#define TARN_ZONE_REDUCE_H

#include "symmetry/orbit.h"
#include "zone/firing.h"

typedef struct Reduction {
  const Symmetry *symmetry;
  Orbit orbit;
  Memo memo;      // of zone and number of origins
  Intern origins; // where clocks come from, by position
  VEC(bool) pruned;
  bool has_twins;  // twins are looked for
  uint64_t *key;   // scratch
  ClockId *origin; // scratch
} Reduction;

Reduction *reduce_new(Mem *, Arena *, const Net *, const Symmetry *, const StateLayout *,
                      uint32_t n);
void reduce_release(Reduction *);

// The current node gives way to its representative.
void reduce_current(Zones *);
// Marks the moves of the opened node that are left out; NULL if none is.
const bool *reduce_moves(Zones *);

#endif
