// Runs that differ: what a run uses, and the search for a run to the goal that uses something
// new. The search is in a network with a mark (model/marking.h): edges that use something new set
// it, and the goal asks for it. So the answer is exact: there is such a run or there is none.
#pragma once

#include "answers/runs/trace.h"

typedef enum Differ { DIFFER_EDGES, DIFFER_LOCATIONS, DIFFER_PROCESSES } Differ;

// What runs have used so far, by edge, location or process.
typedef struct DifferUsed {
  Differ by;
  const Net *net;
  bool *used;
  uint32_t count;
} DifferUsed;

void differ_init(DifferUsed *, Arena *, const Net *, Differ);
// Adds what a run uses. With `names`, what of it is new, on a line each.
void differ_add(DifferUsed *, const Run *, Text *names);

typedef struct DifferSearch {
  Mem *mem;
  const DifferUsed *used;
  const Query *query; // E<> or A[], for the net
  TraceKind kind;
  Statistics *stats;
  uint64_t max; // successors of a search for a shortest run, before one in the usual order
} DifferSearch;

// A run to the goal that uses something new. REACH_GOAL with the trace, which the caller
// releases; REACH_NONE: there is none; REACH_STOPPED: not known. REACH_FAILED: the model failed,
// which the search before did not meet.
ReachResult differ_find(const DifferSearch *, Trace *);
