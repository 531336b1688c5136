// Sifting: covering tests of the current node against long lists of bodies that are words. Beside
// each body there is its sketch (dbm/stored/sketch.h); only those whose sketches allow a covering
// are tested, and several together. What a sketch is, the *plan*, is chosen from the bodies of
// the key.
#ifndef TARN_SEARCH_SIFT_H
#define TARN_SEARCH_SIFT_H

#include "dbm/stored/sketch.h"
#include "search/block.h"
#include "space/space.h"

enum { SIFT_ROUND = 128 }; // bodies that are sifted at once

typedef struct SiftPlan { // in the slab
  SketchPlan plan;
  uint32_t count; // bodies when it was made
} SiftPlan;
enum { SIFT_PLAN_UNITS = (sizeof(SiftPlan) + SLAB_UNIT - 1) / SLAB_UNIT };

// In all that follows `first` is the newest block of a key, and the blocks have sketches.

// Chooses what the sketches of `count` bodies are, from bodies of all parts, and makes them.
void sift_plan(Space *, const Slab *, uint32_t first, uint32_t count);
// The sketch of a body, or of the current node (NULL).
Sketch sift_sketch(Space *, const Slab *, Block *, const uint32_t *body);
// The same, put in its place.
void sift_put(Space *, const Slab *, Block *, uint32_t index, const uint32_t *body);

// The node of a body that covers the current node; SPACE_NONE if there is none.
uint32_t sift_coverer(Space *, const Slab *, uint32_t first);
// Which of the bodies from..end - 1 of a block, no more than a round, the current node covers,
// whose supply is given: their number, and their places, which have room for SIFT_ROUND +
// SKETCH_OVER.
uint32_t sift_covered(Space *, Block *, uint32_t from, uint32_t end, uint32_t supply,
                      uint32_t *places);

#endif
