// Firing: the notion of global time, and the matrix work of its transitions. An entry [x][y] of a
// zone bounds the difference of two clocks; a transition constrains by its guard, resets clocks,
// enters the target's invariant, lets time pass and extrapolates.
#pragma once

#include "semantics/zone/globalzone.h"

extern const Time firing_time;
bool firing_open(Zones *, ZoneRef); // as Time.open
// The invariant of a location vector, asked of the Vm if it depends on variables; false if its
// integer part fails.
bool firing_invariant(Zones *, const LocVector *, const int32_t *state, ConstraintList *);
