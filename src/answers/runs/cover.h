// Test suites: few runs that together use all edges, locations or pairs of consecutive edges of a
// process that any run uses.
//
// One search of all states, breadth first, finds for each item the node and the transition at
// which it is first used. The path to them is a run. The items that were found last are taken
// first, because the paths to them use many others. At its end a run is made longer: a short
// search from there looks for the nearest item that no run has yet. It is taken if the detour is
// not longer than a run of its own would be, or not much.
//
// What a pair is depends on the last edge of a process. So there is one search for each process,
// in a network that remembers this edge (model/marking.h).
//
// Each search has three phases with limits of their own: the search, making runs with detours,
// and making the other runs without. What has no run by then is undecided.
#pragma once

#include "answers/runs/trace.h"

typedef enum CoverGoal { COVER_EDGES, COVER_LOCATIONS, COVER_PAIRS } CoverGoal;

typedef enum CoverStatus { COVER_UNREACHABLE, COVER_UNDECIDED, COVER_COVERED } CoverStatus;

typedef struct CoverItem {
  EdgeId edge;         // edges; the second one of a pair
  EdgeId before;       // pairs: the first one
  LocationId location; // locations
  CoverStatus status;
  uint32_t run; // that uses it first, from 1 on; 0: none
  // Where the search has found it; not if no search did.
  bool is_found;
  NodeRef parent;
  uint32_t ordinal;
  uint32_t way, depth; // where the path to it begins, and its steps; 0: it is not known
} CoverItem;

typedef VEC(Trace) CoverRuns;

typedef enum CoverPhase { COVER_SEARCH, COVER_DETOURS, COVER_RUNS, COVER_PHASES } CoverPhase;

// What was searched to its end.
typedef struct CoverSpace {
  Reach *reach;
  const Net *net;     // the model, or the one that remembers the last edge of a process
  ProcessId process;  // pairs: of this one; NET_NONE: all
  const int32_t *own; // pairs: by edge, its number in the process from 1 on; 0: of another one
} CoverSpace;

typedef struct Cover {
  // Set by the caller.
  Mem *mem;
  const Net *net;
  CoverGoal goal;
  MemWatch *limits[COVER_PHASES]; // NULL: none
  // Before a search: so many are left, with this one. It may set the limits anew; NULL: nothing.
  void (*begins)(void *state, uint32_t left);
  const char *exhausted; // the stop reason if memory comes to an end
  Statistics *stats;     // of all searches
  void *state;
  void (*explored)(void *state, const CoverSpace *); // after a search of all states; may be NULL
  // Results. They are in the memory.
  CoverItem *items;
  uint32_t item_count;
  CoverRuns runs;          // concrete
  const char *stop_reason; // why a search was cut; NULL: none was
  const char *failure;     // a run-time error of the model that ended a search; NULL: none
} Cover;

// False, with an error in the report, if the model cannot be searched.
bool cover_find(Cover *, Report *);
// The name of an item: `P.a -> b (e)`, `P.l`, `P.a -> b (e), b -> c`.
void cover_name(Text *, const Net *, CoverGoal, const CoverItem *);
