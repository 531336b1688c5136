// Finds the edges, or pairs of consecutive edges of a process, that the nodes of a certificate of
// all states can take. No run takes the others.
#pragma once

#include "check/certify.h"

typedef struct Taken {
  const int32_t *own; // of the caller: by edge its number in the process; NULL: edges, not pairs
  uint32_t marks;     // that a state can have
  uint32_t slot;      // of the mark
  bool *table;        // by edge and mark
} Taken;

// Has the checker look at the certificate, for this net; with `own`, of model/marking.h, it has a
// mark with values up to `count`. False with the reason if it is rejected. Released in any case.
bool taken_find(Taken *, Mem *, const Net *, const int32_t *own, int32_t count, const char *bytes,
                size_t size, CertifyCounts *, Text *why);
// The same for pairs, of the model itself: the net with the mark is made for it.
bool taken_find_pairs(Taken *, Mem *, const Net *, const int32_t *own, int32_t count,
                      const char *bytes, size_t size, CertifyCounts *, Text *why);
// An edge; after `before`, an edge of the same process, if these are pairs.
bool taken_has(const Taken *, EdgeId before, EdgeId edge);
