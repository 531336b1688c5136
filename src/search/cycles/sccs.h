// Strongly connected components of a finished search, in the graph of its stored nodes. An edge
// leads from a node to the nodes that cover its successors.
//
// Every infinite run of the network is a path of this graph, because a covering node can do all
// that the covered one can (paper key HSTW20: the subsumption graph). The converse does not hold:
// a cycle through covering need not be a run. So if a component lacks a mark, no run in it meets
// all marks for ever. A component with all marks is only a suspicion.
//
// Sccs are numbered from 0 in the order in which they are complete: numbers never grow along
// an edge.
#pragma once

#include "search/passed/store.h"

typedef struct SccsRules {
  uint32_t all_marks;
  uint32_t (*marks)(Space *);   // of the current node and the step to it
  bool (*is_target)(Space *);   // a component counts only if it leads to such a node; NULL: any
  bool (*stopped)(void *state); // asked now and then
  void *state;
  // No cycle with all marks goes through nodes of this key, so that their steps are left out. It
  // is not known what such a node leads to. NULL: all nodes matter.
  bool (*is_inert)(Space *, const uint64_t *key);
  bool is_partial; // the search goes on: successors that no stored node covers are left out
  // The node that the space's current one is; NULL: the one that covers it.
  NodeRef (*find)(void *state);
} SccsRules;

typedef struct Scc {
  uint32_t marks; // on edges inside
  bool has_cycle;
  bool leads;      // to a target, or is one
  bool is_suspect; // it has all marks, on a cycle, and leads to a target
  bool has_hope;   // it is suspect, or leads to one that is, or that is not known
} Scc;

typedef struct SccLink { // to the node that covers a successor
  NodeRef to;            // NODE_NONE: there is none yet
  uint32_t marks;
} SccLink;

typedef struct Sccs {
  Mem *mem;
  Store *store;
  uint32_t count;  // its nodes
  uint64_t *first; // by NodeRef: its first link, in the order of its successors; and one more
  VEC(SccLink) links;
  uint32_t *numbers; // by NodeRef; UINT32_MAX: not stored
  VEC(Scc) list;
  bool has_suspects;
} Sccs;

// The search, of one worker, has ended with REACH_NONE, or goes on: then the space has another
// opened node afterwards. False if it was stopped, or Space.failure.
bool sccs_find(Sccs *, Mem *, Store *, const SccsRules *);
// After a change of links and nodes, of which none is inert or has to lead to a target: finds the
// components once more.
void sccs_renew(Sccs *, const SccsRules *);
// For CyclesRules: a stored node without hope that covers the current node of the search's space.
NodeRef sccs_hopeless(void *sccs);
