// The graph that a search in zones explored: stored nodes, the transitions between them, and
// where a successor was covered by another node. As DOT for graphviz or as JSON.
#ifndef TARN_IO_GRAPH_H
#define TARN_IO_GRAPH_H

#include "search/reach.h"

enum { GRAPH_MOST = 2000 }; // nodes; of more, only the first are written, and that is said

// What is missing in a graph.
typedef struct GraphGaps {
  uint32_t nodes; // beyond GRAPH_MOST
  bool is_cut;    // a limit was reached, and only some of the rest is there
} GraphGaps;

// Appends the graph.
GraphGaps graph_write(Text *, const Net *, Reach *, ReachResult, bool is_json);
// To a file, as JSON if it is called so; warns if it cannot, and of gaps.
void graph_write_file(const char *path, const Net *, Reach *, ReachResult, Report *);

#endif
