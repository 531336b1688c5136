// A proposal of symmetry while it is built (analysis/symmetry/propose.h): columns of processes,
// and what was reported as they were aligned.
#pragma once

#include "analysis/symmetry/classes.h"
#include "analysis/symmetry/family.h"

typedef struct ConstantUse { // an id: at one place of the processes of a column
  uint32_t node;
  int32_t *values; // by id
} ConstantUse;

typedef struct EventDraft {
  bool is_moved;
  uint32_t process;
  EventId *events;
} EventDraft;

typedef struct ClassValues { // a value column of a class
  uint32_t root;
  const int32_t *values;
} ClassValues;

typedef struct Builder {
  Mem *mem;
  Arena *arena;
  const Net *net;
  const struct SyncUses *syncs; // of each process
  Classes *classes;
  uint32_t size;
  VEC(ProcessId *) processes; // columns
  bool *is_member;            // by process: in a column
  ClockIndex **clocks;        // by clock of id 0: its column
  uint32_t **slots;           // by slot of id 0
  VEC(ConstantUse) uses;
  VEC(EventDraft) events;
  VEC(ClassValues) values;
  VEC(uint32_t *) slot_columns;
  bool *is_taken; // by slot: in a column
  // The walk:
  uint32_t id;     // that is aligned with id 0
  uint32_t cursor; // next of `uses`
} Builder;
