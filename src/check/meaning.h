// Evaluates guards, invariants, updates and queries in a state, for all checks. The interpreter
// of model/expr does it, as for the searches. If the net has a twin (check/trees/twin.h), a
// second evaluator does it again, from the syntax trees of UPPAAL's models and from the text of
// TChecker's, and the results are compared. The twin keeps the first difference; after one, no
// check counts (meaning_difference).
#pragma once

#include "base/text.h"
#include "model/query.h"

// The net with its twin, in the arena; the rest is shared. A net that was
// made without a text has none: then everything means what the interpreter says.
const Net *meaning_net(Arena *, const Net *);
void meaning_release(const Net *); // the twin; NULL: there is no net
// Whether the two differ: the reason, as a sentence without a dot; NULL: they do not.
const char *meaning_difference(const Net *);

typedef struct MeaningCounts {
  bool has_twin;
  uint64_t compared, unknown; // conditions and updates in states
  const char *why;            // the first unknown one; NULL: there is none
  Place place;
  bool knows_query;
  bool has_text; // the twin read the model itself, not a syntax tree that the reader made
} MeaningCounts;
MeaningCounts meaning_counts(const Net *);

// As vm_guard, for guards, invariants and rates of the net.
VmResult meaning_guard(Vm *, const Net *, const Guard *, const int32_t *state, ClockTests *);
// Looks whether rates of clocks that are not in force in the net matter.
void meaning_rates(const Net *, const int32_t *state);
// As vm_update, for edges and hooks.
VmResult meaning_update(Vm *, const Net *, const Update *, int32_t *state, ClockUpdates *);
// Compares the clauses of a goal with its tree.
void meaning_goal(Vm *, const Net *, const Goal *, const int32_t *state);
// Looks whether edges that the net has left out could be taken in a state.
void meaning_state(const Net *, const int32_t *state);
