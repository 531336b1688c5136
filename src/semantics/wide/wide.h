// Engine wide: zones of global time for models whose constants are too large for the other
// engines, up to NET_MAX_WIDE. It is the plain algorithm on plain matrices of 64 bits
// (semantics/wide/widezone.h): nothing is packed, remembered or prepared. It computes the same
// nodes as semantics/zone/zones.h, so on models with small constants both make the same searches
// (make agree-wide).
//
// A node is a discrete state and a zone over all clocks of the net. Clocks that do not matter in
// the state can have any value. Zones that are stored have numbers; each is kept once.
#pragma once

#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"
#include "semantics/wide/widezone.h"

typedef struct WideNode { // of a search without covering by a_LU it is inclusion
  const int32_t *state;
  const WideBound *zone;
  const int64_t *lower, *upper; // by clock; both below 0: it does not matter
  bool uses_bounds;             // for covering
} WideNode;

// As zones_new. The options must be possible for the engine (plan/choice.h).
Space *wide_new(Mem *, const Net *, const Goal *, const Options *, Report *);
void wide_node(Space *, WideNode *); // the current one, as long as it is
