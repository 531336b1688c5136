// Zone transformers: what a transition does to zones, as numbers. A transformer has two parts.
// The *passage* is the guard and the origins of the clocks, over positions in the matrix; the
// *entry* is that of the target's setting. Equal transformers make the same of equal zones
// (semantics/zone/memo.h).
#pragma once

#include "semantics/zone/locvector.h"

// Where clocks come from by a transition without needs_clocks.
void transformer_origins(const ActiveClocks *from, const Transition *, const ActiveClocks *to,
                         Origins *);
// Finds the target of a transition, from the packed state that it leads to.
void transformer_link(LocVectors *, const LocVector *, OutgoingTransition *,
                      const uint64_t *packed);

// The transformer of a transition with neither needs_guard nor needs_clocks; 0 if it depends on
// variables.
uint32_t transformer_find(LocVectors *, const LocVector *from, uint32_t transition,
                          const LocVector *target);
