// Checkpoints: a search as a file, from which a later one goes on, with as many threads as it
// likes.
//
// The file has a head, a text that says of what search it is; the statistics; for each worker the
// stream of its nodes (search/stream.h), in pieces, the last of which is empty; and a checksum of
// all that. It is written beside the last one, brought to the disk, and then takes its place: at
// any moment there is a whole one.
//
// A search can be written between two nodes. Threads come to rest for it: none visits a node any
// more, and all read their mail until there is none (search/workers.h).
#ifndef TARN_SEARCH_CHECKPOINT_H
#define TARN_SEARCH_CHECKPOINT_H

#include "base/text.h"
#include "search/reach.h"

typedef struct Checkpoint {
  const char *folder; // where to write; NULL: nowhere
  double every;       // seconds
  const char *head;   // lines `name value`
  double last;        // when the last one was written
  uint32_t written;   // how many
  int error;          // errno of the first that could not be
} Checkpoint;

// The search writes them from now on, and when it is stopped; its members are all of its crew.
void checkpoint_attach(Reach *, Checkpoint *);
// Takes up a search that has not begun, after checkpoint_attach. False with the reason in `why`,
// or with what was different when it was written; nothing can be done with the search then.
bool checkpoint_read(Reach *, const char *folder, Text *why);

#endif
