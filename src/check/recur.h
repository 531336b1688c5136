// Decides whether a part of a run can be repeated for ever, with different times in each round.
//
// The states along the part are given, and the last one is the first. The edges are given, too.
// Times may differ from round to round. For a set Z of clock values at its beginning, let Pre(Z)
// be those from which the part can be taken so that it ends in Z: by delays where the state
// allows them, and by exactly these edges. Pre(Z) is a zone if Z is one. The module computes the
// greatest Z with Z within Pre(Z), from the invariant downwards. From each point of Z the part
// leads to a point of Z: so it can be repeated for ever, and it is enough that the run comes to a
// point of Z. If it comes to one where the part begins, the round that is given need not be the
// first of those that can be repeated. What holds in that round alone counts only if the run
// comes to one at its end.
//
// Sets that are not zones are made smaller, which can only reject a run: where urgent
// synchronisations depend on clocks no time passes; of the conditions under which edges move
// together, and of the clauses of a condition that has to hold, those count that hold in the
// round that is given.
#pragma once

#include "base/text.h"
#include "model/concrete_run.h"
#include "model/query.h"

// The run must have been replayed, and its steps state their clocks. `stay` is a condition that
// holds at every moment of the part (NULL: none). `after_round`: rounds have to follow the one
// that is given. `diverges`: each round has to take at least a unit of time. False with the
// reason.
bool recur_check(Mem *, const Net *, const Goal *stay, const Run *, bool after_round,
                 bool diverges, Text *why);
