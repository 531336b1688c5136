// Runs that show that a clock grows for ever where a condition holds.
//
// Either time can pass for ever after the last step, and the condition stays true. Or a part of
// the run repeats: time passes in it, the clock is not set, and the condition holds at its end.
// The part has to repeat with the same delays. So each clock has the same value at both ends, or
// it is not set in between and exceeds all constants, so that no test distinguishes its values.
//
// Or the run goes on after the part, without setting the clock, and the condition holds at its
// end. After more rounds the same can follow: clocks are equal to what they are after one, or
// both exceed all constants, those of the condition included; and transitions with the same
// delays keep that so. The part may be a delay, after which all clocks exceed the constants, in a
// state in which time can pass for ever.
#pragma once

#include "check/lasso.h"

// True if the run is one of the net and shows it; else `why` says why not.
bool growth_check(Mem *, const Net *, const Goal *condition, ClockIndex, const Run *, Text *why);
// Whether steps `from` and `to` are the ends of such a part, but for the condition. `max` is
// those of lasso_limits.
bool growth_repeats(Mem *, const Net *, ClockIndex, LassoLimits, const Run *, uint32_t from,
                    uint32_t to);
// Whether the delay after a step can be longer by any time.
bool growth_waits(Mem *, const Net *, LassoLimits, const Run *, uint32_t step);
