// Watches one run for a statistical query: whether and when it meets a condition, the extreme
// value of a number on it, or the course of several numbers.
//
// Clocks move between steps, so conditions are tested during delays, too. Numbers are read at
// both ends of each delay, and between them if they do not depend linearly on clocks.
#pragma once

#include "model/statistical.h"
#include "semantics/stochastic/monitor.h"
#include "semantics/stochastic/race.h"

typedef struct WatchNumber {
  const Code *code;
  bool is_sampled; // it may have its extremes within a delay
} WatchNumber;

// What is watched; made once, shared by all threads.
typedef struct Watch {
  const Laws *laws;
  RunBound bound;
  const Condition *goal; // NULL: none. The run ends when it holds
  const Condition *trap; // NULL: none. The run ends when it holds: `hold` of an until fails
  bool is_goal_bad;      // [] p: the goal is !p, and a run is good without it
  const Mitl *mitl;      // NULL: none. Its atoms are noted, and it is decided at the end
  uint32_t mitl_steps;   // see monitor_steps
  const Condition *atoms[MONITOR_MAX_ATOMS];
  uint32_t atom_count;
  const WatchNumber *numbers;
  uint32_t number_count;
  bool is_min;
  // By cell (model/access.h): whether what is watched reads it. Steps that change nothing of it
  // need no look; delays need one if it reads clocks.
  const bool *reads;
  bool is_moving;
  bool reads_more; // than the delays of processes depend on
} Watch;

typedef struct Outcome {
  bool is_satisfied;
  bool is_raised; // it ended at a level, see WatchLevel
  double at;      // when the goal was met: time, cost or steps, as the bound counts
  double value;   // extreme of the first number
  double time;    // at the end
  uint64_t steps;
} Outcome;

// Is given each point of a run: its time, and the numbers there. Inner points are those within a
// delay.
typedef void WatchPoint(void *context, const Race *, double time, const double *numbers,
                        bool is_inner);

// The watch of a path, and that of numbers. The first fails with an error if a formula has too
// many atoms.
bool watch_path(Watch *, Arena *, const Laws *, const PathQuery *, Report *);
void watch_numbers(Watch *, Arena *, const Laws *, const RunBound *, const Expr *const *,
                   uint32_t count, bool is_min, const Expr *goal);

// Runs; false with the race's error. `point` may be NULL.
bool watch_run(const Watch *, Race *, uint64_t seed, uint64_t run, Outcome *, WatchPoint *point,
               void *context);

// A run that begins at a point of another (NULL: at the beginning), and ends also when a number,
// which depends on no clocks, is at least the threshold.
typedef struct WatchLevel {
  const RacePoint *from;
  const Code *number;
  double threshold;
} WatchLevel;
// Runs with the numbers of the stream as race_start leaves it: `number` is its name.
bool watch_level(const Watch *, Race *, uint64_t seed, uint64_t number, const WatchLevel *,
                 Outcome *);
