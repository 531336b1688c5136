// Engines: the space that an engine makes for a search.
#pragma once

#include "plan/checking.h"

// The space of these options, whose engine is decided; NULL after an error.
Space *engines_space(Check *, const Options *);
// The same in another Mem, for another thread.
Space *engines_space_in(Check *, Mem *, const Options *);
