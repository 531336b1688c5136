// Searches that compare states without meta variables (model/meta.h): a space around another one.
//
// The search sees keys without these variables, and zones that are numbers for a zone of the
// inner space together with their values. So a node keeps the values with which it was first
// found, and a node that it covers is dropped with its own values. The states found depend on the
// order.
//
// Variables that decide urgency or the choice of transitions (NetSlots.control) are compared
// nevertheless, because zones with different values of them may have different clocks.
#pragma once

#include "search/space/space.h"

// The space around one of the net, which it owns, for one worker; the inner one itself if it
// keeps its nodes (Space.passed), finds bounds during the search, or is reduced by symmetry. Then
// all variables are compared, which is exact.
Space *masked_new(const Net *, Space *inner);

// The space that knows zones: the inner one, or the space itself if it is not masked.
Space *masked_inner(Space *);
