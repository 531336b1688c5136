// One model in several units of time (model/scale.h). The net that was read has the unit of the
// source. For a query whose constants, or those of the model, are too large for most engines,
// another net is made from it: with all constants divided, or, if no unit helps, a view for
// engine wide. No text is read again. What is made stays until units_release, for runs refer to
// it.
#pragma once

#include "model/net.h"

typedef struct Units {
  const Net *net;        // as it was read
  struct UnitsNet *made; // the newest first
} Units;

// The net for queries with these constants (NULL: none). Its constants and theirs, divided by
// net_unit, are at most NET_MAX_CONSTANT, or it is wide.
const Net *units_net(Units *, const Scale *);

void units_release(Units *);
// All memory younger than the mark was given back (mem_release_to).
void units_forget(Units *, size_t mark);
