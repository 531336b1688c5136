// Deadlocks: the valuations of a discrete state from which no delay leads to an action, as a
// union of zones, and whether a zone of a search meets a goal that asks for them.
//
// Zones that stand for more than they contain need care. Under a_LU a zone stands for all states
// that one of its states simulates. The simulating state can do whatever the simulated one can;
// but the simulated one may be deadlocked where the other is not. So a search whose covering is
// modulo a_LU looks at a zone that contains a_LU(Z) (simulation_alu_hull). If nothing in it is
// deadlocked, nothing is. Otherwise there may be a deadlock: DEADLOCK_DOUBT. With M bounds (both
// bounds of each clock are their maximum) simulation goes both ways, and a look at Z itself
// decides. doc/notes/queries.md has the proof.
#pragma once

#include "answers/queries/alive.h"
#include "base/intern.h"
#include "dbm/federation.h"
#include "model/joint.h"
#include "model/query.h"

extern const char deadlock_split[]; // a failure: time may pass in some pieces of the clock space

typedef struct Deadlocks {
  Mem *mem;
  Arena arena;
  const Net *net;
  uint32_t n; // clocks, clock 0 included
  Vm vm;
  Joint joint;
  Alive alive;
  uint64_t asked, sure;  // questions, and how many of them the cheap test answered
  Intern states;         // that it left open
  VEC(uint32_t) numbers; // by state: its set + 1, 0 if nothing is deadlocked
  uint64_t looked_up;    // questions about these
  bool is_forgetful;     // most states are asked for once: sets are no longer kept
  VEC(Federation) sets;
  Federation none;
  Federation left;     // of the state being looked at
  Federation possible; // where its transitions are possible
  bool is_always;      // the transition looked at depends on no clock
  ClockTests tests, goal_tests;
  ClockUpdates updates;
  int32_t *state;
  AliveOrigin *origins;
  Bound *invariant, *zone, *hull;
  const char *failure; // a run-time error of the model
  Place failure_place;
} Deadlocks;

void deadlocks_init(Deadlocks *, Mem *, const Net *);
void deadlocks_release(Deadlocks *);

// The deadlocked valuations of a state, all within its invariant, until the next question; NULL
// on failure.
const Federation *deadlocks_of(Deadlocks *, const int32_t *state);

typedef enum DeadlockAnswer {
  DEADLOCK_NO,
  DEADLOCK_DOUBT, // some state for which the zone stands may meet the goal
  DEADLOCK_YES,
  DEADLOCK_FAILED,
} DeadlockAnswer;

// Whether nothing in the state is deadlocked, by the cheap test; false: not known.
bool deadlocks_are_none(Deadlocks *, const int32_t *state);
// The same for all states with the locations and NetSlots.control of this one.
bool deadlocks_are_never(Deadlocks *, const int32_t *state);

// A zone of a search, over all clocks, made when it is asked for.
typedef struct DeadlockZone {
  const Bound *(*zone)(void *context);
  // The zone stands for a_LU of itself under these bounds, if it returns true; else, or NULL: for
  // itself, or M bounds are in use.
  bool (*bounds)(void *context, const int32_t **lower, const int32_t **upper);
  void *context;
} DeadlockZone;

// Whether the zone meets the goal. With is_alive it is known that nothing in
// the state is deadlocked.
DeadlockAnswer deadlocks_meet(Deadlocks *, const Goal *, const int32_t *state, bool is_alive,
                              const DeadlockZone *);
