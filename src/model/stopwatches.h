// Stopwatches: clocks that stand still while time passes. An invariant `x' == e`, with an integer
// e that is 0 or 1, gives clock x the rate e as long as its process is in the location. A clock
// to which no process gives a rate runs. Two processes that give a clock different rates are an
// error at run time.
//
// Where nothing in the model reads a clock, its rate does not matter, and the search is exact. So
// if nothing reads any of the clocks that are stopped, the rates are kept beside the others
// (Location.unread_rates); only a query that reads such a clock is decided with them.
#pragma once

#include "base/text.h"
#include "model/expr/print.h"
#include "model/query.h"

// The clocks that stand still in a state, by clock: all entries are written. VM_TRUE, or VM_ERROR
// as the interpreter says it. Only of nets with traits.has_stopwatches. `tests` is room.
VmResult stopwatches_find(const Net *, Vm *, const int32_t *state, ClockTests *tests,
                          bool *stopped);

// The rates of a location as they were read, whether they are in force or not.
const ClockRate *stopwatches_rates(const Location *, uint32_t *count);

// Whether the query reads a clock of Location.unread_rates that may be stopped.
bool stopwatches_are_read(const Net *, const Query *);

// Prints the invariant of a location with its rates; false, and nothing, if it has neither.
bool stopwatches_print(Text *, const Location *, const Marks *); // NULL: without marks
