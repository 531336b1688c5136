#include "search/cycles/graft.h"

typedef struct Graft {
  Sccs *c;
  CyclesGraph inner;
  NodeRef count;    // nodes before
  NodeRef *instead; // by NodeRef: what takes its place, or itself
} Graft;

static NodeRef target_of(const Graft *g, const CyclesLink *link) {
  return link->is_hopeless ? link->to : g->count + link->to;
}

static bool is_suspect(const Graft *g, NodeRef ref) {
  const Sccs *c = g->c;
  return c->numbers[ref] != UINT32_MAX && c->list.items[c->numbers[ref]].is_suspect;
}

static void add_node(Graft *g, NodeRef inner) {
  Store *store = g->c->store;
  Space *space = store->space;
  const Node *from = store_node(g->inner.store, inner);
  space->load(space, store_key(g->inner.store, from->group), from->zone);
  const NodeRef ref = store_new_node(store, store_group(store), NODE_NONE);
  Node *node = store_node(store, ref);
  node->zone = from->zone;
  node->is_visited = true;
  store_append_node(store, ref);
}

static void remove_node(const Graft *g, NodeRef ref) {
  Store *store = g->c->store;
  Node *node = store_node(store, ref);
  store_remove(store, node->group, ref);
  node->is_stored = false;
}

static void find_places(Graft *g) {
  for (NodeRef ref = 0; ref < g->count; ref++)
    g->instead[ref] = ref;
  for (uint32_t i = 0; g->count && i < g->inner.start_count; i++)
    g->instead[g->inner.ordinals[i]] = target_of(g, &g->inner.starts[i]);
}

// All links anew. Those of nodes that are taken out are left out.
static void make_links(Graft *g) {
  Sccs *c = g->c;
  const uint32_t added = g->inner.store->nodes.size;
  Sccs old = *c;
  c->links.items = NULL;
  c->links.size = c->links.capacity = 0;
  c->count = g->count + added;
  c->first = mem_alloc(c->mem, (c->count + (size_t)1) * sizeof *c->first);
  for (NodeRef ref = 0; ref < g->count; ref++) {
    c->first[ref] = c->links.size;
    for (uint64_t k = old.first[ref]; g->instead[ref] == ref && k < old.first[ref + 1]; k++) {
      const SccLink *link = &old.links.items[k];
      vec_push(c->mem, &c->links, ((SccLink){g->instead[link->to], link->marks}));
    }
  }
  for (NodeRef ref = 0; ref < added; ref++) {
    c->first[g->count + ref] = c->links.size;
    for (uint64_t k = g->inner.first[ref]; k < g->inner.first[ref + 1]; k++) {
      const CyclesLink *link = &g->inner.links[k];
      vec_push(c->mem, &c->links, ((SccLink){target_of(g, link), link->marks}));
    }
  }
  c->first[c->count] = c->links.size;
  mem_free(c->mem, old.first);
  vec_release(c->mem, &old.links);
}

void graft_nodes(Sccs *c, Cycles *cycles, const SccsRules *rules) {
  Graft g = {.c = c, .count = c->count};
  cycles_graph(cycles, &g.inner);
  g.instead = mem_alloc(c->mem, (g.count + (size_t)1) * sizeof *g.instead);
  find_places(&g);
  for (NodeRef ref = 0; ref < g.inner.store->nodes.size; ref++)
    add_node(&g, ref);
  for (NodeRef ref = 0; ref < g.count; ref++)
    if (is_suspect(&g, ref))
      remove_node(&g, ref);
  make_links(&g);
  sccs_renew(c, rules);
  mem_free(c->mem, g.instead);
}
