// Which transitions a node of a certificate may leave out. In states where time stands still the
// order of some transitions does not matter, and a node may list the successors of a part of them
// only. doc/notes/partial-order.md has the rules, their numbers and the proof.
//
// A node that leaves out transitions names a set P of processes and the reason why time stands
// still. The checker takes the states that the node stands for, within a zone W (below), and in
// them U, where time stands still. It verifies every rule for P in U. Then the transitions
// without a process of P may be missing, if they are possible in no part of W but U.
//
// A node stands for a_LU(Z) (check/certify.h). W contains it, so what is verified holds for each
// of these states itself: a run from it that begins with a transition that is left out has a
// permutation that begins with one that is not, and is no longer.
#pragma once

#include "check/statetransitions.h"
#include "check/zerotime.h"

typedef enum LeftOutStatus { LEFTOUT_POSSIBLE, LEFTOUT_FAILS, LEFTOUT_NEVER } LeftOutStatus;

typedef struct LeftOut {
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  ZeroTime zero;
  bool is_made;
  bool asks_dead, counts_strictly;
  Bits **clauses; // of the goal: cells

  // Of the present claim:
  ReducedSet claim;
  const StateTransitions *outgoing;
  const int32_t *state;
  const NodeBounds *bounds;
  NodeBound *wide; // W, over the clocks of the node
  NodeBound *part; // scratch
  NodeBound *most; // by position
  uint32_t room;   // entries of a matrix
  uint32_t x;      // U is W with this clock (a position) at `top`; 0: all of W
  int64_t top;
  bool has_committed;
  LeftOutStatus *status; // by edge
  Deeds *can;            // by process
  Bits **written;        // by process: cells, those of constants that change something included
  Bits **constant_cells; // by process: cells of these constants
  Bits **offers;         // by process: events, partners or not
  bool *is_out;          // by edge out of a present location: it is in some can
  Bits *changed;         // cells that some process can change
  Deeds taken;           // of the edges of P
  Bits *needs, *harms;   // the same
  Bits *set_cells;       // that P sets to constants
  uint32_t *set_to;      // by cell: 1 + the constant, UINT32_MAX: several
  Bits *all_cells;       // that P writes
  Bits *scratch;
  bool *is_chained; // by edge
  bool has_chain;
  VEC(EdgeId) chain;
  Vm vm;
  ClockTests tests;
} LeftOut;

void leftout_init(LeftOut *, Mem *, const Net *, const Goal *);

// Whether the claim holds of the present state and a node with this zone, after delay; NULL, or
// why not.
const char *leftout_refuse(LeftOut *, const StateTransitions *, const NodeBound *zone,
                           const NodeBounds *, const ReducedSet *);
// After that: whether this transition may be missing.
bool leftout_allows(LeftOut *, const StateTransition *);
