// The automata as drawings in SVG, for the page: one for each template of an UPPAAL model,
// whatever the number of its instances, and one for each process of another model. Where the file
// has coordinates for all locations of a template, as UPPAAL's editor writes them, they are used;
// else graphviz lays it out.
//
// In a drawing, a location has the id `tarn-location` and the number of the location in the first
// process that it shows. An edge of a process has the id `tarn-edge` and its number; one of a
// template `tarn-edge`, the number of the drawing, and its place in the template: `tarn-edge2-0`.
#pragma once

#include "model/net.h"
#include "model/syntax.h"

typedef struct Drawing {
  const TemplateNode *template; // NULL: of the process alone
  ProcessId process;            // the first that it shows
  uint32_t process_count;
} Drawing;

typedef struct Drawings {
  const Net *net;
  uint32_t count;
  Drawing *items;
  const uint32_t *of_process; // the number of its drawing
} Drawings;

void drawing_find(Drawings *, Arena *, const Net *);

// By edge: the places, in its template, of what is drawn for it, up to UINT32_MAX; NULL if it has
// an id of its own. One that goes through a branch point is two edges of the template, or more: a
// net does not tell branches to one location apart.
const uint32_t **drawing_edges(const Drawings *, Arena *);

// Writes them, each as a <figure> with its number in `data-drawing`. If there is no `dot`, or if
// it takes more seconds of processor time, those that need it are left out, with a sentence.
void drawing_write(Text *, const Drawings *, Arena *, int seconds);
