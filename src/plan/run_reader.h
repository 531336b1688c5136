// Reads concrete runs back from the JSON that `tarn check --json --trace concrete` prints.
#pragma once

#include "check/replay.h"

typedef struct StoredRun {
  const char *query;   // what it answers, as written; NULL: nothing
  bool is_labels;      // the query is a list of labels
  const char *values;  // of `sup`, `inf` and `bounds`: what is said of them; else NULL
  const char *shows;   // one of several values, which this run shows; NULL: not said
  const char *verdict; // what the answer is said to be; NULL: not said
  const char *reason;  // of a run that answers nothing: where it is from; may be NULL
  const Net *net;      // of the run
  Run run;
} StoredRun;

typedef VEC(StoredRun) StoredRuns;
struct json_t;

// The net of a run that answers this query: its unit of time depends on that. NULL after an
// error.
typedef const Net *RunNet(void *state, const StoredRun *);

// Appends the runs of all results; they live in the arena, the vector in its memory. Edges,
// locations and names must be those of the net. False with an error in the report, also if there
// is no run.
bool run_read(StoredRuns *, Arena *, RunNet *, void *state, const Source *, Report *);

// Sets the locations of a state from {"process": "location", ...}. False if one is missing or
// unknown.
bool run_read_locations(const Net *, const struct json_t *, int32_t *state);
// An edge as runs have it: by its index; without one it must be the only edge of its description.
// NULL, with the reason, if there is none.
const Edge *run_read_edge(const Net *, const struct json_t *, const char **why);
