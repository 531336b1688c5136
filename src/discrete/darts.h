// Time-darts: a node is a discrete state, an anchor (one whole value per clock) and two
// distances: the points at w and beyond, as far as the invariant lets time pass, are reachable;
// those at p and beyond have been visited (JLS12; doc/notes/darts.md).
#ifndef TARN_DISCRETE_DARTS_H
#define TARN_DISCRETE_DARTS_H

#include "model/query.h"
#include "space/options.h"
#include "space/space.h"

#define DARTS_INFINITE INT32_MAX // as a passed distance: nothing has been visited

// As zones_new. Refuses strict constraints. tickrename_attach reduces it by symmetry.
Space *darts_new(Mem *, const Net *, const Goal *, const Options *, Report *);

typedef struct Dart {
  const int32_t *state;
  const int32_t *anchor; // by clock
  int32_t waiting, passed;
} Dart;

// One of the `kept` darts, in the order in which they were made; valid until the next call.
Dart darts_at(Space *, uint32_t ref);

#endif
