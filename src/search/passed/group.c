#include "search/passed/group.h"

#include "base/testbuild.h"
#include "search/passed/sift.h"
#include "search/space/passed.h"

// Blocks aim at this many bytes at most, so that a growing group wastes little.
enum { BLOCK_BYTES = (SLAB_LISTS - 1) * SLAB_UNIT, MERGED_ZONES = 256 };

// Groups of more zones are clustered, in blocks of one capacity; what a sketch is gets chosen
// anew when there are so many times as many.
enum {
  CLUSTERED = LOWERED(64, 64, 8),
  CLUSTER = LOWERED(SIFT_MAX, SIFT_MAX / 2, SIFT_MAX / 8),
  LEGEND_AGE = LOWERED(4, 4, 2)
};
enum { DIRECTORY_UNITS = (sizeof(SiftDirectory) + SLAB_UNIT - 1) / SLAB_UNIT };
_Static_assert((int)SLAB_SLACK >= (int)SPACE_SLACK, "blocks end with a page");

static uint32_t units_of(const Space *space, const Block *block) {
  return block_units(block->capacity, block->has_sketches ? space->speed.sketch_words : 0);
}

static void free_directory(Slab *slab, SiftLegend *legend) {
  for (uint32_t part = legend->directory, next; part; part = next) {
    next = ((const SiftDirectory *)slab_at(slab, part))->next;
    slab_free(slab, part, DIRECTORY_UNITS);
  }
  legend->directory = 0;
}

// The reference of its legend, 0 for none.
static uint32_t group_legend(const Slab *slab, const Group *group) {
  return group_has_sketches(slab, group) ? *block_legend(slab_at(slab, group->block)) : 0;
}

void group_drop_empty(const Space *space, Slab *slab, Group *group) {
  const uint32_t legend = group_legend(slab, group);
  uint32_t *link = &group->block;
  if (legend && group->count) // others that are alike will come into the blocks
    return;
  if (legend) {
    free_directory(slab, slab_at(slab, legend));
    slab_free(slab, legend, sift_legend_units(space));
  }
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
}

// A new block of a group, the first; it has sketches if there is a legend.
static Block *add_block(const Space *space, Slab *slab, Group *group, uint32_t capacity,
                        uint32_t legend) {
  const uint32_t at =
      slab_alloc(slab, block_units(capacity, legend ? space->speed.sketch_words : 0));
  Block *block = slab_at(slab, at);
  *block =
      (Block){.next = group->block, .capacity = (uint16_t)capacity, .has_sketches = legend != 0};
  if (legend)
    *block_legend(block) = legend;
  group->block = at;
  return block;
}

static void put(Block *block, uint32_t ref, uint32_t zone) {
  block_zones(block)[block->count] = zone;
  block_refs(block)[block->count++] = ref;
}

// Small blocks are made larger rather than chained: a scan then makes one call.
static Block *enlarge_block(const Space *space, Slab *slab, Group *group) {
  const uint32_t from = group->block;
  Block *old = slab_at(slab, from);
  group->block = old->next;
  Block *block = add_block(space, slab, group, 2u * old->capacity, 0);
  block->count = old->count;
  memcpy(block_refs(block), block_refs(old), old->count * sizeof(NodeRef));
  memcpy(block_zones(block), block_zones(old), old->count * sizeof(uint32_t));
  slab_free(slab, from, units_of(space, old));
  return block;
}

// A block with room for one more zone. A new one has a part of what the group holds, so that the
// free room stays small, within the bounds of a block.
static Block *find_block(const Space *space, Slab *slab, Group *group) {
  const uint32_t max = BLOCK_BYTES / (sizeof(uint32_t) + sizeof(NodeRef) + 1);
  const uint32_t wanted = group->count / 8 + 1;
  Block *block = block_at(slab, group->block);
  if (block && block->count < block->capacity)
    return block;
  return block && block->capacity <= MERGED_ZONES
             ? enlarge_block(space, slab, group)
             : add_block(space, slab, group, wanted < max ? wanted : max, 0);
}

// Clusters. A zone comes into a block of whose entry in the directory it changes nothing, if
// there is one. A block that is full is split in two by the bit that most nearly half of its
// zones supply. So the entries differ, and most blocks of a large group are passed over. If no
// bit tells them apart, each block gets every second zone.

enum { PARTS = 8 }; // a split gives each block more than one of so many

typedef struct Entry {
  SiftDirectory *part; // NULL: none
  uint32_t at;
} Entry;

static void clear_entry(Entry entry) {
  entry.part->max[entry.at] = 0;
  entry.part->least[entry.at] = entry.part->common[entry.at] = ~0u;
}

// A new block, with its entry.
static Entry add_cluster(const Space *space, Slab *slab, Group *group, uint32_t legend_ref) {
  SiftLegend *legend = slab_at(slab, legend_ref);
  SiftDirectory *part = sift_part(slab, legend->directory);
  add_block(space, slab, group, CLUSTER, legend_ref);
  if (!part || part->count == SIFT_ENTRIES) {
    const uint32_t ref = slab_alloc(slab, DIRECTORY_UNITS);
    part = slab_at(slab, ref);
    part->next = legend->directory;
    part->count = 0;
    legend->directory = ref;
  }
  const Entry entry = {.part = part, .at = part->count++};
  part->blocks[entry.at] = group->block;
  clear_entry(entry);
  return entry;
}

static Block *block_of(const Slab *slab, Entry entry) {
  return slab_at(slab, entry.part->blocks[entry.at]);
}

