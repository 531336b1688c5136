// Dropping zones of local time that no node has any more.
//
// A search that evicts most of its nodes leaves their zones in the table: many times the memory
// of those that count, all of it touched once. When there are so many that most are likely to be
// such, the search marks the zones of its stored nodes (Space.wants_sweep) and the others go,
// with what is known of them.
#ifndef TARN_ENGINE_LOCALSWEEP_H
#define TARN_ENGINE_LOCALSWEEP_H

#include "engine/localfiring.h"

bool localsweep_is_due(const Local *);
void localsweep_mark(Space *, uint32_t word);
void localsweep_run(Space *);

#endif
