#include "search/passed/prefetch.h"

#include "base/testbuild.h"

#ifdef TARN_PLAIN
void prefetch_stage(const Store *store, PrefetchKey *keys, uint32_t count, FetchStage stage) {
  (void)store, (void)keys, (void)count, (void)stage;
}
void prefetch_successors(Store *store, const Order *waiting) { (void)store, (void)waiting; }
#else

enum { FETCHED_LINES = 3 }; // of a block
// From this number of discrete states on, what is known of them is not in the fast caches.
enum { LEAST_STATES = LOWERED(1 << 16, 1, 1) };

// The group with this hash, if there is one: it may still be another's.
static const Group *guess_group(const Store *store, uint64_t hash) {
  uint32_t at = (uint32_t)hash & store->table_mask;
  for (uint64_t entry; (entry = store->table[at]); at = (at + 1) & store->table_mask)
    if (entry >> 32 == hash >> 32)
      return pool_at(&store->groups, (uint32_t)entry - 1);
  return NULL;
}

static void fetch_zones(const Store *store, const Group *group) {
  if (!group || group->is_single || !group->block)
    return;
  const char *block = slab_at(store->slab, group->block);
  for (uint32_t i = 0; i < FETCHED_LINES; i++)
    mem_fetch(block + i * 64);
}

// The slots of the table; the groups; their zones.
void prefetch_stage(const Store *store, PrefetchKey *keys, uint32_t count, FetchStage stage) {
  for (PrefetchKey *key = keys; key < keys + count; key++)
    if (stage == FETCH_SLOT)
      mem_fetch(&store->table[(uint32_t)key->hash & store->table_mask]);
    else if (stage == FETCH_LINK)
      fetch_zones(store, key->group);
    else if ((key->group = guess_group(store, key->hash)))
      mem_fetch(key->group);
}

// Nodes that are likely to be opened next, in this order: one stage for each, later ones for
// those that come earlier, as this is called whenever a node is opened.
static void fetch_openings(const Store *store, const NodeRef *refs, uint32_t count) {
  const Space *space = store->space;
  const FetchStage stages[] = {FETCH_OPENING, FETCH_ITEM, FETCH_SLOT};
  for (uint32_t i = 0; i < count; i++) {
    const Node *node = store_node(store, refs[i]);
    if (i < 3)
      space->speed.fetch(space, store_key(store, node->group), stages[i]);
    else
      mem_fetch(i == 3 ? (const void *)store_key(store, node->group) : node);
  }
}

enum { OPENINGS = 5 };

// Not inlined: most searches are small.
__attribute__((noinline)) static void fetch_successors(Store *store, const Order *waiting) {
  Space *space = store->space;
  const uint32_t words = store->key_words;
  const uint64_t *key;
  PrefetchKey keys[SPACE_AHEAD];
  if (store->fold) // to find a folded key is to look for all its parts
    return;
  const uint32_t count = space->speed.foresee(space, &key);
  for (uint32_t i = 0; i < count; i++, key += words)
    keys[i] = (PrefetchKey){.key = key, .hash = store_hash(key, words)};
  prefetch_stage(store, keys, count, FETCH_SLOT);
  for (FetchStage stage = FETCH_ITEM; stage <= FETCH_LINK; stage++) {
    prefetch_stage(store, keys, count, stage);
    space->speed.fetch_ahead(space, stage);
  }
  NodeRef refs[OPENINGS];
  fetch_openings(store, refs, order_peek(waiting, refs, OPENINGS));
}

void prefetch_successors(Store *store, const Order *waiting) {
  if (store->space->speed.foresee && store->groups.size >= LEAST_STATES)
    fetch_successors(store, waiting);
}
#endif
