#include "search/passed/store.h"

#include "base/testbuild.h"
#include "search/passed/group.h"
#include "search/passed/sift.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

// References of nodes, of all workers together.
#define MAX_NODES LOWERED(NODE_NONE, NODE_NONE, 1u << 16)
enum { LEAST_TABLE = LOWERED(1 << 13, 1 << 13, 1 << 4) };
enum { MAX_GROUPS = (1 << 30) - 1 };      // that a Node can name
enum { MAX_COMPARED = LOWERED(8, 8, 1) }; // zones that store_has looks at

static Group *group_at(const Store *store, uint32_t group) {
  return pool_at(&store->groups, group);
}

// A few words need only to be mixed; the constants are those of splitmix64.
static inline uint64_t hash_words(const uint64_t *key, uint32_t words) {
  if (words > 4)
    return XXH3_64bits(key, words * sizeof *key);
  uint64_t z = *key;
  for (uint32_t i = 1; i < words; i++)
    z = (z ^ z >> 32) * 0x9e3779b97f4a7c15u + key[i];
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

uint64_t store_hash(const uint64_t *key, uint32_t words) { return hash_words(key, words); }

static void table_grow(Store *store) {
  const uint32_t mask = store->table_mask * 2 + 1;
  uint64_t *table = mem_alloc_table(store->mem, sizeof *table * ((size_t)mask + 1));
  for (uint32_t g = 0; g < store->groups.size; g++) {
    mem_tick_item(store->mem, g, table);
    const uint64_t hash = hash_words(store_plain_key(store, g), store->key_words);
    uint32_t at = (uint32_t)hash & mask;
    while (table[at])
      at = (at + 1) & mask;
    table[at] = (hash >> 32) << 32 | (g + 1);
  }
  mem_free(store->mem, store->table);
  store->table = table;
  store->table_mask = mask;
}

static bool same_key(const Store *store, uint32_t group, const uint64_t *key) {
  const uint64_t *other = store_plain_key(store, group);
  if (key[0] != other[0])
    return false;
  for (uint32_t i = 1; i < store->key_words; i++)
    if (key[i] != other[i])
      return false;
  return true;
}

static uint32_t add_group(Store *store) {
  if (store->groups.size > MAX_GROUPS)
    mem_exhausted(store->mem);
  const uint32_t group = pool_add(&store->groups);
  *group_at(store, group) = (Group){0};
  return group;
}

// The group of the space's current key, made if it is new. Not inlined: most keys are short.
__attribute__((noinline)) static uint32_t find_folded(Store *store) {
  StoreFold *fold = store->fold;
  const uint64_t folded = fold_key(&fold->fold, store->space->key);
  bool is_new;
  const uint32_t group = keytable_add(&fold->keys, &folded, &is_new);
  return is_new ? add_group(store) : group;
}

__attribute__((always_inline)) static inline uint32_t find_plain(Store *store) {
  const uint64_t *key = store->space->key;
  const uint64_t hash = hash_words(key, store->key_words), *table = store->table;
  const uint32_t mask = store->table_mask;
  uint32_t at = (uint32_t)hash & mask;
  for (uint64_t entry; (entry = table[at]); at = (at + 1) & mask)
    if (entry >> 32 == hash >> 32 && same_key(store, (uint32_t)entry - 1, key))
      return (uint32_t)entry - 1;
  const uint32_t group = add_group(store);
  memcpy(group_at(store, group) + 1, key, store->key_words * sizeof *key);
  store->table[at] = (hash >> 32) << 32 | (group + 1);
  if (store->groups.size >= store->table_mask / 8 * 5)
    table_grow(store);
  return group;
}

uint32_t store_group(Store *store) {
  return store->fold ? find_folded(store) : find_plain(store);
}

// The key of an opened group becomes the base: its successors are likely to have much of it. Not
// inlined: most keys are not folded.
__attribute__((noinline)) const uint64_t *store_unfold(const Store *store, uint32_t group,
                                                       bool opens) {
  StoreFold *fold = store->fold;
  uint64_t folded;
  if (group == fold->opened)
    return fold->fold.base;
  keytable_key(&fold->keys, group, &folded);
  if (!opens) {
    fold_unfold(&fold->fold, folded, fold->key);
    return fold->key;
  }
  fold->opened = group;
  return fold_base(&fold->fold, folded);
}

bool store_has(const Store *store, const uint64_t *key, uint64_t hash, uint32_t zone) {
  if (store->fold)
    return false; // folding the key is no quick test
  uint32_t at = (uint32_t)hash & store->table_mask;
  uint64_t entry;
  while ((entry = store->table[at]) &&
         (entry >> 32 != hash >> 32 || !same_key(store, (uint32_t)entry - 1, key)))
    at = (at + 1) & store->table_mask;
  const Group *group = entry ? group_at(store, (uint32_t)entry - 1) : NULL;
  GroupSingle single;
  if (!group || (!group->is_single && group->count > MAX_COMPARED))
    return false;
  for (Block *block = group_first(store->slab, group, &single); block;
       block = block_at(store->slab, block->next))
    for (uint32_t i = 0; i < block->count; i++)
      if (block_zones(block)[i] == zone)
        return true;
  return false;
}

NodeRef store_subsumer_in(Store *store, uint32_t group_id) {
  Space *space = store->space;
  const Group *group = group_at(store, group_id);
  if (group->is_single) {
    const uint32_t zone = group->count;
    return space->find_subsumer(space, &zone, 1) ? NODE_NONE : group->block;
  }
  if (group_has_sketches(store->slab, group))
    return sift_subsumer(space, store->slab, group->block);
  for (Block *block = block_at(store->slab, group->block); block;
       block = block_at(store->slab, block->next)) {
    mem_tick(store->mem);
    const uint32_t found = space->find_subsumer(space, block_zones(block), block->count);
    if (found < block->count)
      return block_refs(block)[found];
  }
  return NODE_NONE;
}

NodeRef store_subsumer(Store *store) { return store_subsumer_in(store, store_group(store)); }

static void remove_zone(const Store *store, Group *group, Block *block, uint32_t index) {
  block_remove(block, index, store->space->speed.sketch_words);
  group->count--;
}

static void evict(Store *store, NodeRef ref) {
  Node *node = store_node(store, ref);
  node->is_stored = false;
  node->zone = 0; // it may be dropped
  vec_push(store->mem, &store->evicted, ref);
  store->stored--;
  store->passed.stats->covered++;
  store->passed.stats->mistakes += node->is_visited;
}

// Only in blocks that the directory does not exclude. Whether the group has become empty.
static bool evict_clustered(Store *store, Group *group) {
  const Slab *slab = store->slab;
  const SiftLegend *legend = sift_legend_of(slab, group->block);
  const uint32_t supply = sift_sketch(store->space, legend, 0).supply;
  uint32_t blocks[SIFT_ENTRIES + BITSETS_OVER], places[SIFT_MAX + BITSETS_OVER];
  for (const SiftDirectory *part = sift_part(slab, legend->directory); part;
       part = sift_part(slab, part->next)) {
    uint32_t found = bitsets_within(part->least, 0, part->count, supply, blocks);
    mem_tick(store->mem);
    while (found--) {
      Block *block = slab_at(slab, part->blocks[blocks[found]]);
      // From the end on, so that a zone that takes the place of another one has been tested.
      for (uint32_t i = sift_subsumed(store->space, block, supply, places); i--;) {
        evict(store, block_refs(block)[places[i]]);
        remove_zone(store, group, block, places[i]);
      }
    }
  }
  return !group->count;
}

// Whether blocks have become empty.
static bool evict_plain(Store *store, Group *group) {
  Space *space = store->space;
  bool has_empty = false;
  for (Block *block = block_at(store->slab, group->block); block;
       block = block_at(store->slab, block->next)) {
    const uint32_t *zones = block_zones(block);
    mem_tick(store->mem);
    for (uint32_t i = 0;
         (i = space->find_subsumed(space, zones, i, block->count)) < block->count;) {
      evict(store, block_refs(block)[i]);
      remove_zone(store, group, block, i);
    }
    has_empty |= !block->count;
  }
  return has_empty;
}

static void evict_subsumed(Store *store, Group *group) {
  Space *space = store->space;
  const uint32_t zone = group->count;
  if (group->is_single && !space->find_subsumed(space, &zone, 0, 1)) {
    evict(store, group->block);
    *group = (Group){0};
  } else if (!group->is_single &&
             (group_has_sketches(store->slab, group) ? evict_clustered(store, group)
                                                     : evict_plain(store, group))) {
    group_drop_empty(space, store->slab, group);
  }
}

__attribute__((always_inline)) static inline void append_zone(Store *store, Group *group,
                                                              NodeRef ref, uint32_t zone) {
  store->stored++;
  store_node(store, ref)->zone = zone;
  if (!group->count && zone <= INT32_MAX) { // it is the only one of its group, without a block
    *group = (Group){.block = ref, .count = zone & INT32_MAX, .is_single = true};
    return;
  }
  group_add(store->space, store->slab, group, ref, zone);
}

NodeRef store_new_node(Store *store, uint32_t group, NodeRef parent) {
  const NodeRef ref = pool_add(&store->nodes);
  if (((uint64_t)ref + 1) * store->workers > MAX_NODES) // no references left
    mem_exhausted(store->mem);
  *store_node(store, ref) = (Node){.parent = parent,
                                   .ordinal = store->space->ordinal,
                                   .group = group & MAX_GROUPS,
                                   .is_stored = true};
  return ref;
}

__attribute__((always_inline)) static inline NodeRef add_to(Store *store, uint32_t group_id,
                                                            NodeRef parent) {
  const Space *space = store->space;
  vec_clear(&store->evicted);
  Group *group = group_at(store, group_id);
  // The commonest case first: the same node again.
  if ((group->is_single && group->count == space->zone) ||
      (group->count && store_subsumer_in(store, group_id) != NODE_NONE)) {
    store->passed.stats->covered++;
    return NODE_NONE;
  }
  if (group->count && !store->keeps_all)
    evict_subsumed(store, group);
  const NodeRef ref = store_new_node(store, group_id, parent);
  append_zone(store, group, ref, store->space->keep(store->space));
  passed_count(&store->passed, store->stored);
  return ref;
}

// Two functions, as keys are looked for all the time.
static NodeRef add_plain(Passed *passed, NodeRef parent) {
  return add_to((Store *)passed, find_plain((Store *)passed), parent);
}

static NodeRef add_folded(Passed *passed, NodeRef parent) {
  return add_to((Store *)passed, find_folded((Store *)passed), parent);
}

static bool open(Passed *passed, NodeRef ref) {
  Store *store = (Store *)passed;
  Node *node = store_node(store, ref);
  if (!node->is_stored)
    return false;
  node->is_visited = true;
  store->space->open(store->space, store_opening_key(store, node->group), node->zone);
  return true;
}

void store_sweep(Store *store) {
  Space *space = store->space;
  GroupSingle single;
  for (uint32_t g = 0; g < store->groups.size; g++)
    for (Block *block = group_first(store->slab, group_at(store, g), &single); block;
         block = block_at(store->slab, block->next))
      for (uint32_t i = 0; i < block->count; i++)
        space->speed.mark(space, block_zones(block)[i]);
  space->speed.sweep(space);
}

NodeRef store_find(Store *store, uint32_t group, StoreFind *find, void *context) {
  GroupSingle single;
  for (Block *block = group_first(store->slab, group_at(store, group), &single); block;
       block = block_at(store->slab, block->next)) {
    const uint32_t found = find(context, block_refs(block), block_zones(block), block->count);
    if (found < block->count)
      return block_refs(block)[found];
  }
  return NODE_NONE;
}

void store_append(Store *store, uint32_t group, NodeRef ref) {
  append_zone(store, group_at(store, group), ref, store->space->keep(store->space));
}

void store_append_node(Store *store, NodeRef ref) {
  Space *space = store->space;
  const Node *node = store_node(store, ref);
  Group *group = group_at(store, node->group);
  if (group_makes_sketches(space, store->slab, group))
    space->load(space, store_key(store, node->group), node->zone);
  append_zone(store, group, ref, node->zone);
}

void store_remove(Store *store, uint32_t group_id, NodeRef node) {
  Group *group = group_at(store, group_id);
  store_node(store, node)->zone = 0;
  store->stored--;
  if (group->is_single) {
    *group = (Group){0};
    return;
  }
  Block *block = slab_at(store->slab, group->block);
  uint32_t index = 0;
  while (index == block->count || block_refs(block)[index] != node)
    if (index++ == block->count) {
      block = slab_at(store->slab, block->next);
      index = 0;
    }
  remove_zone(store, group, block, index);
  if (!block->count)
    group_drop_empty(store->space, store->slab, group);
}

static void init_fold(Store *store) {
  Mem *mem = store->mem;
  StoreFold *fold = mem_alloc(mem, sizeof *fold);
  fold_init(&fold->fold, mem, store->key_words);
  keytable_init(&fold->keys, mem, sizeof(uint64_t), 0);
  fold->key = mem_alloc(mem, store->key_words * sizeof *fold->key);
  fold->opened = UINT32_MAX;
  store->fold = fold;
  store->passed.add = add_folded;
  pool_init(&store->groups, mem, sizeof(Group));
}

void store_init(Store *store, Mem *mem, Space *space, Statistics *stats) {
  *store = (Store){.passed = {.add = add_plain, .open = open, .stats = stats},
                   .mem = mem,
                   .space = space,
                   .key_words = space->key_words,
                   .workers = 1};
  if (space->passed) // it is not used: an order asks it for its space
    return;
  pool_init(&store->nodes, mem, sizeof(Node));
  if (fold_suits(space->key_words)) {
    init_fold(store);
  } else {
    pool_init(&store->groups, mem, sizeof(Group) + store->key_words * sizeof(uint64_t));
    store->table_mask = LEAST_TABLE - 1;
    store->table = mem_alloc(mem, sizeof(uint64_t) * (store->table_mask + 1));
  }
  store->slab = mem_alloc_raw(mem, sizeof(Slab)); // the next line clears it
  slab_init(store->slab, mem, sizeof(uint32_t) + sizeof(Block) + 2 * SLAB_UNIT);
}

size_t store_bytes(const Store *store) {
  const StoreFold *fold = store->fold;
  const size_t keys = fold ? keytable_bytes(&fold->keys) + fold_bytes(&fold->fold)
                           : ((size_t)store->table_mask + 1) * sizeof *store->table;
  return store->nodes.capacity * store->nodes.item_bytes +
         store->groups.capacity * store->groups.item_bytes + keys + slab_bytes(store->slab);
}

bool store_ok(const Store *store) {
  uint32_t zones = 0;
  GroupSingle single;
  for (uint32_t g = 0; g < store->groups.size; g++) {
    const Group *group = group_at(store, g);
    uint32_t count = 0;
    for (Block *block = group_first(store->slab, group, &single); block;
         block = block_at(store->slab, block->next)) {
      for (uint32_t i = 0; i < block->count; i++) {
        const Node *node = store_node(store, block_refs(block)[i]);
        if (!node->is_stored || node->group != g ||
            (group->is_single && node->zone != group->count))
          return false;
      }
      if ((!block->count && !block->has_sketches) || block->count > block->capacity)
        return false;
      count += block->count;
    }
    if (count != (group->is_single ? 1 : group->count))
      return false;
    zones += count;
  }
  return zones == store->stored;
}
