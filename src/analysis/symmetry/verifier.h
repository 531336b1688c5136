// What the parts of the verification of a family share (analysis/symmetry/verify.h).
#pragma once

#include "analysis/symmetry/family.h"
#include "analysis/symmetry/match.h"
#include "model/access.h"

typedef struct Verifier {
  Mem *mem;
  Arena *arena;
  const Net *net;
  const Family *family;
  const Permutation *perm;
  Match match;
  unsigned skip;
  Access access;
  Vm vm;
  bool by_tables;  // some relation was compared so
  bool *excluded;  // by location
  bool *is_moved;  // by process: in some column
  uint32_t *cells; // by cell: which participant writes it
} Verifier;

static inline bool verifier_skips(const Verifier *v, SymmetryRule rule) { return v->skip & rule; }

// The channel of an event; NULL: none.
static inline const Channel *verifier_channel(const Net *net, EventId event) {
  const uint32_t channel = net->event_channels ? net->event_channels[event] : 0;
  return channel ? &net->channels.items[channel - 1] : NULL;
}

static inline bool verifier_same_channel(const Channel *a, const Channel *b) {
  if (!a || !b)
    return a == b;
  return a->broadcast == b->broadcast && a->urgent == b->urgent && a->priority == b->priority;
}
