// Certificates that no infinite run satisfies a claim (check/lasso.h): what must hold of them
// beyond check/certify.h. Conditions are on discrete states.
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
#pragma once

#include "check/lasso.h"
#include "check/statetransitions.h"

typedef struct Descent {
  Mem *mem;
  const LassoClaim *claim; // NULL: the certificate is of another kind
  Origin *same;            // each clock is itself
  const char *error;       // of a condition; NULL: none so far
} Descent;

// False if a condition compares clocks.
bool descent_init(Descent *, Mem *, const Net *, const LassoClaim *);
void descent_release(Descent *);

// The transitions are used to evaluate conditions; their scratch is lost.
uint32_t descent_first_mode(const Descent *);
// Whether a run in this mode may enter the state.
bool descent_stays(Descent *, StateTransitions *, const int32_t *state, uint32_t mode);
// Whether a run in this mode may go over to mode 1 in the state.
bool descent_hops(Descent *, StateTransitions *, const int32_t *state, uint32_t mode);
// Whether the numbers allow a transition into the state.
bool descent_allows(Descent *, StateTransitions *, const int32_t *target, uint32_t mode,
                    uint32_t from, uint32_t to, uint32_t missing);
