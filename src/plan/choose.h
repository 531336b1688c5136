// Chooses how to explore: the symmetries to use, the engine, and the space that it makes.
#ifndef TARN_CHOOSE_H
#define TARN_CHOOSE_H

#include "plan/checking.h"

// Decides --symmetry and --engine, if they are `auto`, for this query.
void choose_engine(Check *);

// Decides --symmetry for a query about runs.
void choose_symmetry_of_runs(Check *);

// The space of these options; NULL after an error.
Space *choose_space(Check *, const Options *);
// The same in another Mem, for another thread.
Space *choose_space_in(Check *, Mem *, const Options *);

#endif
