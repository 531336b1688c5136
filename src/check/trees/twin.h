// The twin of a network: the same processes, locations, edges, channels and synchronisations,
// found anew from the syntax tree, for the second evaluator. If the two disagree, that is a
// difference.
//
// An edge of the network belongs to an edge of the file, a choice of its `select`, and a branch.
// The network leaves out edges that it says can never be taken, and elements of arrays of
// channels. The twin checks in each state that this is right (twin_state).
//
// A TChecker model has no such trees: the twin reads its text (check/trees/tckfile.h).
#pragma once

#include "check/trees/resolve.h"
#include "check/trees/tckfile.h"

// An edge of the file in a process, with a choice of what it selects.
typedef struct TwinEdge {
  const EdgeNode *edge, *branch; // branch: NULL if the edge leads to a location
  LocationId source;
  Space *space, *branch_space; // with what the edge selects, with what the branch does
  Label guards[2];             // of the edge and of the branch
  Label channel, update;
  bool is_resolved;
  uint32_t next; // of those that are watched at the source, + 1
} TwinEdge;

typedef struct TwinGoal {
  const Tree *tree;
  const Label *label;
} TwinGoal;

typedef struct Twin {
  Arena arena; // of all but what is in vectors
  const Net *net;
  Resolver resolver;
  Evaluator evaluator;
  TckFile *listed; // of a TChecker model, with all of it; NULL: it has a syntax tree
  Space *globals, *system, *asked;
  VEC(ProcessSpaces) processes;
  VEC(TwinEdge) edges;
  uint32_t *edge_of;    // by edge of the network: the index in `edges`
  uint32_t *channel_of; // and its channel; NET_NONE: none
  Label **invariants;   // by location
  uint32_t *watched;    // by location: the first in `edges`, + 1
  Label before, after;
  bool *is_rated, *is_read;      // by clock, of check/meaning.c
  bool *lacks_rates;             // by location: its invariant was looked at and gives none
  ClockTests tests, other_tests; // scratch of check/meaning.c
  ClockUpdates updates;
  VEC(int32_t) state;
  uint64_t compared; // conditions and updates that both have evaluated
  uint64_t unknown;  // those that the twin knows nothing about
  const char *why_unknown;
  Place unknown_place;
  VEC(TwinGoal) goals;
  bool was_asked, has_unknown_goal; // a query that it knows, or does not know
} Twin;

// NULL if the network has neither a syntax tree nor the text of a TChecker model, or is one for
// statistical queries.
Twin *twin_new(Mem *, const Net *);
void twin_free(Twin *);
// What the two have otherwise, a sentence without a dot; NULL: nothing so far.
const char *twin_difference(const Twin *);
void twin_differs(Twin *, Place, const char *what);

// The labels of an edge of the network.
const TwinEdge *twin_edge(Twin *, EdgeId);
const Label *twin_invariant(Twin *, LocationId);
Label twin_query(Twin *, const Tree *);
// Whether no edge that the network has left out could be taken in a state, whatever the clocks
// are.
void twin_state(Twin *, const int32_t *state);
