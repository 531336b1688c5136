#include "search/group.h"

#include "base/testbuild.h"
#include "search/sift.h"
#include "space/passed.h"

// Blocks aim at this many bytes at most, so that a growing group wastes little.
enum { BLOCK_BYTES = (SLAB_LISTS - 1) * SLAB_UNIT, MERGED_ZONES = 256 };

// Groups of more zones have sketches, in blocks that are never merged; what a sketch is gets
// chosen anew when there are so many times as many.
enum { SKETCHED = LOWERED(64, 64, 8), PLAN_AGE = LOWERED(4, 4, 2) };
// Groups of still more zones are clustered, in blocks of one capacity.
enum { CLUSTERED = LOWERED(1024, 128, 16), CLUSTER = LOWERED(128, 32, 8) };
enum { DIRECTORY_UNITS = (sizeof(SiftDirectory) + SLAB_UNIT - 1) / SLAB_UNIT };
_Static_assert((int)SLAB_SLACK >= (int)SPACE_SLACK, "blocks end with a page");

static uint32_t units_of(const Space *space, const Block *block) {
  return block_units(block->capacity, block->has_sketches ? space->speed.sketch_words : 0);
}

static void drop_entry(SiftDirectory *part, uint32_t at) {
  const uint32_t last = --part->count;
  part->most[at] = part->most[last];
  part->least[at] = part->least[last];
  part->common[at] = part->common[last];
  part->blocks[at] = part->blocks[last];
}

// Takes blocks that have become empty out of the directory.
static void drop_entries(Slab *slab, SiftPlan *plan) {
  for (uint32_t *link = &plan->directory; *link;) {
    const uint32_t ref = *link;
    SiftDirectory *part = slab_at(slab, ref);
    for (uint32_t i = part->count; i-- > 0;)
      if (!((const Block *)slab_at(slab, part->blocks[i]))->count)
        drop_entry(part, i);
    if (part->count) {
      link = &part->next;
      continue;
    }
    *link = part->next;
    slab_free(slab, ref, DIRECTORY_UNITS);
  }
}

// Unlinks blocks that have become empty.
void group_drop_empty(const Space *space, Slab *slab, Group *group) {
  const uint32_t plan =
      group_has_sketches(slab, group) ? *block_plan(slab_at(slab, group->block)) : 0;
  uint32_t *link = &group->block;
  if (plan)
    drop_entries(slab, slab_at(slab, plan));
  while (*link) {
    Block *block = slab_at(slab, *link);
    if (block->count) {
      link = &block->next;
      continue;
    }
    const uint32_t ref = *link;
    *link = block->next;
    slab_free(slab, ref, units_of(space, block));
  }
  if (plan && !group->block)
    slab_free(slab, plan, sift_plan_units(space));
}

// Capacity of a new block: a part of what the group holds, so that the free room stays small,
// within the bounds of a block.
static uint32_t next_capacity(const Group *group) {
  const uint32_t most = BLOCK_BYTES / (sizeof(uint32_t) + sizeof(NodeRef) + 1);
  const uint32_t wanted = group->count / 8 + 1;
  return wanted < most ? wanted : most;
}

// Small blocks are merged into a larger one rather than chained: a scan then makes one call.
static bool is_worth_merging(const Block *block) {
  return block && !block->has_sketches && block->count == block->capacity &&
         block->capacity <= MERGED_ZONES;
}

// A block for the group, the newest one; the capacity is set.
static Block *add_block(const Space *space, Slab *slab, Group *group, Block header) {
  const uint32_t words = header.has_sketches ? space->speed.sketch_words : 0;
  const uint32_t at = slab_alloc(slab, block_units(header.capacity, words));
  Block *block = slab_at(slab, at);
  *block = header;
  group->block = at;
  return block;
}

static Block block_header(const Group *group, uint32_t capacity) {
  return (Block){.next = group->block, .capacity = (uint16_t)capacity};
}

static bool wants_sketches(const Space *space, const Group *group, const Block *block) {
  return space->speed.sketch_words && block->capacity >= SKETCHED && !block->next &&
         group->count == block->count;
}

static void merge_block(Space *space, Slab *slab, Group *group) {
  const uint32_t from = group->block;
  Block *old = slab_at(slab, from);
  Block header = *old;
  header.has_sketches = wants_sketches(space, group, old);
  header.capacity = (uint16_t)(old->capacity + old->capacity / (header.has_sketches ? 4 : 1));
  const uint32_t plan = header.has_sketches ? slab_alloc(slab, sift_plan_units(space)) : 0;
  Block *block = add_block(space, slab, group, header);
  old = slab_at(slab, from);
  memcpy(block_refs(block), block_refs(old), old->count * sizeof(NodeRef));
  memcpy(block_zones(block), block_zones(old), old->count * sizeof(uint32_t));
  slab_free(slab, from, units_of(space, old));
  if (!plan)
    return;
  *(SiftPlan *)slab_at(slab, plan) = (SiftPlan){0};
  *block_plan(block) = plan;
  sift_plan(space, slab, group->block, group->count);
}

