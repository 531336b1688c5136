// Symbolic simulation: a run of zones, made step by step. A state is a discrete state with the
// exact zone of all clock values that are possible there after the transitions so far, delay
// included. A transition is a choice if some of these values lets it be taken.
//
// Steps that were taken back are kept until another one is taken, as in answers/runs/simulate.h.
#pragma once

#include "base/random.h"
#include "check/replay.h"
#include "dbm/dbm.h"
#include "model/joint.h"
#include "search/space/space.h"

typedef struct SymbolicStep { // a transition and the state after it
  uint32_t ordinal;           // of the initial state, or of the transition from the state before
  const Edge *const *edges;   // none: the beginning, or a delay (JOINT_SPLIT in model/joint.h)
  uint32_t edge_count;
  const int32_t *state;
  const Bound *zone; // of all clocks of the net
} SymbolicStep;

typedef struct Symbolic {
  Mem *mem;
  const Net *net;
  Arena arena;
  Joint joint;
  Space *space;            // exact zones; its current node is of no account between calls
  VEC(SymbolicStep) steps; // the last one is the present
  uint32_t known;          // steps from steps.size up to this were taken back
  VEC(SymbolicStep) choices;
  Arena choices_arena;
} Symbolic;

// Starts in the first initial state; false, with a message if the model has no exact zones.
bool symbolic_init(Symbolic *, Mem *, const Net *, Report *);
void symbolic_release(Symbolic *);               // also after a failure
bool symbolic_step(Symbolic *, uint32_t choice); // false if there is none
bool symbolic_go(Symbolic *, uint32_t step);     // false if there is none
uint32_t symbolic_random(Symbolic *, uint32_t count, Random *);
// A concrete run with these transitions, in the arena; false if there is none, which would be a
// bug.
bool symbolic_run(const Symbolic *, Arena *, Run *);
// Positions the joint transitions on a choice.
void symbolic_show(Symbolic *, uint32_t choice);
