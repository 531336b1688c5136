// Mail: passes nodes between workers that search together.
//
// The key of a node decides which worker owns it. Only the owner stores, covers and expands it. A
// worker that makes a node of another worker sends it: key and zone, as a message of a team
// (base/team.h), with the ordinal and the global reference of the parent (or the mark of the
// trail), and what the order knows about it. The owner makes it the current node of its own
// space.
//
// Shares are never equal. So idle workers borrow waiting nodes from busy ones and find their
// successors (work sharing).
#pragma once

#include "search/reach.h"
#include "search/workers/partition.h"

typedef struct Mail { // of one worker
  Mem *mem;
  Batch *batch;   // being read, NULL: none
  size_t read;    // bytes of it
  size_t fetched; // bytes of it for which memory was fetched
  uint64_t *sent; // the last nodes that were sent, keys and zones, by hash; NULL: none have zones
  // To decide whether nodes are left to others unfinished: looks at what was sent; of the later
  // half of them, what they found, and Exchange.prepared when that half began.
  uint32_t looked, found;
  uint64_t prepared;
  // Nodes of others that are to be visited here: parent and round, zone, key of each; words of
  // those that were visited.
  VEC(uint64_t) lent;
  uint32_t lent_read;
} Mail;

size_t mail_message_bytes(const Space *);
Mail *mail_new(Mem *, const Space *); // its memory goes with the Mem

// The worker to which a node with this packed key belongs.
uint32_t mail_owner_of(const Reach *, const uint64_t *key);
static inline uint32_t mail_owner(Reach *reach) { // the space's current node
  Space *space = reach->space;
  if (space->exchange.pack)
    space->exchange.pack(space);
  return mail_owner_of(reach, space->key);
}

// Sends the space's current node, after mail_owner.
void mail_send(Reach *, uint32_t owner, NodeRef parent);
// Reads the next message. Its parent is that of the node.
typedef enum Received {
  MAIL_NONE,    // there is none now
  MAIL_DEALT,   // nothing is left to do: it was lent, or there is no node, or it is covered
  MAIL_NODE,    // the node that was sent becomes current
  MAIL_FINISHED // likewise; it was left unfinished, so it is not known whether it is a goal
} Received;
Received mail_receive(Reach *, NodeRef *parent);
// Whether a worker that has nothing to do asks others for work. A worker that leaves nodes
// unfinished would have to prepare for the location vectors of lent ones: it waits for its own.
// Only nodes of a store can be lent.
static inline bool mail_asks(const Reach *reach) {
  return !reach->space->exchange.leaves_others && !reach->space->passed;
}
// Lends a node that waited here, and is not current, to another worker to visit. It stays here.
void mail_lend(Reach *, uint32_t to, NodeRef);
// How many are lent to this one; opens one of them, if there is any: its reference among the
// nodes of all workers.
enum { LENT_HEAD = 2 }; // words before the key
static inline uint32_t mail_lent(const Reach *reach) {
  const Mail *mail = reach->mail;
  return (mail->lent.size - mail->lent_read) / (LENT_HEAD + reach->space->key_words);
}
NodeRef mail_open_lent(Reach *);
// The same for two spaces in one thread; memory for mail_message_bytes is given.
void mail_copy(Space *to, Space *from, void *message);
