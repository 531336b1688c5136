#include "search/store.h"

#include "search/sift.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

// Blocks aim at this many bytes at most, so that a growing group wastes little; a larger
// body has a block of its own.
enum { LEAST_TABLE = 1 << 14 };
enum { MOST_GROUPS = (1 << 30) - 1 }; // that a Node can name
enum { BLOCK_BYTES = (SLAB_LISTS - 1) * SLAB_UNIT, MERGE_BYTES = 1024 };

// Groups of more bodies have sketches, in blocks that are never merged; what a sketch is gets
// chosen anew when there are so many times as many.
enum { SKETCHED = 64, PLAN_AGE = 4 };
_Static_assert((int)SLAB_SLACK >= (int)SPACE_SLACK, "blocks end with a page");

enum { MOST_COMPARED = 8, FETCHED_LINES = 3 }; // bodies byte by byte; of a block

static Group *group_at(const Store *store, uint32_t group) {
  return pool_at(&store->groups, group);
}

static uint32_t units_of(const Store *store, const Block *block) {
  return block_units(block->capacity, block->body_bytes,
                     block->has_sketches ? store->space->sketch_words : 0);
}

static uint32_t most_groups(uint32_t table_mask) { return table_mask / 8 * 5; }

void store_init(Store *store, Mem *mem, Space *space) {
  *store = (Store){.mem = mem, .space = space, .key_words = space->key_words, .workers = 1};
  pool_init(&store->nodes, mem, sizeof(Node));
  pool_init(&store->groups, mem, sizeof(Group) + space->key_words * sizeof(uint64_t));
  store->table_mask = LEAST_TABLE - 1;
  store->table_most = most_groups(store->table_mask);
  store->table = mem_alloc(mem, sizeof(uint64_t) * (store->table_mask + 1));
  store->slab = mem_alloc(mem, sizeof(Slab));
  slab_init(store->slab, mem, space->most_body_bytes + sizeof(Block) + 2 * SLAB_UNIT);
  store->has_words = space->most_body_bytes == sizeof(uint32_t);
}

