// Shows a model: as text in the TChecker language, which reads back as the same model, and as
// a picture in the DOT language of Graphviz.
#pragma once

#include "model/net.h"
#include "model/syntax.h"

// Edges that no transition can have, on channels that no other process uses, are left out.
void show_model(Text *, const Net *);
// One graph with a cluster for each process: initial locations have an arrow from nowhere,
// committed ones a double border, urgent ones a dashed border.
void show_process_dot(Text *, const Net *);
// The graph of one process. In both, long guards and statements are broken into lines; locations
// have the id `tarn-location` and their number, edges `tarn-edge` and theirs.
void show_process_graph(Text *, const Net *, ProcessId);
// The graph of a template of an UPPAAL model, with the texts of its file. Its locations have the
// ids of those of a process, from `first` on, its edges `tarn-edge`, a number for the template,
// and their own: `tarn-edge2-0`.
void show_template_graph(Text *, const TemplateNode *, const char *title, uint32_t number,
                         LocationId first);

// The colours that UPPAAL's users know; page.css repeats them for the dark theme.
#define SHOW_GUARD "#0b6e1d"
#define SHOW_SYNC "#00829b"
#define SHOW_UPDATE "#1c2fb0"
#define SHOW_INVARIANT "#8b1a8b"
#define SHOW_NAME "#8b1a1a"
#define SHOW_SOFT "#5c6b7a"
extern const char *const show_part_colours[EDGE_WEIGHT]; // by part of an edge

// Text inside of HTML and SVG; the end of a line becomes a blank.
void show_escaped(Text *, const char *chars, size_t size);
