// Looks for an infinite run that meets each of several marks infinitely often, or for a node
// where a run may end. It is one depth-first search for strongly connected components (paper key
// Cou99), over any space.
//
// A cycle returns to an equal node, not to one that merely covers. Covering prunes only where it
// is safe: suppose a new node is covered by a node of a complete component that was not
// accepting. The covering node can do all that the new one can, so the new one has no accepting
// run either (paper keys LODLP13, HSTW20).
#pragma once

#include "search/cycles/tour.h"

typedef enum CyclesResult {
  CYCLES_NONE,    // explored to the end
  CYCLES_FOUND,   // a tour
  CYCLES_END,     // a node that is an end
  CYCLES_UNCLEAR, // the rules could not tell of some node
  CYCLES_STOPPED, // a limit or an interrupt
  CYCLES_FAILED,  // Space.failure
} CyclesResult;

typedef struct CyclesRules {
  uint32_t all_marks;
  uint32_t (*marks)(Space *); // of the current node and the step to it
  // Of the current node: CYCLES_END, CYCLES_UNCLEAR or CYCLES_FAILED end the search; CYCLES_NONE:
  // it goes on. NULL: there are no ends.
  CyclesResult (*end)(Space *);
  // If it is there, a cycle counts only if it leads on to such a node. Then nothing is pruned by
  // covering.
  bool (*is_target)(Space *);
  // A node of another graph that covers the current one, and from which it is known that nothing
  // that counts can be reached; NODE_NONE: there is none. NULL: nothing is known.
  NodeRef (*hopeless)(void *state);
  void *hopeless_state;
  bool keeps_links; // cycles_graph will be asked for
} CyclesRules;

typedef struct CyclesLink {
  NodeRef to;       // the successor itself, or what covers it
  bool is_hopeless; // it is what CyclesRules.hopeless said, not a node of the search
  uint32_t marks;
} CyclesLink;

// What the search has found: its nodes are those of the store, from 0 on.
typedef struct CyclesGraph {
  const Store *store;
  const uint64_t *first; // by NodeRef: its first link, in the order of successors; and one more
  const CyclesLink *links;
  const CyclesLink *starts; // to the nodes where it began
  const uint32_t *ordinals; // by start: as cycles_begin_at has it
  uint32_t start_count;
} CyclesGraph;

typedef struct Cycles Cycles;

Cycles *cycles_new(Mem *, Space *, const CyclesRules *, Statistics *);
void cycles_release(Cycles *);
// The search begins at this node of the space, too, and not at the initial ones; before
// cycles_run. In the steps that are found its ordinal is this one.
void cycles_begin_at(Cycles *, const uint64_t *key, uint32_t zone, uint32_t ordinal);
// `stopped` is asked now and then. After CYCLES_STOPPED it can be called again, and goes on.
CyclesResult cycles_run(Cycles *, bool (*stopped)(void *state), void *state);
// After CYCLES_NONE, with `keeps_links`. A link within a component leads to the successor itself,
// any other one to a component that was complete before. It lives as long as the search.
void cycles_graph(Cycles *, CyclesGraph *);
// After CYCLES_FOUND and CYCLES_END: the steps, the initial node first. What follows steps[*loop]
// repeats; after CYCLES_END *loop is UINT32_MAX. Their keys live as long as the search.
void cycles_steps(Cycles *, Mem *, CycleSteps *, uint32_t *loop);
