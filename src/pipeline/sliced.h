// A check goes over to a slice of its model (model/slice.h). If the search of it finds nothing,
// the answer is known; else the check goes back.
#ifndef TARN_SLICED_H
#define TARN_SLICED_H

#include "pipeline/checking.h"

typedef struct Sliced { // what the check had before
  Query query;
  Goal goal;
  Symmetry symmetry;
  int engine;
} Sliced;

// Whether some processes do not matter to the query of the check, or hardly.
bool sliced_is_possible(Check *);
// Leaves them out, and chooses an engine for the rest; a loose slice leaves out more. False if
// there is no such slice, or the model could not be read again. What the check had is kept in
// either case.
bool sliced_begin(Sliced *, Check *, bool is_loose);
void sliced_end(Sliced *, Check *);

#endif
