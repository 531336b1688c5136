// Crews: the workers of a search (search/workers.h), and what they know of each other.
#ifndef TARN_SEARCH_CREW_H
#define TARN_SEARCH_CREW_H

#include "search/mail.h"
#include "search/reach.h"

typedef struct Crew {
  uint32_t count;      // of this process
  uint32_t all, first; // of all processes; the number of this one's first
  Link *link;          // to the others; NULL: there are none
  Reach **members;     // the first is the caller's
  Mem **mems;          // by member, for its mail; of all but the first for all that they have
  struct Team *team;
  MemBudget budget; // of all
  // Under the lock of the team: the counts as each last told them; who ended the search, NULL if
  // it was explored to the end, and why.
  Statistics *told;
  Reach *decider;
  ReachResult result;
  bool is_exhausted;
} Crew;

// A member by its number among the workers of all processes; NULL if it is another's.
static inline Reach *crew_member(const Crew *crew, uint32_t number) {
  return number - crew->first < crew->count ? crew->members[number - crew->first] : NULL;
}

#endif
