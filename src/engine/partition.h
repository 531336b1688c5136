// Partition: to which worker a discrete state belongs, where several search together
// (engine/post.h).
//
// If a hash of the whole state said so, nearly every transition would lead to another worker, and
// each worker would meet nearly all location vectors and have to prepare for them (scenes).
// Therefore only the locations of a few processes count: other moves stay with their worker. The
// locations of each of them are cut in two parts, where the fewest moves cross, and with two
// workers the owner is the parity of the number of processes in their second parts: however
// unequal the parts of one process are, odd and even numbers are nearly equally frequent. If one
// part of a process is met in a share (1 + b) / 2 of all states, and so for m independent
// processes, the workers' shares are (1 + b^m) / 2 and (1 - b^m) / 2. With more workers there are
// more such bits, each of other processes.
//
// Which locations are in which part says the parity of some bits of their numbers, so that all
// of this is one parity of some bits of the packed state.
#ifndef TARN_ENGINE_PARTITION_H
#define TARN_ENGINE_PARTITION_H

#include "model/state.h"

typedef struct Partition {
  uint32_t workers, bits, words;
  const uint64_t *masks; // of packed states, by bit
} Partition;

// NULL: there are too few processes or locations; the whole state has to count.
const Partition *partition_new(Arena *, const Net *, const StateLayout *, uint32_t workers);

uint32_t partition_find(const Partition *, const uint64_t *packed); // the owner
static inline uint32_t partition_owner(const Partition *partition, const uint64_t *packed) {
  // Mostly there are two workers, and a state is a word.
  return partition->bits == 1 && partition->words == 1
             ? (uint32_t)__builtin_parityll(packed[0] & partition->masks[0])
             : partition_find(partition, packed);
}

#endif
