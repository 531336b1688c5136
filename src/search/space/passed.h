// The passed list: the nodes that a search has found and that no other node covers. One interface
// with three implementations: search/passed/store.h has covering, search/passed/fly.h has clock
// bounds that are found during the search, and semantics/discrete/ticks.h has nodes that are only
// a key.
#pragma once

#include "search/statistics.h"

typedef uint32_t NodeRef;
#define NODE_NONE UINT32_MAX

typedef struct Passed Passed;

// How nodes of a passed list of its own come into checkpoints (search/save/checkpoint.h).
struct Reach;
struct SaveFile;

// Where it finds its part. Each is read twice: all of them for the first time before any for the
// second.
typedef struct PartSource {
  struct SaveFile *save;
  uint32_t workers, number; // that wrote the checkpoint; the one that wrote this part
  const uint64_t *marks;    // of the trail of each of them
  bool is_second;
} PartSource;

typedef struct PassedParts {
  void (*write)(struct Reach *, struct SaveFile *); // the nodes of a worker, and which wait
  // Reads what a worker wrote, for those of this process: NULL, or why it cannot.
  const char *(*read)(struct Reach *, const PartSource *);
} PassedParts;

struct Passed {
  // Adds the space's current node, a successor of `parent`, unless a node covers it (NODE_NONE).
  // Nodes that it covers go. A node that has been visited may be given again, to be visited anew.
  NodeRef (*add)(Passed *, NodeRef parent);
  // Opens a waiting node; false if there is nothing left of it to visit.
  bool (*open)(Passed *, NodeRef);
  void (*close)(Passed *); // the opened node has been expanded; NULL: that is of no interest
  struct Trail *trail; // the ways to its nodes, if these have no parents (search/space/trail.h)
  Statistics *stats;   // set by the search: stored, max_stored, covered, mistakes are counted
  const PassedParts *parts; // NULL: those of the store
};

static inline void passed_count(Passed *passed, uint64_t stored) {
  Statistics *stats = passed->stats;
  stats->stored = stored;
  if (stored > stats->max_stored)
    stats->max_stored = stored;
}
