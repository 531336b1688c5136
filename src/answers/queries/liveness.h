// Decides questions about infinite runs: `E[]`, `A<>`, `-->` and Büchi conditions. All of them
// ask for one run, which shows or refutes the query: one that stays in a condition for ever, from
// the beginning or from some state on, or that satisfies conditions again and again.
//
// doc/notes/queries.md says what counts as such a run and why the search is exact.
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "answers/queries/runs.h"
#include "model/query.h"
#include "search/cycles/cycles.h"
#include "search/cycles/sccs.h"
#include "search/reach.h"

// The search that found the run.
typedef enum LivenessSource {
  LIVENESS_DEPTH,  // the search without covering: `cycles`
  LIVENESS_INSIDE, // the same from the nodes of suspicious components on
  LIVENESS_NODES,  // the search with covering, an end: `reach`
  LIVENESS_ROUNDS, // a suspicious component that was tried out: `rounds`
} LivenessSource;

typedef struct LivenessRounds {
  LivenessSource source;
  CycleSteps steps; // the initial node first
  uint32_t loop;    // what follows steps[loop] repeats
} LivenessRounds;

// What goes on beside the search with covering.
typedef struct LivenessBeside {
  Statistics depth;    // of the search without covering
  uint64_t max_depth;  // visited nodes after which that one pauses
  uint64_t next_look;  // visited nodes after which something is done
  uint64_t next_trial; // and the graph so far is tried out
  CyclesResult found;  // CYCLES_STOPPED: nothing
  bool has_hulls;      // between two searches with covering: nodes are joined
} LivenessBeside;

typedef enum LivenessProof {
  LIVENESS_NO_PROOF,
  LIVENESS_PROOF,      // after CYCLES_NONE there are `reach` and `components`
  LIVENESS_CERTIFICATE // and the nodes always have the form of a certificate
} LivenessProof;

// Which searches are made. The first ones are short, and CYCLES_STOPPED with liveness_is_long
// says that they decide nothing.
typedef enum LivenessPart { LIVENESS_ALL, LIVENESS_SHORT, LIVENESS_LONG } LivenessPart;

typedef struct Liveness {
  Mem *mem;
  Arena arena;
  const Net *net; // with is_divergent its last clock is used by nothing else
  const Query *query;
  bool is_divergent; // only runs in which time diverges count
  // Not 0: whether there is a cycle in which this clock is not set, and that leads, without
  // setting it either, to a state that satisfies the formula of the query.
  ClockIndex kept;
  // With `kept`, and a formula without clocks: the cycle goes through such a state.
  bool is_shown;
  Goal stay, start;
  RunsRules rules;          // some are for one search only
  const Symmetry *symmetry; // of the query, too; NULL: none. Then there is no run to be shown
  LivenessProof proof;      // what is wanted
  Space *space;             // after the search
  bool is_discrete; // it is that of answers/queries/stateruns.h, else of answers/queries/runs.h
  Cycles *cycles;
  Reach *reach; // the search with covering, NULL: none was made, or it was given up
  Sccs *sccs;
  LivenessRounds rounds;
  LivenessBeside beside;
  RunsEnd end; // after CYCLES_END
  Statistics *stats;
  uint64_t max_visits; // after which it stops; 0: any number
  MemWatch *limits;    // of time; NULL: none
  // ORDER_DFS: no search with covering is made. Another one but ORDER_STAGES: it is made first,
  // in this order.
  SearchOrder order;
  LivenessPart part; // with ORDER_STAGES
  // Told of each search that is made; may be NULL.
  void (*note)(void *state, const char *name, const Statistics *, CyclesResult);
  void *note_state;
  double begin, told; // when it began, and when `note` was told
  const char *stop_reason;
} Liveness;

// CYCLES_FOUND and CYCLES_END: there is such a run. CYCLES_STOPPED sets stop_reason. False with
// an error in the report.
bool liveness_run(Liveness *, CyclesResult *, Report *);
// Whether a search with LIVENESS_SHORT was stopped for being long.
bool liveness_is_long(const Liveness *);
// In place of liveness_run, once that has found a run: looks for a shortest one, of no more than
// `longest` transitions (search/cycles/shortest.h), with M bounds if these were needed.
bool liveness_shorten(Liveness *, bool is_m, uint32_t longest, uint64_t max, CyclesResult *,
                      Report *);
void liveness_release(Liveness *);
