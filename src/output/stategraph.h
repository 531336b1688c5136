// The graph that a search in zones explored: stored nodes, the transitions between them, and
// where a successor was covered by another node. As DOT for graphviz or as JSON.
#pragma once

#include "search/reach.h"

enum { STATEGRAPH_MAX = 2000 }; // nodes; of more, only the first are written, and that is said

// What is missing in a graph.
typedef struct StateGraphMissing {
  uint32_t nodes; // beyond STATEGRAPH_MAX
  bool is_cut;    // a limit was reached, and only some of the rest is there
} StateGraphMissing;

// Appends the graph.
StateGraphMissing stategraph_write(Text *, const Net *, Reach *, ReachResult, bool is_json);
// To a file, as JSON if it is called so; warns if it cannot, and of gaps.
void stategraph_write_file(const char *path, const Net *, Reach *, ReachResult, Report *);
