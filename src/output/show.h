// Shows a model: as text in the TChecker language, which reads back as the same model, and as
// a picture in the DOT language of Graphviz.
#ifndef TARN_IO_SHOW_H
#define TARN_IO_SHOW_H

#include "model/net.h"

// Edges that no transition can have, on channels that nobody else uses, are left out.
void show_model(Text *, const Net *);
// One graph with a cluster for each process: initial locations have an arrow from nowhere,
// committed ones a double border, urgent ones a dashed border.
void show_process_dot(Text *, const Net *);
// A graph for each process, one after the other. In both, long guards and statements are broken
// into lines; locations have the id `tarn-location` and their number, edges `tarn-edge` and
// theirs.
void show_process_graphs(Text *, const Net *);

#endif
