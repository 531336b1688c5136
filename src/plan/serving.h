// Serving: what the processes other than rank 0 do (plan/machines.h).
#pragma once

#include "plan/machines.h"

// Joins the others, if there are any. 0 in rank 0, which goes on; 1 in the others, when rank 0
// has left; -1 with an error.
int serving_join(Tarn *);
int serving_attach(Tarn *, Link *); // the same with this link
