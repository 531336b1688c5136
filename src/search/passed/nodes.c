#include "search/passed/nodes.h"

#include "search/workers/ranks.h"

#include <string.h>

Reach *nodes_owner(const Reach *reach, uint32_t ref) {
  return reach->peers->members[ref % reach->peers->count];
}

// The most nodes of a worker, times workers.
NodeRef nodes_limit(const Reach *reach) {
  const Peers *peers = reach->peers;
  uint32_t max = 0;
  for (uint32_t i = 0; i < peers->count; i++) {
    const uint32_t size = peers->members[i]->store.nodes.size;
    max = size > max ? size : max;
  }
  return max * peers->count;
}

const Node *nodes_at(const Reach *reach, NodeRef ref) {
  const Store *store = &nodes_owner(reach, ref)->store;
  const NodeRef own = ref / reach->peers->count;
  return own < store->nodes.size ? store_node(store, own) : NULL;
}

uint32_t nodes_group(const Reach *reach, NodeRef ref) {
  const uint32_t count = reach->peers->count;
  return nodes_at(reach, ref)->group * count + ref % count;
}

const uint64_t *nodes_key(const Reach *reach, uint32_t group) {
  const Store *store = &nodes_owner(reach, group)->store;
  const uint32_t own = group / reach->peers->count;
  return own < store->groups.size ? store_key(store, own) : NULL;
}

const uint64_t *nodes_keep_key(const Reach *reach, Arena *arena, uint32_t group) {
  const uint64_t *key = nodes_key(reach, group);
  if (!key || !reach->store.fold)
    return key;
  uint64_t *copy = ARENA_ARRAY(arena, uint64_t, reach->store.key_words);
  return memcpy(copy, key, reach->store.key_words * sizeof *copy);
}

NodeRef nodes_covering(const Reach *reach, uint32_t number) {
  const NodeRef own = store_subsumer(&reach->peers->members[number]->store);
  return own == NODE_NONE ? NODE_NONE : own * reach->peers->count + number;
}

NodeRef nodes_subsumer(Reach *reach) {
  const Peers *peers = reach->peers;
  const uint32_t number = reach->mail ? mail_owner(reach) - peers->first : 0;
  Space *space = peers->members[number]->space;
  if (space != reach->space) {
    void *message = mem_alloc(reach->mem, mail_message_bytes(reach->space) + SPACE_SLACK);
    const uint32_t ordinal = reach->space->ordinal;
    mail_copy(space, reach->space, message);
    space->ordinal = ordinal;
    mem_free(reach->mem, message);
  }
  return nodes_covering(reach, number);
}

void nodes_path(const Reach *reach, Mem *mem, Ordinals *ordinals) {
  NodeRef ref = reach->goal_parent;
  for (bool is_first = true; ref != NODE_NONE; is_first = false)
    ref = ranks_follow(reach, ref, is_first, mem, ordinals);
}
