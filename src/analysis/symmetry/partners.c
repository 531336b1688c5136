#include "analysis/symmetry/partners.h"

enum { MAX_EDGES = 200 }; // of a process whose edges are looked at: each is compared with each

// The id of a process in a column; NET_NONE if it is in none.
static uint32_t find_id(const Builder *b, uint32_t column, ProcessId p) {
  for (uint32_t i = 0; i < b->size; i++)
    if (b->processes.items[column][i] == p)
      return i;
  return NET_NONE;
}

// Which event of which column a participant has, and how far its id is from `id`: the same for
// the participant's image by a rotation. UINT32_MAX if the process is in no column.
static uint32_t order_of_part(const Builder *b, const SyncPart *part, uint32_t id) {
  for (uint32_t d = 0; d < b->events.size; d++) {
    const EventDraft *draft = &b->events.items[d];
    if (!draft->is_moved || draft->process >= b->processes.size)
      continue;
    const uint32_t other = find_id(b, draft->process, part->process);
    if (other != NET_NONE && draft->events[other] == part->event)
      return d * b->size + (other + b->size - id) % b->size;
  }
  return UINT32_MAX;
}

// The least rank among those that an edge synchronises with.
static uint32_t order_of_edge(const Builder *b, const Edge *edge, uint32_t id) {
  uint32_t least = UINT32_MAX;
  for (uint32_t s = 0; s < b->net->syncs.size; s++) {
    const Sync *sync = &b->net->syncs.items[s];
    const bool takes_part = net_is_of_sync(edge, sync);
    for (uint32_t k = 0; takes_part && k < sync->parts.size; k++) {
      if (sync->parts.items[k].process == edge->process)
        continue;
      const uint32_t order = order_of_part(b, &sync->parts.items[k], id);
      least = order < least ? order : least;
    }
  }
  return least;
}

static bool are_alike(const Edge *x, const Edge *y) {
  return x->source == y->source && x->target == y->target && !x->guard.expr && !y->guard.expr &&
         !x->update.stmts && !y->update.stmts;
}

static bool has_alike(const Net *net, const EdgeIds *list) {
  for (uint32_t i = 0; i < list->size && list->size <= MAX_EDGES; i++)
    for (uint32_t k = 0; k < i; k++)
      if (are_alike(&net->edges.items[list->items[k]], &net->edges.items[list->items[i]]))
        return true;
  return false;
}

void partners_list_edges(const Builder *b, ProcessId p, uint32_t id, EdgeIds *list) {
  const Edge *edges = b->net->edges.items;
  vec_clear(list);
  for (EdgeId i = 0; i < b->net->edges.size; i++)
    if (edges[i].process == p)
      vec_push(b->mem, list, i);
  if (!has_alike(b->net, list))
    return;
  uint32_t *orders = mem_alloc(b->mem, list->size * sizeof *orders);
  for (uint32_t i = 0; i < list->size; i++)
    orders[i] = order_of_edge(b, &edges[list->items[i]], id);
  for (uint32_t i = 0; i < list->size; i++)
    for (uint32_t k = i + 1; k < list->size; k++) {
      const EdgeId x = list->items[i], y = list->items[k];
      const uint32_t order = orders[i];
      if (!are_alike(&edges[x], &edges[y]) || order < orders[k] || (order == orders[k] && x < y))
        continue;
      list->items[i] = y;
      list->items[k] = x;
      orders[i] = orders[k];
      orders[k] = order;
    }
  mem_free(b->mem, orders);
}

SyncUses *partners_list_syncs(Arena *arena, const Net *net) {
  SyncUses *uses = ARENA_NEW(arena, SyncUses);
  uint32_t *first = ARENA_ARRAY(arena, uint32_t, net->processes.size + 2);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++)
      first[net->syncs.items[s].parts.items[k].process + 2]++;
  for (ProcessId p = 0; p < net->processes.size; p++)
    first[p + 2] += first[p + 1];
  uses->items = ARENA_ARRAY(arena, struct SyncUse, first[net->processes.size + 1]);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      uses->items[first[part->process + 1]++] = (struct SyncUse){s, part->event};
    }
  uses->first = first;
  return uses;
}

uint32_t partners_find_sync(const SyncUses *uses, ProcessId process, EventId event,
                            uint32_t which) {
  for (uint32_t i = uses->first[process]; i < uses->first[process + 1]; i++)
    if (uses->items[i].event == event && which-- == 0)
      return uses->items[i].sync;
  return NET_NONE;
}
