#include "search/group.h"

#include "base/testbuild.h"
#include "search/sift.h"
#include "space/passed.h"

// Blocks aim at this many bytes at most, so that a growing group wastes little.
enum { BLOCK_BYTES = (SLAB_LISTS - 1) * SLAB_UNIT, MERGED_ZONES = 256 };

// Groups of more zones have sketches, in blocks that are never merged; what a sketch is gets
// chosen anew when there are so many times as many.
enum { SKETCHED = LOWERED(64, 64, 8), PLAN_AGE = LOWERED(4, 4, 2) };
_Static_assert((int)SLAB_SLACK >= (int)SPACE_SLACK, "blocks end with a page");

static uint32_t units_of(const Space *space, const Block *block) {
  return block_units(block->capacity, block->has_sketches ? space->speed.sketch_words : 0);
}

// Unlinks blocks that have become empty.
void group_drop_empty(const Space *space, Slab *slab, Group *group) {
  const uint32_t plan =
      group_has_sketches(slab, group) ? *block_plan(slab_at(slab, group->block)) : 0;
  uint32_t *link = &group->block;
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

// A block after one that is full.
static Block *add_sketched(Space *space, Slab *slab, Group *group) {
  if (find_room(slab, group))
    return slab_at(slab, group->block);
  const uint32_t plan = *block_plan(slab_at(slab, group->block));
  const uint32_t most = BLOCK_BYTES / (5 * sizeof(uint32_t)), wanted = group->count;
  const uint32_t capacity = wanted < SKETCHED / 2 ? SKETCHED / 2 : wanted < most ? wanted : most;
  Block header = block_header(group, capacity);
  header.has_sketches = true;
  Block *block = add_block(space, slab, group, header);
  *block_plan(block) = plan;
  if (((const SiftPlan *)slab_at(slab, plan))->count * PLAN_AGE <= group->count)
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
  if (block && block->count < block->capacity)
    return block;
  return block && block->has_sketches
             ? add_sketched(space, slab, group)
             : add_block(space, slab, group, block_header(group, next_capacity(group)));
}
