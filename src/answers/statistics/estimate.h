// Answers statistical queries: makes runs until a rule says that there are enough, and computes
// the answer from them.
#pragma once

#include "answers/statistics/confidence.h"
#include "answers/statistics/crew.h"
#include "answers/statistics/sequential.h"
#include "answers/statistics/stopping.h"

typedef struct EstimateParameters {
  TestParameters test; // alpha, beta, epsilon, ...
  StopRule stop;
  uint64_t seed;
  uint32_t threads;
  double bar_width;   // of histograms; 0: by bar_count
  uint32_t bar_count; // 0: the square root of the number of values
} EstimateParameters;

// A value with the run that gave it: when a run met its goal, or the extreme of a number on it.
typedef struct RunValue {
  double value;
  uint64_t run;
} RunValue;

// The estimate after so many runs.
typedef struct Milestone {
  uint64_t runs;
  double value;
  Interval interval;
} Milestone;

// Of importance splitting: how many of the runs that began below a level came to it.
typedef struct LevelCount {
  double threshold;
  uint64_t reached, runs;
} LevelCount;

// The course of a run of `simulate`: points with a time and a value for each expression.
typedef struct Course {
  uint64_t run;
  VEC(double) points; // 1 + value_count numbers each
} Course;

typedef struct Estimate {
  Mem *mem;
  StatisticalKind kind;
  bool has_distribution; // of the values of satisfied runs
  bool is_filtered;      // a simulation that keeps runs which meet a goal
  EstimateParameters parameters;
  uint64_t runs, satisfied;
  uint64_t steps;           // of all runs
  bool is_complete;         // the rule was met; else a limit came before
  double value;             // the estimate
  Interval interval;        // UPPAAL's: Clopper and Pearson's, or Student's
  Interval sequence;        // of probabilities: valid at all times
  Decision decision;        // of tests and comparisons
  uint64_t other_satisfied; // of comparisons: the other side; `runs` counts pairs
  bool is_close;            // the two sides differ by at most epsilon
  Sample sample;            // of values
  VEC(RunValue) values;     // in the order of runs; those of satisfied runs
  VEC(Milestone) milestones;
  VEC(Course) courses;
  VEC(LevelCount) levels;
  uint32_t value_count; // of courses
  // The value is known exactly, not from runs, and this is why; NULL: it is not. `exact` is the
  // value.
  const char *exact_why;
  double exact;
  bool is_certain; // not even rounded: 0 or 1
  // Of the query, for the writers:
  PathKind path;
  RunBoundKind bound;
  bool is_min, is_at_most;
  double threshold;
  const char **texts; // of the expressions
} Estimate;

// Makes what is watched in runs of a query: run i has the watch i % count. Returns the count, 1
// or 2; 0 with an error in the report.
uint32_t estimate_watches(Watch watches[2], Arena *, const Laws *, const Statistical *, Report *);

// Why to give up, NULL: there is no reason. Asked often; the estimate may be a few runs old.
typedef const char *EstimateStop(void *context, const Estimate *);

// Runs a query. False with an error in the report; *reason is why it was given up, NULL: it was
// not. The laws are of the query's network.
bool estimate_run(Estimate *, Mem *, const Laws *, const Statistical *,
                  const EstimateParameters *, EstimateStop *, void *context, const char **reason,
                  Report *);
void estimate_release(Estimate *);

// The values sorted; those of equal value by run.
void estimate_sort(Estimate *);
// The value below which a share of the sorted values lies.
const RunValue *estimate_quantile(const Estimate *, double share);

typedef struct Histogram {
  double low, width;
  uint32_t count;
  uint64_t *bars; // the caller's, in the estimate's memory
} Histogram;
void estimate_histogram(Estimate *, Histogram *);
