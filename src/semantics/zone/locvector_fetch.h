// SPEED: a seventh of the time of Fischer 11. Without it (MODE=plain): locvector_find waits for
// memory.
//
// Prefetching of location vectors, for search/passed/prefetch.h.
#pragma once

#include "semantics/zone/locvector.h"

// Has memory fetched (see store_fetch) that locvector_find will need, in two stages; and, after
// them, the transitions.
void locvector_fetch_key(const LocVectors *, const uint64_t *packed, FetchStage);
// The same for the targets of transitions that have no link yet, which are *expected*, and for
// their transformers.
void locvector_fetch_expect(const LocVectors *, VectorsAhead *, uint32_t transition,
                            const uint64_t *packed);
void locvector_fetch_ahead(const LocVectors *, VectorsAhead *, const LocVector *from, FetchStage);
