// Searches that compare states without meta variables (model/meta.h): a space around another one.
//
// To the search the key of a node lacks these variables, and its zone is a number for the zone of
// the inner space together with their values. So a node keeps the values with which it was found
// first, and a node that it covers is dropped with its own. What is found depends on the order.
//
// Variables on which urgency or the choice of transitions depends (NetSlots.control) are compared
// all the same: zones of different ones need not have the same clocks.
#pragma once

#include "search/space/space.h"

// The space around one of the net, which it owns, for one worker; the inner one itself if it
// keeps its nodes (Space.passed), finds bounds during the search, or is reduced by symmetry. Then
// all variables are compared, which is exact.
Space *masked_new(Mem *, const Net *, Space *inner);

// The space that knows zones: the inner one, or the space itself if it is not masked.
Space *masked_inner(Space *);
