// Reads random runs back from the JSON that `tarn simulate --run --json` prints.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "model/random_run.h"

bool random_reader_is_one(const Source *); // the text looks like such a run
// The query of the run, in the arena. NULL with an error.
const char *random_reader_query(const Source *, Arena *, Report *);
// The run, in the arena; names and edges must be those of the net. False with an error.
bool random_reader_run(const Source *, Arena *, const Net *, RandomRun *, Report *);
