// Runs under conditions on discrete states. The space is that of answers/queries/runs.h, for
// rules in which no condition compares a clock and time need not diverge. Its nodes are those of
// the zone engine (semantics/zone/zones.h), so all techniques of that engine apply.
//
// A condition without clocks holds during a whole delay or not at all. So a run that has to stay
// in a condition is a run through states that satisfy it. There are two modes: in mode 0 the run
// is anywhere, and in mode 1 the condition holds from now on. Both occur only with
// RunsRules.start; keys then have the mode as one more word.
//
// The nodes can be reduced by symmetry. A run of the network is then a path of representatives.
// An infinite path of representatives is an infinite run up to names, which the conditions do not
// distinguish.
#pragma once

#include "answers/queries/runs.h"

// Whether the rules are of this kind.
bool stateruns_admits(const Net *, const RunsRules *);
// NULL with an error in the report. Rules must outlive the space.
Space *stateruns_new(Mem *, const Net *, const RunsRules *, Report *);

// As those of answers/queries/runs.h.
uint32_t stateruns_marks(Space *);
RunsEnd stateruns_end(Space *);
bool stateruns_is_inert(Space *, const uint64_t *key);

// What a key means: the mode, and the discrete state, which lives until the next call.
uint32_t stateruns_mode(Space *, const uint64_t *key);
const int32_t *stateruns_state(Space *, const uint64_t *key);

// Which nodes that `initial` and `next` make become, from now on, the hulls of all nodes of their
// key (semantics/zone/hulls.h).
typedef enum StateJoins {
  STATES_JOIN_NONE,
  STATES_JOIN_BEFORE, // those of mode 0 from which a run cannot go over at once, if there are two
  STATES_JOIN_FREE,   // all of mode 0, if there are two
  STATES_JOIN_ALL,
} StateJoins;
void stateruns_join(Space *, StateJoins);

Space *stateruns_zones(Space *); // the zone engine
