// The graph that a search in zones explored: stored nodes, the transitions between them, and
// where a successor was covered by another node. As DOT for graphviz or as JSON.
#pragma once

#include "search/reach.h"

enum { GRAPH_MAX = 2000 }; // nodes; of more, only the first are written, and that is said

// What is missing in a graph.
typedef struct GraphMissing {
  uint32_t nodes; // beyond GRAPH_MAX
  bool is_cut;    // a limit was reached, and only some of the rest is there
} GraphMissing;

// Appends the graph.
GraphMissing graph_write(Text *, const Net *, Reach *, ReachResult, bool is_json);
// To a file, as JSON if it is called so; warns if it cannot, and of gaps.
void graph_write_file(const char *path, const Net *, Reach *, ReachResult, Report *);
