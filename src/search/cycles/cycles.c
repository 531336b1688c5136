#include "search/cycles/cycles.h"

#include "base/pairs.h"
#include "base/testbuild.h"

#define NONE UINT32_MAX

typedef struct Arc { // an edge that is still to be followed
  uint32_t group, zone, ordinal, marks;
} Arc;

typedef struct Frame { // a node on the path of the search
  uint32_t node;
  uint32_t first_edge; // of the rest of its edges, which reach to the end of the list
  uint64_t next_link;  // of the next one, if links are kept
} Frame;

typedef struct Root { // a component on the path, as far as it is known
  uint32_t number;    // its first node, in the order of discovery on the stack
  uint32_t marks;     // on edges inside
  uint32_t arc;       // on the edge that leads to it from the component before
} Root;

typedef struct Standing { // of a node
  uint32_t position;      // in `active`; NONE: its component is complete
  bool leads;             // to a target, as far as it is known
} Standing;

struct Cycles {
  Mem *mem;
  Arena arena; // keys of steps
  Space *space;
  CyclesRules rules;
  Statistics *stats;
  Store store; // the zones of nodes that are closed, which cover others, are in its blocks
  Pairs nodes; // by group and zone: node + 1
  VEC(Standing) standings; // by NodeRef
  VEC(Arc) edges;
  VEC(Frame) path;
  VEC(Root) roots;
  VEC(NodeRef) active; // nodes of components that are not complete, in order of discovery
  VEC(Arc) initials;
  uint32_t next_initial;
  CyclesLink last;               // of the last edge that was followed
  VEC(CyclesLink) links, starts; // if they are kept; and by NodeRef the first of a node's
  VEC(uint64_t) first_links;
  VEC(uint32_t) ordinals; // by start
  bool has_begun;
  bool is_lasso; // `found` is the first node of the accepting component, else the end
  NodeRef found;
};

Cycles *cycles_new(Mem *owner, Space *space, const CyclesRules *rules, Statistics *stats) {
  Mem *mem = mem_part(owner);
  Cycles *c = mem_alloc(mem, sizeof *c);
  *c = (Cycles){.mem = mem,
                .arena = {.mem = mem},
                .space = space,
                .rules = *rules,
                .stats = stats,
                .found = NODE_NONE};
  store_init(&c->store, mem, space, stats);
  pairs_init(&c->nodes, mem);
  return c;
}

void cycles_release(Cycles *c) { mem_release_part(c->mem); }

// An edge to the space's current node.
static Arc make_arc(Cycles *c, uint32_t marks) {
  Space *space = c->space;
  return (Arc){store_group(&c->store), space->keep(space), space->ordinal, marks};
}

static NodeRef find_node(const Cycles *c, uint32_t group, uint32_t zone) {
  return pairs_get(&c->nodes, group, zone) - 1; // NONE for 0
}

static NodeRef add_node(Cycles *c, const Arc *edge, NodeRef parent) {
  const NodeRef ref = store_new_node(&c->store, edge->group, parent);
  Node *node = store_node(&c->store, ref);
  node->zone = edge->zone;
  node->ordinal = edge->ordinal;
  pairs_set(&c->nodes, edge->group, edge->zone, ref + 1);
  const Standing standing = {.position = c->active.size};
  vec_push(c->mem, &c->standings, standing);
  vec_push(c->mem, &c->active, ref);
  if (PLANTED("cycles-cover")) // nodes of components that are not complete cover, too
    store_append_node(&c->store, ref);
  c->stats->stored = c->stats->max_stored = c->store.nodes.size;
  return ref;
}

// The edges of a node, to be followed in the order of the space: the last one is popped first.
static void push_edges(Cycles *c, NodeRef ref) {
  Space *space = c->space;
  const uint32_t first = c->edges.size;
  const Node *node = store_node(&c->store, ref);
  space->open(space, store_opening_key(&c->store, node->group), node->zone);
  c->stats->visited++;
  if (c->rules.keeps_links)
    vec_push(c->mem, &c->first_links, c->links.size);
  while (space->next(space)) {
    const uint32_t marks = c->rules.marks(space);
    vec_push(c->mem, &c->edges, make_arc(c, marks));
    if (c->rules.keeps_links)
      vec_push(c->mem, &c->links, ((CyclesLink){.to = NODE_NONE, .marks = marks}));
    c->stats->transitions++;
  }
  vec_reverse(&c->edges, first);
}

