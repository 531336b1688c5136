// Streams: the nodes of a worker as bytes. Another process, or a later one, makes the nodes again
// from them. A zone is written by value the first time (Exchange.forget).
//
// A stream is a sequence of records, in the order of the nodes. Evicted nodes have neither zone
// nor key; they are kept for the runs that lead through them.
#pragma once

#include "search/reach.h"

typedef struct StreamRecord {
  uint32_t bytes; // of what follows, a multiple of 8: the message of a stored node, or nothing
  uint32_t is_stored : 1, is_visited : 1, round : 30; // what the order knows of it
  NodeRef ref;                                        // in its store
  NodeRef parent;                                     // among the nodes of all
  uint32_t ordinal, unused;
} StreamRecord;

// Bytes that have room for any record.
size_t stream_record_bytes(const Reach *);
// For Exchange.peer: the worker itself, to which nothing is sent.
static inline uint32_t stream_peer(const Reach *reach) { return reach->store.number + 1; }
// Writes nodes from *next on while there is room. Returns the bytes, 0 if there is no node left,
// and *next is where to go on.
size_t stream_write(Reach *, NodeRef *next, void *bytes, size_t room);

// Writes one node, with this zone (0: none), to where there is room: its bytes. The order knows
// it if it was pushed.
size_t stream_write_node(const Reach *, NodeRef, uint32_t zone, bool was_pushed, StreamRecord *);

// The record at a place of a stream, and the next one's.
const StreamRecord *stream_at(const void *bytes, size_t at);
size_t stream_next(const void *bytes, size_t at);
// Whether a record that begins there, in so many bytes, ends there, too, and is not too short.
bool stream_fits(const Reach *, const void *bytes, size_t at, size_t size);
// Makes the node of a record, which is stored, the space's current one. False if what is in the
// record is no node.
bool stream_read(const Reach *, const StreamRecord *);
