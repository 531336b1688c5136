// Pictures of statistical answers for the page, as SVG that needs no script: the distribution
// with its band, the histogram with quantiles, the convergence of the estimate, the courses of
// `simulate`. Colours come from the page's style. Nothing depends on colours alone: lines have
// names or different dashes.
#pragma once

#include "answers/statistics/estimate.h"

// The values must be sorted. A picture has few points for each column of its pixels, so its size
// does not depend on the number of runs.
void charts_write(Text *, Estimate *);
