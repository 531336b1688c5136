// Discrete points: a node is a discrete state and one whole value per clock; time passes by
// single units. The naive algorithm, and what the other engines are tested against.
#ifndef TARN_DISCRETE_POINTS_H
#define TARN_DISCRETE_POINTS_H

#include "model/query.h"
#include "space/options.h"
#include "space/space.h"

// As zones_new. Refuses strict constraints. tickrename_attach reduces it by symmetry.
Space *points_new(Mem *, const Net *, const Goal *, const Options *, Report *);

// The points that are kept, in the order in which they were made; one is valid until the next
// call.
typedef struct TickPoint {
  const int32_t *state;
  const int32_t *values; // by clock
} TickPoint;

uint32_t points_count(const Space *);
TickPoint points_at(Space *, uint32_t ref);
// By clock, the least value in this state that stands for all larger ones, too. For models
// without tested differences of clocks.
void points_limits(Space *, const int32_t *state, int32_t *limits);

#endif
