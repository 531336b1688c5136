// Firing: the matrix work of transitions in global time. An entry [x][y] of a zone bounds the
// difference of two clocks; a transition constrains by its guard, resets clocks, enters the
// target's invariant, lets time pass and extrapolates.
#ifndef TARN_ZONE_FIRING_H
#define TARN_ZONE_FIRING_H

#include "zone/globalzone.h"

// As the functions of Time.
bool firing_begin(Zones *);
bool firing_open(Zones *, ZoneRef);
void firing_try(Zones *, const Transition *);
bool firing_may_hold(Zones *);
bool firing_can_happen(Zones *);
bool firing_make(Zones *, const Outgoing *, uint32_t ordinal);

// The tests collected by the VM, as constraints over the active clocks.
ConstraintList firing_tests(Zones *, const ActiveClocks *);
// Intersects with constraints; false if empty. With large constants one by one, each checked.
bool firing_constrain(Zones *, Bound *zone, uint32_t k, ConstraintList);
bool firing_meets_all(const Bound *zone, uint32_t k, ConstraintList);
// The invariant of a location vector, asked of the Vm if it depends on variables; false if its
// integer part fails.
bool firing_invariant(Zones *, const LocVector *, const int32_t *state, ConstraintList *);
// Delay in a zone stored before it.
bool firing_pass_time(Zones *, const LocVector *, const int32_t *state, Bound *zone);

#endif
