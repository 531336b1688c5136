// Talk: the messages of processes that searched together (search/workers/workers.h) while they
// write one certificate. Any process can give up at any moment, and then all do.
//
// A process that gives up, or learns that another did, sends every other process an empty
// message, and receives messages until it has an empty one from each. No other message is empty.
// Messages between two processes keep their order, so none is left in transit when the next talk
// begins. No process waits for ever, because every process that it may wait for sends the empty
// message in the end.
#pragma once

#include "base/link.h"

typedef struct Talk {
  Mem *mem;
  Link *link;     // NULL: this process is alone, and nothing is said
  uint32_t ranks; // 1 then
  uint32_t rank;
  bool is_over;   // somebody has broken off
  bool *has_left; // by rank
  uint32_t *tickets;
  void *heard; // the last message
} Talk;

void talk_init(Talk *, Mem *, Link *);
// Says something of at least one byte. After the talk is over nothing is said.
void talk_tell(Talk *, uint32_t to, const void *bytes, size_t size);
// Waits for what another one says, which stays until the next call. NULL if the talk is over.
const void *talk_hear(Talk *, uint32_t from, size_t *size);
// Both, with one that does the same. Those that go through all others in the order of their
// ranks never wait for each other in a circle: of two pairs the one with the lower first rank
// comes first, then the one with the lower second rank.
const void *talk_swap(Talk *, uint32_t with, const void *bytes, size_t size, size_t *heard);
// All end it. If all of them say that it is whole, it is true for all; else, when all have broken
// off, false.
bool talk_end(Talk *, bool is_whole);
