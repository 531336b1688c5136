// Workers: a search by several threads. Each worker has a space, a passed list and an order of
// its own, and the nodes that a partition of the discrete states makes its own
// (doc/notes/threads.md). What they send each other is in search/mail.h; the loop is that of
// search/reach.h.
#ifndef TARN_SEARCH_WORKERS_H
#define TARN_SEARCH_WORKERS_H

#include "search/mail.h"
#include "search/reach.h"

typedef struct Crew {
  uint32_t count;
  Reach **members; // the first is the caller's
  Mem **mems;      // by member, for its mail; of all but the first for all that they have
  struct Team *team;
  MemBudget budget; // of all
  // Under the lock of the team: the counts as each last told them; who ended the search, NULL if
  // it was explored to the end, and why.
  Statistics *told;
  Reach *decider;
  ReachResult result;
  bool is_exhausted;
} Crew;

// Before reach_run: it will be done by that many threads. The callbacks are called in the calling
// one. The other spaces are made here and are no concern of the caller.
void workers_divide(Reach *, uint32_t workers, SearchOrder);

#endif
