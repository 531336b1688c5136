// The unit of time of a query: that of the network in which it is decided (model/units.h).
#pragma once

#include "model/query.h"
#include "model/units.h"

// Brings a query, as it was read, to the unit that suits its constants and those of the model.
// Returns the network in that unit. New trees go to the arena.
const Net *rescale_query(Units *, Query *, Arena *);
