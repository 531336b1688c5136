#include "search/cycles.h"

#include "base/testbuild.h"
#include "base/timer.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Arc { // an edge that is still to be followed
  uint32_t key, zone, ordinal, marks;
} Arc;

typedef struct Frame { // a node on the path of the search
  uint32_t node;
  uint32_t first_edge; // of the rest of its edges, which reach to the end of the list
} Frame;

typedef struct Root { // a component on the path, as far as it is known
  uint32_t number;    // its first node, in the order of discovery on the stack
  uint32_t marks;     // on edges inside
  uint32_t arc;       // on the edge that leads to it from the component before
} Root;

typedef VEC(uint32_t) Zones; // SPACE_SLACK bytes can be read behind it

struct Cycles {
  Mem *mem;
  Space *space;
  CyclesRules rules;
  Statistics *stats;
  Pool nodes;
  uint32_t *table; // by hash: node + 1
  uint32_t mask;
  Intern keys;
  VEC(Zones) closed; // by key: the zones of closed nodes
  VEC(Arc) edges;
  VEC(Frame) path;
  VEC(Root) roots;
  VEC(uint32_t) active;    // nodes of components that are not complete, in order of discovery
  VEC(uint32_t) positions; // by node: its index there, NONE if it is complete
  uint32_t components;
  VEC(Arc) initials;
  uint32_t next_initial;
  bool has_begun;
  uint32_t found; // the end, or the first node of the accepting component
};

static CycleNode *node_at(const Cycles *c, uint32_t index) { return pool_at(&c->nodes, index); }

Cycles *cycles_new(Mem *mem, Space *space, const CyclesRules *rules, Statistics *stats) {
  Cycles *c = mem_alloc(mem, sizeof *c);
  *c = (Cycles){.mem = mem, .space = space, .rules = *rules, .stats = stats, .found = NONE};
  pool_init(&c->nodes, mem, sizeof(CycleNode));
  intern_init(&c->keys, mem);
  c->mask = 1023;
  c->table = mem_alloc(mem, (c->mask + 1) * sizeof *c->table);
  return c;
}

void cycles_release(Cycles *c) {
  Mem *mem = c->mem;
  pool_release(&c->nodes);
  mem_free(mem, c->table);
  intern_release(&c->keys);
  for (uint32_t i = 0; i < c->closed.size; i++)
    vec_release(mem, &c->closed.items[i]);
  vec_release(mem, &c->closed);
  vec_release(mem, &c->edges);
  vec_release(mem, &c->path);
  vec_release(mem, &c->roots);
  vec_release(mem, &c->active);
  vec_release(mem, &c->positions);
  vec_release(mem, &c->initials);
  mem_free(mem, c);
}

uint32_t cycles_count(const Cycles *c) { return c->nodes.size; }
const CycleNode *cycles_node(const Cycles *c, uint32_t index) { return node_at(c, index); }

