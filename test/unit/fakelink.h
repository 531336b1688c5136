// Links between threads of one process, each of which plays a rank: for tests.
#pragma once

#include "base/link.h"

// Messages arrive after a random number of looks at them.
Link *fakelink_new(uint32_t ranks); // an array of links, one for each rank
void fakelink_release(Link *);
Link *fakelink_at(Link *, uint32_t rank);
