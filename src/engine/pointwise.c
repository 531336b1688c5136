// The list of the waiting strategy (HT15), without the list.
//
// Call "parent" of a node the one before which it was inserted, which precedence made larger
// and which is older; nodes inserted at the end have none. All nodes with one parent stand
// directly before it, in the order of their insertion, each behind its own children. So the
// list is a forest in postorder, and its head is found without any position:
//
//   x := the oldest node; while some node precedes x: x := the oldest node that precedes x.
//
// (Whatever precedes the oldest node was inserted below it; of those the oldest is its first
// child; and so on.) The path to the head, the *chain*, stays valid while nodes are added, as
// new nodes are the youngest. Each x of the chain has looked at all nodes up to some age, and
// goes on from there when the child that it found is gone: no pair is looked at twice.
//
// A dropped node stays in the forest as long as it has children, but takes no new ones: those
// inserted after it was dropped, which references tell, are not below it.
//
// What remains is to find, in order of age, the next node that precedes x. Nodes wait in blocks
// of 64; for each process p and index a but the last, a block has a word (a *plane*) whose bits
// say which nodes have an index of at most a in p. A few words decide about 64 nodes.
#include "engine/pointwise.h"

#include <string.h>

enum { BLOCK = 64, LEAST_COMPACTED = 1024 };

typedef struct Link { // of the chain
  uint32_t at;        // its place
  uint32_t from;      // no node before this place precedes it
} Link;

struct Pointwise {
  Mem *mem;
  uint32_t width;
  uint32_t *sizes;
  uint32_t *plane; // by process: where its planes start in a block
  uint32_t words;  // of a block: word 0 tells who waits, then the planes
  VEC(uint64_t) blocks;
  VEC(NodeRef) refs;   // by place, ascending: the oldest first
  VEC(NodeRef) limits; // by place: younger ones are not below it
  uint32_t waiting;
  uint32_t oldest; // nothing waits before this place
  VEC(Link) chain;
  uint32_t *vector;         // scratch
  uint32_t *no_more, *less; // scratch: the planes that the vector must meet
  uint32_t no_more_count, less_count;
};

Pointwise *pointwise_new(Mem *mem, uint32_t width, const uint32_t *sizes) {
  Pointwise *list = mem_alloc(mem, sizeof *list);
  *list = (Pointwise){.mem = mem, .width = width, .words = 1};
  list->sizes = mem_alloc(mem, sizeof(uint32_t) * (5 * (size_t)width + 1));
  list->plane = list->sizes + width;
  list->vector = list->plane + width;
  list->no_more = list->vector + width;
  list->less = list->no_more + width;
  for (uint32_t p = 0; p < width; p++) {
    list->sizes[p] = sizes[p];
    list->plane[p] = list->words;
    list->words += sizes[p] - 1;
  }
  return list;
}

void pointwise_release(Pointwise *list) {
  vec_release(list->mem, &list->blocks);
  vec_release(list->mem, &list->refs);
  vec_release(list->mem, &list->limits);
  vec_release(list->mem, &list->chain);
  mem_free(list->mem, list->sizes);
  mem_free(list->mem, list);
}

static uint64_t *block_of(const Pointwise *list, uint32_t place) {
  return list->blocks.items + (size_t)(place / BLOCK) * list->words;
}

static uint64_t bit_of(uint32_t place) { return (uint64_t)1 << place % BLOCK; }

static bool waits(const Pointwise *list, uint32_t place) {
  return *block_of(list, place) & bit_of(place);
}

void pointwise_push(Pointwise *list, NodeRef ref, const uint32_t *vector) {
  const uint32_t place = list->refs.size;
  vec_push(list->mem, &list->refs, ref);
  vec_push(list->mem, &list->limits, NODE_NONE);
  if (place % BLOCK == 0) {
    vec_reserve(list->mem, &list->blocks, list->blocks.size + list->words);
    memset(list->blocks.items + list->blocks.size, 0, sizeof(uint64_t) * list->words);
    list->blocks.size += list->words;
  }
  uint64_t *block = block_of(list, place);
  const uint64_t bit = bit_of(place);
  block[0] |= bit;
  for (uint32_t p = 0; p < list->width; p++)
    for (uint32_t a = vector[p]; a + 1 < list->sizes[p]; a++)
      block[list->plane[p] + a] |= bit;
  list->waiting++;
}

