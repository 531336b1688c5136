// Discrete points: a node is a discrete state and one whole value per clock; time passes by
// single units. The naive algorithm, and what the other engines are tested against.
#ifndef TARN_DISCRETE_POINTS_H
#define TARN_DISCRETE_POINTS_H

#include "model/query.h"
#include "space/options.h"
#include "space/space.h"
#include "symmetry/symmetry.h"

// As zones_new. Refuses strict constraints.
Space *points_new(Mem *, const Net *, const Goal *, const Options *, Report *);
// Reduces the search by the symmetries, which must outlive the space; before it begins.
void points_reduce(Space *, const Symmetry *);

#endif
