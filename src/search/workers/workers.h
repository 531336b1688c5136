// Workers: a search by several threads. Each worker has its own space, passed list and order. A
// partition of the discrete states decides which nodes it owns (doc/notes/threads.md). What they
// send each other is in search/workers/mail.h; the loop is that of search/reach.h.
#pragma once

#include "search/workers/mail.h"

// Before reach_run: it will be done by that many threads. The callbacks are called in the calling
// one. The other spaces are made here and are no concern of the caller.
// With a link each process calls it, for the same model, query and options, and the search is
// that of all of them. Only rank 0 learns how it ended, with the statistics of all.
void workers_divide(Reach *, uint32_t workers, SearchOrder, Link *);
