// SPEED: a third of the instructions of seven dining philosophers in local time. Without it
// (MODE=plain): semantics/local/localfiring.c computes each zone.
//
// Commuting actions: a zone need not be computed if another order of the same actions has led to
// it before.
//
// Actions that touch different processes and resources commute exactly (doc/notes/local-time.md):
// both orders make the same local zone. Suppose the opened node P comes from Q by an action b,
// and an action a has nothing in common with b. Then a at P leads to the zone to which b leads
// from R, the successor of Q by a, if R has been opened:
//
//     Q --a--> R        P --a--> what R --b--> leads to
//     |b       |b
//     P --a--> ?
//
// Suppose instead that a at Q leads to no synchronised valuation, because the ceiling of a
// process p is passed. As long as p stays, no successor has one either. So a at P has none if b
// does not touch p.
//
// Each location vector keeps the results of the zone that was opened last (localvector_results)
// and the origins of two nodes: the one that was stored last and the one that was met last. No
// table is looked up, not even for the target's location vector.
#pragma once

#include "semantics/local/localvector.h"
#include "semantics/zone/memo.h"

// As results (semantics/zone/memo.h): no node, whatever the reason (MEMO_EMPTY); or as a process
// has passed its ceiling. Zones with such numbers, which are as good as impossible, are not kept
// as results.
static inline ZoneRef commute_result(ZoneRef zone) {
  return memo_is_zone(zone) ? zone : ZONE_NONE;
}
static inline ZoneRef commute_passed(ProcessId p) {
  return p < MEMO_REASONS ? MEMO_EMPTY - 1 - p : MEMO_EMPTY;
}

typedef struct CommuteOrigin {
  const LocalVector *vector; // Q; NULL: nothing is known of it
  uint64_t touches;          // what b does
  uint32_t out;              // b, of Q
  uint32_t next;             // transition of Q: those that P has, too, are in the same order
} CommuteOrigin;

// A node is opened. It has LOCAL_ORIGINS of them.
void commute_open(CommuteOrigin *, const LocalVectors *, LocalVector *, ZoneRef);
// What a transition makes of the opened zone, ZONE_NONE if it is not known. If it is, and a node,
// the transition is linked.
ZoneRef commute_find(CommuteOrigin *, LocalVectors *, LocalVector *, uint32_t ordinal);
