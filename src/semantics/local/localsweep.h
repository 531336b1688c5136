// SPEED: memory; FDDI 10, breadth first, in 11 MB instead of 34. Without it (MODE=plain): zones
// stay.
//
// Drops zones of local time that no node has.
//
// A search that evicts most of its nodes leaves their zones in the table: many times the memory
// of those that count, all of it touched once. When most zones must be such the search marks
// those of its stored nodes (Space.wants_sweep); the others go, with what is known of them.
#pragma once

#include "semantics/local/localfiring.h"

bool localsweep_is_due(const Space *, uint32_t stored);
void localsweep_mark(Space *, uint32_t word);
void localsweep_run(Space *);
