// The tree of Algorithm 1 is the store: a node's parent and the way of its clocks from the
// parent's are kept, so that bounds travel upwards. A worklist replaces the recursion. Where we
// depart from the paper:
//
// - Any order, not only depth first; covering is tested when a node is made, and when its turn
//   comes if more nodes have been visited since.
// - A covering that holds under the static local bounds, which are never smaller than those
//   found, is for good (*settled*): nothing is tested again, and no zone is kept.
// - A node that waits has no bounds yet. Depth first, as in the paper, it covers every node of
//   its discrete state until they are known, and tentative nodes are tested again when
//   nothing waits. With other orders that leads to many nodes being visited too early; there
//   a waiting node covers under the static bounds, and tentative nodes are tested again at
//   once. In both cases a new node takes the place of waiting ones that it covers under
//   the static bounds; breadth first, unless they cover it, too.
// - Bounds never shrink. The paper resets a reopened node and lets its ancestors' bounds
//   shrink with it, which the proof does not need, which takes a maximum over all successors,
//   and with which lazy bounds would not terminate.
// - Bounds travel upwards only when somebody will look at them: while there are tentative nodes,
//   or when a node is compared with visited ones. Then the newest nodes come first, so that a
//   node gets the bounds of all that comes after it at once. A chain takes linear time that way,
//   and not the square of its length.
// - --bounds lazy: see search/space/needs.h and doc/notes/lazy-bounds.md. A transition to a node
// without
//   any bound has no effect; `cut` is kept at the node until it has one, `stay` likewise.
#include "search/passed/fly.h"

#include "search/space/needs.h"

enum { EAGER_MAX = 128 }; // visited nodes of a group

void fly_raise(Fly *fly, NodeRef ref, LevelsRef by) {
  FlyNode *node = fly_at(fly, ref);
  LevelsRef bounds = levels_join(&fly->table, node->bounds, by);
  if (bounds == node->bounds)
    return;
  bounds = levels_join(&fly->table, bounds, node->stay);
  node->stay = 0;
  node->bounds = bounds;
  fly->passed.stats->raised++;
  if (node->state == FLY_VISITED && bounds == fly_group(fly, ref)->limits)
    fly_group(fly, ref)->better--;
  if (!node->is_raised) {
    node->is_raised = true;
    vec_push(fly->mem, &fly->raised, ref);
  }
}

// Passes bounds of a node, its own or its subsumer's, to its parent.
static void pass_up(Fly *fly, NodeRef ref, LevelsRef bounds) {
  const NodeRef parent = store_node(fly->store, ref)->parent;
  FlyNode *node = fly_at(fly, ref);
  if (parent == NODE_NONE || !bounds)
    return;
  if (node->cut) {
    fly_raise(fly, parent, node->cut);
    node->cut = 0;
  }
  fly_raise(fly, parent, levels_back(&fly->table, bounds, node->way));
}

// What a node covers is to be tested again.
static void soil(Fly *fly, NodeRef ref) {
  FlyNode *node = fly_at(fly, ref);
  if (node->covered == NODE_NONE || node->is_dirty)
    return;
  node->is_dirty = true;
  vec_push(fly->mem, &fly->dirty, ref);
}

void fly_pass_all(Fly *fly) {
  while (fly->raised.size) {
    mem_tick(fly->mem);
    const NodeRef ref = vec_pop(&fly->raised);
    FlyNode *node = fly_at(fly, ref);
    node->is_raised = false;
    soil(fly, ref);
    for (NodeRef c = node->covered; c != NODE_NONE; c = fly_at(fly, c)->next_covered) {
      pass_up(fly, c, node->bounds);
      for (NodeRef d = fly_at(fly, c)->covered; d != NODE_NONE; d = fly_at(fly, d)->next_covered)
        pass_up(fly, d, node->bounds);
    }
    pass_up(fly, ref, node->bounds);
  }
}

// What a node covers becomes covered by another one.
static void move_covered(Fly *fly, NodeRef from, NodeRef to) {
  FlyNode *old = fly_at(fly, from), *now = fly_at(fly, to);
  while (old->covered != NODE_NONE) {
    FlyNode *node = fly_at(fly, old->covered);
    const NodeRef c = old->covered;
    old->covered = node->next_covered;
    node->next_covered = now->covered;
    now->covered = c;
  }
}

