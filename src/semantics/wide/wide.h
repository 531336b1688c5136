// Engine wide: zones of global time for models with constants that the other engines do not take,
// up to NET_MAX_WIDE. It is the plain algorithm on plain matrices of 64 bits
// (semantics/wide/widezone.h): nothing is packed, remembered or prepared. What it computes is
// what semantics/zone/zones.h computes, node by node, so that on models with small constants both
// make the same searches (make agree-wide).
//
// A node is a discrete state and a zone over all clocks of the net. Clocks that do not matter in
// the state can have any value. Zones that are stored have numbers; each is kept once.
#pragma once

#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"

// As zones_new. The options must be possible for the engine (plan/choice.h).
Space *wide_new(Mem *, const Net *, const Goal *, const Options *, Report *);
