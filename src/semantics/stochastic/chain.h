// Small models in which all delays are exponential, as Markov chains: every state with its rate
// and the probabilities of the states that follow. States in which no time passes (committed and
// urgent locations, urgent channels) have an infinite rate.
#pragma once

#include "semantics/stochastic/laws.h"

typedef struct ChainMove {
  uint32_t target;
  double probability;
} ChainMove;

typedef struct ChainState {
  double rate; // of leaving it; 0: it is never left, INFINITY: at once
  uint32_t first, count;
  bool is_goal, is_trap; // then it is not left
} ChainState;

typedef struct Chain {
  Mem *mem;
  VEC(ChainState) states; // the first is the initial one
  VEC(ChainMove) moves;
} Chain;

// False if the model is not of this kind, has more states, or fails in one. `goal` and `trap` may
// be NULL.
bool chain_make(Chain *, Mem *, const Laws *, const Condition *goal, const Condition *trap,
                uint32_t max_states);
void chain_release(Chain *);