// A node may have been tentative before, and have covered others for good: their parents, too,
// need the bounds of the subsumer. If it is settled itself it passes them on, so that there is
// never more than one node between a node and what covers it in the end (fly_pass_all).
static void cover(Fly *fly, NodeRef ref, NodeRef subsumer, FlyState state) {
  FlyNode *node = fly_at(fly, ref), *by = fly_at(fly, subsumer);
  for (NodeRef c = node->covered; c != NODE_NONE; c = fly_at(fly, c)->next_covered)
    pass_up(fly, c, by->bounds);
  if (state == FLY_SETTLED)
    move_covered(fly, ref, subsumer);
  fly->tentative += state == FLY_TENTATIVE;
  node->state = (uint8_t)state;
  node->next_covered = by->covered;
  by->covered = ref;
  fly->passed.stats->covered++;
  fly->passed.stats->stored--;
  pass_up(fly, ref, by->bounds);
}

// Whether waiting nodes of a group cover all others: depth first, while there are few, for
// what they cover must be tested again each time that one has been visited.
static bool is_eager(const Fly *fly, const FlyGroup *group) {
  return fly->is_stack && group->visited < EAGER_MAX;
}

// Whether a node covers every other: it is visited and needs no bound, or none is known yet. When
// a node's turn has come, only visited ones keep it from being visited.
static bool covers_all(const Fly *fly, const FlyNode *node, const FlyGroup *group) {
  return node->state == FLY_VISITED ? !node->bounds : is_eager(fly, group) && !fly->only_visited;
}

// Among nodes that do not cover the current one under the static bounds.
static uint32_t find_tentative(void *context, const NodeRef *refs, const uint32_t *zones,
                               uint32_t count) {
  const Fly *fly = context;
  const FlyGroup *group = fly_group(fly, refs[0]);
  const LevelsRef limits = group->limits;
  for (uint32_t i = 0; i < count; i++) {
    const FlyNode *node = fly_at(fly, refs[i]);
    if (covers_all(fly, node, group))
      return i;
    if (node->state != FLY_VISITED || node->bounds == limits)
      continue;
    fly->space->needs->bounds = levels_bounds(&fly->table, node->bounds);
    if (!fly->space->find_subsumer(fly->space, &zones[i], 1))
      return i;
  }
  return count;
}

// A node that covers the space's current one, for good (FLY_SETTLED) if there is one.
static NodeRef find_subsumer(Fly *fly, uint32_t group, FlyState *state) {
  const FlyGroup *counts = &fly->groups.items[group];
  if (counts->visited)
    fly_pass_all(fly);
  fly->space->needs->bounds = NULL;
  *state = FLY_SETTLED;
  const NodeRef ref = store_subsumer_in(fly->store, group);
  if (ref != NODE_NONE || (!counts->better && !(is_eager(fly, counts) && counts->pending)))
    return ref;
  *state = FLY_TENTATIVE;
  return store_find(fly->store, group, find_tentative, fly);
}

// Collects the waiting nodes that the space's current one covers for good.
static uint32_t find_losers(void *context, const NodeRef *refs, const uint32_t *zones,
                            uint32_t count) {
  Fly *fly = context;
  for (uint32_t i = 0; i < count; i++) {
    i = fly->space->find_subsumed(fly->space, zones, i, count);
    if (i < count && fly_at(fly, refs[i])->state == FLY_WAITING)
      vec_push(fly->mem, &fly->store->evicted, refs[i]);
  }
  return count;
}

// Loser and what it covers are covered by the winner.
static void beat(Fly *fly, NodeRef loser, NodeRef winner) {
  Node *node = store_node(fly->store, loser);
  node->is_stored = false; // for the order
  store_remove(fly->store, node->group, loser);
  cover(fly, loser, winner, FLY_SETTLED);
}

// The space's current node, which nothing covers, is to wait. The losers are where the order
// looks for evicted nodes.
static void begin_waiting(Fly *fly, NodeRef ref, uint32_t group) {
  FlyGroup *counts = &fly->groups.items[group];
  Store *store = fly->store;
  vec_clear(&store->evicted);
  fly->space->needs->bounds = NULL;
  if (counts->pending)
    store_find(store, group, find_losers, fly);
  for (uint32_t i = 0; i < store->evicted.size; i++)
    beat(fly, store->evicted.items[i], ref);
  counts->pending = counts->pending - store->evicted.size + 1;
  store_append(store, group, ref);
  fly_at(fly, ref)->state = FLY_WAITING;
  fly_at(fly, ref)->tested = counts->visited;
}

// The number of some of the needs, 0 if there are none.
static LevelsRef find_levels(Fly *fly, const NeedsRow *row) {
  return row->is_empty ? 0
                       : levels_find(&fly->table, fly->space->needs->k, row->lower, row->upper);
}

// What the transition to the current node, from `parent`, passes on.
static void set_edge(Fly *fly, FlyNode *node, NodeRef parent) {
  const Needs *needs = fly->space->needs;
  if (parent == NODE_NONE)
    return;
  node->way = needs->way ? *needs->way : 0;
  if (!node->way)
    node->way = levels_way(&fly->table, needs->child_k, needs->k, needs->origin, needs->offset);
  if (needs->way)
    *needs->way = node->way;
  node->cut = find_levels(fly, &needs->cut);
}

