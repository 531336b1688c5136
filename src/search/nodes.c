#include "search/nodes.h"

#include "search/ranks.h"

#include <string.h>

static uint32_t workers(const Reach *reach) { return reach->peers ? reach->peers->count : 1; }

static const Reach *member(const Reach *reach, uint32_t number) {
  return reach->peers ? reach->peers->members[number] : reach;
}

static const Store *store_of(const Reach *reach, uint32_t ref) {
  return &member(reach, ref % workers(reach))->store;
}

// The most nodes or groups of a worker, times workers.
static uint32_t limit(const Reach *reach, bool of_groups) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < workers(reach); i++) {
    const Store *store = &member(reach, i)->store;
    const uint32_t size = of_groups ? store->groups.size : store->nodes.size;
    most = size > most ? size : most;
  }
  return most * workers(reach);
}

NodeRef nodes_limit(const Reach *reach) { return limit(reach, false); }
uint32_t nodes_group_limit(const Reach *reach) { return limit(reach, true); }

const Node *nodes_at(const Reach *reach, NodeRef ref) {
  const Store *store = store_of(reach, ref);
  const NodeRef own = ref / workers(reach);
  return own < store->nodes.size ? store_node(store, own) : NULL;
}

uint32_t nodes_group(const Reach *reach, NodeRef ref) {
  return nodes_at(reach, ref)->group * workers(reach) + ref % workers(reach);
}

const uint64_t *nodes_key(const Reach *reach, uint32_t group) {
  const Store *store = store_of(reach, group);
  const uint32_t own = group / workers(reach);
  return own < store->groups.size ? store_key(store, own) : NULL;
}

const uint64_t *nodes_keep_key(const Reach *reach, Arena *arena, uint32_t group) {
  const uint64_t *key = nodes_key(reach, group);
  if (!key || !reach->store.fold)
    return key;
  uint64_t *copy = ARENA_ARRAY(arena, uint64_t, reach->store.key_words);
  return memcpy(copy, key, reach->store.key_words * sizeof *copy);
}

Reach *nodes_worker(Reach *reach, uint32_t number) {
  if (!reach->peers)
    return number ? NULL : reach;
  return number < reach->peers->count ? reach->peers->members[number] : NULL;
}

Reach *nodes_owner(Reach *reach, NodeRef ref) {
  return reach->peers ? reach->peers->members[ref % reach->peers->count] : reach;
}

NodeRef nodes_covering(Reach *reach, uint32_t number) {
  Reach *worker = reach->peers ? reach->peers->members[number] : reach;
  const NodeRef own = store_subsumer(&worker->store);
  return own == NODE_NONE ? NODE_NONE : own * workers(reach) + number;
}

NodeRef nodes_subsumer(Reach *reach) {
  Peers *peers = reach->peers;
  const uint32_t number = peers ? mail_owner(reach->mail) - peers->first : 0;
  Space *space = peers ? peers->members[number]->space : reach->space;
  if (space != reach->space) {
    void *message = mem_alloc(reach->mem, mail_message_bytes(reach->space) + SPACE_SLACK);
    const uint32_t ordinal = reach->space->ordinal;
    mail_copy(space, reach->space, message);
    space->ordinal = ordinal;
    mem_free(reach->mem, message);
  }
  return nodes_covering(reach, number);
}

// Of a search by one process.
void nodes_steps(const Reach *reach, Mem *mem, TrailSteps *steps) {
  const uint32_t count = workers(reach);
  if (reach->goal_parent == NODE_NONE)
    return;
  const Trail **trails = mem_alloc(mem, count * sizeof *trails);
  for (uint32_t i = 0; i < count; i++)
    trails[i] = member(reach, i)->passed->trail;
  trail_steps(trails, reach->goal_parent % count, reach->goal_parent / count, mem, steps);
  mem_free(mem, trails);
}

// Of a search by one worker.
static void follow(const Reach *reach, Mem *mem, Ordinals *ordinals) {
  const Trail *trail = reach->passed->trail;
  if (trail) {
    trail_path(&trail, 1, trail_newest(trail, reach->goal_parent), UINT32_MAX, mem, ordinals);
    return;
  }
  for (NodeRef ref = reach->goal_parent; ref != NODE_NONE;) {
    const Node *node = nodes_at(reach, ref);
    vec_push(mem, ordinals, node->ordinal);
    ref = node->parent;
  }
}

void nodes_path(const Reach *reach, Mem *mem, Ordinals *ordinals) {
  NodeRef ref = reach->goal_parent;
  if (ref == NODE_NONE)
    return;
  if (!reach->peers) {
    follow(reach, mem, ordinals);
    return;
  }
  for (bool is_first = true; ref != NODE_NONE; is_first = false)
    ref = ranks_follow(reach, ref, is_first, mem, ordinals);
}
