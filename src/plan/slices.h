// Slices: smaller networks, made from the model for a query. A slice leaves out processes
// (analysis/slice.h), and the values of dead variables (analysis/forget.h). If the search of a
// slice finds nothing, a search of the model would find nothing either. If only dead variables
// are left out, both reach the same states.
#pragma once

#include "plan/checking.h"

// Whether there is one.
bool slices_exist(Check *);
// Whether a certificate can be of the slice of this kind, which is not the model.
bool slices_are_certifiable(Check *, SliceKind);
// The check goes over to a slice, for which an engine is chosen. False if there is none of this
// kind, or a certificate is asked for and cannot be of it. With SLICE_FREE the process is left
// out, too.
bool slices_enter(Check *, const Options *, SliceKind, ProcessId freed);
// The check goes back to the model, if it is in a slice.
void slices_leave(Check *);
