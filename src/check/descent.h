// Certificates that no infinite run satisfies a claim (check/lasso.h): what must hold of them
// beyond check/certify.h. First for conditions on discrete states.
//
// A node has a mode and a number. In mode 0 a run is anywhere; in mode 1 the condition of the
// claim holds from now on. A run begins in mode 0 if the claim has a start, and may change to
// mode 1 where that holds. Otherwise it begins in mode 1 or, if there is no condition to stay in,
// in mode 0. Marks are what a run has to meet for ever: mark 0 is a transition, in mode 1 if
// there is a condition to stay in; mark i + 1 is a state that satisfies label i. The certificate
// names a missing mark for each number. It holds if, beside what certify.h asks for,
//   - nodes of mode 1 are entered wherever the condition holds, and those of mode 0 everywhere;
//   - a node of mode 0 is covered by one of mode 1 if start and condition hold in its state;
//   - numbers never grow along a step, and a step to a node of the same number does not have the
//     mark that is missing for it;
//   - with a condition to stay in, a node of mode 1 stands for no deadlocked state
//     (check/stuck.h), and time cannot pass for ever in its state.
//
// Then there is no such run. Suppose there is one. Each of its states is one that a node stands
// for: by induction, for the node that covers a successor stands for it (certify.h), and modes go
// along. If it has infinitely many transitions, the numbers of these nodes, which never grow, are
// the same from some point on. From there on it does not meet the missing mark of that number,
// which it has to meet again and again. Else it ends in mode 1, in a state from which time passes
// for ever, or which is deadlocked: no node stands for such a state.
//
// In a timed certificate conditions may compare clocks. Mode i + 1 then says that the run is in
// part i of the condition to stay in (check/clockparts.h). For a node of such a mode,
//   - time passes as long as the part and the invariant hold;
//   - within each part j of its target, each transition leads to a node of mode j + 1;
//   - there is a node for each other part j of the state that time may lead to: from a point of
//     this part after which all nearby moments lie in j, or to a point of j before which all
//     nearby moments lie in this part. Parts are convex, so a delay goes through finitely many of
//     them, and two that follow each other share a point or touch in one of these ways;
//   - no deadlocked state that it stands for stays in the part however long the invariant lets
//     time pass, and time cannot pass for ever in the part.
// A node of mode 0 is covered, where the start holds, by nodes of the parts of its own state.
// Covering nodes simulate what they cover, and do so for any delay, so the argument is the same.
//
// If only runs count in which time diverges, the net has one clock more, which nothing else uses.
// A transition of a run that has begun sets it to 0 if it is at least 1: this is a tick, the mark
// after those of the labels. If time diverges there are infinitely many ticks, unless the run
// ends. It then ends where time passes for ever: what is deadlocked does not matter.
#pragma once

#include "check/clockparts.h"
#include "check/lasso.h"
#include "check/statetransitions.h"

typedef struct Descent {
  Mem *mem;
  const LassoClaim *claim; // NULL: the certificate is of another kind
  Origin *same;            // each clock is itself
  bool is_timed;
  ClockIndex tick;   // the clock that ticks; 0: time need not diverge
  ClockParts parts;  // of a timed one
  const char *error; // of a condition; NULL: none so far
} Descent;

// False if it is not timed and a condition compares clocks, or if one asks for deadlocks. In a
// net that measures time (net_measure) time has to diverge.
bool descent_init(Descent *, Mem *, const Net *, const LassoClaim *, bool is_timed);

// The transitions are used to evaluate conditions; their scratch is lost.
uint32_t descent_first_mode(const Descent *);
// Whether a run in this mode may enter the state.
bool descent_stays(Descent *, StateTransitions *, const int32_t *state, uint32_t mode);
// Whether a run in this mode may go over to mode 1 in the state.
bool descent_hops(Descent *, StateTransitions *, const int32_t *state, uint32_t mode);
// Whether the numbers allow a transition into the state, which may be a tick.
bool descent_allows(Descent *, StateTransitions *, const int32_t *target, uint32_t mode,
                    bool ticks, uint32_t from, uint32_t to, uint32_t missing);
// Whether a transition in this mode may be a tick.
bool descent_ticks(const Descent *, uint32_t mode);
