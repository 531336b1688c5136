// One model as its queries need it: in several units of time (model/scale.h), with and without
// the rates of clocks that only queries read. The net that was read has the unit of the source.
// For a query whose constants, or those of the model, are too large for most engines, another net
// is made from it: with all constants divided, or, if no unit helps, a view for engine wide. For
// a query that reads a clock of Location.unread_rates there is one in which these rates are in
// force. No text is read again. What is made stays until units_release, for runs refer to it.
#pragma once

#include "model/net.h"

typedef struct Units {
  const Net *net;        // as it was read
  struct UnitsNet *made; // the newest first
} Units;

// The net for queries with these constants (NULL: none). Its constants and theirs, divided by
// net_unit, are at most NET_MAX_CONSTANT, or it is wide. `reads_rates`: see stopwatches_are_read.
const Net *units_net(Units *, const Scale *, bool reads_rates);

void units_release(Units *);
// All memory younger than the mark was given back (mem_release_to).
void units_forget(Units *, size_t mark);
