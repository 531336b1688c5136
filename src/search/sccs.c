#include "search/sccs.h"

#include "base/testbuild.h"

#define NONE UINT32_MAX

// Edges are found once, by opening each stored node again, and kept: the algorithm (paper key
// Tar72) then needs no space.

typedef struct Frame {
  NodeRef node;
  uint32_t next; // link
} Frame;

typedef struct Visit {
  uint32_t index; // order of discovery + 1, 0: not yet
  uint32_t low;
  bool is_target, is_inert;
} Visit;

typedef struct Finder {
  Sccs *c;
  const SccsRules *rules;
  Visit *visits; // by NodeRef
  uint32_t found;
  VEC(Frame) path;
  VEC(NodeRef) active;
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
  f->visits[ref].is_inert = f->rules->is_inert && f->rules->is_inert(space, key);
  if (f->visits[ref].is_inert)
    return true;
  if (f->rules->is_target) {
    space->load(space, key, node->zone);
    f->visits[ref].is_target = f->rules->is_target(space);
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

static void complete(Finder *f, NodeRef root) {
  Sccs *c = f->c;
  const uint32_t number = c->list.size;
  Scc component = {0};
  uint32_t first = f->active.size;
  do {
    c->numbers[f->active.items[--first]] = number;
  } while (f->active.items[first] != root);
  for (uint32_t i = first; i < f->active.size; i++) {
    const NodeRef ref = f->active.items[i];
    component.leads |= !f->rules->is_target || f->visits[ref].is_target;
    component.has_hope |= f->visits[ref].is_inert;
    for (uint64_t k = f->c->first[ref]; k < f->c->first[ref + 1]; k++) {
      const SccLink *link = &f->c->links.items[k];
      if (link->to == NODE_NONE)
        continue;
      const uint32_t to = c->numbers[link->to];
      if (to == number) {
        component.marks |= link->marks;
        component.has_cycle = true;
      } else {
        component.leads |= c->list.items[to].leads;
        component.has_hope |= c->list.items[to].has_hope;
      }
    }
  }
  f->active.size = first;
  component.is_suspect = component.has_cycle && component.leads &&
                         (component.marks & f->rules->all_marks) == f->rules->all_marks;
  if (PLANTED("sccs-marks"))
    component.is_suspect = false;
  component.has_hope |= component.is_suspect;
  c->has_suspects |= component.is_suspect;
  vec_push(c->mem, &c->list, component);
}

static void discover(Finder *f, NodeRef ref) {
  const Frame frame = {ref, 0};
  f->visits[ref].index = f->visits[ref].low = ++f->found;
  vec_push(f->c->mem, &f->path, frame);
  vec_push(f->c->mem, &f->active, ref);
}

static void walk(Finder *f, NodeRef start) {
  discover(f, start);
  while (f->path.size) {
    Frame *top = &vec_last(&f->path);
    const NodeRef ref = top->node;
    const uint64_t at = f->c->first[ref] + top->next;
    if (at < f->c->first[ref + 1]) {
      const NodeRef to = f->c->links.items[at].to;
      top->next++;
      if (to == NODE_NONE)
        continue;
      if (!f->visits[to].index)
        discover(f, to);
      else if (f->c->numbers[to] == NONE && f->visits[to].index < f->visits[ref].low)
        f->visits[ref].low = f->visits[to].index;
      continue;
    }
    (void)vec_pop(&f->path);
    if (f->visits[ref].low == f->visits[ref].index)
      complete(f, ref);
    else if (f->visits[ref].low < f->visits[vec_last(&f->path).node].low)
      f->visits[vec_last(&f->path).node].low = f->visits[ref].low;
  }
}

bool sccs_find(Sccs *c, Mem *mem, Store *store, const SccsRules *rules) {
  const uint32_t count = store->nodes.size;
  *c = (Sccs){.mem = mem, .store = store, .count = count};
  Finder f = {.c = c, .rules = rules};
  c->numbers = mem_alloc(mem, (count + (size_t)1) * sizeof *c->numbers);
  c->first = mem_alloc(mem, (count + (size_t)1) * sizeof *c->first);
  f.visits = mem_alloc(mem, (count + (size_t)1) * sizeof *f.visits);
  for (NodeRef ref = 0; ref < count; ref++)
    c->numbers[ref] = NONE;
  bool ok = true;
  for (NodeRef ref = 0; ok && ref < count; ref++)
    ok = add_links(&f, ref) && ((ref & 63) || !rules->stopped || !rules->stopped(rules->state));
  c->first[count] = c->links.size;
  for (NodeRef ref = 0; ok && ref < count; ref++)
    if (store_node(store, ref)->is_stored && !f.visits[ref].index)
      walk(&f, ref);
  mem_free(mem, f.visits);
  vec_release(mem, &f.path);
  vec_release(mem, &f.active);
  return ok;
}

void sccs_release(Sccs *c) {
  mem_free(c->mem, c->numbers);
  mem_free(c->mem, c->first);
  vec_release(c->mem, &c->links);
  vec_release(c->mem, &c->list);
}

bool sccs_is_hopeless(void *sccs) {
  Sccs *c = sccs;
  const NodeRef ref = store_subsumer(c->store);
  return ref != NODE_NONE && (PLANTED("sccs-hope") || !c->list.items[c->numbers[ref]].has_hope);
}
