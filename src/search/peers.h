// Peers: the workers of a search (search/workers.h), and what they know of each other.
#ifndef TARN_SEARCH_PEERS_H
#define TARN_SEARCH_PEERS_H

#include "search/mail.h"
#include "search/reach.h"

typedef struct Peers {
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
} Peers;

// A member by its number among the workers of all processes; NULL if it is another's.
static inline Reach *peers_member(const Peers *peers, uint32_t number) {
  return number - peers->first < peers->count ? peers->members[number - peers->first] : NULL;
}

// The same where one may search alone; and how many workers there are.
static inline Reach *peers_worker(Reach *reach, uint32_t number) {
  return reach->peers ? peers_member(reach->peers, number) : reach;
}
static inline uint32_t peers_all(const Reach *reach) {
  return reach->peers ? reach->peers->all : 1;
}

#endif
