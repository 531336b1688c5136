// Bounds of nodes, as they travel upwards in the tree of a search with bounds on the fly.
#ifndef TARN_SEARCH_FLYBOUNDS_H
#define TARN_SEARCH_FLYBOUNDS_H

#include "search/fly_inside.h"

// A node's bounds grow. Those above hear of it from flybounds_pass_all.
void flybounds_raise(Fly *, NodeRef, LevelsRef by);
// Passes bounds of a node, its own or its subsumer's, to its parent.
void flybounds_pass_up(Fly *, NodeRef, LevelsRef bounds);
// What a node covers is to be tested again.
void flybounds_soil(Fly *, NodeRef);
// Passes on all that has grown.
void flybounds_pass_all(Fly *);

#endif
