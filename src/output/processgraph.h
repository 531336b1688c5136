// The automata of a model as graphs of locations and edges, in the DOT language of Graphviz.
#pragma once

#include "model/net.h"
#include "model/syntax.h"

// One graph with a cluster for each process: initial locations have an arrow from nowhere,
// committed ones a double border, urgent ones a dashed border.
void processgraph_all(Text *, const Net *);
// The graph of one process. In both, long guards and statements are broken into lines; locations
// have the id `tarn-location` and their number, edges `tarn-edge` and theirs.
void processgraph_write(Text *, const Net *, ProcessId);
// The graph of a template of an UPPAAL model, with the texts of its file. Its locations have the
// ids of those of a process, from `first` on, its edges `tarn-edge`, a number for the template,
// and their own: `tarn-edge2-0`.
void processgraph_template(Text *, const TemplateNode *, const char *title, uint32_t number,
                           LocationId first);

// The colours that UPPAAL's users know; page.css repeats them for the dark theme.
#define COLOUR_GUARD "#0b6e1d"
#define COLOUR_SYNC "#00829b"
#define COLOUR_UPDATE "#1c2fb0"
#define COLOUR_INVARIANT "#8b1a8b"
#define COLOUR_NAME "#8b1a1a"
#define COLOUR_SOFT "#5c6b7a"
extern const char *const processgraph_colours[EDGE_WEIGHT]; // by part of an edge
