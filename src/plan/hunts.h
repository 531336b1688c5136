// Short random searches beside the main one. In a model that is too large to explore, the state
// that a query asks about is often only a few hundred transitions away. Random depth-first
// searches find it early; the main order, which is made for exploring everything, reaches it
// late. Hunts begin when the main search has become long, and take at most a twentieth of its
// transitions. A hunt always finds the same state again, so the caller repeats it. Before the
// first hunt, the main search stops if a slice of the model may do (analysis/slice.h); later, if
// partial order leaves out most transitions.
#pragma once

#include "plan/checking.h"

typedef struct Hunts {
  Check *check;
  Options options; // of the next hunt
  uint64_t length; // transitions after which it is given up
  uint64_t spent;  // transitions of all hunts
  bool has_found;  // with these options
  bool may_slice;  // slices have not been looked for
  bool has_slice;  // there are some: the search stopped for them
} Hunts;

// From now on the check's search makes hunts between its nodes. The search stops if one finds
// something: then `has_found`, and `options` are those that find it.
void hunts_attach(Hunts *, Check *, const Options *, bool may_slice);
