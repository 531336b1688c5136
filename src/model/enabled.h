// Lists the joint transitions of a state in nets where the locations alone do not decide which
// exist (NetTraits.is_listed): broadcasts whose receivers have guards, priorities, urgent
// channels whose edges have clock guards.
//
// Decisions that depend on clocks become clock tests: each joint transition has the tests under
// which it happens, so it is fired like any other. If this condition is not a conjunction, there
// are several transitions with disjoint tests (model/expr/pieces.h).
//   - A receiver of a broadcast stays out where no guard of its edges holds, and only there.
//   - With priorities, a transition is possible where no guard of a higher one holds.
//   - Time may pass where no urgent synchronisation is enabled (enabled_delay).
// Enabled means here that the guards hold and that committed locations allow it. Target
// invariants do not count.
#pragma once

#include "model/expr/pieces.h"
#include "model/jointtable.h"

typedef struct ClockTestList {
  const ClockTest *items;
  uint32_t count;
} ClockTestList;

// Whether time may pass: not at all, freely, or by transitions without edges.
typedef enum JointDelay { JOINT_STILL, JOINT_FLOWS, JOINT_SPLIT } JointDelay;

typedef struct EnabledTransition {
  uint32_t sync; // NET_NONE: none
  uint32_t first_edge, edge_count;
  uint32_t first_test, test_count;   // beyond the guards
  uint32_t first_after, after_count; // of a delay
} EnabledTransition;

typedef struct ReceiverOption { // of a receiver: an edge with its clock tests, or to stay out
  const Edge *edge;             // NULL: stays out
  uint32_t first, count;        // of option_tests
} ReceiverOption;

typedef struct Receiver {
  uint32_t first, count; // of options
  bool committed;
} Receiver;

typedef struct TransitionDraft { // an offer, before priorities
  EnabledTransition transition;
  int64_t priority;
  bool fails;            // a guard has a run-time error
  uint32_t first, count; // of draft_tests: guards and others together
} TransitionDraft;

typedef VEC(const Edge *) EdgeList;

typedef struct Enabled {
  Mem *mem;
  const Net *net;
  const JointTable *table;
  Vm vm;
  VEC(EnabledTransition) transitions; // by ordinal
  EdgeList edges;
  ClockTests tests; // of the offers

  // In the making:
  const int32_t *state;
  const JointPlace *place;
  Pieces pieces;
  VEC(ReceiverOption) options;
  ClockTests option_tests;
  VEC(Receiver) receivers;
  uint32_t committed_end; // of the receivers, behind the last one in a committed location
  EdgeList chosen;
  ClockTests chosen_tests; // beyond the guards
  ClockTests context;      // all that is known to hold
  VEC(TransitionDraft) drafts;
  ClockTests draft_tests;
} Enabled;

void enabled_init(Enabled *, Mem *, const Net *, const JointTable *);
void enabled_release(Enabled *);
void enabled_find(Enabled *, const JointPlace *, const int32_t *state);
// In a state without urgent and committed locations.
JointDelay enabled_delay(Enabled *, const JointPlace *, const int32_t *state);
// By process: it offers an edge over an urgent channel over which a synchronisation is enabled.
// In nets without clock guards on urgent channels.
void enabled_stops(Enabled *, const JointPlace *, const int32_t *state, bool *stops);
