// Partition: decides which worker owns a discrete state, if several search together
// (search/workers/mail.h).
//
// If a hash of the whole state decided, nearly every transition would lead to another worker, and
// each worker would meet nearly all location vectors and have to prepare for them. Therefore only
// the locations of some processes count: transitions of other processes stay with their worker.
// The locations of each are cut in two parts (search/workers/cuts.h), and with two workers the
// owner is the parity of the number of processes in their second parts: however unequal the parts
// of one process are, odd and even numbers are nearly equally frequent. If one part of a process
// is met in a share (1 + b) / 2 of all states, and so for m independent processes, the workers'
// shares are (1 + b^m) / 2 and (1 - b^m) / 2. With more workers there are more such bits. Each
// process counts for several of them, as the columns of a linear code say, so that each
// combination of bits depends on many processes (search/workers/shares.h). Cuts are taken, the
// cheapest first, until this estimate says that the shares are equal enough. Among several such
// lists of cuts, the best is the one for which the largest share and the messages take the least
// time. If shares do not become equal, there is no partition.
//
// There can be fewer messages if two processes are both in one part of their locations in about
// half of the states: then this is one bit, and a move of one of them leads to another worker
// only while the other process is there. A share of one half is found from a sample
// (search/space/walk.h), which is trusted for processes without synchronisation only.
//
// So the owner of a state is the sum of the columns of terms, and each term is a parity of some
// bits of the packed state, or says that two such parities are both 1.
#pragma once

#include "model/state.h"

typedef struct Partition {
  uint32_t workers, odd, words; // the odd factor of the workers; words of a packed state
  uint32_t terms;
  uint32_t together; // parities that must all be 1, or 0 with flip, for a term to be 1
  uint32_t flip;
  uint64_t *masks;   // of packed states: by term and parity, what it is the parity of
  uint32_t *columns; // by term
  uint64_t *all;     // of packed states: all that counts
} Partition;

// NULL: there are too few processes or locations for as many workers; the whole state has to
// count.
const Partition *partition_new(Arena *, const Net *, const StateLayout *, uint32_t workers);

// Whether two states have the same owner, because they have all in common that counts.
static inline bool partition_same(const Partition *partition, const uint64_t *a,
                                  const uint64_t *b) {
  uint64_t change = (a[0] ^ b[0]) & partition->all[0];
  for (uint32_t i = 1; i < partition->words; i++)
    change |= (a[i] ^ b[i]) & partition->all[i];
  return !change;
}

uint32_t partition_find(const Partition *, const uint64_t *packed); // the owner
static inline uint32_t partition_owner(const Partition *partition, const uint64_t *packed) {
  if (partition->terms > 1 || partition->words > 1)
    return partition_find(partition, packed);
  // Mostly there are two workers, and a state is a word.
  uint32_t owner = (uint32_t)__builtin_parityll(packed[0] & partition->masks[0]);
  owner ^= partition->flip;
  for (uint32_t i = 1; i < partition->together; i++)
    owner &= (uint32_t)__builtin_parityll(packed[0] & partition->masks[i]) ^ partition->flip;
  return owner;
}
