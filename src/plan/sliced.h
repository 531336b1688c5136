// A check goes over to a smaller net that is made from the model for its query: a slice
// (analysis/slice.h), or the whole without the values of dead variables (analysis/forget.h),
// which slices lack as well. If the search of it finds nothing, the answer is known; of the
// whole, also if it finds something. Else the check goes back.
#ifndef TARN_SLICED_H
#define TARN_SLICED_H

#include "plan/checking.h"

// From the smallest to the most exact.
typedef enum SlicedKind {
  SLICED_LOOSE,
  SLICED_FREE, // and one process more, see slice_free
  SLICED_EXACT,
  SLICED_WHOLE,
  SLICED_KINDS
} SlicedKind;

typedef struct Sliced { // what the check had before
  Query query;          // the symmetries of a slice may have made it wider
  Goal goal;
  Symmetry symmetry;
  char symmetry_name[sizeof((Answer *)0)->symmetry];
  int engine;
} Sliced;

// Whether there is such a net.
bool sliced_is_possible(Check *);
// Makes it, and chooses an engine for it. False if there is none of this kind. What the check had
// is kept in either case. With SLICED_FREE the process is
// left out, too.
bool sliced_begin(Sliced *, Check *, SlicedKind, ProcessId);
void sliced_end(Sliced *, Check *);

#endif
