// Record: the nodes and transitions of a search by one thread, to be replayed (bench/replay.c).
#ifndef TARN_BENCH_RECORD_H
#define TARN_BENCH_RECORD_H

#include "base/intern.h"
#include "base/pairs.h"
#include "model/net.h"
#include "search/reach.h"

struct Zones;

typedef struct RecordedNode {
  uint32_t state, zone;
  uint32_t parent; // the visited node that first led to it, itself if it is initial
} RecordedNode;

typedef struct Record {
  Mem mem;
  Net net;
  Report report;
  Source source;
  struct Zones *zones; // the space
  Reach reach;
  Statistics stats;
  double seconds; // of the processor, for the same search without a record
  // Discrete states are numbered from 1 on, nodes from 0 on.
  Intern states;
  Pairs numbers; // of state and zone: the node, plus 1
  VEC(RecordedNode) nodes;
  VEC(uint32_t) visited;     // nodes, in the order of the search
  VEC(uint32_t) first;       // by visit: its first transition; one more at the end
  VEC(uint32_t) transitions; // the nodes that they lead to
  void (*open)(Space *, const uint64_t *key, uint32_t zone); // the space's own
} Record;

// Searches the model in a file with zones of global time, without symmetry. False with an error
// in `report`, which stays valid until record_release.
bool record_make(Record *, const char *path);
void record_release(Record *);
const uint64_t *record_key(const Record *, uint32_t state);
// By zone: bytes that its value takes in a message. In the Mem.
uint16_t *record_zone_bytes(Record *);

#endif
