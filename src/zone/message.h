// Messages: how zones go from one worker to another, as the functions of Exchange
// (space/space.h).
#ifndef TARN_ZONE_MESSAGE_H
#define TARN_ZONE_MESSAGE_H

#include "zone/time.h"

// What goes to a sibling: a zone in a table that they share by its number, others as they are.
// Of an unfinished node, the zone, map and transition that lead to it, by the numbers that all
// workers know.
typedef struct ZoneMessage { // behind the key
  ZoneRef ref;
  uint32_t kind, format; // of the packed zone that follows if there is no number
} ZoneMessage;

Space *message_sibling(Space *, Mem *);
void message_connect(Space *);
void message_forget(Space *, uint32_t peer);
size_t message_refer(const Space *, const uint64_t *key, uint32_t zone, void *message);
size_t message_send(Space *, void *message);
uint32_t message_recognise(Space *, const void *message);
void message_receive(Space *, const void *message);

#endif