// Whether nothing has to be looked for behind the current node, because of one that covers it.
static bool is_covered(Cycles *c, const Arc *edge) {
  const NodeRef own = c->rules.is_target ? NODE_NONE : store_subsumer_in(&c->store, edge->group);
  c->last = (CyclesLink){.to = own, .marks = edge->marks};
  if (own == NODE_NONE && c->rules.hopeless) {
    c->last.to = c->rules.hopeless(c->rules.hopeless_state);
    c->last.is_hopeless = true;
  }
  return c->last.to != NODE_NONE;
}

// A new node is the target of an edge from the top of the path (from nowhere if that is empty).
static CyclesResult enter(Cycles *c, const Arc *edge) {
  Space *space = c->space;
  const NodeRef parent = c->path.size ? vec_last(&c->path).node : NODE_NONE;
  space->load(space, store_key(&c->store, edge->group), edge->zone);
  if (is_covered(c, edge)) {
    c->stats->covered++;
    return CYCLES_NONE;
  }
  const NodeRef ref = add_node(c, edge, parent);
  c->last = (CyclesLink){.to = ref, .marks = edge->marks};
  c->standings.items[ref].leads = c->rules.is_target && c->rules.is_target(space);
  c->found = ref;
  const CyclesResult end = c->rules.end ? c->rules.end(space) : CYCLES_NONE;
  if (end != CYCLES_NONE)
    return end;
  const Root root = {c->active.size - 1, 0, edge->marks};
  vec_push(c->mem, &c->roots, root);
  const Frame frame = {ref, c->edges.size, c->links.size};
  vec_push(c->mem, &c->path, frame);
  push_edges(c, ref);
  return space->failure ? CYCLES_FAILED : CYCLES_NONE;
}

// An edge back to a component that is not complete: all since then are one. It may have all marks
// now.
static CyclesResult merge(Cycles *c, uint32_t position, uint32_t marks) {
  while (vec_last(&c->roots).number > position) {
    const Root root = vec_pop(&c->roots);
    marks |= root.marks | root.arc;
  }
  Root *root = &vec_last(&c->roots);
  root->marks |= marks;
  if (c->rules.is_target || (root->marks & c->rules.all_marks) != c->rules.all_marks)
    return CYCLES_NONE;
  c->found = c->active.items[root->number];
  c->is_lasso = true;
  return CYCLES_FOUND;
}

static CyclesResult follow(Cycles *c, const Arc *edge) {
  const NodeRef known = find_node(c, edge->group, edge->zone);
  if (known == NODE_NONE)
    return enter(c, edge);
  c->last = (CyclesLink){.to = known, .marks = edge->marks};
  if (!c->path.size)
    return CYCLES_NONE;
  const Standing *known_as = &c->standings.items[known];
  if (known_as->position != NONE)
    return merge(c, known_as->position, edge->marks);
  c->standings.items[vec_last(&c->path).node].leads |= known_as->leads;
  return CYCLES_NONE;
}

// The node on top of the path has no more edges; if it is the first of its component, that is
// complete. It may be a cycle that leads to a target.
static CyclesResult leave(Cycles *c) {
  const Frame frame = vec_pop(&c->path);
  const uint32_t position = c->standings.items[frame.node].position;
  if (vec_last(&c->roots).number != position)
    return CYCLES_NONE;
  const Root root = vec_pop(&c->roots);
  bool leads = false;
  for (uint32_t i = position; i < c->active.size; i++)
    leads |= c->standings.items[c->active.items[i]].leads;
  if (leads && (root.marks & c->rules.all_marks) == c->rules.all_marks) {
    c->found = frame.node; // its component stays active, for cycles_steps
    c->is_lasso = true;
    return CYCLES_FOUND;
  }
  while (c->active.size > position) {
    const NodeRef ref = vec_pop(&c->active);
    c->standings.items[ref] = (Standing){NONE, leads};
    if (!c->rules.is_target && !PLANTED("cycles-cover")) // else none covers, or it does already
      store_append_node(&c->store, ref);
  }
  if (c->path.size)
    c->standings.items[vec_last(&c->path).node].leads |= leads;
  return CYCLES_NONE;
}

