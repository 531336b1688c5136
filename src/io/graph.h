// The graph that a search in zones explored: stored nodes, the transitions between them, and
// where a successor was covered by another node. As DOT for graphviz or as JSON.
#ifndef TARN_IO_GRAPH_H
#define TARN_IO_GRAPH_H

#include "search/reach.h"

enum { GRAPH_MOST = 2000 }; // nodes; of more, only the first are written, and that is said

// Appends the graph; gives the number of nodes that were left out.
uint32_t graph_write(Text *, const Net *, Reach *, ReachResult, bool is_json);
// To a file, as JSON if it is called so; warns if it cannot, and if nodes were left out.
void graph_write_file(const char *path, const Net *, Reach *, ReachResult, Report *);

#endif
