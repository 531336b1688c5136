// Gives the locations of a template places, for editors: by graphviz where it is installed, in
// layers otherwise. Nothing is changed if all locations have places.
//
// Layers: a location lies below those from which it is reached first. In a layer, locations are
// ordered by the places of their neighbours in the layer above (Sugiyama's method, without dummy
// nodes). Edges that would lie on each other, or on a location, get a nail.
#pragma once

#include "base/arena.h"
#include "model/syntax.h"

void placing_place(Arena *, TemplateNode *);
void placing_in_layers(Arena *, TemplateNode *); // without graphviz
