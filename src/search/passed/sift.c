#include "search/passed/sift.h"

enum { ENOUGH = 8 }; // zones that passed and are tested together
enum { SLACK_WORDS = SPACE_SLACK / sizeof(uint32_t) };

Sketch sift_sketch(Space *space, const SiftLegend *legend, uint32_t zone) {
  Sketch sketch;
  space->speed.sketch(space, legend + 1, zone, &sketch.supply, &sketch.demand);
  return sketch;
}

// From zones of all parts.
void sift_choose(Space *space, const Slab *slab, SiftLegend *legend, uint32_t first,
                 uint32_t count) {
  uint32_t sample[SPACE_SAMPLE] = {0}, taken = 0, passed = 0;
  for (Block *block = block_at(slab, first); block; block = block_at(slab, block->next))
    for (uint32_t i = 0; i < block->count; i++, passed++)
      if (taken < SPACE_SAMPLE && passed == (uint64_t)taken * count / SPACE_SAMPLE)
        sample[taken++] = block_zones(block)[i];
  space->speed.choose_legend(space, legend + 1, sample, taken);
  legend->count = count;
}

// Zones that passed, with their places.
typedef struct Sifted {
  uint32_t size;
  _Alignas(SLAB_UNIT) uint32_t words[SIFT_MAX + ENOUGH + SLACK_WORDS];
  uint32_t index[SIFT_MAX + ENOUGH + BITSETS_OVER];
  Block *block[SIFT_MAX + ENOUGH];
} Sifted;

static void sift_block(Sifted *sifted, Block *block, uint32_t demand) {
  const uint32_t *zones = block_zones(block);
  uint32_t *index = sifted->index + sifted->size;
  const uint32_t count = bitsets_including(block_supplies(block), 0, block->count, demand, index);
  for (uint32_t i = 0; i < count; i++) {
    sifted->words[sifted->size] = zones[index[i]];
    sifted->block[sifted->size++] = block;
  }
}

// One of those that passed that covers the current node; then none is left.
static uint32_t test_sifted(Space *space, Sifted *sifted) {
  const uint32_t size = sifted->size;
  const uint32_t found = size ? space->find_subsumer(space, sifted->words, size) : 0;
  sifted->size = 0;
  if (found >= size)
    return UINT32_MAX;
  return block_refs(sifted->block[found])[sifted->index[found]];
}

// What passed is tested as soon as it is enough.
uint32_t sift_subsumer(Space *space, const Slab *slab, uint32_t first) {
  Sifted sifted;
  sifted.size = 0;
  const SiftLegend *legend = sift_legend_of(slab, first);
  const uint32_t demand = sift_sketch(space, legend, 0).demand;
  uint32_t places[SIFT_ENTRIES + BITSETS_OVER];
  for (const SiftDirectory *part = sift_part(slab, legend->directory); part;
       part = sift_part(slab, part->next)) {
    const uint32_t found = bitsets_including(part->max, 0, part->count, demand, places);
    for (uint32_t i = 0; i < found; i++) {
      sift_block(&sifted, slab_at(slab, part->blocks[places[i]]), demand);
      const uint32_t node = sifted.size < ENOUGH ? UINT32_MAX : test_sifted(space, &sifted);
      if (node != UINT32_MAX)
        return node;
    }
  }
  return test_sifted(space, &sifted);
}

uint32_t sift_subsumed(Space *space, Block *block, uint32_t supply, uint32_t *places) {
  _Alignas(SLAB_UNIT) uint32_t words[SIFT_MAX + SLACK_WORDS];
  const uint32_t *zones = block_zones(block);
  const uint32_t size = bitsets_within(block_demands(block, space->speed.sketch_words), 0,
                                       block->count, supply, places);
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
