// Wires: how nodes go to workers of other processes (base/relay.h), with whom no numbers are
// shared. What a number stands for is sent by value the first time, and by number afterwards.
//
// Zones: the sender has a dictionary for each receiver, with a fixed number of slots; a zone has
// the slot of its hash. If the slot has another zone the new one takes its place, and is sent by
// value with the slot. The receiver does the same with what it receives. Messages from one worker
// to another come in order, so that both have the same zones in their slots. A zone by value is
// packed or in minimal form, whichever is shorter; packed if a worker writes it for itself, or if
// all processes are on one machine, where minimal forms take longer than the bytes.
//
// Maps of active clocks and joint transitions, of unfinished nodes: by the sender's numbers
// (zone/common.h). The receiver keeps what they are.
#ifndef TARN_ZONE_WIRE_H
#define TARN_ZONE_WIRE_H

#include "zone/time.h"

// The wires of one space, one for each peer that it wrote to or read from.
typedef struct Wires Wires;

// For messages to and from that many peers.
Wires *wire_new(Zones *, uint32_t peers);
void wire_release(Wires *, Mem *);
void wire_forget(Wires *, uint32_t peer); // what it and this space know of each other
size_t wire_message_bytes(const Zones *); // besides the key, at most
size_t wire_least_bytes(void);            // besides the key, of a zone that the receiver knows

// As the functions of Exchange, for the peer that it names.
size_t wire_send(Zones *, void *message);
size_t wire_refer(const Zones *, const uint64_t *key, ZoneRef, void *message);
uint32_t wire_recognise(Zones *, const void *message);
void wire_receive(Zones *, const void *message);

// What an unfinished node comes from, by this worker's numbers; read once.
typedef struct WireOrigin {
  ZoneRef zone;
  LocVector *vector; // of which only the map of active clocks is set, as for common_vector
  uint32_t transition;
} WireOrigin;
WireOrigin wire_origin(Zones *, const void *message);

#endif
