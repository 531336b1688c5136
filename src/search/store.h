// The store: the passed list. Keys (packed discrete states) are stored once, in a hash
// table; the bodies of one key lie together in blocks, so that the covering scan is one linear
// pass; nodes are 32-bit references to small records that outlive their body (a trace
// needs the parents of evicted nodes).
//
// Ownership: everything is the store's. Bodies may move when nodes are removed: pointers are
// valid until the next store_add.
#ifndef TARN_SEARCH_STORE_H
#define TARN_SEARCH_STORE_H

#include "base/pool.h"
#include "base/vec.h"
#include "space/space.h"

typedef uint32_t NodeRef;
#define NODE_NONE UINT32_MAX

typedef struct Node {
  NodeRef parent;         // true parent, see store_global; NODE_NONE for an initial node
  uint32_t ordinal;       // Space.ordinal that led here
  uint32_t group : 30;    // its key
  uint32_t is_stored : 1; // not evicted
  uint32_t is_visited : 1;
  uint32_t word; // if bodies are no more than that: the body, 0 for none
} Node;

typedef struct Group { // one key; its words follow
  uint32_t block;      // newest block of its bodies, 0 for none; if is_single, its only node
  uint32_t count : 31; // bodies; if is_single, the one body, a word
  uint32_t is_single : 1;
} Group;

typedef struct Store {
  Mem *mem;
  Space *space;
  uint32_t key_words;
  Pool nodes, groups;
  uint64_t *table; // open addressing: hash tag in the upper half, group + 1 below; 0 is free
  uint32_t table_mask;
  uint32_t table_most; // groups before it grows
  uint32_t stored;     // nodes that are not evicted
  bool keeps_all;      // nothing is evicted
  bool has_words;      // bodies are words, other than 0, of one format
  // One of several stores, of workers that search together, and its number among them.
  uint32_t workers, number;
  struct Slab *slab;
  VEC(NodeRef) evicted; // by the last store_add
} Store;

void store_init(Store *, Mem *, Space *);
void store_release(Store *);

// Adds the space's current node unless a stored one covers it (then NODE_NONE). Stored nodes
// that it covers are evicted: listed in `evicted`, marked, their bodies dropped.
NodeRef store_add(Store *, NodeRef parent);

// The space drops what no stored node refers to (Space.wants_sweep).
void store_sweep(Store *);

// For nodes that are not current. store_fetch has memory fetched that a look at some of them will
// need: one stage for all, then the next, so that the processor waits for all of them together.
// store_has is whether a body with these very bytes is stored: a quick test.
typedef struct StoreKey {
  const uint64_t *key;
  uint64_t hash;
  const Group *group; // found between the stages: likely the key's
} StoreKey;
uint64_t store_hash(const uint64_t *key, uint32_t words);
void store_fetch(const Store *, StoreKey *, uint32_t count, FetchStage);
// The same for nodes that are likely to be opened next, in this order: one stage for each, later
// ones for those that come earlier, as it is called whenever a node is opened.
enum { STORE_OPENING = 5 };
void store_fetch_opening(const Store *, const NodeRef *, uint32_t count);
bool store_has(const Store *, const uint64_t *key, uint64_t hash, const void *body, size_t bytes,
               uint32_t format);
// A stored node that covers the space's current node, NODE_NONE if there is none.
NodeRef store_coverer(Store *);
// The parts of store_add, for a search with clock bounds of its own (search/fly.h). It says
// itself which nodes of a group can cover others and lie in its blocks; other bodies are *held*
// elsewhere, or not kept at all. The space's current node is meant unless one is given.
typedef uint32_t StoreFind(void *context, const NodeRef *, const char *bodies, uint32_t count,
                           size_t body_bytes, uint32_t format);
uint32_t store_group(Store *);
NodeRef store_coverer_in(Store *, uint32_t group); // a node that covers it, or NODE_NONE
// The first node for which `find` says so, block by block (an index below count), or NODE_NONE.
NodeRef store_find(Store *, uint32_t group, StoreFind *, void *context);
NodeRef store_new_node(Store *, uint32_t group, NodeRef parent); // no body yet
void store_append(Store *, uint32_t group, NodeRef);             // its body, to the blocks
void store_remove(Store *, uint32_t group, NodeRef);             // and from them
uint32_t store_hold(Store *);
void store_drop_held(Store *, uint32_t held);
const void *store_held(const Store *, uint32_t held, uint32_t *format);

static inline Node *store_node(const Store *store, NodeRef ref) {
  return pool_at(&store->nodes, ref);
}
static inline const uint64_t *store_key(const Store *store, uint32_t group) {
  return (const uint64_t *)((const Group *)pool_at(&store->groups, group) + 1);
}
// The reference of a node among those of all workers; and back, NODE_NONE if it is another's.
static inline NodeRef store_global(const Store *store, NodeRef ref) {
  return ref * store->workers + store->number;
}
static inline NodeRef store_own(const Store *store, NodeRef global) {
  if (store->workers == 1 || global == NODE_NONE)
    return global;
  return global % store->workers == store->number ? global / store->workers : NODE_NONE;
}
// The body of a stored node, and its format.
const void *store_body(const Store *, NodeRef, uint32_t *format);

size_t store_bytes(const Store *); // memory in use
bool store_ok(const Store *);      // the invariants, for assertions in tests

#endif
