// Parts of checkpoints (search/save/checkpoint.h) for searches that find clock bounds node by
// node (search/passed/fly.h): besides the nodes, which node covers which, and under which bounds.
//
// Everything is written each time, because bounds and coverings change. The numbers of bounds and
// of ways stay the same, because the table is written in its order. The numbers of zones change:
// zones are written as in search/workers/stream.h. Such a search has one worker.
#pragma once

#include "search/space/passed.h"

extern const PassedParts flycheckpoint;
