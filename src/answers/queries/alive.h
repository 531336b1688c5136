// A cheap sufficient test that no valuation of a discrete state is deadlocked. It compares
// constants only; where it fails, answers/queries/deadlock.h decides with matrices.
//
// It works where the invariant is a *box*: upper bounds of single clocks that belong to it. Then
// time ends where some clock x has its largest value. This end is *covered* if some transition is
// possible in the whole box with x at its largest value. Every valuation can wait for one of the
// ends, so if all of them are covered, no valuation is deadlocked. Whether a constraint of the
// transition (its guard, and the target's invariant before the updates) is entailed at an end is
// one comparison. If time cannot pass, one transition must be possible in the whole box. If
// nothing bounds the clocks, a transition with lower bounds only is enough: time meets them.
//
// Most updates change nothing that an invariant reads, which is found once for each edge. Then
// neither the updates nor the invariants of processes that do not move are evaluated.
#pragma once

#include "dbm/bound.h"
#include "model/joint.h"

typedef struct AliveOrigin { // of a clock: another one before a transition, and what was added
  ClockIndex clock;
  int64_t added;
} AliveOrigin;

typedef struct Alive {
  const Net *net;
  uint32_t n; // clocks, clock 0 included
  Vm *vm;
  Joint *joint;
  bool is_static; // of the question: variables are not looked at
  bool *is_plain; // by edge: sets clocks to constants only, and nothing that an invariant reads
  int32_t *most;  // by clock: its largest value in the box, UNBOUNDED if there is none
  bool has_ends;  // some clock has a largest value
  bool *is_left;  // by clock: the end at its largest value is not covered yet
  AliveOrigin *origins; // by clock; between questions each clock is its own
  ClockTests box, tests;
  ClockUpdates updates;
  int32_t *state;
} Alive;

// The interpreter and the enumeration of transitions are the owner's, and are used.
void alive_init(Alive *, Arena *, const Net *, Vm *, Joint *);

// Whether surely nothing is deadlocked in a state. The caller knows whether time can pass
// (JOINT_FLOWS or JOINT_STILL of model/joint.h). Run-time errors count as transitions. With
// is_static, this holds for all values of variables, as long as the net has the same joint
// transitions (NetSlots.control) and time can pass or not as here.
bool alive_is_sure(Alive *, const int32_t *state, bool flows, bool is_static);