// Makes an older block, with much room left by evictions, the newest one; false if there is none.
static bool find_room(const Slab *slab, Group *group) {
  uint32_t *link = &((Block *)slab_at(slab, group->block))->next;
  while (*link) {
    Block *block = slab_at(slab, *link);
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

static Block *add_empty(const Space *space, Slab *slab, Group *group, uint32_t plan,
                        uint32_t capacity) {
  Block header = block_header(group, capacity);
  header.has_sketches = true;
  Block *block = add_block(space, slab, group, header);
  *block_plan(block) = plan;
  return block;
}

// Clusters. A zone comes into a block of whose entry in the directory it changes nothing, if
// there is one. A block that is full is split in two by the bit that most nearly half of its
// zones supply. So the entries differ, and most blocks of a large group are passed over. A block
// whose zones no bit tells apart is closed: it is not split.

enum { IS_CLOSED = 2 }; // Block.has_sketches
enum { PARTS = 8 };     // a split gives each block more than one of so many

typedef struct Entry {
  SiftDirectory *part; // NULL: none
  uint32_t at;
} Entry;

static Entry add_entry(Slab *slab, SiftPlan *plan, uint32_t block) {
  SiftDirectory *part = plan->directory ? slab_at(slab, plan->directory) : NULL;
  if (!part || part->count == SIFT_ROUND) {
    const uint32_t ref = slab_alloc(slab, DIRECTORY_UNITS);
    part = slab_at(slab, ref);
    part->next = plan->directory;
    part->count = 0;
    plan->directory = ref;
  }
  const Entry entry = {.part = part, .at = part->count++};
  part->blocks[entry.at] = block;
  part->most[entry.at] = 0;
  part->least[entry.at] = part->common[entry.at] = ~0u;
  return entry;
}

static Entry add_cluster(const Space *space, Slab *slab, Group *group, uint32_t plan) {
  add_empty(space, slab, group, plan, CLUSTER);
  return add_entry(slab, slab_at(slab, plan), group->block);
}

static void enlarge(Entry entry, Sketch sketch) {
  entry.part->most[entry.at] |= sketch.supply;
  entry.part->least[entry.at] &= sketch.demand;
  entry.part->common[entry.at] &= sketch.supply;
}

static Block *block_of(const Slab *slab, Entry entry) {
  return slab_at(slab, entry.part->blocks[entry.at]);
}

static bool is_open(const Slab *slab, Entry entry) {
  const Block *block = block_of(slab, entry);
  return block->has_sketches != IS_CLOSED || block->count < block->capacity;
}

// The entry that a supply changes least.
static Entry find_near(const Slab *slab, SiftDirectory *part, uint32_t supply) {
  Entry best = {0};
  for (uint32_t least = UINT32_MAX; part; part = part->next ? slab_at(slab, part->next) : NULL)
    for (uint32_t i = 0; i < part->count; i++) {
      const uint32_t differs = (supply & ~part->most[i]) | (part->common[i] & ~supply);
      const uint32_t count = (uint32_t)__builtin_popcount(differs);
      if (count < least && is_open(slab, (Entry){part, i})) {
        best = (Entry){part, i};
        least = count;
      }
    }
  return best;
}

static Entry find_entry(const Slab *slab, const SiftPlan *plan, uint32_t supply) {
  uint32_t places[SIFT_ROUND + BITSETS_OVER];
  for (uint32_t ref = plan->directory; ref;) {
    SiftDirectory *part = slab_at(slab, ref);
    const uint32_t found = bitsets_including(part->most, 0, part->count, supply, places);
    for (uint32_t i = 0; i < found; i++)
      if (!(part->common[places[i]] & ~supply) && is_open(slab, (Entry){part, places[i]}))
        return (Entry){part, places[i]};
    ref = part->next;
  }
  return plan->directory ? find_near(slab, slab_at(slab, plan->directory), supply) : (Entry){0};
}

// The bit to split a block by, 0 for none.
static uint32_t split_bit(Block *block) {
  const uint32_t *supplies = block_supplies(block), count = block->count;
  uint32_t best = 0, most = count / PARTS;
  for (uint32_t bit = 1; bit; bit <<= 1) {
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++)
      set += (supplies[i] & bit) != 0;
    const uint32_t smaller = set < count - set ? set : count - set;
    if (smaller > most) {
      most = smaller;
      best = bit;
    }
  }
  return best;
}

static void move_zone(const Space *space, const Slab *slab, Entry to, Block *from,
                      uint32_t index) {
  const uint32_t words = space->speed.sketch_words;
  Block *block = block_of(slab, to);
  const uint32_t at = block->count++;
  const Sketch sketch = {.supply = block_supplies(from)[index],
                         .demand = block_demands(from, words)[index]};
  block_supplies(block)[at] = sketch.supply;
  block_demands(block, words)[at] = sketch.demand;
  block_zones(block)[at] = block_zones(from)[index];
  block_refs(block)[at] = block_refs(from)[index];
  enlarge(to, sketch);
}

static void split_block(const Space *space, Slab *slab, Group *group, Entry entry) {
  Block *block = block_of(slab, entry);
  const uint32_t bit = split_bit(block), count = block->count;
  if (!bit) {
    block->has_sketches = IS_CLOSED;
    return;
  }
  const Entry other = add_cluster(space, slab, group, *block_plan(block));
  block->count = 0;
  entry.part->most[entry.at] = 0;
  entry.part->least[entry.at] = entry.part->common[entry.at] = ~0u;
  for (uint32_t i = 0; i < count; i++)
    move_zone(space, slab, block_supplies(block)[i] & bit ? other : entry, block, i);
}

// The entry of a block with room for a zone.
static Entry make_room(const Space *space, Slab *slab, Group *group, uint32_t plan,
                       uint32_t supply) {
  for (;;) {
    const Entry entry = find_entry(slab, slab_at(slab, plan), supply);
    if (!entry.part)
      return add_cluster(space, slab, group, plan);
    const Block *block = block_of(slab, entry);
    if (block->count < block->capacity)
      return entry;
    split_block(space, slab, group, entry);
  }
}

static void drop_directory(Slab *slab, SiftPlan *plan) {
  for (uint32_t ref = plan->directory, next; ref; ref = next) {
    next = ((const SiftDirectory *)slab_at(slab, ref))->next;
    slab_free(slab, ref, DIRECTORY_UNITS);
  }
  plan->directory = 0;
}

// Chooses what the sketches are, and puts all zones into clusters.
static void cluster(Space *space, Slab *slab, Group *group) {
  const uint32_t plan = *block_plan(slab_at(slab, group->block));
  sift_plan(space, slab, group->block, group->count);
  drop_directory(slab, slab_at(slab, plan));
  uint32_t old = group->block;
  group->block = 0;
  while (old) {
    Block *from = slab_at(slab, old);
    const uint32_t next = from->next;
    for (uint32_t i = 0; i < from->count; i++)
      move_zone(space, slab, make_room(space, slab, group, plan, block_supplies(from)[i]), from,
                i);
    slab_free(slab, old, units_of(space, from));
    old = next;
  }
}

static bool is_plan_old(const Slab *slab, const Group *group) {
  return sift_plan_of(slab, group->block)->count * PLAN_AGE <= group->count;
}

// The block for the current node.
static Block *find_clustered(Space *space, Slab *slab, Group *group) {
  if (is_plan_old(slab, group))
    cluster(space, slab, group);
  Block *first = slab_at(slab, group->block);
  const Sketch sketch = sift_sketch(space, slab, first, 0);
  const Entry entry = make_room(space, slab, group, *block_plan(first), sketch.supply);
  enlarge(entry, sketch);
  return block_of(slab, entry);
}

// A block after one that is full.
static Block *add_sketched(Space *space, Slab *slab, Group *group) {
  if (find_room(slab, group))
    return slab_at(slab, group->block);
  if (group->count >= CLUSTERED) {
    cluster(space, slab, group);
    return find_clustered(space, slab, group);
  }
  const uint32_t plan = *block_plan(slab_at(slab, group->block));
  const uint32_t most = BLOCK_BYTES / (5 * sizeof(uint32_t)), wanted = group->count;
  const uint32_t capacity = wanted < SKETCHED / 2 ? SKETCHED / 2 : wanted < most ? wanted : most;
  Block *block = add_empty(space, slab, group, plan, capacity);
  if (is_plan_old(slab, group))
    sift_plan(space, slab, group->block, group->count);
  return block;
}

// A group of one node gets a block when the second comes.
static void spread(Space *space, Slab *slab, Group *group) {
  const NodeRef ref = group->block;
  const uint32_t zone = group->count;
  *group = (Group){.count = 1};
  Block *block = add_block(space, slab, group, block_header(group, 2));
  block_zones(block)[0] = zone;
  block_refs(block)[block->count++] = ref;
}

// A block of the group with room for one more zone.
Block *group_find_block(Space *space, Slab *slab, Group *group) {
  if (group->is_single)
    spread(space, slab, group);
  Block *block = group->block ? slab_at(slab, group->block) : NULL;
  if (is_worth_merging(block)) {
    merge_block(space, slab, group);
    block = slab_at(slab, group->block);
  }
  if (block && block->has_sketches && sift_plan_of(slab, group->block)->directory)
    return find_clustered(space, slab, group);
  if (block && block->count < block->capacity)
    return block;
  return block && block->has_sketches
             ? add_sketched(space, slab, group)
             : add_block(space, slab, group, block_header(group, next_capacity(group)));
}
