// Covers: finds the stored nodes that cover the successors of others, after a search by one
// process or several, for a certificate.
//
// A successor that belongs to another process is sent there by value. Questions are collected,
// and answered when all processes meet. A process that has no questions left still attends, until
// no process has any. So no process keeps more than the questions and answers of one meeting.
#pragma once

#include "answers/runs/talk.h"
#include "search/reach.h"

#define COVERS_NONE UINT32_MAX // no node covers it

typedef struct CoversBox CoversBox;

typedef struct Covers {
  Mem *mem;
  Talk *talk;
  Reach *reach;
  const uint32_t
      *numbers; // in the certificate, of the nodes of this process (search/passed/nodes.h)
  VEC(uint32_t)
  answers;          // numbers of covering nodes, or COVERS_NONE, by place; between
                    // meetings the reader may clear them
  CoversBox *boxes; // questions, by rank
  size_t asked;     // words of all of them
} Covers;

void covers_init(Covers *, Mem *, Talk *, Reach *);

// The place in `answers` for the node that covers the current node of this search's space, one of
// this process. The answer may be there only after a meeting.
uint32_t covers_find(Covers *, Reach *);
uint32_t covers_know(Covers *, NodeRef); // the same if it is this node of this process

// Whether there are so many questions that it is time for a meeting.
bool covers_are_many(const Covers *);
// A meeting; no node is opened. True if all said that they are done, and also if the talk is
// over.
bool covers_meet(Covers *, bool is_done);
