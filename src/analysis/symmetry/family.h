// Families: ids 0 .. size - 1 that can be exchanged for each other, and what belongs to each of
// them: processes, clocks, variables, events, and values that stand for the id.
//
// All of it lies in *columns*: item i of a column belongs to id i. A permutation of the ids moves
// item i of every column to the place of item image[i]. So the ids of a family can be permuted
// in every way (the full group S_n), or, if it is cyclic, rotated (C_n).
//
// Columns of events and of values have the form in which certificates list them
// (model/renamed.h). Families live in an arena. They say nothing about symmetry until they are
// verified (analysis/symmetry/verify.h).
#pragma once

#include "analysis/symmetry/permutation.h"
#include "model/renamed.h"

typedef struct Family {
  uint32_t size;
  bool is_cyclic;
  // Column c, id i: [c * size + i].
  uint32_t process_columns, clock_columns, slot_columns;
  const ProcessId *processes;
  const ClockIndex *clocks;
  const uint32_t *slots; // of variables
  uint32_t event_columns;
  const RenamedEvents *events; // of one process, or of one column of processes
  uint32_t value_columns;
  const RenamedValues *values; // of a sort, that stand for the ids
  uint32_t sort_count;         // with the plain one
  const uint32_t *sort;        // by slot of variables
  // The symmetry holds while no process is in such a location (by LocationId); such a state is
  // never entered from another one. NULL: it holds everywhere.
  const bool *excluded;
  bool by_tables;     // some edges were compared by value tables: what they access may differ
  bool keeps_initial; // initial states are mapped to initial states
} Family;

// The permutation that takes id i to image[i], in the arena.
Permutation family_permutation(const Family *, Arena *, const Net *, const uint32_t *image);

// The family of some of the ids only, which are given in ascending order; the others stay.
Family family_restrict(const Family *, Arena *, const uint32_t *ids, uint32_t count);

// How many numbers there are from the least value of a sort to the greatest; 0 if it has none.
uint32_t family_span(const Family *, uint32_t sort, int32_t *least);

// Whether the state is in the part where the symmetry holds.
bool family_holds(const Family *, const Net *, const int32_t *state);
