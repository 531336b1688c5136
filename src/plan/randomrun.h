// Random runs, one at a time: makes and shows those of a statistical query, and replays those of
// a file.
#pragma once

#include "plan/handle.h"

// Makes a run, replays it, and keeps it for randomrun_write. False with an error. If the replayer
// rejects it, there is a warning.
bool randomrun_make(Tarn *, TarnQuery *, uint64_t run, uint64_t seed);
// Writes `random run`; false if there is no such thing.
bool randomrun_write(Tarn *, Text *, const char *what, const char *format);

bool randomrun_is_one(const Source *); // a file begins like such a run
// Replays the run of a file, with the result of tarn_certify.
int randomrun_check(Tarn *, const Source *);
