// Discrete points: a node is a discrete state and one whole value per clock; time passes by
// single units. The naive algorithm, and what the other engines are tested against.
#ifndef TARN_ENGINE_POINTS_H
#define TARN_ENGINE_POINTS_H

#include "engine/options.h"
#include "engine/space.h"
#include "model/query.h"

// As zones_new. Refuses strict constraints.
Space *points_new(Mem *, const Net *, const Goal *, const Options *, Report *);

#endif