static NodeRef add_node(Fly *fly, uint32_t group, NodeRef parent) {
  const NodeRef ref = store_new_node(fly->store, group, parent);
  pool_add(&fly->nodes);
  FlyNode *node = fly_at(fly, ref);
  *node = (FlyNode){.covered = NODE_NONE};
  set_edge(fly, node, parent);
  passed_count(&fly->passed, fly->passed.stats->stored + 1);
  return ref;
}

// The space's current node, which lies in no block, is covered by another.
static void cover_current(Fly *fly, NodeRef ref, NodeRef subsumer, FlyState state) {
  store_node(fly->store, ref)->zone = state == FLY_TENTATIVE ? fly->space->keep(fly->space) : 0;
  cover(fly, ref, subsumer, state);
}

// Depth first, whether the subsumer still waits and is itself covered by the space's current
// node, for good: then that one is to be visited first.
static bool is_tie(const Fly *fly, NodeRef subsumer) {
  const FlyNode *node = fly_at(fly, subsumer);
  if (!fly->is_stack || node->state != FLY_WAITING)
    return false;
  fly->space->needs->bounds = NULL;
  return !fly->space->find_subsumed(fly->space, &store_node(fly->store, subsumer)->zone, 0, 1);
}

static NodeRef fly_add(Passed *passed, NodeRef parent) {
  Fly *fly = (Fly *)passed;
  const uint32_t group = store_group(fly->store);
  Space *space = fly->space;
  if (fly->groups.size == group) {
    const Needs *needs = space->needs;
    if (!*needs->limits_number)
      *needs->limits_number = levels_find_bounds(&fly->table, needs->current_k, needs->limits);
    vec_push(fly->mem, &fly->groups, (FlyGroup){.limits = *needs->limits_number});
  }
  FlyState state;
  const NodeRef subsumer = find_subsumer(fly, group, &state);
  const NodeRef ref = add_node(fly, group, parent);
  if (subsumer == NODE_NONE || is_tie(fly, subsumer)) {
    begin_waiting(fly, ref, group);
    return ref;
  }
  cover_current(fly, ref, subsumer, state);
  return NODE_NONE;
}

// Makes a node the space's current one; gives its group.
static uint32_t load(Fly *fly, NodeRef ref) {
  const Node *node = store_node(fly->store, ref);
  fly->space->load(fly->space, store_key(fly->store, node->group), node->zone);
  return node->group;
}

static uint32_t find_pending(void *context, const NodeRef *refs, const uint32_t *zones,
                             uint32_t count) {
  (void)zones;
  uint32_t i = 0;
  while (i < count && fly_at(context, refs[i])->state == FLY_VISITED)
    i++;
  return i;
}

// A node that was tentative, and is current, looks for another subsumer, or waits. Depth first
// one that waits will do until it is visited: so not every node is tested with every other.
static void find_place(Fly *fly, NodeRef ref, uint32_t group) {
  fly->passed.stats->covered--;
  fly->tentative--;
  passed_count(&fly->passed, fly->passed.stats->stored + 1);
  FlyState state = FLY_TENTATIVE;
  const NodeRef subsumer =
      is_eager(fly, &fly->groups.items[group]) && fly->groups.items[group].pending
          ? store_find(fly->store, group, find_pending, fly)
          : find_subsumer(fly, group, &state);
  if (subsumer != NODE_NONE) {
    cover_current(fly, ref, subsumer, state);
  } else {
    fly->passed.stats->reopened++;
    begin_waiting(fly, ref, group);
    order_push(fly->order, ref);
  }
}

// Tests again what a node covers whose bounds have grown.
static void retest(Fly *fly, NodeRef ref) {
  FlyNode *node = fly_at(fly, ref);
  for (NodeRef *link = &node->covered; *link != NODE_NONE;) {
    const NodeRef c = *link;
    FlyNode *covered = fly_at(fly, c);
    if (covered->state == FLY_TENTATIVE) {
      const uint32_t group = load(fly, c);
      fly->space->needs->bounds = levels_bounds(&fly->table, node->bounds);
      if (fly->space->find_subsumer(fly->space, &store_node(fly->store, ref)->zone, 1)) {
        *link = covered->next_covered;
        find_place(fly, c, group);
        continue;
      }
    }
    link = &covered->next_covered;
  }
}

// Depth first, tentative nodes are tested again when nothing waits; else at once.
static void retest_due(Fly *fly) {
  if (fly->is_stack && order_waiting(fly->order))
    return;
  while (fly->dirty.size) {
    mem_tick(fly->mem);
    const NodeRef ref = vec_pop(&fly->dirty);
    fly_at(fly, ref)->is_dirty = false;
    retest(fly, ref);
    fly_pass_all(fly);
  }
}

