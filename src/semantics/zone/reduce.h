// Reduction by symmetry in the space of zones (semantics/orbit.h): a new node is replaced by its
// representative before it is tested or stored, and transitions of twins are left out.
//
// The representative of a zone is a gather of its matrix, which is a transformer like those of
// transitions (semantics/zone/memo.h).
#pragma once

#include "semantics/orbit.h"
#include "semantics/zone/globalzone.h"

typedef struct Neighbours { // dbm/kernel/neighbours.h, of the opened zone
  bool is_known;
  uint16_t *rows, *columns;
  int16_t *spare;
} Neighbours;

typedef struct Reduction {
  const Symmetry *symmetry;
  Orbit orbit;
  VEC(bool) pruned;
  Neighbours near;
  // By process of a family whose ids have nothing but one process and clocks: whether its id is a
  // twin of the one before it in every node of a location vector, as their locations are the same
  // and their clocks do not matter there.
  bool *is_twin;
  ProcessId *before, *after;  // the neighbours; NET_NONE for none
  uint64_t *key, *before_key; // scratch
  ClockId *origin;            // scratch
} Reduction;

// Reduces the search of a space by the symmetries, which must outlive it; before it begins.
// Without `prunes` every transition of a visited node is fired.
void reduce_attach(Space *, const Symmetry *, bool prunes);

// As Space.edges, whether the search is reduced or not; none if the transition is a delay.
const Edge *const *reduce_edges(const Space *, uint32_t ordinal, uint32_t *count);

// Fills in, by process, a number for the twins of the opened node among which transitions are
// left out; 0: none. False if there are none.
bool reduce_twin_classes(const Zones *, uint32_t *classes);

// For notions of time: the transformer by which what a zone is about comes from `origin`,
// position by position.
uint32_t reduce_transformer(Zones *, const uint32_t *origin, uint32_t count);

bool reduce_rename(Zones *, LocVector *to); // Time.rename for global time
