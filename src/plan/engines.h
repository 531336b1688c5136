// Engines: the space that an engine makes for a search.
#pragma once

#include "plan/checking.h"

// The space of these options, whose engine is decided; NULL after an error. The Mem is that of
// the thread that searches.
Space *engines_space(Check *, Mem *, const Options *);
