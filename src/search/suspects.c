#include "search/suspects.h"

#include <string.h>

#define NONE UINT32_MAX

enum {
  TRIES = 24,          // cycles of one component
  MOST_COMPONENTS = 8, // that are tried
  MOST_ROUNDS = 256,   // of one cycle
  MOST_STEPS = 100000, // of one cycle, in all rounds
  MOST_CYCLE = 5000,   // steps of one round
};

typedef struct Way { // breadth-first: how a node was met
  uint32_t from;     // index of the node before
  uint32_t link;     // of that one
  NodeRef node;
} Way;

typedef VEC(NodeRef) NodeRefs;

typedef struct Tour {
  Suspects *s;
  Arena arena; // of one try
  uint32_t component;
  uint32_t turn; // links are looked at in another order in each try
  NodeRef root, now;
  uint32_t marks;
  VEC(Way) ways;
  VEC(NodeRef) nodes; // of the cycle: the node before each step, by number of the step
  VEC(uint32_t) links;
  uint8_t *seen; // by NodeRef
  CycleSteps cycle;
  VEC(uint32_t) marks_of; // the steps of the cycle
  CycleSteps laps;        // the steps taken, round after round
  VEC(uint32_t) ends;     // zones in which rounds begin
  VEC(uint32_t) met;      // marks that each round meets
} Tour;

static uint32_t link_count(const Sccs *c, NodeRef ref) {
  return (uint32_t)(c->first[ref + 1] - c->first[ref]);
}

// Appends the way to the last of `ways` to the cycle.
static void append_way(Tour *t) {
  Mem *mem = t->s->mem;
  const uint32_t first = t->nodes.size;
  for (uint32_t i = t->ways.size - 1; i; i = t->ways.items[i].from) {
    vec_push(mem, &t->nodes, t->ways.items[t->ways.items[i].from].node);
    vec_push(mem, &t->links, t->ways.items[i].link);
  }
  for (uint32_t i = first, j = t->nodes.size; i + 1 < j; i++) {
    const NodeRef node = t->nodes.items[i];
    const uint32_t link = t->links.items[i];
    t->nodes.items[i] = t->nodes.items[--j];
    t->links.items[i] = t->links.items[j];
    t->nodes.items[j] = node;
    t->links.items[j] = link;
  }
}

// The shortest way to a link with one of the wanted marks (0: any) that leads to the target
// (NODE_NONE: any node).
static bool go(Tour *t, uint32_t wanted, NodeRef target) {
  const Sccs *c = t->s->sccs;
  Mem *mem = t->s->mem;
  bool found = false;
  vec_clear(&t->ways);
  const Way start = {0, 0, t->now};
  vec_push(mem, &t->ways, start);
  for (uint32_t i = 0; !found && i < t->ways.size; i++) {
    const NodeRef ref = t->ways.items[i].node;
    const uint32_t count = link_count(c, ref);
    mem_tick(mem);
    for (uint32_t k = 0; !found && k < count; k++) {
      const uint32_t link = (k + t->turn) % count;
      const SccLink to = c->links.items[c->first[ref] + link];
      if (to.to == NODE_NONE || c->numbers[to.to] != t->component)
        continue;
      found = (!wanted || to.marks & wanted) && (target == NODE_NONE || to.to == target);
      if (!found && t->seen[to.to])
        continue;
      t->seen[to.to] = 1;
      const Way way = {i, link, to.to};
      vec_push(mem, &t->ways, way);
      if (found)
        t->marks |= to.marks;
    }
  }
  for (uint32_t i = 1; i < t->ways.size; i++)
    t->seen[t->ways.items[i].node] = 0;
  if (!found)
    return false;
  t->now = vec_last(&t->ways).node;
  append_way(t);
  return true;
}

// A cycle through the root with all marks.
static bool plan(Tour *t) {
  const uint32_t all = t->s->all_marks;
  t->now = t->root;
  t->marks = 0;
  vec_clear(&t->nodes);
  vec_clear(&t->links);
  while ((t->marks & all) != all)
    if (!go(t, all & ~t->marks, NODE_NONE))
      return false;
  return (t->now == t->root && t->nodes.size) || go(t, 0, t->root);
}

static const uint64_t *copy_key(const Tour *t, Arena *arena, const uint64_t *key) {
  return arena_copy(arena, key, t->s->sccs->reach->space->key_words * sizeof *key);
}

// Which steps the links of the cycle are: nodes are opened once more.
static bool find_steps(Tour *t) {
  const Sccs *c = t->s->sccs;
  Space *space = c->reach->space;
  const Store *store = &c->reach->store;
  vec_clear(&t->cycle);
  vec_clear(&t->marks_of);
  for (uint32_t i = 0; i < t->nodes.size; i++) {
    const Node *node = store_node(store, t->nodes.items[i]);
    space->open(space, store_opening_key(store, node->group), node->zone);
    for (uint32_t k = 0; k <= t->links.items[i]; k++)
      if (!space->next(space))
        return false;
    const CycleStep step = {space->ordinal, copy_key(t, &t->arena, space->key), 0};
    vec_push(t->s->mem, &t->cycle, step);
    vec_push(t->s->mem, &t->marks_of, t->s->marks(space));
  }
  return true;
}

