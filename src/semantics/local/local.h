// Local-time zones: a semantics in which each process has its own time, as a Space (paper key
// GHSW19; doc/notes/local-time.md has the rules and their proofs).
//
// A node is a discrete state and a local zone, an offset matrix (dbm/offset.h): the moments at
// which clocks were reset, and the local times that the processes may have come to. Actions
// of different processes commute, so that one node stands for all their interleavings. A node is
// kept only if its zone has a synchronised valuation, one with equal local times: these are
// the reachable configurations, and covering compares only them (dbm/stored/offsetpack.h).
#pragma once

#include "dbm/bound.h"
#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"

// As zones_new (semantics/zone/zones.h). reduce_attach reduces it, by symmetries that local time
// has, too (semantics/local/localrename.h).
Space *local_new(Mem *, const Net *, const Goal *, const Options *, Report *);

// For certificates, the current node as one of global time: its synchronised zone, and whether
// clock bounds decide what covers it (else inclusion does). What semantics/zone/zones.h tells of
// nodes holds here too.
const Bound *local_zone(Space *);
bool local_uses_bounds(const Space *);
