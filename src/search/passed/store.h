// The store: the passed list of zones (search/space/passed.h). Keys are stored once, in a hash
// table, long ones folded (search/space/fold.h); the zones of one key lie together in blocks, so
// that covering tests are one linear pass; nodes are 32-bit references to small records that
// outlive their zone (a trace needs the parents of evicted nodes).
//
// Ownership: everything is the store's.
#pragma once

#include "base/pool.h"
#include "base/vec.h"
#include "search/passed/group.h"
#include "search/space/fold.h"
#include "search/space/passed.h"
#include "search/space/space.h"

typedef struct Node {
  NodeRef parent;         // true parent, see store_global; NODE_NONE for an initial node
  uint32_t ordinal;       // Space.ordinal that led here
  uint32_t group : 30;    // its key
  uint32_t is_stored : 1; // not evicted
  uint32_t is_visited : 1;
  uint32_t zone; // 0 for none
} Node;

// Long keys: the folded key of a group is the item of the same number.
typedef struct StoreFold {
  Fold fold;
  KeyTable keys;
  uint32_t opened; // the group whose key is the base, see store_opening_key; UINT32_MAX: none
  uint64_t *key;   // the last other one that was unfolded
} StoreFold;

typedef struct Store {
  Passed passed; // first: a Passed * is a Store *
  Mem *mem;
  Space *space;
  uint32_t key_words;
  Pool nodes, groups;
  struct StoreFold *fold; // long keys; NULL: a key follows its group, which `table` finds
  uint64_t *table; // open addressing: hash tag in the upper half, group + 1 below; 0 is free
  uint32_t table_mask;
  uint32_t stored; // nodes that are not evicted
  bool keeps_all;  // nothing is evicted
  // One of several stores, of workers that search together, and its number among them.
  uint32_t workers, number;
  struct Slab *slab;
  VEC(NodeRef) evicted; // by the node that was added last
} Store;

void store_init(Store *, Mem *, Space *, Statistics *);

// Passed.add adds the space's current node unless a stored one covers it (then NODE_NONE). Stored
// nodes that it covers are evicted: listed in `evicted`, marked, their zones dropped.
// The space drops what no stored node refers to (Speed.wants_sweep).
void store_sweep(Store *);

uint64_t store_hash(const uint64_t *key, uint32_t words);
// Whether a node with this key and zone is stored: a quick test, which may miss some.
bool store_has(const Store *, const uint64_t *key, uint64_t hash, uint32_t zone);
// A stored node that covers the space's current node, NODE_NONE if there is none.
NodeRef store_subsumer(Store *);
// The parts of Passed.add, for a search with clock bounds of its own (search/passed/fly.h). It
// says itself which nodes of a group can cover others and lie in its blocks; other zones are kept
// elsewhere, or not at all. The space's current node is meant unless one is given.
typedef uint32_t StoreFind(void *context, const NodeRef *, const uint32_t *zones, uint32_t count);
uint32_t store_group(Store *);
NodeRef store_subsumer_in(Store *, uint32_t group); // a node that covers it, or NODE_NONE
// The first node for which `find` says so, block by block (an index below count), or NODE_NONE.
NodeRef store_find(Store *, uint32_t group, StoreFind *, void *context);
NodeRef store_new_node(Store *, uint32_t group, NodeRef parent); // no zone yet
void store_append(Store *, uint32_t group, NodeRef);             // its zone, to the blocks
void store_append_node(Store *, NodeRef);                        // of one that has a zone
void store_remove(Store *, uint32_t group, NodeRef);             // and from them

static inline Node *store_node(const Store *store, NodeRef ref) {
  return pool_at(&store->nodes, ref);
}
// Only called by store_key and store_opening_key.
const uint64_t *store_unfold(const Store *, uint32_t group, bool opens);
static inline const uint64_t *store_plain_key(const Store *store, uint32_t group) {
  return (const uint64_t *)((const Group *)pool_at(&store->groups, group) + 1);
}
// If the store is folded, it is valid until the next call and the next Passed.add.
static inline const uint64_t *store_key(const Store *store, uint32_t group) {
  return __builtin_expect(!store->fold, 1) ? store_plain_key(store, group)
                                           : store_unfold(store, group, false);
}
// The key of a group with a node that will be opened next; valid until the next call.
static inline const uint64_t *store_opening_key(const Store *store, uint32_t group) {
  return __builtin_expect(!store->fold, 1) ? store_plain_key(store, group)
                                           : store_unfold(store, group, true);
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

size_t store_bytes(const Store *); // memory in use
bool store_ok(const Store *);      // the invariants, for assertions in tests
