// Local-time zones: a semantics in which each process has its own time, as a Space (paper key
// GHSW19; doc/notes/local-time.md has the rules and their proofs).
//
// A node is a discrete state and a local zone, an offset matrix (dbm/offset.h): the moments at
// which clocks were reset, and the local times that the processes may have come to. Actions
// of different processes commute, so that one node stands for all their interleavings. A node is
// kept only if its zone has a synchronised valuation, one with equal local times: these are
// the reachable configurations, and covering compares only them (dbm/offsetpack.h).
#ifndef TARN_ENGINE_LOCAL_H
#define TARN_ENGINE_LOCAL_H

#include "engine/options.h"
#include "engine/space.h"
#include "model/query.h"

// As zones_new (engine/zones.h).
Space *local_new(Mem *, const Net *, const Goal *, const Options *, Report *);

// For tests: with some of the rules of engine/localaction.h only.
Space *local_new_with(Mem *, const Net *, const Goal *, const Options *, Report *,
                      unsigned rules);

#endif
