#include "evidence/parts.h"

#include "search/nodes.h"

#include <stdlib.h>

typedef struct Entry { // a group, to be sorted by its key
  const uint64_t *key;
  uint32_t words, group;
} Entry;

typedef VEC(uint32_t) Words; // groups, then nodes of each part, of one process

static int compare(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  for (uint32_t i = 0; i < x->words; i++)
    if (x->key[i] != y->key[i])
      return x->key[i] < y->key[i] ? -1 : 1;
  return 0;
}

static bool is_written(const Reach *reach, const NodeRef *subsumers, NodeRef ref) {
  const Node *node = nodes_at(reach, ref);
  return subsumers ? subsumers[ref] == ref : node && node->is_stored;
}

// The next group, with so many nodes.
static void add_group(FileParts *parts, uint32_t size) {
  const uint32_t group = parts->ends.size, count = parts->list.size;
  const FilePart next = {group, group ? parts->ends.items[group - 1] : 0};
  if (!count || next.node - parts->list.items[count - 1].node >= PARTS_NODES)
    vec_push(parts->mem, &parts->list, next);
  vec_push(parts->mem, &parts->ends, next.node + size);
}

void parts_init(FileParts *parts, Mem *mem, const Reach *reach, const NodeRef *subsumers) {
  const NodeRef limit = nodes_limit(reach);
  const uint32_t groups = nodes_group_limit(reach);
  Arena keys = {.mem = mem};
  VEC(Entry) entries = {0};
  uint32_t *first = mem_alloc(mem, (groups + (size_t)1) * sizeof *first); // at first sizes
  *parts = (FileParts){.mem = mem};
  for (NodeRef ref = 0; ref < limit; ref++)
    if (is_written(reach, subsumers, ref))
      first[nodes_group(reach, ref)]++;
  for (uint32_t g = 0; g < groups; g++)
    if (first[g])
      vec_push(mem, &entries,
               ((Entry){nodes_keep_key(reach, &keys, g), reach->store.key_words, g}));
  if (entries.size) // none without an initial state, and qsort takes no NULL
    qsort(entries.items, entries.size, sizeof *entries.items, compare);
  arena_release(&keys);
  for (uint32_t i = 0; i < entries.size; i++) {
    const uint32_t group = entries.items[i].group;
    add_group(parts, first[group]);
    first[group] = parts->ends.items[i] - first[group];
  }
  const uint32_t count = entries.size ? parts->ends.items[entries.size - 1] : 0;
  vec_push(mem, &parts->list, ((FilePart){entries.size, count}));
  vec_reserve(mem, &parts->order, count);
  vec_reserve(mem, &parts->numbers, limit);
  for (NodeRef ref = 0; ref < limit; ref++)
    if (is_written(reach, subsumers, ref))
      parts->order.items[first[nodes_group(reach, ref)]++] = ref;
  vec_release(mem, &entries);
  mem_free(mem, first);
}

void parts_release(FileParts *parts) {
  vec_release(parts->mem, &parts->order);
  vec_release(parts->mem, &parts->numbers);
  vec_release(parts->mem, &parts->ends);
  vec_release(parts->mem, &parts->list);
}

static Words own_sizes(const FileParts *parts) {
  Mem *mem = parts->mem;
  Words sizes = {0};
  vec_push(mem, &sizes, parts->ends.size);
  for (const FilePart *part = parts->list.items; part + 1 < parts->list.items + parts->list.size;
       part++)
    vec_push(mem, &sizes, part[1].node - part->node);
  return sizes;
}

// Numbers the nodes of all, round by round.
static void number_nodes(FileParts *parts, const Words *all, const Talk *talk) {
  const FilePart end = parts->list.items[parts->list.size - 1];
  uint32_t number = 0;
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    parts->all_groups += all[rank].items[0];
    if (all[rank].size - 1 > parts->rounds)
      parts->rounds = all[rank].size - 1;
  }
  while (parts->list.size <= parts->rounds) // nothing more is written then
    vec_push(parts->mem, &parts->list, end);
  for (uint32_t round = 0; round < parts->rounds; round++)
    for (uint32_t rank = 0; rank < talk->ranks; rank++) {
      const uint32_t size = round + 1 < all[rank].size ? all[rank].items[round + 1] : 0;
      const NodeRef *nodes = parts->order.items + parts->list.items[round].node;
      for (uint32_t i = 0; rank == talk->rank && i < size; i++)
        parts->numbers.items[nodes[i]] = number + i;
      number += size;
    }
}

// All tell each other how large their parts are.
bool parts_plan(FileParts *parts, Talk *talk) {
  Mem *mem = parts->mem;
  Words *all = mem_alloc(mem, talk->ranks * sizeof *all), *own = &all[talk->rank];
  *own = own_sizes(parts);
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    size_t size = 0;
    const uint32_t *words = rank == talk->rank ? NULL
                                               : talk_swap(talk, rank, own->items,
                                                           own->size * sizeof *own->items, &size);
    for (uint32_t i = 0; words && i < size / sizeof *words; i++)
      vec_push(mem, &all[rank], words[i]);
  }
  if (!talk->is_over)
    number_nodes(parts, all, talk);
  for (uint32_t rank = 0; rank < talk->ranks; rank++)
    vec_release(mem, &all[rank]);
  mem_free(mem, all);
  return !talk->is_over;
}
