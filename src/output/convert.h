// Models in the other language: an UPPAAL model in TChecker's format, as far as that format can
// express it. Other constructs are refused, all at once: functions, quantifiers, bit operators,
// structs, urgent channels, priorities, guarded receivers of broadcasts, ... Names are made of
// letters, digits and `_`: P(1).x becomes P_1_x.
#pragma once

#include "model/net.h"

bool convert_to_tchecker(Text *, const Net *, Report *);
