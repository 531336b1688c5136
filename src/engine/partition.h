// Partition: which part of a discrete state says which worker it belongs to, where several
// search together (engine/post.h).
//
// If a hash of the whole state did, nearly every transition would lead to another worker, and
// each worker would meet nearly all location vectors and have to prepare for them (scenes).
// Therefore only the locations of some processes count, those that move least: other moves stay
// with their worker. They are as many as it takes to have far more classes than workers, whose
// shares then differ little.
#ifndef TARN_ENGINE_PARTITION_H
#define TARN_ENGINE_PARTITION_H

#include "model/state.h"

// The bits of a packed state that count, by word; NULL: all.
const uint64_t *partition_mask(Arena *, const Net *, const StateLayout *);

#endif
