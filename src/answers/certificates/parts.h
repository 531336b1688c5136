// Parts of a certificate (model/certificate_format.h): whole groups of nodes, in the order of the
// process that stores them.
//
// Several processes write in rounds, a part each: in the file the first parts of all come first,
// in the order of their ranks, then the second ones. So all of them compute at the same time, and
// none has to keep more than one part.
#pragma once

#include "answers/runs/talk.h"
#include "search/reach.h"

enum { PARTS_NODES = 1 << 12 }; // of a part, if its last group has no more

typedef struct FilePart { // its first group and node; the next part's are its end
  uint32_t group, node;
} FilePart;
typedef VEC(FilePart) PartList; // of one process, and one more

typedef struct FileParts {
  Mem *mem;
  VEC(NodeRef) order;          // the nodes of this process, in the order of the file
  VEC(uint32_t) numbers;       // by NodeRef (search/passed/nodes.h): its number in the file
  VEC(uint32_t) ends;          // by group: where in `order` it ends
  PartList list;               // of this process; after parts_plan of all rounds
  uint32_t rounds, all_groups; // of all
} FileParts;

// Sorts the stored nodes of this process, groups by key, nodes of a group by age. If bounds were
// found during the search it is those that are their own subsumers.
void parts_init(FileParts *, Mem *, const Reach *, const NodeRef *subsumers);
// Finds the numbers. All processes call it. False if the talk is over.
bool parts_plan(FileParts *, Talk *);
