// SPEED: FDDI 20 in less than half the instructions. Without it (MODE=plain): the separate
// operations of dbm/dbm.h.
//
// A whole transition, as in dbm/kernel/step.h, on zones with more clocks. Entries have 16 bits
// there, too, but a row is several vectors.
#pragma once

#include "dbm/kernel/step.h"

// n and k are at most step_long of the clock bounds.
StepResult longstep_run(const Step *);