// A node whose turn has come is tentative itself. What it has covered for good stays with it;
// the rest needs another place. Finding one may raise the subsumer's bounds, which does not reach
// nodes that are out of the list meanwhile: each gets them as they are when it is back.
static void hand_over(Fly *fly, NodeRef ref, NodeRef subsumer) {
  NodeRef list = fly_at(fly, ref)->covered;
  fly_at(fly, ref)->covered = NODE_NONE;
  while (list != NODE_NONE) {
    const NodeRef c = list;
    FlyNode *node = fly_at(fly, c);
    list = node->next_covered;
    if (node->state == FLY_TENTATIVE) {
      find_place(fly, c, load(fly, c));
      continue;
    }
    node->next_covered = fly_at(fly, ref)->covered;
    fly_at(fly, ref)->covered = c;
    pass_up(fly, c, fly_at(fly, subsumer)->bounds);
  }
}

// Whether a node whose turn has come is to be visited: not if one visited since covers it. (Under
// the static bounds none does: it would have beaten this one.)
static bool admit(Fly *fly, NodeRef ref) {
  FlyNode *node = fly_at(fly, ref);
  FlyGroup *group = fly_group(fly, ref);
  if (node->state != FLY_WAITING)
    return false;
  NodeRef subsumer = NODE_NONE;
  if (node->tested != group->visited)
    fly_pass_all(fly);
  if (group->better && node->tested != group->visited) {
    fly->only_visited = true;
    subsumer = store_find(fly->store, load(fly, ref), find_tentative, fly);
    fly->only_visited = false;
  }
  if (subsumer == NODE_NONE) {
    node->state = FLY_OPEN;
    return true;
  }
  group->pending--;
  store_remove(fly->store, store_node(fly->store, ref)->group, ref);
  cover_current(fly, ref, subsumer, FLY_TENTATIVE);
  hand_over(fly, ref, subsumer);
  fly_pass_all(fly);
  return false;
}

static bool fly_open(Passed *passed, NodeRef ref) {
  Fly *fly = (Fly *)passed;
  if (admit(fly, ref)) {
    fly->opened = ref;
    return fly->store->passed.open(&fly->store->passed, ref);
  }
  retest_due(fly);
  return false;
}

static void fly_close(Passed *passed) {
  Fly *fly = (Fly *)passed;
  const NodeRef ref = fly->opened;
  const Needs *needs = fly->space->needs;
  FlyNode *node = fly_at(fly, ref);
  FlyGroup *group = fly_group(fly, ref);
  node->stay = find_levels(fly, &needs->stay);
  fly_raise(fly, ref, find_levels(fly, &needs->own));
  if (node->bounds && node->stay)
    fly_raise(fly, ref, node->stay);
  node->state = FLY_VISITED;
  group->visited++;
  group->pending--;
  group->better += node->bounds != group->limits;
  if (node->bounds) // it covered without a test what was found since its bounds were passed on
    soil(fly, ref);
  if (fly->tentative)
    fly_pass_all(fly);
  retest_due(fly);
}

void fly_subsumers(const Fly *fly, NodeRef *subsumers) {
  const uint32_t count = fly->nodes.size;
  for (NodeRef ref = 0; ref < count; ref++)
    subsumers[ref] = fly_at(fly, ref)->state == FLY_VISITED ? ref : NODE_NONE;
  for (NodeRef ref = 0; ref < count; ref++)
    for (NodeRef c = fly_at(fly, ref)->covered; c != NODE_NONE; c = fly_at(fly, c)->next_covered)
      subsumers[c] = ref;
  // What covers for good may be covered itself.
  for (NodeRef ref = 0; ref < count; ref++)
    while (subsumers[ref] != NODE_NONE && fly_at(fly, subsumers[ref])->state != FLY_VISITED)
      subsumers[ref] = subsumers[subsumers[ref]];
}

const struct PackedBounds *fly_bounds(Fly *fly, NodeRef ref) {
  fly_pass_all(fly);
  const LevelsRef bounds = fly_at(fly, ref)->bounds;
  return bounds ? levels_bounds(&fly->table, bounds) : NULL;
}

Fly *fly_new(Mem *mem, Space *space, Store *store, Order *order, SearchOrder kind) {
  Fly *fly = mem_alloc(mem, sizeof *fly);
  *fly = (Fly){.passed = {.add = fly_add, .open = fly_open, .close = fly_close},
               .mem = mem,
               .space = space,
               .store = store,
               .order = order,
               .is_stack = kind == ORDER_DFS};
  levels_init(&fly->table, mem, space->needs->max_k);
  pool_init(&fly->nodes, mem, sizeof(FlyNode));
  return fly;
}
