// Checkpoints: write a search to files, from which a later search continues
// (search/save/restore.h) with any number of threads and processes.
//
// A space with its own passed list (search/space/passed.h) writes its parts itself, all nodes
// each time, so its chains have one part. The rest of this comment is about zones.
//
// Each worker writes its part: the statistics, two bits for each of its nodes, and the stream
// (search/workers/stream.h) of the nodes that are new since the last checkpoint. The stream is in
// pieces; an empty piece ends it. So a checkpoint is a chain of parts, and the first part has all
// nodes of its time. Nodes do not change except for these two bits: whether they are stored and
// visited.
//
// The manifest describes the search, the number of workers, and the stamps of the chain, which
// name the parts. All files have a checksum (search/save/savefile.h). The parts are written to
// disk first, then the new manifest, which replaces the old one. Only then are parts removed that
// do not belong to the chain. So there is a complete checkpoint at any moment.
//
// A search is written between two nodes. Several workers pause for it (team_pause): none opens
// another node, nodes that were lent are visited, and all mail is read. When they are quiet every
// node is in the store of its owner, and all nodes that are not marked as visited wait there. So
// the nodes are the whole state of the search. A limit of time or an interrupt ends a search with
// checkpoints only when the last one has been written. When memory has run out nothing can be
// written, so a checkpoint is written when most of the memory is used.
#pragma once

#include "base/text.h"
#include "search/reach.h"

enum { CHECKPOINT_CHAIN = 64 }; // at most

typedef struct Checkpoint {
  const char *folder; // where to write; NULL: nowhere
  double every;       // seconds
  const char *head;   // lines `name value`; NULL in other ranks than 0
  double last;        // when the last one was written
  double before;      // seconds that the search took before it was resumed
  uint32_t written;   // how many
  double seconds;     // that all of them took
  int error;          // errno of the first that could not be written
  bool *doubtful;     // what the caller learns during the search besides; NULL: nothing
  const char *reason; // why the search ends, once this one has been written; NULL: it goes on
  uint64_t chain[CHECKPOINT_CHAIN]; // stamps
  uint32_t length;
  bool is_broken;  // the next one begins a new chain
  uint32_t alarms; // of memory, that there were when one was last written
} Checkpoint;

// The search writes them from now on, and when it is stopped; and no longer.
void checkpoint_attach(Reach *, Checkpoint *);
void checkpoint_detach(Reach *);
// For the first worker of rank 0, now and then: has a checkpoint written if it is time for one,
// or the search is to stop, which it then does later.
void checkpoint_look(Reach *);
// For other workers of rank 0, now and then: the same if memory comes to its end, for the first
// one may not look in time.
void checkpoint_watch(const Reach *);
// A worker that is quiet does its part, and waits until the search goes on.
void checkpoint_rest(Reach *);

// Of the files.
#define CHECKPOINT_MAGIC "tarn checkpoint 6\n"
#define CHECKPOINT_PART "tarn part 6\n"
void checkpoint_path(Text *, const char *folder); // of the manifest
void checkpoint_part_path(Text *, const char *folder, uint64_t stamp, uint32_t number);
size_t checkpoint_piece_bytes(const Reach *); // of one piece, at most
typedef struct CheckpointPart {               // behind the magic word of a part
  uint64_t stamp, number;
  uint64_t before, nodes;           // of the worker: then in the chain, and now
  uint64_t marks;                   // of its trail
  uint64_t doubtful;                // Checkpoint.doubtful
  uint64_t invalid, invalid_offset; // transitions that the range of a variable forbade
  Statistics stats;
} CheckpointPart;
enum { CHECKPOINT_STORED = 1, CHECKPOINT_VISITED = 2 }; // the bits of a node
