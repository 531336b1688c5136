// Explanations: what was planned for a query, what was done, and why (`tarn check --explain`).
// Texts are constant, so an explanation outlives the plan from which it is made.
#pragma once

#include "search/options.h"
#include "search/statistics.h"

enum { EXPLANATION_STAGES = 48 };

typedef struct PlannedStage {
  const char *name, *when, *purpose;
  uint64_t max_visited, max_transitions; // 0: no limit
} PlannedStage;

typedef struct DoneStage {
  uint32_t number; // of the planned stage, from 1 on; 0: evidence, or a part of a stage
  const char *name, *outcome;
  Statistics stats;
} DoneStage;

typedef struct Explanation {
  bool is_planned; // else the query was refused
  Options options; // of the first stage
  char symmetry[64];
  const char *engine_why, *symmetry_why, *partial_why;
  uint32_t planned_count, done_count;
  PlannedStage planned[EXPLANATION_STAGES];
  DoneStage done[EXPLANATION_STAGES]; // what comes later is only summed up
  Statistics total;                   // of all that was done to decide
  const char *laws;                   // of statistical queries: output/lawtext; else NULL
} Explanation;

void explanation_plan(Explanation *, PlannedStage);
void explanation_done(Explanation *, DoneStage);

struct json_t;
void explanation_write_plan(Text *, const Explanation *);
void explanation_write_stages(Text *, const Explanation *);
// Adds `plan` and `stages`.
void explanation_add_json(struct json_t *answer, const Explanation *);