// Step i of the cycle from a node, in the space; the marks that it meets are added. False if it
// is not possible.
static bool take(Tour *t, const uint64_t **key, uint32_t *zone, uint32_t i, uint32_t *met) {
  const CycleStep *step = &t->cycle.items[i];
  Space *space = t->s->sccs->reach->space;
  const size_t bytes = space->key_words * sizeof **key;
  space->open(space, *key, *zone);
  while (space->next(space)) {
    if (space->ordinal != step->ordinal || memcmp(space->key, step->key, bytes))
      continue;
    const uint32_t marks = t->s->marks(space);
    if ((marks & t->marks_of.items[i]) != t->marks_of.items[i])
      continue; // there may be another one
    *met |= marks;
    *zone = space->keep(space);
    *key = step->key;
    const CycleStep taken = {step->ordinal, step->key, *zone};
    vec_push(t->s->mem, &t->laps, taken);
    return true;
  }
  return false;
}

static bool is_stopped(const Tour *t) {
  const Suspects *s = t->s;
  mem_tick(s->mem);
  return s->sccs->reach->space->failure || (s->stopped && s->stopped(s->state));
}

// Whether the rounds since this one meet all marks.
static bool has_all(const Tour *t, uint32_t round) {
  uint32_t met = 0;
  for (uint32_t i = round; i < t->met.size; i++)
    met |= t->met.items[i];
  return (met & t->s->all_marks) == t->s->all_marks;
}

// Round after round; the index of the round from which on it repeats, NONE if it does not.
static uint32_t repeat(Tour *t) {
  const Store *store = &t->s->sccs->reach->store;
  const Node *root = store_node(store, t->root);
  uint32_t zone = root->zone;
  const uint64_t *key = copy_key(t, &t->arena, store_key(store, root->group));
  vec_clear(&t->laps);
  vec_clear(&t->ends);
  vec_clear(&t->met);
  for (uint32_t round = 0; round < MOST_ROUNDS && t->laps.size < MOST_STEPS; round++) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < t->ends.size; i++)
      if (t->ends.items[i] == zone)
        return has_all(t, i) ? i : NONE;
    vec_push(t->s->mem, &t->ends, zone);
    for (uint32_t i = 0; i < t->cycle.size; i++)
      if (!take(t, &key, &zone, i, &met))
        return NONE;
    vec_push(t->s->mem, &t->met, met);
    if (is_stopped(t))
      return NONE;
  }
  return NONE;
}

// The way to the root, and the rounds.
static void write_steps(Tour *t, uint32_t first_round) {
  Suspects *s = t->s;
  const Store *store = &s->sccs->reach->store;
  vec_clear(&s->steps);
  for (NodeRef ref = t->root; ref != NODE_NONE; ref = store_node(store, ref)->parent) {
    const Node *node = store_node(store, ref);
    const uint64_t *key = copy_key(t, s->arena, store_key(store, node->group));
    const CycleStep step = {node->ordinal, key, node->zone};
    vec_push(s->mem, &s->steps, step);
  }
  for (uint32_t i = 0, j = s->steps.size; i + 1 < j; i++) {
    const CycleStep swapped = s->steps.items[i];
    s->steps.items[i] = s->steps.items[--j];
    s->steps.items[j] = swapped;
  }
  s->loop = s->steps.size - 1 + first_round * t->cycle.size;
  for (uint32_t i = 0; i < t->laps.size; i++) {
    CycleStep step = t->laps.items[i];
    step.key = copy_key(t, s->arena, step.key);
    vec_push(s->mem, &s->steps, step);
  }
}

static bool try_root(Tour *t) {
  if (!plan(t) || t->nodes.size > MOST_CYCLE || !find_steps(t))
    return false;
  const uint32_t round = repeat(t);
  if (round == NONE)
    return false;
  write_steps(t, round);
  return true;
}

// Roots are spread over the nodes of the component, in the order in which the search found them.
static bool try_component(Tour *t, const NodeRefs *nodes) {
  const uint32_t tries = nodes->size < TRIES ? nodes->size : TRIES;
  bool found = false;
  for (uint32_t i = 0; !found && i < tries && !is_stopped(t); i++) {
    t->root = nodes->items[(uint64_t)i * nodes->size / tries];
    t->turn = i;
    found = try_root(t);
    arena_release(&t->arena);
    t->arena = (Arena){.mem = t->s->mem};
  }
  return found;
}

static void find_nodes(const Sccs *c, uint32_t component, NodeRefs *nodes) {
  vec_clear(nodes);
  for (NodeRef ref = 0; ref < c->count; ref++)
    if (c->numbers[ref] == component)
      vec_push(c->mem, nodes, ref);
}

bool suspects_find(Suspects *s) {
  const Sccs *c = s->sccs;
  Mem *mem = s->mem;
  Tour t = {.s = s, .arena = {.mem = mem}};
  NodeRefs nodes = {0};
  bool found = false;
  t.seen = mem_alloc(mem, c->count + (size_t)1);
  uint32_t tried = 0;
  for (uint32_t i = 0; !found && i < c->list.size && tried < MOST_COMPONENTS; i++) {
    if (!c->list.items[i].is_suspect)
      continue;
    tried++;
    t.component = i;
    find_nodes(c, i, &nodes);
    found = try_component(&t, &nodes);
  }
  mem_free(mem, t.seen);
  vec_release(mem, &t.ways);
  vec_release(mem, &t.nodes);
  vec_release(mem, &t.links);
  vec_release(mem, &t.cycle);
  vec_release(mem, &t.marks_of);
  vec_release(mem, &t.laps);
  vec_release(mem, &t.ends);
  vec_release(mem, &t.met);
  vec_release(mem, &nodes);
  return found;
}
