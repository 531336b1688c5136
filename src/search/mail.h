// Mail: how workers that search together pass nodes on to each other.
//
// A node belongs to one worker, which its key names: that worker alone stores, covers and expands
// it. A worker that makes a node of another one sends it: key and zone, as a message of a team
// (base/team.h), with the ordinal and the global reference of the parent (or the mark of the
// trail), and what the order knows of it. The owner makes it the current node of its own space.
//
// Shares are never equal. A worker that has too little to do is lent nodes that wait elsewhere,
// to find their successors (work sharing).
#ifndef TARN_SEARCH_MAIL_H
#define TARN_SEARCH_MAIL_H

#include "base/team.h"
#include "search/reach.h"
#include "space/partition.h"

#include <stdatomic.h>

// Where all workers count, to decide whether they leave nodes to each other unfinished: looks at
// what was sent; of the later half of them, what they found, and how often the spaces prepared
// (Exchange.prepared) meanwhile.
typedef enum TrialVerdict { TRIAL_OPEN, TRIAL_FINISH, TRIAL_LEAVE } TrialVerdict;
typedef struct Trial {
  atomic_uint looked, found;
  atomic_ullong prepared;
  _Atomic TrialVerdict verdict;
} Trial;

typedef struct Mail { // of one worker
  Worker *worker;
  Mem *mem;
  Batch *batch;   // being read, NULL: none
  size_t read;    // bytes of it
  size_t fetched; // bytes of it for which memory was fetched
  uint64_t *sent; // the last nodes that were sent, keys and zones, by hash; NULL: none have zones
  uint64_t prepared;   // Exchange.prepared when it last looked there
  bool has_node;       // there is one in the message that was read last
  bool was_unfinished; // it was left so by its sender
  // Nodes of others that are to be visited here: parent and round, zone, key of each; words of
  // those that were visited.
  VEC(uint64_t) lent;
  uint32_t lent_read;
  bool has_lent; // the opened node is one of them
  bool has_goal; // a node that was received is one
} Mail;

size_t mail_message_bytes(const Space *);
Mail *mail_new(Mem *, Worker *, const Space *); // its memory goes with the Mem

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
// Reads the next message, false if there is none now. With has_node the node that was sent
// becomes current; else it was lent, or there is none, or it is at once seen to be covered.
bool mail_receive(Reach *, NodeRef *parent);
// Whether a worker that has nothing to do asks others for work. A worker that leaves nodes
// unfinished would have to prepare for the location vectors of lent ones: it waits for its own.
// Where few nodes are sent it asks a little later, for its own will probably come. Only nodes of
// a store can be lent.
typedef enum Asking { ASK_NOW, ASK_LATER, ASK_NEVER } Asking;
Asking mail_asking(const Reach *);
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

#endif
