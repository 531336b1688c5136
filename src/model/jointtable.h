// Tables for finding joint transitions: the events that each location offers, and the parts of
// each synchronisation. They are made once for a net, in an arena, and used by model/joint.h and
// model/enabled.h.
//
// The synchronisations that a location vector enables are found without looking at each of them.
// Every synchronisation has a *pivot*: the strong part that the fewest locations of its process
// offer. Each location lists the synchronisations whose pivot it offers. The lists of the present
// locations, united in a bitmap, are the candidates in order of declaration; the other parts of a
// candidate are tested when its turn comes. A synchronisation with weak parts only is on the
// lists of all its parts: any of them enables it.
#pragma once

#include "model/net.h"

typedef struct Choices { // edges of a location with one event, or its asynchronous edges
  const Edge *const *edges;
  uint32_t count;
} Choices;

typedef struct Part {
  ProcessId process;
  bool weak;
  const Choices *choices; // by local index of the location
  uint32_t stride;        // of that index, in Parts.numbers
} Part;

typedef struct Parts {
  Part *items;
  uint32_t count;
  uint32_t *numbers; // by locations, 0: not known; NULL: some part is weak, or they are many
} Parts;

typedef struct Spot { // what a location offers
  Choices async;
  const uint32_t *syncs; // whose pivot it offers
  uint32_t sync_count;
  uint32_t index; // local
  bool committed;
} Spot;

typedef struct JointTable {
  const Spot *spots; // by location
  const LocationId *first_locations;
  const Parts *syncs;
  uint32_t process_count, word_count;
  uint32_t *numbers; // of all synchronisations
  uint32_t number_count;
  const uint64_t *urgent; // bitmap of the synchronisations over urgent channels; NULL: none
} JointTable;

// A location vector, looked up.
typedef struct JointPlace {
  const Spot **now;     // by process
  uint64_t *candidates; // bitmap of synchronisations, as if they had to be tried
  bool committed;       // some process is
  bool has_async;       // some process has asynchronous edges here
} JointPlace;

void jointtable_init(JointTable *, Arena *, const Net *);
void jointtable_place(const JointTable *, Arena *, JointPlace *); // allocates one
void jointtable_find(const JointTable *, JointPlace *, const int32_t *locations);
