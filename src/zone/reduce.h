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
  bool has_twins; // twins are looked for
  const Scenes *scenes;
  // By process of a family whose ids have nothing but one process and clocks: whether its id is a
  // twin of the one before it in every node of a scene, as their locations are the same and their
  // clocks do not matter there.
  bool *is_twin;
  ProcessId *before, *after; // the neighbours; NET_NONE for none
  uint64_t *key;             // scratch
  ClockId *origin;           // scratch
} Reduction;

Reduction *reduce_new(Mem *, Arena *, const Net *, const Symmetry *, const StateLayout *,
                      uint32_t n);
void reduce_release(Reduction *);

// The current node gives way to its representative.
void reduce_current(Zones *);
// Lets moves of twins be left out as scenes are made, where a synchronisation of many processes
// would have too many of them.
void reduce_scenes(Zones *);
// Marks the moves of the opened node that are left out; NULL if none is.
const bool *reduce_moves(Zones *);

#endif