static uint32_t hash(uint32_t key, uint32_t zone) {
  const uint64_t mixed = (key ^ (uint64_t)zone * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  return (uint32_t)(mixed >> 32);
}

static uint32_t number_of(Cycles *c, const uint64_t *key) {
  const uint32_t number =
      intern_number(&c->keys, key, c->space->key_words * sizeof(uint64_t)) - 1;
  if (number == c->closed.size)
    vec_push(c->mem, &c->closed, (Zones){0});
  return number;
}

// The number of the current node's key.
static uint32_t number_key(Cycles *c) { return number_of(c, c->space->key); }

static const uint64_t *key_at(const Cycles *c, uint32_t number) {
  return c->keys.items.items[number].bytes;
}

const uint64_t *cycles_key(const Cycles *c, uint32_t index) {
  return key_at(c, node_at(c, index)->key);
}

static uint32_t find_node(const Cycles *c, uint32_t key, uint32_t zone) {
  for (uint32_t i = c->table[hash(key, zone) & c->mask]; i; i = node_at(c, i - 1)->next)
    if (node_at(c, i - 1)->key == key && node_at(c, i - 1)->zone == zone)
      return i - 1;
  return NONE;
}

static void grow_table(Cycles *c) {
  mem_free(c->mem, c->table);
  c->mask = 2 * c->mask + 1;
  c->table = mem_alloc(c->mem, ((size_t)c->mask + 1) * sizeof *c->table);
  for (uint32_t i = 0; i < c->nodes.size; i++) {
    mem_tick_item(c->mem, i, NULL);
    CycleNode *node = node_at(c, i);
    uint32_t *slot = &c->table[hash(node->key, node->zone) & c->mask];
    node->next = *slot;
    *slot = i + 1;
  }
}

// Zones of closed nodes of one key lie together, for covering tests.
static void list_closed(Cycles *c, uint32_t index) {
  const CycleNode *node = node_at(c, index);
  Zones *zones = &c->closed.items[node->key];
  const uint32_t slack = SPACE_SLACK / sizeof *zones->items;
  if (zones->size + slack + 1 > zones->capacity)
    vec_reserve(c->mem, zones, 2 * zones->size + slack + 1);
  zones->items[zones->size++] = node->zone;
}

static void close_node(Cycles *c, uint32_t index) {
  node_at(c, index)->component = c->components;
  c->positions.items[index] = NONE;
  if (!PLANTED("cycles-cover")) // else it is in the list
    list_closed(c, index);
}

// Whether a closed node covers the space's current node.
static bool is_covered(Cycles *c, uint32_t key) {
  const Zones *zones = &c->closed.items[key];
  return zones->size &&
         c->space->find_subsumer(c->space, zones->items, zones->size) < zones->size;
}

static uint32_t add_node(Cycles *c, const Arc *edge, uint32_t parent) {
  if (c->nodes.size > c->mask / 2)
    grow_table(c);
  const uint32_t index = pool_add(&c->nodes);
  uint32_t *slot = &c->table[hash(edge->key, edge->zone) & c->mask];
  *node_at(c, index) = (CycleNode){.key = edge->key,
                                   .zone = edge->zone,
                                   .parent = parent,
                                   .ordinal = edge->ordinal,
                                   .next = *slot};
  *slot = index + 1;
  vec_push(c->mem, &c->positions, c->active.size);
  vec_push(c->mem, &c->active, index);
  if (PLANTED("cycles-cover")) // nodes of components that are not complete cover, too
    list_closed(c, index);
  c->stats->stored = c->stats->max_stored = c->nodes.size;
  return index;
}

// The edges of a node, to be followed in the order of the space: the last one is popped first.
static void push_edges(Cycles *c, const CycleNode *node) {
  Space *space = c->space;
  const uint32_t first = c->edges.size;
  space->open(space, key_at(c, node->key), node->zone);
  c->stats->visited++;
  while (space->next(space)) {
    const Arc edge = {number_key(c), space->keep(space), space->ordinal, c->rules.marks(space)};
    vec_push(c->mem, &c->edges, edge);
    c->stats->transitions++;
  }
  for (uint32_t i = first, j = c->edges.size; i + 1 < j; i++) {
    const Arc swapped = c->edges.items[i];
    c->edges.items[i] = c->edges.items[--j];
    c->edges.items[j] = swapped;
  }
}

// A node, new or not, is the target of an edge from the top of the path (from nowhere if that is
// empty). Whether the search is over.
static bool enter(Cycles *c, const Arc *edge, CyclesResult *result) {
  Space *space = c->space;
  const uint32_t parent = c->path.size ? vec_last(&c->path).node : NONE;
  space->load(space, key_at(c, edge->key), edge->zone);
  if ((!c->rules.is_target && is_covered(c, edge->key)) ||
      (c->rules.is_hopeless && c->rules.is_hopeless(c->rules.hopeless_state))) {
    c->stats->covered++;
    return false;
  }
  const uint32_t index = add_node(c, edge, parent);
  node_at(c, index)->leads = c->rules.is_target && c->rules.is_target(space);
  const CyclesVerdict verdict = c->rules.end ? c->rules.end(space) : CYCLES_GO_ON;
  if (verdict != CYCLES_GO_ON) {
    c->found = index;
    *result = verdict == CYCLES_IS_END  ? CYCLES_END
              : verdict == CYCLES_DOUBT ? CYCLES_UNCLEAR
                                        : CYCLES_FAILED;
    return true;
  }
  const Root root = {c->active.size - 1, 0, edge->marks};
  vec_push(c->mem, &c->roots, root);
  const Frame frame = {index, c->edges.size};
  vec_push(c->mem, &c->path, frame);
  push_edges(c, node_at(c, index));
  *result = CYCLES_FAILED;
  return space->failure != NULL;
}

// An edge back to a component that is not complete: all since then are one. Whether it has all
// marks.
static bool merge(Cycles *c, uint32_t position, uint32_t marks) {
  while (vec_last(&c->roots).number > position) {
    const Root root = vec_pop(&c->roots);
    marks |= root.marks | root.arc;
  }
  Root *root = &vec_last(&c->roots);
  root->marks |= marks;
  if (c->rules.is_target || (root->marks & c->rules.all_marks) != c->rules.all_marks)
    return false;
  c->found = c->active.items[root->number];
  return true;
}

static bool follow(Cycles *c, const Arc *edge, CyclesResult *result) {
  const uint32_t known = find_node(c, edge->key, edge->zone);
  if (known == NONE)
    return enter(c, edge, result);
  if (!c->path.size)
    return false;
  if (c->positions.items[known] == NONE) {
    node_at(c, vec_last(&c->path).node)->leads |= node_at(c, known)->leads;
    return false;
  }
  *result = CYCLES_FOUND;
  return merge(c, c->positions.items[known], edge->marks);
}

// The node on top of the path has no more edges; if it is the first of its component, that is
// complete. Whether that is a cycle that leads to a target.
static bool leave(Cycles *c, CyclesResult *result) {
  const Frame frame = vec_pop(&c->path);
  const uint32_t position = c->positions.items[frame.node];
  if (vec_last(&c->roots).number != position)
    return false;
  const Root root = vec_pop(&c->roots);
  bool leads = false;
  for (uint32_t i = position; i < c->active.size; i++)
    leads |= node_at(c, c->active.items[i])->leads;
  c->components++;
  while (c->active.size > position) {
    const uint32_t node = vec_pop(&c->active);
    node_at(c, node)->leads = leads;
    close_node(c, node);
  }
  if (c->path.size)
    node_at(c, vec_last(&c->path).node)->leads |= leads;
  *result = CYCLES_FOUND;
  return leads && (root.marks & c->rules.all_marks) == c->rules.all_marks;
}

static bool walk(Cycles *c, CyclesResult *result, bool (*stopped)(void *), void *state) {
  while (c->path.size) {
    mem_tick(c->mem);
    if (c->edges.size == vec_last(&c->path).first_edge) {
      if (leave(c, result))
        return true;
      continue;
    }
    const Arc edge = vec_pop(&c->edges);
    if (follow(c, &edge, result))
      return true;
    *result = CYCLES_STOPPED;
    if (!(c->stats->visited & 63) && stopped && stopped(state))
      return true;
  }
  return false;
}

static void find_initials(Cycles *c) {
  Space *space = c->space;
  c->has_begun = true;
  if (space->rewind) // another search may have taken them
    space->rewind(space);
  while (space->initial(space)) {
    const Arc edge = {number_key(c), space->keep(space), space->ordinal, 0};
    vec_push(c->mem, &c->initials, edge);
  }
}

void cycles_begin_at(Cycles *c, const uint64_t *key, uint32_t zone, uint32_t ordinal) {
  const Arc edge = {number_of(c, key), zone, ordinal, 0};
  c->has_begun = true;
  vec_push(c->mem, &c->initials, edge);
}

CyclesResult cycles_run(Cycles *c, bool (*stopped)(void *), void *state) {
  const double start = timer_seconds();
  CyclesResult result = CYCLES_NONE;
  if (!c->has_begun)
    find_initials(c);
  bool over = walk(c, &result, stopped, state);
  while (!over && c->next_initial < c->initials.size)
    over = follow(c, &c->initials.items[c->next_initial++], &result) ||
           walk(c, &result, stopped, state);
  c->stats->seconds += timer_seconds() - start;
  if (over)
    return result;
  return c->space->failure ? CYCLES_FAILED : CYCLES_NONE;
}

// The lasso. In the accepting component a walk collects the marks: from the present node the
// shortest way to an edge with a mark that is missing, and in the end back to the first node.

typedef struct Visit {
  uint32_t node, parent; // index of the visit before
  CycleStep step;
} Visit;

typedef struct Tour {
  Cycles *c;
  uint32_t first; // position of the component's first node
  uint32_t now;
  uint32_t marks;
  CycleSteps *steps;
  VEC(Visit) visits;
  bool *seen; // by position - first
} Tour;

static void append_way(Tour *t, uint32_t visit) {
  const uint32_t at = t->steps->size;
  for (uint32_t i = visit; i; i = t->visits.items[i].parent)
    vec_push(t->c->mem, t->steps, t->visits.items[i].step);
  for (uint32_t i = at, j = t->steps->size; i + 1 < j; i++) {
    const CycleStep swapped = t->steps->items[i];
    t->steps->items[i] = t->steps->items[--j];
    t->steps->items[j] = swapped;
  }
}

// To an edge with one of the wanted marks (0: any) that leads to the target (NONE: any).
static bool go(Tour *t, uint32_t wanted, uint32_t target) {
  Cycles *c = t->c;
  Space *space = c->space;
  vec_clear(&t->visits);
  memset(t->seen, 0, c->active.size - t->first);
  const Visit start = {.node = t->now};
  vec_push(c->mem, &t->visits, start);
  for (uint32_t i = 0; i < t->visits.size; i++) {
    const CycleNode *node = node_at(c, t->visits.items[i].node);
    space->open(space, key_at(c, node->key), node->zone);
    while (space->next(space)) {
      const uint32_t key = number_key(c);
      const uint32_t to = find_node(c, key, space->keep(space));
      if (to == NONE || c->positions.items[to] == NONE || c->positions.items[to] < t->first)
        continue;
      const uint32_t marks = c->rules.marks(space);
      const bool is_goal = (!wanted || marks & wanted) && (target == NONE || to == target);
      if (!is_goal && t->seen[c->positions.items[to] - t->first])
        continue;
      t->seen[c->positions.items[to] - t->first] = true;
      const Visit visit = {to, i, {space->ordinal, key_at(c, key), space->zone}};
      vec_push(c->mem, &t->visits, visit);
      if (!is_goal)
        continue;
      t->now = to;
      t->marks |= marks;
      append_way(t, t->visits.size - 1);
      return true;
    }
  }
  return false;
}

static void make_loop(Cycles *c, CycleSteps *steps) {
  Tour t = {.c = c, .first = c->positions.items[c->found], .now = c->found, .steps = steps};
  t.seen = mem_alloc(c->mem, c->active.size - t.first);
  while ((t.marks & c->rules.all_marks) != c->rules.all_marks)
    if (!go(&t, c->rules.all_marks & ~t.marks, NONE))
      break;
  if (t.now != c->found)
    go(&t, 0, c->found);
  mem_free(c->mem, t.seen);
  vec_release(c->mem, &t.visits);
}

void cycles_steps(Cycles *c, CycleSteps *steps, uint32_t *loop) {
  vec_clear(steps);
  for (uint32_t i = c->found; i != NONE; i = node_at(c, i)->parent) {
    const CycleNode *node = node_at(c, i);
    const CycleStep step = {node->ordinal, key_at(c, node->key), node->zone};
    vec_push(c->mem, steps, step);
  }
  for (uint32_t i = 0, j = steps->size; i + 1 < j; i++) {
    const CycleStep swapped = steps->items[i];
    steps->items[i] = steps->items[--j];
    steps->items[j] = swapped;
  }
  *loop = NONE;
  if (!c->roots.size || vec_last(&c->roots).number > c->positions.items[c->found] ||
      (vec_last(&c->roots).marks & c->rules.all_marks) != c->rules.all_marks)
    return;
  *loop = steps->size - 1;
  make_loop(c, steps);
}
