// The network in which a query is decided (model/units.h): its unit of time, and whether clocks
// are stopped that only queries read.
#pragma once

#include "model/query.h"
#include "model/units.h"

// Brings a query, as it was read, to the unit that suits its constants and those of the model.
// Returns the network in that unit, with the rates of the clocks that the query reads. New trees
// go to the arena.
const Net *rescale_query(Units *, Query *, Arena *);
