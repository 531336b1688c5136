// Families of ids that can be exchanged for each other, as certificates list them: data only.
//
// Everything lies in columns: item i of a column belongs to id i. analysis/symmetry finds
// families, check/renaming proves that a family is a symmetry.
#pragma once

#include "model/net.h"

typedef struct RenamedEvents {
  bool is_moved; // `process` is a column
  uint32_t process;
  const EventId *events;
} RenamedEvents;

typedef struct RenamedValues {
  uint32_t sort;
  const int32_t *values;
} RenamedValues;

typedef struct RenamedFamily {
  uint32_t size;
  bool is_cyclic;
  uint32_t process_columns, clock_columns, slot_columns, event_columns, value_columns;
  const uint32_t *processes, *clocks, *slots; // column after column
  const RenamedEvents *events;
  const RenamedValues *values;
  const uint32_t *sort; // by slot of variables; 0: values stay
  const bool *excluded; // by location: the renaming does not hold there
} RenamedFamily;
