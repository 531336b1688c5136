// Reduction by symmetry for the spaces that count time in whole units (semantics/orbit.h). A node
// is replaced by its representative. Of several transitions that permutations of equal ids map to
// each other, only one is fired.
//
// Clock values are numbers, so sorting by them is a total preorder whose ties are equal:
// representatives are canonical.
#pragma once

#include "semantics/discrete/ticks.h"
#include "semantics/orbit.h"

typedef struct TickValues { // of the clocks, as a zone
  OrbitZone zone;
  const int32_t *values;
} TickValues;

typedef struct TickReduction {
  const Symmetry *symmetry;
  Orbit orbit;
  bool has_twins; // of the taken node
  // For the trail: whether the current node was renamed, and the orders of all families.
  uint32_t *order;
  uint32_t ids;     // of all families
  int32_t *earlier; // scratch
} TickReduction;

// Reduces the search in a space of points or darts by the symmetries, which must outlive it.
// Before it begins.
void tickrename_attach(Space *, const Symmetry *);

// The current node, `state` and `values`, gives way to its representative; false if that is the
// node itself.
bool tickrename_current(Ticks *);
void tickrename_take(Ticks *); // a node has been taken: finds its twins
// Whether the transition that the shuffle is on can be left out.
static inline bool tickrename_prunes(Ticks *ticks) {
  TickReduction *r = ticks->reduction;
  const Joint *joint = &ticks->stepper.joint;
  return r && r->has_twins && orbit_prunes(&r->orbit, joint->edges, joint->edge_count);
}

// For messages: how the current node was renamed, `ids` numbers.
void tickrename_send(const Ticks *, void *message);
void tickrename_receive(Ticks *, const void *message);
