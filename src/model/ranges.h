// Which values the variables of a net can have: intervals, mostly much smaller than the declared
// ones (`int` has 65,536 values, and many variables hold three of them). States are packed by
// them, and clock bounds that are expressions get their constants from them.
//
// The analysis looks at all assignments of the net, in whatever order they may happen: the
// interval of a slot holds its initial value and all values that are assigned to it, found as a
// least fixpoint. Where a count `i = i + 1` has a guard `i < 5` of its own edge, that is used.
// What keeps growing becomes the declared range, and so does what is passed by reference.
#pragma once

#include "model/net.h"

// Fills NetSlots.low and NetSlots.high of a net that is complete but for them.
void ranges_compute(Net *);
