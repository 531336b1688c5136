// Parts of checkpoints (search/save/checkpoint.h) for searches that find clock bounds node by
// node (search/passed/fly.h): besides the nodes, which node covers which, and under which bounds.
//
// All of it is written each time, as bounds and coverings change. Numbers of bounds and of ways
// stay what they were, since the table is written in its order. Numbers of zones do not: zones
// are written as in search/workers/stream.h. One worker makes such a search.
#pragma once

#include "search/space/passed.h"

extern const PassedParts flycheckpoint;
