#include "search/cycles/sccs.h"

#include "base/testbuild.h"
#include "search/orders/depthfirst.h"

// Edges are found once, by opening each stored node again, and kept: the rest needs no space.

typedef struct Finder {
  Sccs *c;
  const SccsRules *rules;
  bool *is_target, *is_inert; // by NodeRef
} Finder;

static bool add_links(Finder *f, NodeRef ref) {
  Store *store = f->c->store;
  Space *space = store->space;
  Mem *mem = f->c->mem;
  const Node *node = store_node(store, ref);
  f->c->first[ref] = f->c->links.size;
  if (!node->is_stored || !node->is_visited)
    return true;
  const uint64_t *key = store_opening_key(store, node->group);
  f->is_inert[ref] = f->rules->is_inert && f->rules->is_inert(space, key);
  if (f->is_inert[ref])
    return true;
  if (f->rules->is_target) {
    space->load(space, key, node->zone);
    f->is_target[ref] = f->rules->is_target(space);
  }
  space->open(space, key, node->zone);
  while (space->next(space)) {
    const uint32_t marks = f->rules->marks(space);
    const NodeRef to = f->rules->find ? f->rules->find(f->rules->state) : store_subsumer(store);
    if (to == NODE_NONE && !f->rules->is_partial)
      return false;
    const SccLink link = {to, marks};
    vec_push(mem, &f->c->links, link);
    mem_tick(mem);
  }
  return !space->failure;
}

static uint32_t end_of(const void *sccs, uint64_t link) {
  return ((const Sccs *)sccs)->links.items[link].to;
}

// Adds a node to its component; those that it leads to have all their nodes.
static void add_node(Finder *f, NodeRef ref) {
  const Sccs *c = f->c;
  const uint32_t all_marks = f->rules->all_marks;
  Scc *component = &c->list.items[c->numbers[ref]];
  component->leads |= !f->rules->is_target || f->is_target[ref];
  component->has_hope |= f->is_inert[ref];
  for (uint64_t k = c->first[ref]; k < c->first[ref + 1]; k++) {
    const SccLink *link = &c->links.items[k];
    const Scc *to = link->to == NODE_NONE ? NULL : &c->list.items[c->numbers[link->to]];
    if (to == component) {
      component->marks |= link->marks;
      component->has_cycle = true;
    } else if (to) {
      component->leads |= to->leads;
      component->has_hope |= to->has_hope;
    }
  }
  component->is_suspect = component->has_cycle && component->leads &&
                          (component->marks & all_marks) == all_marks && !PLANTED("sccs-marks");
  component->has_hope |= component->is_suspect;
  f->c->has_suspects |= component->is_suspect;
}

static void find_components(Finder *f) {
  Sccs *c = f->c;
  DepthFirst d = {.mem = c->mem, .first = c->first, .end = end_of, .graph = c};
  depthfirst_init(&d, c->count);
  for (NodeRef ref = 0; ref < c->count; ref++)
    if (store_node(c->store, ref)->is_stored)
      depthfirst_visit(&d, ref);
  c->numbers = d.numbers;
  for (uint32_t i = 0; i < d.count; i++)
    vec_push(c->mem, &c->list, (Scc){0});
  for (uint32_t i = 0; i < d.finished.size; i++)
    add_node(f, d.finished.items[i]);
  d.numbers = NULL;
  depthfirst_release(&d);
}

bool sccs_find(Sccs *c, Mem *mem, Store *store, const SccsRules *rules) {
  const uint32_t count = store->nodes.size;
  *c = (Sccs){.mem = mem, .store = store, .count = count};
  Finder f = {.c = c, .rules = rules};
  c->first = mem_alloc(mem, (count + (size_t)1) * sizeof *c->first);
  f.is_target = mem_alloc(mem, 2 * (count + (size_t)1));
  f.is_inert = f.is_target + count;
  bool ok = true;
  for (NodeRef ref = 0; ok && ref < count; ref++)
    ok = add_links(&f, ref) && ((ref & 63) || !rules->stopped || !rules->stopped(rules->state));
  c->first[count] = c->links.size;
  if (ok)
    find_components(&f);
  mem_free(mem, f.is_target);
  return ok;
}

void sccs_renew(Sccs *c, const SccsRules *rules) {
  Finder f = {.c = c, .rules = rules};
  f.is_inert = mem_alloc(c->mem, c->count + (size_t)1);
  mem_free(c->mem, c->numbers);
  vec_clear(&c->list);
  c->has_suspects = false;
  find_components(&f);
  mem_free(c->mem, f.is_inert);
}

NodeRef sccs_hopeless(void *sccs) {
  Sccs *c = sccs;
  const NodeRef ref = store_subsumer(c->store);
  const bool has_hope = ref != NODE_NONE && c->list.items[c->numbers[ref]].has_hope;
  return has_hope && !PLANTED("sccs-hope") ? NODE_NONE : ref;
}