// The entry that a supply changes least.
static Entry find_near(const Slab *slab, SiftDirectory *part, uint32_t supply) {
  Entry best = {0};
  for (uint32_t least = UINT32_MAX; part; part = sift_part(slab, part->next))
    for (uint32_t i = 0; i < part->count; i++) {
      const uint32_t differs = (supply & ~part->max[i]) | (part->common[i] & ~supply);
      const uint32_t count = (uint32_t)__builtin_popcount(differs);
      if (count < least) {
        best = (Entry){part, i};
        least = count;
      }
    }
  return best;
}

static Entry find_entry(const Slab *slab, const SiftLegend *legend, uint32_t supply) {
  uint32_t places[SIFT_ENTRIES + BITSETS_OVER];
  for (SiftDirectory *part = sift_part(slab, legend->directory); part;
       part = sift_part(slab, part->next)) {
    const uint32_t found = bitsets_including(part->max, 0, part->count, supply, places);
    for (uint32_t i = 0; i < found; i++)
      if (!(part->common[places[i]] & ~supply))
        return (Entry){part, places[i]};
  }
  return find_near(slab, sift_part(slab, legend->directory), supply);
}

// The bit to split a block by, 0 for none.
static uint32_t split_bit(Block *block) {
  const uint32_t *supplies = block_supplies(block), count = block->count;
  uint32_t best = 0, max = count / PARTS;
  for (uint32_t bit = 1; bit; bit <<= 1) {
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++)
      set += (supplies[i] & bit) != 0;
    const uint32_t smaller = set < count - set ? set : count - set;
    if (smaller > max) {
      max = smaller;
      best = bit;
    }
  }
  return best;
}

static void put_into(const Space *space, const Slab *slab, Entry entry, Sketch sketch,
                     uint32_t ref, uint32_t zone) {
  Block *block = block_of(slab, entry);
  block_supplies(block)[block->count] = sketch.supply;
  block_demands(block, space->speed.sketch_words)[block->count] = sketch.demand;
  put(block, ref, zone);
  entry.part->max[entry.at] |= sketch.supply;
  entry.part->least[entry.at] &= sketch.demand;
  entry.part->common[entry.at] &= sketch.supply;
}

static void split_block(const Space *space, Slab *slab, Group *group, Entry entry) {
  Block *block = block_of(slab, entry);
  const uint32_t *supplies = block_supplies(block);
  const uint32_t *demands = block_demands(block, space->speed.sketch_words);
  const uint32_t bit = split_bit(block), count = block->count;
  const Entry other = add_cluster(space, slab, group, *block_legend(block));
  block->count = 0;
  clear_entry(entry);
  for (uint32_t i = 0; i < count; i++)
    put_into(space, slab, (bit ? supplies[i] & bit : i % 2) ? other : entry,
             (Sketch){supplies[i], demands[i]}, block_refs(block)[i], block_zones(block)[i]);
}

static void put_clustered(const Space *space, Slab *slab, Group *group, uint32_t legend,
                          Sketch sketch, uint32_t ref, uint32_t zone) {
  for (;;) {
    Entry entry = find_entry(slab, slab_at(slab, legend), sketch.supply);
    if (!entry.part)
      entry = add_cluster(space, slab, group, legend);
    const Block *block = block_of(slab, entry);
    if (block->count < block->capacity) {
      put_into(space, slab, entry, sketch, ref, zone);
      return;
    }
    split_block(space, slab, group, entry);
  }
}

// Chooses what the sketches are, and puts all zones into clusters.
static void cluster(Space *space, Slab *slab, Group *group) {
  const uint32_t legend_units = sift_legend_units(space);
  uint32_t old = group->block, ref = group_legend(slab, group);
  if (!ref) {
    ref = slab_alloc(slab, legend_units);
    *(SiftLegend *)slab_at(slab, ref) = (SiftLegend){0};
  }
  SiftLegend *legend = slab_at(slab, ref);
  sift_choose(space, slab, legend, old, group->count);
  free_directory(slab, legend);
  group->block = 0;
  while (old) {
    Block *from = slab_at(slab, old);
    const uint32_t next = from->next;
    for (uint32_t i = 0; i < from->count; i++) {
      const uint32_t zone = block_zones(from)[i];
      put_clustered(space, slab, group, ref, sift_sketch(space, legend, zone),
                    block_refs(from)[i], zone);
    }
    slab_free(slab, old, units_of(space, from));
    old = next;
  }
}

static bool wants_clusters(const Space *space, const Slab *slab, const Group *group) {
  return group_has_sketches(slab, group)
             ? sift_legend_of(slab, group->block)->count * LEGEND_AGE <= group->count
             : space->speed.sketch_words && group->count >= CLUSTERED;
}

bool group_makes_sketches(const Space *space, const Slab *slab, const Group *group) {
  return !group->is_single &&
         (group_has_sketches(slab, group) || wants_clusters(space, slab, group));
}

void group_add(Space *space, Slab *slab, Group *group, uint32_t ref, uint32_t zone) {
  if (group->is_single) { // it gets a block when the second comes
    const Group single = *group;
    *group = (Group){.count = 1};
    put(add_block(space, slab, group, 2, 0), single.block, single.count);
  }
  if (wants_clusters(space, slab, group))
    cluster(space, slab, group);
  const uint32_t legend = group_legend(slab, group);
  if (legend)
    put_clustered(space, slab, group, legend, sift_sketch(space, slab_at(slab, legend), 0), ref,
                  zone);
  else
    put(find_block(space, slab, group), ref, zone);
  group->count++;
}
