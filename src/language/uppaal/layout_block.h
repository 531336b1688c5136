// The layout block of a .xta file: a comment at its end that says where UPPAAL's editor draws the
// model, so that the way from .xml to .xta and back keeps the drawing.
//
//   /* tarn layout
//   template Train at 16 -8
//   location near id id2 at 120 40 name 110 10 invariant 110 60
//   edge near cross guard 150 80 nail 200 40
//   */
//
// Edges have no names: the block lists them in the order of the file, with their ends. Lines that
// no longer fit the model are ignored.
#pragma once

#include "base/arena.h"
#include "model/syntax.h"

// Finds the block in the text, if there is one, and fills in coordinates and colours.
void layout_block_read(Arena *, const Source *, Document *);
// Adds a block; nothing if there is nothing to say.
void layout_block_write(Text *, const Document *);
// Where the block begins; the size of the text if there is none.
size_t layout_block_find(const Source *);

// How edges name the location with an id.
const char *layout_name_of(const TemplateNode *, const char *id);
// The kinds of labels as XML calls them, in the order of EdgePart.
extern const char *const layout_edge_kinds[EDGE_PARTS];
