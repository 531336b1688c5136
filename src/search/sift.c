#include "search/sift.h"

enum { ENOUGH = 8 }; // zones that passed and are tested together
enum { SLACK_WORDS = SPACE_SLACK / sizeof(uint32_t) };

Sketch sift_sketch(Space *space, const Slab *slab, Block *block, uint32_t zone) {
  const SiftPlan *plan = slab_at(slab, *block_plan(block));
  Sketch sketch;
  space->speed.sketch(space, plan + 1, zone, &sketch.supply, &sketch.demand);
  return sketch;
}

void sift_put(Space *space, const Slab *slab, Block *block, uint32_t index, uint32_t zone) {
  const Sketch sketch = sift_sketch(space, slab, block, zone);
  block_demands(block, space->speed.sketch_words)[index] = sketch.demand;
  block_supplies(block)[index] = sketch.supply;
}

void sift_plan(Space *space, const Slab *slab, uint32_t first, uint32_t count) {
  uint32_t sample[SPACE_SAMPLE] = {0}, taken = 0, passed = 0;
  SiftPlan *plan = slab_at(slab, *block_plan(slab_at(slab, first)));
  for (uint32_t ref = first; ref;) {
    Block *block = slab_at(slab, ref);
    for (uint32_t i = 0; i < block->count; i++, passed++)
      if (taken < SPACE_SAMPLE && passed == (uint64_t)taken * count / SPACE_SAMPLE)
        sample[taken++] = block_zones(block)[i];
    ref = block->next;
  }
  space->speed.plan(space, plan + 1, sample, taken);
  plan->count = count;
  for (uint32_t ref = first; ref;) {
    Block *block = slab_at(slab, ref);
    for (uint32_t i = 0; i < block->count; i++)
      sift_put(space, slab, block, i, block_zones(block)[i]);
    ref = block->next;
  }
}

// Zones that passed, with their places.
typedef struct Sifted {
  uint32_t size;
  _Alignas(SLAB_UNIT) uint32_t words[SIFT_ROUND + ENOUGH + SLACK_WORDS];
  uint32_t index[SIFT_ROUND + ENOUGH + BITSETS_OVER];
  uint32_t parts; // of different blocks
  uint32_t start[ENOUGH];
  Block *block[ENOUGH];
} Sifted;

static void sift_block(Sifted *sifted, Block *block, uint32_t from, uint32_t end,
                       uint32_t demand) {
  const uint32_t *zones = block_zones(block);
  uint32_t *index = sifted->index + sifted->size, *words = sifted->words + sifted->size;
  const uint32_t count = bitsets_including(block_supplies(block), from, end, demand, index);
  if (!count)
    return;
  for (uint32_t i = 0; i < count; i++)
    words[i] = zones[index[i]];
  sifted->start[sifted->parts] = sifted->size;
  sifted->block[sifted->parts++] = block;
  sifted->size += count;
}

static void advance(const Space *space, Block *block, uint32_t index) {
  block_advance(block, index);
  block_swap(block_supplies(block), index, index / 2);
  if (space->speed.sketch_words > 1)
    block_swap(block_demands(block, space->speed.sketch_words), index, index / 2);
}

// One of those that passed that covers the current node; then none is left.
static uint32_t test_sifted(Space *space, Sifted *sifted) {
  const uint32_t size = sifted->size;
  const uint32_t found = size ? space->find_subsumer(space, sifted->words, size) : 0;
  uint32_t part = sifted->parts;
  sifted->size = sifted->parts = 0;
  if (found >= size)
    return UINT32_MAX;
  while (sifted->start[--part] > found)
    continue;
  Block *block = sifted->block[part];
  const uint32_t node = block_refs(block)[sifted->index[found]];
  advance(space, block, sifted->index[found]);
  return node;
}

// Sifts a block, and tests what passed as soon as that is enough.
static uint32_t search_block(Space *space, Sifted *sifted, Block *block, uint32_t demand) {
  for (uint32_t from = 0; from < block->count; from += SIFT_ROUND) {
    const bool is_last = block->count - from <= SIFT_ROUND;
    sift_block(sifted, block, from, is_last ? block->count : from + SIFT_ROUND, demand);
    const uint32_t node = sifted->size < ENOUGH ? UINT32_MAX : test_sifted(space, sifted);
    if (node != UINT32_MAX)
      return node;
  }
  return UINT32_MAX;
}

static uint32_t search_directory(Space *space, Sifted *sifted, const Slab *slab, uint32_t ref,
                                 uint32_t demand) {
  uint32_t places[SIFT_ROUND + BITSETS_OVER];
  while (ref) {
    const SiftDirectory *part = slab_at(slab, ref);
    const uint32_t found = bitsets_including(part->most, 0, part->count, demand, places);
    for (uint32_t i = 0; i < found; i++) {
      Block *block = slab_at(slab, part->blocks[places[i]]);
      const uint32_t node = search_block(space, sifted, block, demand);
      if (node != UINT32_MAX)
        return node;
    }
    ref = part->next;
  }
  return test_sifted(space, sifted);
}

uint32_t sift_subsumer(Space *space, const Slab *slab, uint32_t first) {
  Sifted sifted;
  sifted.size = sifted.parts = 0;
  const uint32_t demand = sift_sketch(space, slab, slab_at(slab, first), 0).demand;
  const uint32_t directory = sift_plan_of(slab, first)->directory;
  if (directory)
    return search_directory(space, &sifted, slab, directory, demand);
  for (uint32_t ref = first; ref;) {
    Block *block = slab_at(slab, ref);
    const uint32_t node = search_block(space, &sifted, block, demand);
    if (node != UINT32_MAX)
      return node;
    ref = block->next;
  }
  return test_sifted(space, &sifted);
}

void sift_walk(SiftWalk *walk, const Slab *slab, uint32_t first, uint32_t supply) {
  const Block *block = slab_at(slab, first);
  const uint32_t directory = block->has_sketches ? sift_plan_of(slab, first)->directory : 0;
  walk->slab = slab;
  walk->has_directory = directory;
  walk->next = directory ? directory : first;
  walk->found = 0;
  walk->supply = supply;
}

Block *sift_walk_next(SiftWalk *walk) {
  if (!walk->has_directory) {
    Block *block = walk->next ? slab_at(walk->slab, walk->next) : NULL;
    walk->next = block ? block->next : 0;
    return block;
  }
  while (!walk->found && walk->next) {
    walk->part = slab_at(walk->slab, walk->next);
    walk->found =
        bitsets_within(walk->part->least, 0, walk->part->count, walk->supply, walk->places);
    walk->next = walk->part->next;
  }
  return walk->found ? slab_at(walk->slab, walk->part->blocks[walk->places[--walk->found]])
                     : NULL;
}

uint32_t sift_subsumed(Space *space, Block *block, uint32_t from, uint32_t end, uint32_t supply,
                       uint32_t *places) {
  _Alignas(SLAB_UNIT) uint32_t words[SIFT_ROUND + SLACK_WORDS];
  const uint32_t *zones = block_zones(block);
  const uint32_t size =
      bitsets_within(block_demands(block, space->speed.sketch_words), from, end, supply, places);
  uint32_t found = 0;
  for (uint32_t i = 0; i < size; i++)
    words[i] = zones[places[i]];
  for (uint32_t i = 0; i < size; i++) {
    i = space->find_subsumed(space, words, i, size);
    if (i < size)
      places[found++] = places[i];
  }
  return found;
}
