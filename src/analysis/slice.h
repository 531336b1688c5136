// Finds the processes a query depends on, so that the others can be removed. With respect to the
// kept processes, the smaller net can do everything that the net can, and perhaps more: a removed
// process might have stopped time, or blocked a broadcast by the invariant of its target. So a
// state that the smaller net does not reach is not reachable in the net; the converse does not
// hold.
//
// Kept are the processes whose locations the condition names and, by a fixpoint, the processes
// that write what the condition or a kept process reads, and those without which a kept process
// cannot synchronise (for a broadcast, the sender). A process that might fail at run time is kept
// as well, with all that it depends on: an error ends a query wherever it happens.
//
// A *loose* slice also removes partners whose writes are never read, as if they were always
// ready. It can do more than the other slice, so it decides fewer queries, but faster. It keeps
// the sender of a broadcast with several kept receivers, because these act at once.
#pragma once

#include "model/net.h"

// Fills `dropped`, by process; returns how many can be left out. The condition is without
// `deadlock`.
uint32_t slice_find(const Net *, const Expr *condition, bool is_loose, bool *dropped);

// One process more, though others read variables that it writes: conditions on these variables
// count as true then (`freed`). Only in guards and invariants, and not where a guard that holds
// takes something away: of receivers of broadcasts and of urgent channels; nor where a condition
// may fail. `dropped` has a slice. False if this one cannot be left out; else `freed` is filled,
// by cell (model/access.h).
bool slice_free(const Net *, const Expr *condition, ProcessId, bool *dropped, bool *freed);

// Leaves out the dropped processes, before a copy of the net is finished. They stay where they
// start and constrain nothing. An edge that could synchronise with one of them can be taken
// alone. `freed` is of slice_free, or NULL.
void slice_apply(Net *, const bool *dropped, const bool *freed);
