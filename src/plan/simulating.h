// Simulation, and runs from files that are shown.
#ifndef TARN_SIMULATING_H
#define TARN_SIMULATING_H

#include "plan/session.h"

// Reads runs that were written as JSON: they become answers. 0 or -1.
int simulating_read_runs(Tarn *, const char *path);

// Starts a simulation at the beginning, or at the end of a stored run.
bool simulating_start(Tarn *, const char *path);

// A delay such as `3/2`.
bool simulating_delay(Tarn *, const char *delay, int64_t *over, int64_t *under);

// Writes `simulation` or `run`; false if there is no such thing.
bool simulating_write(Tarn *, Text *, const char *what, const char *format);

#endif