void store_release(Store *store) {
  Mem *mem = store->mem;
  slab_release(store->slab);
  mem_free(mem, store->slab);
  vec_release(mem, &store->evicted);
  pool_release(&store->nodes);
  pool_release(&store->groups);
  mem_free(mem, store->table);
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

static inline uint64_t hash_key(const Store *store, const uint64_t *key) {
  return hash_words(key, store->key_words);
}

uint64_t store_hash(const uint64_t *key, uint32_t words) { return hash_words(key, words); }

static void table_grow(Store *store) {
  const uint32_t mask = store->table_mask * 2 + 1;
  uint64_t *table = mem_alloc_table(store->mem, sizeof *table * ((size_t)mask + 1));
  for (uint32_t g = 0; g < store->groups.size; g++) {
    const uint64_t hash = hash_key(store, store_key(store, g));
    uint32_t at = (uint32_t)hash & mask;
    while (table[at])
      at = (at + 1) & mask;
    table[at] = (hash >> 32) << 32 | (g + 1);
  }
  mem_free(store->mem, store->table);
  store->table = table;
  store->table_mask = mask;
  store->table_most = most_groups(mask);
}

static bool same_key(const Store *store, uint32_t group, const uint64_t *key) {
  const uint64_t *other = store_key(store, group);
  if (key[0] != other[0])
    return false;
  for (uint32_t i = 1; i < store->key_words; i++)
    if (key[i] != other[i])
      return false;
  return true;
}

// The group of the space's current key, made if it is new.
__attribute__((always_inline)) static inline uint32_t find_group(Store *store) {
  const uint64_t *key = store->space->key;
  if (store->groups.size >= store->table_most)
    table_grow(store);
  const uint64_t hash = hash_key(store, key), *table = store->table;
  const uint32_t mask = store->table_mask;
  uint32_t at = (uint32_t)hash & mask;
  for (uint64_t entry; (entry = table[at]); at = (at + 1) & mask)
    if (entry >> 32 == hash >> 32 && same_key(store, (uint32_t)entry - 1, key))
      return (uint32_t)entry - 1;
  if (store->groups.size > MOST_GROUPS)
    mem_exhausted(store->mem);
  const uint32_t group = pool_add(&store->groups);
  *group_at(store, group) = (Group){0};
  memcpy(group_at(store, group) + 1, key, store->key_words * sizeof *key);
  store->table[at] = (hash >> 32) << 32 | (group + 1);
  return group;
}

// The group with this hash, if there is one: it may still be another's.
static const Group *guess_group(const Store *store, uint64_t hash) {
  uint32_t at = (uint32_t)hash & store->table_mask;
  for (uint64_t entry; (entry = store->table[at]); at = (at + 1) & store->table_mask)
    if (entry >> 32 == hash >> 32)
      return group_at(store, (uint32_t)entry - 1);
  return NULL;
}

static void fetch_bodies(const Store *store, const Group *group) {
  if (group->is_single || !group->block)
    return;
  const char *block = slab_at(store->slab, group->block);
  for (uint32_t i = 0; i < FETCHED_LINES; i++)
    mem_fetch(block + i * 64);
}

// The slots of the table; the groups; their bodies.
void store_fetch(const Store *store, StoreKey *keys, uint32_t count, FetchStage stage) {
  for (uint32_t i = 0; i < count && stage == FETCH_SLOT; i++)
    mem_fetch(&store->table[(uint32_t)keys[i].hash & store->table_mask]);
  for (uint32_t i = 0; i < count && stage == FETCH_ITEM; i++) {
    keys[i].group = guess_group(store, keys[i].hash);
    if (keys[i].group)
      mem_fetch(keys[i].group);
  }
  for (uint32_t i = 0; i < count && stage == FETCH_LINK; i++)
    if (keys[i].group)
      fetch_bodies(store, keys[i].group);
}

void store_fetch_opening(const Store *store, const NodeRef *refs, uint32_t count) {
  const Space *space = store->space;
  const FetchStage stages[] = {FETCH_OPENING, FETCH_ITEM, FETCH_SLOT};
  for (uint32_t i = 0; i < count; i++) {
    const Node *node = store_node(store, refs[i]);
    if (i < 3)
      space->fetch(space, store_key(store, node->group), stages[i]);
    else
      mem_fetch(i == 3 ? (const void *)store_key(store, node->group) : node);
  }
}

static bool group_has(const Store *store, const Group *group, const void *body, size_t bytes,
                      uint32_t format) {
  if (group->is_single) {
    const uint32_t word = group->count;
    return !memcmp(&word, body, bytes);
  }
  for (uint32_t ref = group->count <= MOST_COMPARED ? group->block : 0; ref;) {
    Block *block = slab_at(store->slab, ref);
    const char *bodies = block_bodies(block);
    for (uint32_t i = 0; block->format == format && i < block->count; i++)
      if (!memcmp(bodies + i * bytes, body, bytes))
        return true;
    ref = block->next;
  }
  return false;
}

bool store_has(const Store *store, const uint64_t *key, uint64_t hash, const void *body,
               size_t bytes, uint32_t format) {
  uint32_t at = (uint32_t)hash & store->table_mask;
  for (uint64_t entry; (entry = store->table[at]); at = (at + 1) & store->table_mask)
    if (entry >> 32 == hash >> 32 && same_key(store, (uint32_t)entry - 1, key))
      return group_has(store, group_at(store, (uint32_t)entry - 1), body, bytes, format);
  return false;
}

static bool has_sketches(const Store *store, const Group *group) {
  return !group->is_single && group->block &&
         ((const Block *)slab_at(store->slab, group->block))->has_sketches;
}

NodeRef store_coverer_in(Store *store, uint32_t group_id) {
  Space *space = store->space;
  const Group *group = group_at(store, group_id);
  if (group->is_single) {
    const uint32_t word = group->count;
    return space->find_coverer(space, &word, 1, 0) ? NODE_NONE : group->block;
  }
  if (has_sketches(store, group))
    return sift_coverer(space, store->slab, group->block);
  for (uint32_t ref = group->block; ref;) {
    mem_tick(store->mem);
    Block *block = slab_at(store->slab, ref);
    const uint32_t found =
        space->find_coverer(space, block_bodies(block), block->count, block->format);
    if (found < block->count) {
      const NodeRef node = block_refs(block)[found];
      if (found && store->has_words)
        block_advance(block, found);
      return node;
    }
    ref = block->next;
  }
  return NODE_NONE;
}

NodeRef store_coverer(Store *store) {
  const uint32_t group = find_group(store);
  store->space->prepare(store->space);
  return store_coverer_in(store, group);
}

static void remove_body(const Store *store, Group *group, Block *block, uint32_t index) {
  block_remove(block, index, store->space->sketch_words);
  group->count--;
}

// Unlinks blocks that have become empty.
static void drop_empty(Store *store, Group *group) {
  const uint32_t plan =
      has_sketches(store, group) ? *block_plan(slab_at(store->slab, group->block)) : 0;
  uint32_t *link = &group->block;
  while (*link) {
    Block *block = slab_at(store->slab, *link);
    if (block->count) {
      link = &block->next;
      continue;
    }
    const uint32_t ref = *link;
    *link = block->next;
    slab_free(store->slab, ref, units_of(store, block));
  }
  if (plan && !group->block)
    slab_free(store->slab, plan, SIFT_PLAN_UNITS);
}

static void evict(Store *store, NodeRef ref) {
  store_node(store, ref)->is_stored = false;
  store_node(store, ref)->word = 0; // what it refers to may be dropped
  vec_push(store->mem, &store->evicted, ref);
  store->stored--;
}

static void clear_single(Group *group) {
  group->block = 0;
  group->count = 0;
  group->is_single = false;
}

// From the end of the block on, so that a body that takes the place of another one has been
// tested.
static void evict_sketched(Store *store, Group *group, Block *block, uint32_t supply) {
  uint32_t places[SIFT_ROUND + SKETCH_OVER];
  for (uint32_t end = block->count, from; end; end = from) {
    from = end < SIFT_ROUND ? 0 : end - SIFT_ROUND;
    uint32_t found = sift_covered(store->space, block, from, end, supply, places);
    while (found--) {
      evict(store, block_refs(block)[places[found]]);
      remove_body(store, group, block, places[found]);
    }
  }
}

static void evict_covered(Store *store, Group *group) {
  Space *space = store->space;
  bool has_empty = false;
  if (group->is_single) {
    const uint32_t word = group->count;
    if (!space->find_covered(space, &word, 0, 1, 0)) {
      evict(store, group->block);
      clear_single(group);
    }
    return;
  }
  uint32_t supply = 0;
  if (has_sketches(store, group))
    supply = sift_sketch(space, store->slab, slab_at(store->slab, group->block), NULL).supply;
  for (uint32_t ref = group->block; ref;) {
    mem_tick(store->mem);
    Block *block = slab_at(store->slab, ref);
    char *bodies = block_bodies(block);
    uint32_t i = 0;
    if (block->has_sketches)
      evict_sketched(store, group, block, supply);
    while (!block->has_sketches && (i = space->find_covered(space, bodies, i, block->count,
                                                            block->format)) < block->count) {
      evict(store, block_refs(block)[i]);
      remove_body(store, group, block, i);
    }
    has_empty |= !block->count;
    ref = block->next;
  }
  if (has_empty)
    drop_empty(store, group);
}

// Capacity of a new block: a part of what the group holds, so that the free room stays small,
// within the bounds of a block.
static uint32_t next_capacity(const Group *group, size_t body_bytes) {
  uint32_t most = (uint32_t)(BLOCK_BYTES / (body_bytes + sizeof(NodeRef) + 1));
  if (most > UINT16_MAX)
    most = UINT16_MAX;
  const uint32_t wanted = group->count / 8 + 1;
  return most < 1 ? 1 : wanted < most ? wanted : most;
}

// Small blocks are merged into a larger one rather than chained: a scan then makes one call.
static bool is_worth_merging(const Block *block, uint32_t format) {
  return block && !block->has_sketches && block->format == format &&
         block->count == block->capacity &&
         (size_t)block->capacity * block->body_bytes <= MERGE_BYTES;
}

// A block for the group, the newest one; the capacity is set.
static Block *add_block(Store *store, Group *group, Block header) {
  const uint32_t words = header.has_sketches ? store->space->sketch_words : 0;
  const uint32_t at =
      slab_alloc(store->slab, block_units(header.capacity, header.body_bytes, words));
  Block *block = slab_at(store->slab, at);
  *block = header;
  group->block = at;
  return block;
}

static Block block_header(const Group *group, uint32_t capacity, size_t bytes, uint32_t format) {
  return (Block){.next = group->block,
                 .capacity = (uint16_t)capacity,
                 .body_bytes = (uint32_t)bytes & 0x7ffffff,
                 .format = format & 15};
}

static bool wants_sketches(const Store *store, const Group *group, const Block *block) {
  return store->space->sketch_words && block->capacity >= SKETCHED && !block->next &&
         group->count == block->count;
}

static void merge_block(Store *store, Group *group) {
  const uint32_t from = group->block;
  Block *old = slab_at(store->slab, from);
  Block header = *old;
  header.has_sketches = wants_sketches(store, group, old);
  header.capacity = (uint16_t)(old->capacity + old->capacity / (header.has_sketches ? 4 : 1));
  const uint32_t plan = header.has_sketches ? slab_alloc(store->slab, SIFT_PLAN_UNITS) : 0;
  Block *block = add_block(store, group, header);
  old = slab_at(store->slab, from);
  memcpy(block_refs(block), block_refs(old), old->count * sizeof(NodeRef));
  memcpy(block_bodies(block), block_bodies(old), (size_t)old->count * old->body_bytes);
  slab_free(store->slab, from, units_of(store, old));
  if (!plan)
    return;
  *block_plan(block) = plan;
  sift_plan(store->space, store->slab, group->block, group->count);
}

// Makes an older block, with much room left by evictions, the newest one; false if there is none.
static bool find_room(Store *store, Group *group) {
  uint32_t *link = &((Block *)slab_at(store->slab, group->block))->next;
  while (*link) {
    Block *block = slab_at(store->slab, *link);
    if (block->count <= block->capacity / 2) {
      const uint32_t ref = *link;
      *link = block->next;
      block->next = group->block;
      group->block = ref;
      return true;
    }
    link = &block->next;
  }
  return false;
}

// A block after one that is full.
static Block *add_sketched(Store *store, Group *group) {
  if (find_room(store, group))
    return slab_at(store->slab, group->block);
  const Block *last = slab_at(store->slab, group->block);
  const uint32_t plan = *block_plan(slab_at(store->slab, group->block));
  const uint32_t most = BLOCK_BYTES / (5 * sizeof(uint32_t)), wanted = group->count;
  const uint32_t capacity = wanted < SKETCHED / 2 ? SKETCHED / 2 : wanted < most ? wanted : most;
  Block header = block_header(group, capacity, last->body_bytes, last->format);
  header.has_sketches = true;
  Block *block = add_block(store, group, header);
  *block_plan(block) = plan;
  if (((const SiftPlan *)slab_at(store->slab, plan))->count * PLAN_AGE <= group->count)
    sift_plan(store->space, store->slab, group->block, group->count);
  return block;
}

// A group of one node gets a block when the second comes.
static void spread(Store *store, Group *group) {
  const NodeRef ref = group->block;
  const uint32_t word = group->count;
  *group = (Group){.count = 1};
  Block *block = add_block(store, group, block_header(group, 2, sizeof word, 0));
  memcpy(block_bodies(block), &word, sizeof word);
  block_refs(block)[block->count++] = ref;
}

// Whether the node, whose body is a word, can be the only one of its group without a block.
static bool add_single(Store *store, Group *group, NodeRef ref, uint32_t format) {
  uint32_t *word = &store_node(store, ref)->word;
  store->space->write(store->space, word, format);
  if (*word > INT32_MAX)
    return false;
  *group = (Group){.block = ref, .count = *word & INT32_MAX, .is_single = true};
  return true;
}

static void append_body(Store *store, Group *group, NodeRef ref) {
  Space *space = store->space;
  const uint32_t format = space->format(space);
  store->stored++;
  if (store->has_words && !group->count && add_single(store, group, ref, format))
    return;
  if (group->is_single)
    spread(store, group);
  Block *block = group->block ? slab_at(store->slab, group->block) : NULL;
  if (is_worth_merging(block, format)) {
    merge_block(store, group);
    block = slab_at(store->slab, group->block);
  }
  if (!block || block->count == block->capacity || block->format < format) {
    const size_t bytes = space->body_bytes(space, format);
    const uint32_t capacity = next_capacity(group, bytes);
    block = block && block->has_sketches
                ? add_sketched(store, group)
                : add_block(store, group, block_header(group, capacity, bytes, format));
  }
  char *body = block_bodies(block) + (size_t)block->count * block->body_bytes;
  space->write(space, body, block->format);
  if (store->has_words)
    memcpy(&store_node(store, ref)->word, body, sizeof(uint32_t));
  if (block->has_sketches)
    sift_put(space, store->slab, block, block->count, NULL);
  block_refs(block)[block->count++] = ref;
  group->count++;
}

NodeRef store_new_node(Store *store, uint32_t group, NodeRef parent) {
  const NodeRef ref = pool_add(&store->nodes);
  if (store->workers > 1 && ref >= NODE_NONE / store->workers - 1) // no references left
    mem_exhausted(store->mem);
  *store_node(store, ref) = (Node){.parent = parent,
                                   .ordinal = store->space->ordinal,
                                   .group = group & MOST_GROUPS,
                                   .is_stored = true};
  return ref;
}

NodeRef store_add(Store *store, NodeRef parent) {
  Space *space = store->space;
  vec_clear(&store->evicted);
  const uint32_t group_id = find_group(store);
  Group *group = group_at(store, group_id);
  // The commonest case first: the same node again.
  if (group->is_single && group->count == space->word)
    return NODE_NONE;
  space->prepare(space);
  if (group->count) {
    if (store_coverer_in(store, group_id) != NODE_NONE)
      return NODE_NONE;
    if (!store->keeps_all)
      evict_covered(store, group);
  }
  const NodeRef ref = store_new_node(store, group_id, parent);
  append_body(store, group, ref);
  return ref;
}

void store_sweep(Store *store) {
  Space *space = store->space;
  for (uint32_t g = 0; g < store->groups.size; g++) {
    const Group *group = group_at(store, g);
    if (group->is_single)
      space->mark(space, group->count);
    for (uint32_t ref = group->is_single ? 0 : group->block; ref;) {
      Block *block = slab_at(store->slab, ref);
      const uint32_t *bodies = (const uint32_t *)(void *)block_bodies(block);
      for (uint32_t i = 0; i < block->count; i++)
        space->mark(space, bodies[i]);
      ref = block->next;
    }
  }
  space->sweep(space);
}

uint32_t store_group(Store *store) { return find_group(store); }

NodeRef store_find(Store *store, uint32_t group, StoreFind *find, void *context) {
  const Group *of = group_at(store, group);
  if (of->is_single) {
    const uint32_t word = of->count;
    return find(context, &of->block, (const char *)&word, 1, sizeof word, 0) ? NODE_NONE
                                                                             : of->block;
  }
  for (uint32_t at = of->block; at;) {
    Block *block = slab_at(store->slab, at);
    const uint32_t found = find(context, block_refs(block), block_bodies(block), block->count,
                                block->body_bytes, block->format);
    if (found < block->count)
      return block_refs(block)[found];
    at = block->next;
  }
  return NODE_NONE;
}

void store_append(Store *store, uint32_t group, NodeRef ref) {
  append_body(store, group_at(store, group), ref);
}

// The block with the body of a node, and its index there.
static Block *find_body(const Store *store, uint32_t group, NodeRef node, uint32_t *index) {
  for (uint32_t at = group_at(store, group)->block; at;) {
    Block *block = slab_at(store->slab, at);
    const NodeRef *refs = block_refs(block);
    for (uint32_t i = 0; i < block->count; i++)
      if (refs[i] == node) {
        *index = i;
        return block;
      }
    at = block->next;
  }
  return NULL;
}

void store_remove(Store *store, uint32_t group_id, NodeRef node) {
  Group *group = group_at(store, group_id);
  store_node(store, node)->word = 0;
  store->stored--;
  if (group->is_single) {
    clear_single(group);
    return;
  }
  uint32_t index = 0;
  Block *block = find_body(store, group_id, node, &index);
  remove_body(store, group, block, index);
  if (!block->count)
    drop_empty(store, group);
}

// A held body has a block to itself, in no group.
uint32_t store_hold(Store *store) {
  Space *space = store->space;
  const uint32_t format = space->format(space);
  const size_t bytes = space->body_bytes(space, format);
  const uint32_t at = slab_alloc(store->slab, block_units(1, bytes, 0));
  Block *block = slab_at(store->slab, at);
  *block = (Block){.count = 1,
                   .capacity = 1,
                   .body_bytes = (uint32_t)bytes & 0x7ffffff,
                   .format = format & 15};
  space->write(space, block_bodies(block), format);
  return at;
}

void store_drop_held(Store *store, uint32_t held) {
  const Block *block = slab_at(store->slab, held);
  slab_free(store->slab, held, units_of(store, block));
}

const void *store_held(const Store *store, uint32_t held, uint32_t *format) {
  Block *block = slab_at(store->slab, held);
  *format = block->format;
  return block_bodies(block);
}

size_t store_bytes(const Store *store) {
  return store->nodes.capacity * store->nodes.item_bytes +
         store->groups.capacity * store->groups.item_bytes +
         ((size_t)store->table_mask + 1) * sizeof *store->table + slab_bytes(store->slab);
}

const void *store_body(const Store *store, NodeRef node, uint32_t *format) {
  const Node *record = store_node(store, node);
  if (store->has_words) {
    *format = 0;
    return record->word ? &record->word : NULL;
  }
  uint32_t index;
  Block *block = find_body(store, record->group, node, &index);
  if (!block)
    return NULL;
  *format = block->format;
  return block_bodies(block) + (size_t)index * block->body_bytes;
}

bool store_ok(const Store *store) {
  uint32_t bodies = 0;
  for (uint32_t g = 0; g < store->groups.size; g++) {
    const Group *group = group_at(store, g);
    uint32_t count = 0;
    if (group->is_single) {
      const Node *node = store_node(store, group->block);
      if (node->group != g || !node->is_stored || node->word != group->count)
        return false;
      bodies++;
      continue;
    }
    for (uint32_t at = group->block; at;) {
      Block *block = slab_at(store->slab, at);
      for (uint32_t i = 0; i < block->count; i++) {
        const Node *node = store_node(store, block_refs(block)[i]);
        if (!node->is_stored || node->group != g)
          return false;
      }
      if (!block->count || block->count > block->capacity)
        return false;
      count += block->count;
      at = block->next;
    }
    if (count != group->count)
      return false;
    bodies += count;
  }
  return bodies == store->stored;
}
