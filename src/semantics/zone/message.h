// Messages: carry nodes from one worker to another; they implement Exchange
// (search/space/space.h). A message is the key, a head, and the parts that the head announces.
//
// Workers of one process share a table of zones, so a zone is sent as its number. Otherwise it is
// sent by value.
//
// With workers of other processes (base/relay.h), *peers*, no numbers are shared. The sender has
// a dictionary for each receiver, with a fixed number of slots; a zone has the slot of its hash.
// If the slot has another zone, the new one replaces it and is sent by value with the slot. The
// receiver does the same with what it receives. Messages from one worker to another arrive in
// order, so both have the same zones in their slots. A zone that is sent by value is packed; on a
// network it is in minimal form if that is shorter.
//
// An unfinished node is sent with its origin: the zone, the set of active clocks and the edges of
// the transition.
#pragma once

#include "semantics/zone/time.h"

typedef struct ZoneMessage { // behind the key
  uint32_t zone;             // its number among siblings, or the slot; ZONE_NONE: by value alone
  uint16_t flags;            // what follows
  uint16_t edges;            // of the transition of an unfinished node
} ZoneMessage;

extern const Exchange message_functions; // those of Exchange that do not depend on the time
void message_partition(Zones *);         // makes sure that there is one

// What an unfinished node comes from, by this worker's numbers; read once. The location vector is
// that of locvector_receive.
typedef struct MessageOrigin {
  ZoneRef zone;
  LocVector *vector;
  uint32_t transition;
} MessageOrigin;
MessageOrigin message_origin(Zones *, const void *message);

// Whether a node that this transition leads to can be sent unfinished: its clocks and edges say
// where it comes from.
static inline bool message_can_leave(const Transition *t) {
  return t->edge_count && t->edge_count <= UINT16_MAX && !t->extra.count;
}

// Of a message whose packed zone has no more than these.
size_t message_max_bytes(const Zones *, size_t zone_bytes);
void message_release(Zones *);
