// The steps of a run without end that a search for one has found, whatever part of it did.
#ifndef TARN_EVIDENCE_RUNSTEPS_H
#define TARN_EVIDENCE_RUNSTEPS_H

#include "evidence/liveness.h"

typedef struct PathStep { // of the run that was found
  uint32_t ordinal;       // Space.ordinal
  uint32_t situation, mode;
} PathStep;
typedef VEC(PathStep) PathSteps;

// After CYCLES_FOUND and CYCLES_END: the steps, the initial node first. What follows steps[*loop]
// repeats; after CYCLES_END *loop is UINT32_MAX. False on failure.
bool runsteps_find(Liveness *, PathSteps *, uint32_t *loop, Report *);

#endif