static void find_initials(Cycles *c) {
  Space *space = c->space;
  c->has_begun = true;
  space->next_initial = 0; // another search may have taken them
  while (space->initial(space))
    vec_push(c->mem, &c->initials, make_arc(c, 0));
}

void cycles_begin_at(Cycles *c, const uint64_t *key, uint32_t zone, uint32_t ordinal) {
  c->space->load(c->space, key, zone);
  const Arc edge = {store_group(&c->store), zone, ordinal, 0};
  c->has_begun = true;
  vec_push(c->mem, &c->initials, edge);
}

// The next initial node.
static CyclesResult follow_initial(Cycles *c) {
  const Arc edge = c->initials.items[c->next_initial++];
  const CyclesResult result = follow(c, &edge);
  if (c->rules.keeps_links) {
    vec_push(c->mem, &c->starts, c->last);
    vec_push(c->mem, &c->ordinals, edge.ordinal);
  }
  return result;
}

// The next edge of the node on top of the path.
static CyclesResult follow_edge(Cycles *c) {
  const Arc edge = vec_pop(&c->edges);
  const uint64_t link = vec_last(&c->path).next_link++;
  const CyclesResult result = follow(c, &edge);
  if (c->rules.keeps_links)
    c->links.items[link] = c->last;
  return result;
}

CyclesResult cycles_run(Cycles *c, bool (*stopped)(void *), void *state) {
  CyclesResult result = CYCLES_NONE;
  if (!c->has_begun)
    find_initials(c);
  while (result == CYCLES_NONE && (c->path.size || c->next_initial < c->initials.size)) {
    mem_tick(c->mem);
    if (!c->path.size) {
      result = follow_initial(c);
    } else if (c->edges.size == vec_last(&c->path).first_edge) {
      result = leave(c);
    } else {
      result = follow_edge(c);
      if (result == CYCLES_NONE && !(c->stats->visited & 63) && stopped && stopped(state))
        result = CYCLES_STOPPED;
    }
  }
  return c->space->failure && result == CYCLES_NONE ? CYCLES_FAILED : result;
}

void cycles_graph(Cycles *c, CyclesGraph *graph) {
  if (c->first_links.size == c->store.nodes.size)
    vec_push(c->mem, &c->first_links, c->links.size);
  *graph = (CyclesGraph){.store = &c->store,
                         .first = c->first_links.items,
                         .links = c->links.items,
                         .starts = c->starts.items,
                         .ordinals = c->ordinals.items,
                         .start_count = c->starts.size};
}

static NodeRef find_current(void *state) {
  Cycles *c = state;
  return find_node(c, store_group(&c->store), c->space->keep(c->space));
}

// The loop: only the nodes of the accepting component are opened again.
static void append_loop(Cycles *c, Mem *mem, CycleSteps *steps) {
  Mem *part = mem_part(c->mem);
  const SccsRules rules = {.all_marks = c->rules.all_marks,
                           .marks = c->rules.marks,
                           .find = find_current,
                           .state = c,
                           .is_partial = true};
  const uint32_t first = c->standings.items[c->found].position;
  for (NodeRef ref = 0; ref < c->standings.size; ref++)
    store_node(&c->store, ref)->is_visited =
        c->standings.items[ref].position != NONE && c->standings.items[ref].position >= first;
  Sccs sccs;
  Tour tour;
  const bool ok = sccs_find(&sccs, part, &c->store, &rules);
  tour_init(&tour, part, &sccs, &rules);
  if (ok && tour_find_cycle(&tour, c->found, UINT32_MAX, &c->arena))
    for (uint32_t i = 0; i < tour.cycle.size; i++)
      vec_push(mem, steps, tour.cycle.items[i]);
  mem_release_part(part);
}

void cycles_steps(Cycles *c, Mem *mem, CycleSteps *steps, uint32_t *loop) {
  vec_clear(steps);
  tour_find_way(&c->store, c->found, mem, &c->arena, steps);
  *loop = c->is_lasso ? steps->size - 1 : NONE;
  if (c->is_lasso)
    append_loop(c, mem, steps);
}
