// Hints of a certificate. For each node of a part they list the successors, how each was renamed,
// and where the number of the covering node will be (answers/certificates/covers.h).
#pragma once

#include "base/text.h"
#include "base/vec.h"
#include "search/space/space.h"

typedef struct HintItem {
  uint32_t ordinal, place;
  uint32_t renaming_bytes;
  size_t renaming; // where in `renamings`
} HintItem;

typedef struct Hints {
  Mem *mem;
  VEC(HintItem) items;
  VEC(uint32_t) ends; // by node of the part
  Text renamings;     // as they are written
} Hints;

void hints_clear(Hints *);
// Adds one for the next node. If the space reduces by symmetry, it is that of the current node.
void hints_add(Hints *, const Space *, uint32_t ordinal, uint32_t place);
void hints_end(Hints *); // the node has no more
// Writes those of a node of the part. False if one of the answers, by place, is COVERS_NONE.
bool hints_put(const Hints *, Text *, uint32_t node, const uint32_t *answers);
