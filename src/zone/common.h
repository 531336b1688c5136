// Numbers in common: several workers number maps of active clocks and joint transitions alike, so
// that one can finish what another began (Exchange.finish).
#ifndef TARN_ZONE_COMMON_H
#define TARN_ZONE_COMMON_H

#include "zone/locvector.h"

// For several workers, before the search: they number maps and joint transitions in common.
void common_share(LocVectors *first, LocVectors *other);
// The numbers of a location vector's map and of a transition among them, 0 if it has none.
static inline uint32_t common_map(const LocVectors *vectors, const LocVector *vector) {
  return vector->map ? vectors->maps.items[vector->map - 1].common : 0;
}
uint32_t common_transition(LocVectors *, uint32_t transition);
// The other way round. common_vector gives a location vector of which only the map of active
// clocks is set; it is valid until the next call, or until all location vectors are forgotten.
// common_own_transition gives this worker's number of a transition.
LocVector *common_vector(LocVectors *, uint32_t map);
uint32_t common_own_transition(LocVectors *, uint32_t common);
// The same, by what the numbers stand for: those of workers of other processes (zone/wire.h).
LocVector *common_find_vector(LocVectors *, const ClockId *clocks, uint32_t k);
uint32_t common_find_transition(LocVectors *, const Edge *const *edges, uint32_t count);

#endif
