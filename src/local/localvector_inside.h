// Inside location vectors of local time: for the modules that fill local/localvector.h.
#ifndef TARN_LOCAL_LOCALVECTOR_INSIDE_H
#define TARN_LOCAL_LOCALVECTOR_INSIDE_H

#include "local/localvector.h"
#include "zone/locvector_inside.h"

#include <string.h>

// Sets of clocks have this many words; there is always one.
static inline uint32_t localvector_set_words(const LocalVectors *vectors) {
  return vectors->all.clocks / 64 + 1;
}

static inline void localvector_add_clock(uint64_t *set, uint32_t clock) {
  set[clock / 64] |= (uint64_t)1 << clock % 64;
}

// Of a process in LocVectors.draft.
static inline LocationId localvector_location(const LocalVectors *vectors, ProcessId p) {
  const Net *net = vectors->net;
  return net->processes.items[p].first_location +
         (uint32_t)vectors->of->draft.state[net->location_slot + p];
}

#endif
