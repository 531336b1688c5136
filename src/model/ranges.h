// Finds the values that the variables of a net can have, as intervals. These are mostly much
// smaller than the declared ranges: `int` has 65,536 values, and many variables take three of
// them. The intervals determine how states are packed, and the constants of clock bounds that are
// expressions.
//
// The analysis takes the assignments of the net in any order. The interval of a slot contains its
// initial value and all values assigned to it; it is found as a least fixpoint. If the edge of `i
// = i + 1` has a guard `i < 5`, the guard is used. An interval that keeps growing becomes the
// declared range, as does that of a variable passed by reference.
#pragma once

#include "model/net.h"

// Fills NetSlots.low and NetSlots.high of a net that is complete but for them.
void ranges_compute(Net *);
