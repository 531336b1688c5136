#include "answers/certificates/parts.h"

#include "search/passed/nodes.h"

#include <stdlib.h>

typedef struct Entry { // a group, to be sorted by its key
  const uint64_t *key;
  uint32_t words, group;
} Entry;

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
  Arena keys = {.mem = mem};
  VEC(Entry) entries = {0};
  uint32_t *first =
      mem_alloc(mem, (limit + (size_t)1) * sizeof *first); // by group, at first sizes
  *parts = (FileParts){.mem = mem};
  for (NodeRef ref = 0; ref < limit; ref++)
    if (is_written(reach, subsumers, ref))
      first[nodes_group(reach, ref)]++;
  for (uint32_t g = 0; g < limit; g++)
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

// Numbers the nodes of all, round by round, and gives this process a part in each round.
static void number_nodes(FileParts *parts, const PartList *all, const Talk *talk) {
  const FilePart end = vec_last(&parts->list);
  uint32_t number = 0;
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    parts->all_groups += vec_last(&all[rank]).group;
    if (all[rank].size - 1 > parts->rounds)
      parts->rounds = all[rank].size - 1;
  }
  for (uint32_t round = 0; round < parts->rounds; round++)
    for (uint32_t rank = 0; rank < talk->ranks; rank++) {
      if (round + 1 >= all[rank].size)
        continue;
      const FilePart *part = &all[rank].items[round];
      for (uint32_t at = part->node; rank == talk->rank && at < part[1].node; at++)
        parts->numbers.items[parts->order.items[at]] = number + at - part->node;
      number += part[1].node - part->node;
    }
  while (parts->list.size <= parts->rounds) // nothing more is written then
    vec_push(parts->mem, &parts->list, end);
}

// All tell each other their parts.
bool parts_plan(FileParts *parts, Talk *talk) {
  Mem *mem = parts->mem;
  PartList *all = mem_alloc(mem, talk->ranks * sizeof *all);
  for (uint32_t rank = 0; rank < talk->ranks; rank++) {
    const FilePart *list = parts->list.items;
    size_t size = parts->list.size * sizeof *list;
    if (rank != talk->rank)
      list = talk_swap(talk, rank, list, size, &size);
    for (uint32_t i = 0; list && i < size / sizeof *list; i++)
      vec_push(mem, &all[rank], list[i]);
  }
  if (!talk->is_over)
    number_nodes(parts, all, talk);
  for (uint32_t rank = 0; rank < talk->ranks; rank++)
    vec_release(mem, &all[rank]);
  mem_free(mem, all);
  return !talk->is_over;
}
