// Marking: a network that remembers something of its past. It is a copy with one more variable,
// the last one, which edges set. Otherwise its runs are those of the network: edges and locations
// have the same numbers, and a state has one more slot, before the locations.
#pragma once

#include "model/concrete_run.h"
#include "model/query.h"

// Makes the network: an edge sets the variable, which starts with 0, to its value, from 0 to
// `max`; to nothing if the value is negative. False with an error in the report. The caller
// releases it, before the network.
bool marking_make(Net *marked, const Net *, const int32_t *values, int32_t max, Report *);
// The same with the last edge of a process: its number there, from 1 on. `own` is made by
// marking_numbers: by edge its number, 0 for those of other processes.
const int32_t *marking_numbers(Arena *, const Net *, ProcessId, int32_t *count);
bool marking_remember(Net *marked, const Net *, const int32_t *own, int32_t count, Report *);
uint32_t marking_slot(const Net *marked); // of the variable

// A condition on states of the network, for the other one; it lives in the arena.
const Expr *marking_expr(Arena *, const Expr *, const Net *marked);
// The condition that the variable has this value.
const Expr *marking_test(Arena *, const Net *marked, int32_t value);

// The run of the network that a run of the other one is; it lives in the arena.
Run marking_run(Arena *, const Run *, const Net *marked, const Net *);
