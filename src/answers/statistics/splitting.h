// Rare events by importance splitting with fixed effort (KH51, GHSZ99).
//
// A number grows towards the goal; each integer above its first value is a level. The same number
// of runs begins from each level, at states drawn from those in which the level was reached. A
// run counts if it comes to the next level, or to the goal. The estimate is the product of the
// shares of runs that count. It is unbiased, as the levels do not depend on the runs; a run at
// the goal counts at all later levels. The whole is repeated, and the repetitions give the
// interval.
#pragma once

#include "answers/statistics/estimate.h"

enum { SPLITTING_REPETITIONS = 20, SPLITTING_EFFORT = 1000 };

// The number that the goal's structure proposes, such as `e` of `e >= 9`; NULL: none.
const Expr *splitting_number(const Expr *goal);

// Runs a query of one path. As estimate_run; the number must not depend on clocks: else an error.
bool splitting_run(Estimate *, Mem *, const Laws *, const Statistical *, const Expr *number,
                   const EstimateParameters *, EstimateStop *, void *context, const char **reason,
                   Report *);
