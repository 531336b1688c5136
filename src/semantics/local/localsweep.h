// SPEED: memory; FDDI 10, breadth first, in 11 MB instead of 34. Without it (MODE=plain): zones
// stay.
//
// Drops zones of local time that no node has.
//
// A search that evicts most of its nodes leaves their zones in the table. They can take many
// times the memory of the zones in use. When most zones are likely to be unused, the search marks
// the zones of its stored nodes (Space.wants_sweep). The others are dropped, and so is everything
// that was remembered about them.
#pragma once

#include "semantics/local/localfiring.h"

bool localsweep_is_due(const Space *, uint32_t stored);
void localsweep_mark(Space *, uint32_t word);
void localsweep_run(Space *);
