// Queries that tarn_parse has read and that are not checked yet, so that each is parsed once. A
// check takes its query from here, with the arena of its trees.
//
// Only queries with small constants are kept: the others may change the unit of time, and with it
// the net for which they were read (plan/rescale.h).
#ifndef TARN_PARSED_H
#define TARN_PARSED_H

#include "plan/session.h"

// So many are kept; the oldest are dropped.
enum { PARSED_MOST = 1024 };

// Keeps the query. False if it cannot be kept: then it is still the caller's.
bool parsed_keep(Tarn *, Parsed);
// Returns false if it was not kept. Else it is the caller's.
bool parsed_take(Tarn *, const char *text, bool is_labels, Parsed *);
// None is kept any more: the net is another one.
void parsed_forget(Tarn *);

#endif
