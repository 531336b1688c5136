#include "semantics/zone/locvector_fetch.h"

#include "semantics/zone/locvector_make.h"

// The location vector with this hash, if there is one: it may still be another's.
static const LocVector *guess_vector(const LocVectors *vectors, uint64_t hash) {
  const uint32_t number = pairs_get(&vectors->known, hash, 0);
  return number ? pool_at(&vectors->list, number - 1) : NULL;
}

void locvector_fetch_key(const LocVectors *vectors, const uint64_t *packed, FetchStage stage) {
  const uint64_t hash = locvector_hash(vectors, packed);
  if (stage == FETCH_SLOT) {
    pairs_fetch(&vectors->known, hash, 0);
    return;
  }
  const LocVector *vector = guess_vector(vectors, hash);
  if (vector && stage == FETCH_ITEM)
    mem_fetch(vector->words);
  else if (vector && vector->outgoing)
    mem_fetch(vector->outgoing);
}

void locvector_fetch_expect(const LocVectors *vectors, VectorsAhead *ahead, uint32_t transition,
                            const uint64_t *packed) {
  const uint64_t hash = locvector_hash(vectors, packed);
  ahead->items[ahead->count].hash = hash;
  ahead->items[ahead->count++].transition = transition;
  pairs_fetch(&vectors->known, hash, 0);
}

void locvector_fetch_ahead(const LocVectors *vectors, VectorsAhead *ahead, const LocVector *from,
                           FetchStage stage) {
  for (uint32_t i = 0; i < ahead->count; i++) {
    if (stage == FETCH_ITEM)
      ahead->items[i].vector = guess_vector(vectors, ahead->items[i].hash);
    const LocVector *vector = ahead->items[i].vector;
    if (vector && stage == FETCH_ITEM)
      mem_fetch(vector->words);
    else if (vector && stage == FETCH_LINK && !vectors->wants.only_bounds)
      pairs_fetch(&vectors->passages, locvector_maps(from, vector), ahead->items[i].transition);
  }
}
