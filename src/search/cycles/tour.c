// Marks are collected one after the other: from the present node the shortest way to a link with
// a mark that is missing, and in the end back to the first node.
#include "search/cycles/tour.h"

void tour_init(Tour *t, Mem *mem, const Sccs *sccs, const SccsRules *rules) {
  *t = (Tour){.mem = mem, .sccs = sccs, .rules = rules};
  t->seen = mem_alloc(mem, sccs->count + (size_t)1);
}

// Appends the way to the last visit to the cycle.
static void append_way(Tour *t) {
  const uint32_t first = t->links.size;
  for (uint32_t i = t->visits.size - 1; i; i = t->visits.items[i].from) {
    const TourVisit *visit = &t->visits.items[i];
    const TourLink link = {t->visits.items[visit->from].node, visit->link};
    vec_push(t->mem, &t->links, link);
  }
  vec_reverse(&t->links, first);
}

// The shortest way to a link with one of the wanted marks (0: any) that leads to the target
// (NODE_NONE: any node).
static bool go(Tour *t, uint32_t wanted, NodeRef target) {
  const Sccs *c = t->sccs;
  const uint32_t component = c->numbers[t->now];
  bool found = false;
  vec_clear(&t->visits);
  const TourVisit start = {.node = t->now};
  vec_push(t->mem, &t->visits, start);
  for (uint32_t i = 0; !found && i < t->visits.size; i++) {
    const NodeRef ref = t->visits.items[i].node;
    const uint32_t count = (uint32_t)(c->first[ref + 1] - c->first[ref]);
    mem_tick(t->mem);
    for (uint32_t k = 0; !found && k < count; k++) {
      const TourVisit visit = {i, (k + t->turn) % count,
                               c->links.items[c->first[ref] + (k + t->turn) % count].to};
      const uint32_t marks = c->links.items[c->first[ref] + visit.link].marks;
      if (visit.node == NODE_NONE || c->numbers[visit.node] != component)
        continue;
      found = (!wanted || marks & wanted) && (target == NODE_NONE || visit.node == target);
      if (!found && t->seen[visit.node])
        continue;
      t->seen[visit.node] = 1;
      vec_push(t->mem, &t->visits, visit);
      t->met |= found ? marks : 0;
    }
  }
  for (uint32_t i = 1; i < t->visits.size; i++)
    t->seen[t->visits.items[i].node] = 0;
  if (!found)
    return false;
  t->now = vec_last(&t->visits).node;
  append_way(t);
  return true;
}

static bool plan(Tour *t, NodeRef root) {
  const uint32_t all = t->rules->all_marks;
  t->now = root;
  t->met = 0;
  vec_clear(&t->links);
  while ((t->met & all) != all)
    if (!go(t, all & ~t->met, NODE_NONE))
      return false;
  return (t->now == root && t->links.size) || go(t, 0, root);
}

static const uint64_t *copy_key(Arena *arena, const Store *store, const uint64_t *key) {
  return arena_copy(arena, key, store->key_words * sizeof *key);
}

// Which steps the links of the cycle are: nodes are opened once more.
bool tour_find_cycle(Tour *t, NodeRef root, uint32_t max, Arena *arena) {
  Store *store = t->sccs->store;
  Space *space = store->space;
  if (!plan(t, root) || t->links.size > max)
    return false;
  vec_clear(&t->cycle);
  vec_clear(&t->marks);
  for (uint32_t i = 0; i < t->links.size; i++) {
    store->passed.open(&store->passed, t->links.items[i].node);
    for (uint32_t k = 0; k <= t->links.items[i].link; k++)
      if (!space->next(space))
        return false;
    const uint32_t marks = t->rules->marks(space);
    const CycleStep step = {space->ordinal, copy_key(arena, store, space->key),
                            space->keep(space)};
    vec_push(t->mem, &t->cycle, step);
    vec_push(t->mem, &t->marks, marks);
  }
  return true;
}

void tour_find_way(const Store *store, NodeRef to, Mem *mem, Arena *arena, CycleSteps *steps) {
  const uint32_t first = steps->size;
  for (NodeRef ref = to; ref != NODE_NONE; ref = store_node(store, ref)->parent) {
    const Node *node = store_node(store, ref);
    const CycleStep step = {node->ordinal, copy_key(arena, store, store_key(store, node->group)),
                            node->zone};
    vec_push(mem, steps, step);
  }
  vec_reverse(steps, first);
}
