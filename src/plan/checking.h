// The state of one check. The steps of plan/decide pass it on: they read the query, refuse it or
// choose and plan, run the plan, and conclude.
#pragma once

#include "analysis/forget.h"
#include "analysis/symmetry/symmetry.h"
#include "answers/queries/deadgoal.h"
#include "plan/handle.h"
#include "plan/plan.h"
#include "search/reach.h"

// How a query is searched, and why.
typedef struct Chosen {
  Engine engine;
  bool drops_abstraction; // the engine has none that is sound for the model
  bool is_reduced;        // by partial order
  const char *engine_why, *symmetry_why, *partial_why;
} Chosen;

// What a check in a slice (plan/slices.h) had before.
typedef struct Outside {
  const Net *net;
  Net *slice; // in which it is now
  // What the slice does, if a certificate can say so: sets back dead variables, or leaves out
  // processes. Else NULL.
  const ForgetList *forgotten;
  const bool *left_out;
  Query query; // the symmetries of a slice may have made it wider
  Goal goal;
  Symmetry symmetry;
  Chosen choice;
  char symmetry_name[sizeof((Answer *)0)->symmetry];
} Outside;

// One check. Everything it allocates after `mark` is dropped if memory runs out.
typedef struct Check {
  Tarn *tarn;
  // The session's net for this query, in its unit of time. It lives as long: runs refer to it.
  const Net *model;
  const Net *net; // that is explored: the model or a slice, with the ranges that symmetry needs
  Answer *answer;
  Arena arena;
  Query query;
  bool has_query;
  Goal goal;
  Symmetry symmetry; // by which the search is reduced
  Space *space;
  Reach reach;
  Deadgoal deadgoal; // if the goal asks for deadlocks
  double start;      // of the query, for the statistics
  double start_cpu;  // likewise, of the processor time
  Chosen choice;
  const Plan *plan;
  Outside *outside;          // NULL: the network is the session's
  struct Liveness *liveness; // for infinite runs
  int cycles;                // its CyclesResult
  bool lacks_run;            // it was decided, but the search for a run to show failed
  Options last;              // of the last search
  Options found;             // of a random search that found something
  VmInvalid invalid;   // transitions that the search did not take for the range of a variable
  bool is_proved;      // a certificate was written
  bool is_unconfirmed; // what was found may be in the abstraction only
  bool has_no_states;  // the model has none: that is no fault of the query
  bool is_awaited;     // other processes wait to hear whether the search can begin
} Check;

// Reads the query, if that was not done before, and finds the model for it; NULL: there is none.
// Check.has_query says whether it could be read. Before the first symbolic query a warning says
// what is ignored.
bool checking_read_query(Check *, TarnQuery *);

// Meta variables that the query reads are kept in the model of the check, with a warning.
void checking_keep_meta(Check *);

// The model with a clock that measures time. It stays as long as the session: runs refer to it.
const Net *checking_timed(Check *);
