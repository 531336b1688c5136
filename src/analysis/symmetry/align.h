// Alignment of expressions that belong to different ids: walks two trees side by side and reports
// what differs. For proposals of symmetry only (analysis/symmetry/propose.h).
#pragma once

#include "analysis/symmetry/classes.h"

// What is reported, in the order of the walk, which is the same for all images of a tree. NULL:
// nothing is. False ends the walk.
typedef struct AlignVisit {
  void *context;
  bool (*clock)(void *context, ClockIndex from, ClockIndex to);
  bool (*slot)(void *context, uint32_t from, uint32_t to);
  // A constant that is compared with, assigned to or an index of something of the node.
  bool (*constant)(void *context, uint32_t node, int32_t from, int32_t to);
} AlignVisit;

typedef struct Align {
  Classes *classes;
  const AlignVisit *visit;
  uint32_t depth; // of calls
} Align;

// False if they differ in more than clocks, variables and ids.
bool align_exprs(Align *, const Expr *, const Expr *, const void *scope);
bool align_edges(Align *, const Edge *, const Edge *);
bool align_processes(Align *, const Net *, ProcessId, ProcessId); // events are not looked at
