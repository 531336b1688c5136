// Global-time zones: the semantics of networks of timed automata as a Space.
//
// A node is a discrete state and the zone of the clock valuations with which it can be entered
// and then stay: guard, updates, target invariant, delay, target invariant, then the abstraction.
// With `--delay before`, the delay and the second invariant follow when the node is opened. Under
// alu, am and closures the zone is stored as it is and covering is modulo the abstraction; under
// extra-* it is extrapolated and covering is inclusion.
#pragma once

#include "dbm/dbm.h"
#include "model/query.h"
#include "search/options.h"
#include "search/space/space.h"
#include "semantics/zone/activeclocks.h"

// Makes the space; NULL with an error in the report if the combination of model, goal and
// options is unsound or undefined. `goal` may be NULL; net and goal must outlive the space.
Space *zones_new(Mem *, const Net *, const Goal *, const Options *, Report *);

const int32_t *zones_source(Space *); // the opened node's discrete state
// The current node: discrete state and zone.
const int32_t *zones_state(Space *);
const Bound *zones_zone(Space *);

// Its clocks, and whether clock bounds decide what covers it (else inclusion does).
const ActiveClocks *zones_active(const Space *);
bool zones_uses_bounds(const Space *);
// The static local bounds of its state, one entry per clock of the net; false if there are none
// (no abstraction). Those of the search may be larger, or be there for clocks that do not matter
// in this state, but what they cover is covered by these too.
bool zones_local_bounds(Space *, int32_t *lower, int32_t *upper);

// A note of the goal's about the current location vector, 0 until it is written and after the
// vector was forgotten. A vector has the locations and NetSlots.control of its states.
uint32_t *zones_note(Space *);

// The current zone over all clocks of the net; those that do not matter can be anything.
void zones_widen(Space *, Bound *zone);
// Time can pass for ever in the current node's discrete state.
bool zones_can_idle(Space *);
// The current node, made by `next`, is reached by a delay (JOINT_SPLIT in model/joint.h).
bool zones_is_delay(const Space *);

// The differences of clocks that matter in its state, locally, into the list; false if
// differences do not matter in this search.
bool zones_diagonals(Space *, ClockTests *);

// From now on a node covers what a_LU says, for certificates of --abstraction closure-lu+.
// Covering by that is not transitive: what covered a successor may have been evicted by a node
// that does not cover it. It is part of covering by a_LU, which is transitive, and by which
// certificates are checked. Nothing changes with other abstractions.
void zones_cover_by_simulation(Space *);

// Nodes that `initial` and `next` make become the hulls of all nodes of their key from now on
// (semantics/zone/hulls.h), or no longer.
void zones_join_nodes(Space *, bool joins);

// Exact replay, for traces: the initial node or the transition of the given ordinal from
// the current node becomes current. False if it is not possible.
bool zones_replay_initial(Space *, uint32_t ordinal);
bool zones_replay(Space *, uint32_t ordinal);
// The same in two parts: opens the current node, then tries its transitions one after the other.
// A successor that is possible becomes current.
bool zones_replay_open(Space *);
bool zones_replay_try(Space *, uint32_t ordinal);
