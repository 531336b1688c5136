// SPEED: FDDI 20 in less than half the instructions. Without it (MODE=plain): the separate
// operations of dbm/dbm.h.
//
// A whole transition, as dbm/kernel/step.h has it, on zones of more clocks: in 16 bits too, a row
// being several vectors.
#pragma once

#include "dbm/kernel/step.h"

// n and k are at most step_long of the clock bounds.
StepResult longstep_run(const Step *);
