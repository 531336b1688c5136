// Simulation, and runs from files that are shown.
#pragma once

#include "plan/session.h"

// Reads runs that were written as JSON: they become answers. 0 or -1.
int simulating_read_runs(Tarn *, const char *path, const char *text); // if the path is NULL

// Starts a simulation at the beginning, or at the end of a stored run.
bool simulating_start(Tarn *, const char *path, const char *text);
bool simulating_start_symbolic(Tarn *); // at the beginning, with zones

// A delay such as `3/2`.
bool simulating_delay(Tarn *, const char *delay, int64_t *over, int64_t *under);

// What tarn_step and its like ask for.
typedef struct Move {
  enum { MOVE_STEP, MOVE_WAIT, MOVE_GO, MOVE_BACK, MOVE_RANDOMLY } kind;
  uint32_t number;     // of a choice or a step; how many random steps
  int64_t over, under; // the delay; -1: as early as possible
  uint64_t seed;
} Move;
// Makes a move of the simulation, within the limits of a call. 0, or how many random steps there
// were; -1 with an error.
int simulating_move(Tarn *, const Move *);

// Writes `simulation` or `run`; false if there is no such thing.
bool simulating_write(Tarn *, Text *, const char *what, const char *format);
