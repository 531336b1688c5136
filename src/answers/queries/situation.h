// Situations: what searches for runs and deadlocks need to know of a discrete state, found once
// and kept: its invariant as a zone, clock bounds, transitions, the parts of the clock space
// where a condition holds, and where a run in it is stuck.
//
// Unlike location vectors (semantics/zone/locvector.h), which serve reachability, situations are
// of whole discrete states and have the integer part of everything evaluated. They are numbered
// from 0 and live as long as the Situations. Zones are over all clocks of the net.
#pragma once

#include "analysis/clockbounds.h"
#include "analysis/diagonals.h"
#include "answers/queries/deadlock.h"
#include "base/intern.h"
#include "base/pool.h"
#include "dbm/federation.h"
#include "model/joint.h"
#include "model/state.h"

typedef struct SituationTransition {
  uint32_t ordinal;        // model/joint.h
  uint32_t target;         // number of a situation, whose invariant may be empty
  const Constraint *guard; // over the clocks of the net
  uint32_t guard_count;
  const ClockUpdate *updates;
  uint32_t update_count;
  const char *error; // what goes wrong if the guard holds; NULL: nothing
  Place error_place;
} SituationTransition;

typedef struct ZoneList {
  const Bound *zones;
  uint32_t count;
} ZoneList;

typedef struct Situation {
  const int32_t *state;
  bool is_possible; // its invariant is not empty
  bool can_delay;
  bool has_transitions;
  const Bound *invariant;
  const int32_t *lower, *upper; // clock bounds
  const SituationTransition *transitions;
  uint32_t transition_count;
  ZoneList stays;              // disjoint: where Situations.stay holds
  const Constraint *diagonals; // of clocks, that matter (analysis/diagonals.h)
  uint32_t diagonal_count;
  ZoneList starts;   // where Situations.start holds; they may overlap
  Federation *stuck; // by part of `stays`: see situation_find_stuck; NULL: not asked for
  const char *error; // of its invariant or conditions; NULL: none
  Place error_place;
} Situation;

typedef struct Situations {
  Mem *mem;
  Arena arena;
  const Net *net;
  uint32_t n; // clocks, clock 0 included
  size_t zone_size;
  Vm vm;
  Joint joint;
  const Goal *stay, *start; // conditions on single states; NULL: none
  ClockBounds bounds;
  bool has_diagonals; // clocks are compared with each other: then bounds are M bounds
  Diagonals diagonals;
  bool is_m;          // both bounds of a clock are the larger one
  ClockIndex watched; // a clock that matters up to 1 everywhere; 0: none
  Intern states;
  Pool list;
  ClockTests tests;
  ClockUpdates updates;
  VEC(SituationTransition) transitions;
  int32_t *state;
  Bound *zone, *left;
  Federation pieces;
  Deadlocks deadlocks;
  const char *failure; // a run-time error of the model
  Place failure_place;
} Situations;

// Goals and net must outlive it. False with an error in the report if clock bounds do not exist.
bool situations_init(Situations *, Mem *, const Net *, const Goal *stay, const Goal *start,
                     Report *);
void situations_release(Situations *);

// The number of a state's situation; UINT32_MAX on failure.
uint32_t situation_find(Situations *, const int32_t *state);
static inline Situation *situation_at(const Situations *s, uint32_t number) {
  return pool_at(&s->list, number);
}
bool situation_find_transitions(Situations *, Situation *); // false on failure
// The states of a part of `stays` that are deadlocked and stay in it however long the invariant
// lets time pass; NULL on failure.
const Federation *situation_find_stuck(Situations *, Situation *, uint32_t part);
static inline const Bound *situation_zone(const Situations *s, const ZoneList *list, uint32_t i) {
  return list->zones + i * s->zone_size;
}

// The initial zone: the initial values of clocks, without invariant.
void situation_initial_zone(const Situations *, Bound *zone);
// Guard and updates; false if the guard misses the zone, or on failure (a clock would become
// negative, or the transition's error).
bool situation_fire(Situations *, const SituationTransition *, Bound *zone);
