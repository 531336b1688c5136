// Slices in certificates: processes on which the query does not depend can be left out. A
// certificate with CERTIFY_SLICED lists them. It is then one of the smaller network of the
// others, the kept processes, whose joint transitions are the kept parts of those of the whole
// network (check/transitions.h). Its states keep the slots of all; what they hold for a process
// that is left out, and in what is loose, does not matter.
//
// A variable or a clock is *loose* if a process that is left out writes it, or an idle statement
// of a kept one that reads what is loose. An *idle statement* stands by itself in the update of
// an edge, assigns to a variable that is not local, does nothing else, and cannot fail.
//
// A state of the whole network and one of the smaller network are alike if they agree on the
// locations of kept processes and on all that is not loose. Whatever the whole network does, the
// smaller one can do from each state that is alike, and comes to a state that is alike, if
//   1. kept processes read nothing loose in invariants, guards and updates, but for idle
//      statements: so they do the same there, and fail together; no update runs around each step;
//   2. processes that are left out cannot fail, so no error is lost with them; nor can what reads
//      something loose;
//   3. which joint transitions there are, and when time passes, is known from locations and
//      guards: no priorities, no stopped clocks. Processes that are left out only take something
//      away by their guards, invariants, urgent and committed locations, but for what a committed
//      location allows, which transitions_leave_out knows. Without kept parts a transition
//      changes nothing but what is loose;
//   4. the query reads nothing loose, nor where a process is that is left out, and asks for no
//      deadlock, so that states that are alike meet it together.
// So if the smaller network reaches no state that meets the query, and fails nowhere, so it is
// with the whole network. What is reached in the smaller one need not be possible in the whole.
#pragma once

#include "model/query.h"

// By process. NULL if these processes can be left out; else the reason why they need not.
const char *sliced_refuse(Mem *, const Net *, const Goal *, const bool *left_out);
