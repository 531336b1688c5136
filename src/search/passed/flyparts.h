// Parts of checkpoints (search/save/checkpoint.h) for searches with clock bounds of their own
// (search/passed/fly.h): who covers whom, and under which bounds, besides the nodes.
//
// All of it is written each time, as bounds and coverings change. Numbers of bounds and of ways
// stay what they were, since the table is written in its order. Numbers of zones do not: zones
// are written as in search/workers/stream.h. One worker makes such a search.
#ifndef TARN_SEARCH_FLYPARTS_H
#define TARN_SEARCH_FLYPARTS_H

#include "search/space/passed.h"

extern const PassedParts flyparts;

#endif
