// Queries that were read and are not checked yet, so that each is parsed once: those beside the
// model, and those of tarn_parse. A check takes its query from here. Its trees are in an arena
// that the check takes over; those of queries beside the model are in the arena of the net.
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
// Keeps the queries beside the model.
void parsed_keep_all(Tarn *);
// Returns false if it was not kept. Else it is the caller's.
bool parsed_take(Tarn *, const char *text, bool is_labels, Parsed *);
// None is kept any more: the net is another one.
void parsed_forget(Tarn *);

#endif
