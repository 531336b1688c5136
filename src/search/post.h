// Post: how workers that search together pass nodes on to each other.
//
// A node belongs to the worker that a hash of its key names: it alone stores, covers and
// expands it. Whoever makes a node of another's sends it: key and body, as a message of a team
// (base/team.h), with the ordinal and the global reference of the parent (for a space that keeps
// its nodes itself, the mark of its trail), and what the order knows of it. The owner makes it
// the current node of its own space.
//
// Shares are never equal. A worker that has too little to do is given nodes that wait elsewhere,
// to find their successors.
#ifndef TARN_SEARCH_POST_H
#define TARN_SEARCH_POST_H

#include "base/team.h"
#include "search/order.h"
#include "space/partition.h"

#include <stdatomic.h>

// Where all workers count, to decide whether they leave nodes to each other unfinished: looks at
// what was sent; of the later half of them, what they found, and how often the spaces prepared
// (Space.prepared) meanwhile.
typedef enum TrialVerdict { TRIAL_OPEN, TRIAL_FINISH, TRIAL_LEAVE } TrialVerdict;
typedef struct Trial {
  atomic_uint looked, found;
  atomic_ullong prepared;
  _Atomic TrialVerdict verdict;
} Trial;

typedef struct Post { // of one worker
  Team *team;
  Trial *trial;
  Worker *worker;
  Mem *mem;
  Space *space;
  Store *store;
  Order *order;
  Statistics *stats;
  uint32_t workers, number;
  Batch *batch;   // being read, NULL: none
  size_t read;    // bytes of it
  size_t fetched; // bytes of it for which store_fetch was called
  // If bodies are words: the last nodes that were sent, keys and words, by hash.
  uint64_t *sent;
  TrialVerdict verdict; // as far as this one knows
  uint64_t prepared;    // Space.prepared when it last looked there
  bool has_node;        // there is one in the message that was read last
  bool was_unfinished;  // it was left so by its sender
  // Nodes of others that are to be visited here: messages, and how much of them has been read.
  VEC(uint64_t) gifts;
  void *body; // room for that of one
  uint32_t gifts_read, gift_count;
} Post;

size_t post_message_bytes(const Space *);
// Its memory goes with the Mem.
void post_init(Post *, Mem *, Team *, Trial *, uint32_t workers, uint32_t number, Store *,
               Order *, Statistics *);

// The worker to which the space's current node belongs.
uint32_t post_find_owner(Post *);
static inline uint32_t post_owner(Post *post) {
  const Space *space = post->space;
  return space->partition && !space->pack ? partition_owner(space->partition, space->key)
                                          : post_find_owner(post);
}

// Sends the space's current node, after post_owner.
void post_send(Post *, uint32_t owner, NodeRef parent);
// Reads the next message, false if there is none now. With has_node the node that was sent
// becomes current; else it is a gift, or none, or at once seen to be covered.
bool post_receive(Post *, NodeRef *parent);
// Whether a worker that has nothing to do asks others for work. Who leaves nodes unfinished would
// have to prepare for the location vectors of gifts: it waits for its own. It waits a little
// where few nodes are sent, for that will probably be so there.
typedef enum Asking { ASK_NOW, ASK_LATER, ASK_NEVER } Asking;
Asking post_asking(Post *);
// Gives a node that waited here, and is not current, to another worker to visit. It stays here.
void post_give(Post *, uint32_t to, NodeRef);
// Opens one that was given, if there is any: its reference among the nodes of all workers.
NodeRef post_open_gift(Post *);
// The same for two spaces in one thread; memory for post_message_bytes is given.
void post_copy(Space *to, Space *from, void *message);

#endif