// First place whose reference is at least `ref`.
static uint32_t find_place(const Pointwise *list, NodeRef ref) {
  uint32_t low = 0, high = list->refs.size;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (list->refs.items[middle] < ref)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void pointwise_drop(Pointwise *list, NodeRef ref) {
  const uint32_t place = find_place(list, ref);
  if (place < list->refs.size && list->refs.items[place] == ref)
    list->limits.items[place] = vec_last(&list->refs) + 1;
}

// The vector of a place, read off its planes.
static void read_vector(const Pointwise *list, uint32_t place) {
  const uint64_t *block = block_of(list, place);
  const uint64_t bit = bit_of(place);
  for (uint32_t p = 0; p < list->width; p++) {
    uint32_t a = 0;
    while (a + 1 < list->sizes[p] && !(block[list->plane[p] + a] & bit))
      a++;
    list->vector[p] = a;
  }
}

// The planes in which the vectors are that precede the one of a place.
static void aim(Pointwise *list, uint32_t place) {
  read_vector(list, place);
  list->no_more_count = list->less_count = 0;
  for (uint32_t p = 0; p < list->width; p++) {
    const uint32_t a = list->vector[p];
    if (a + 1 < list->sizes[p])
      list->no_more[list->no_more_count++] = list->plane[p] + a;
    if (a)
      list->less[list->less_count++] = list->plane[p] + a - 1;
  }
}

// Those nodes of a block that precede the one aimed at.
static uint64_t preceding(const Pointwise *list, const uint64_t *block, uint64_t candidates) {
  for (uint32_t i = 0; i < list->no_more_count && candidates; i++)
    candidates &= block[list->no_more[i]];
  if (!candidates)
    return 0;
  uint64_t smaller = 0;
  for (uint32_t i = 0; i < list->less_count; i++)
    smaller |= block[list->less[i]];
  return candidates & smaller;
}

// The place of the oldest waiting node from link->from on that precedes the link; the number
// of places if there is none.
static uint32_t find_preceding(Pointwise *list, const Link *link) {
  const uint32_t count = list->refs.size;
  const uint32_t end = find_place(list, list->limits.items[link->at]);
  if (link->from >= end)
    return count;
  aim(list, link->at);
  if (!list->less_count)
    return count;
  uint64_t seen = bit_of(link->from) - 1; // not to be looked at again
  for (uint32_t place = link->from / BLOCK * BLOCK; place < end; place += BLOCK) {
    const uint64_t *block = block_of(list, place);
    const uint64_t found = preceding(list, block, block[0] & ~seen);
    seen = 0;
    if (found) {
      place += (uint32_t)__builtin_ctzll(found);
      return place < end ? place : count;
    }
  }
  return count;
}

static uint32_t find_oldest(Pointwise *list) {
  while (!waits(list, list->oldest))
    list->oldest =
        *block_of(list, list->oldest) ? list->oldest + 1 : (list->oldest / BLOCK + 1) * BLOCK;
  return list->oldest;
}

// How many nodes wait before each block, and all together.
static uint32_t *count_waiting(const Pointwise *list) {
  const uint32_t blocks = (list->refs.size + BLOCK - 1) / BLOCK;
  uint32_t *before = mem_alloc(list->mem, sizeof(uint32_t) * (blocks + 1));
  for (uint32_t i = 0; i < blocks; i++)
    before[i + 1] = before[i] + (uint32_t)__builtin_popcountll(*block_of(list, i * BLOCK));
  return before;
}

// How many nodes wait before a place: the place it will have.
static uint32_t place_after(const Pointwise *list, const uint32_t *before, uint32_t place) {
  if (place % BLOCK == 0)
    return before[place / BLOCK];
  const uint64_t earlier = *block_of(list, place) & (bit_of(place) - 1);
  return before[place / BLOCK] + (uint32_t)__builtin_popcountll(earlier);
}

// The places of nodes that are gone are given back once they are the most.
static void compact(Pointwise *list) {
  uint32_t *before = count_waiting(list);
  for (uint32_t i = 0; i < list->chain.size; i++) {
    Link *link = &list->chain.items[i];
    link->at = place_after(list, before, link->at);
    link->from = place_after(list, before, link->from);
  }
  mem_free(list->mem, before);
  Pointwise old = *list;
  memset(&list->blocks, 0, sizeof list->blocks);
  memset(&list->refs, 0, sizeof list->refs);
  memset(&list->limits, 0, sizeof list->limits);
  list->waiting = list->oldest = 0;
  for (uint32_t place = 0; place < old.refs.size; place++) {
    if (!waits(&old, place))
      continue;
    read_vector(&old, place);
    pointwise_push(list, old.refs.items[place], list->vector);
    vec_last(&list->limits) = old.limits.items[place];
  }
  vec_release(list->mem, &old.blocks);
  vec_release(list->mem, &old.refs);
  vec_release(list->mem, &old.limits);
}

NodeRef pointwise_pop(Pointwise *list) {
  if (!list->waiting)
    return NODE_NONE;
  if (list->refs.size >= LEAST_COMPACTED && list->waiting < list->refs.size / 2)
    compact(list);
  for (;;) {
    if (!list->chain.size) {
      const uint32_t oldest = find_oldest(list);
      vec_push(list->mem, &list->chain, ((Link){oldest, oldest + 1}));
    }
    Link *link = &vec_last(&list->chain);
    const uint32_t next = find_preceding(list, link);
    if (next == list->refs.size)
      break;
    link->from = next + 1;
    vec_push(list->mem, &list->chain, ((Link){next, next + 1}));
  }
  const uint32_t head = vec_pop(&list->chain).at;
  *block_of(list, head) &= ~bit_of(head);
  list->waiting--;
  return list->refs.items[head];
}
