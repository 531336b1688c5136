#include "engine/reach.h"

#include "base/timer.h"
#include "engine/fly.h"

enum { POLL_INTERVAL = 256 }; // visited nodes between looks at the clock

void reach_init(Reach *reach, Mem *mem, Space *space, SearchOrder order, Statistics *stats) {
  *reach = (Reach){.mem = mem, .space = space, .stats = stats, .goal_parent = NODE_NONE};
  if (space->add)
    reach->store = (Store){.mem = mem, .space = space}; // empty: the order asks whose it is
  else
    store_init(&reach->store, mem, space);
  reach->order = order_new(mem, order, &reach->store, stats);
  if (space->needs)
    reach->fly = fly_new(mem, space, &reach->store, reach->order, order, stats);
}

void reach_release(Reach *reach) {
  if (reach->fly)
    fly_release(reach->fly);
  order_release(reach->order);
  if (!reach->space->add)
    store_release(&reach->store);
}

// Adds the current node to the passed list; NODE_NONE if it is not to be visited.
static NodeRef add(Reach *reach, NodeRef parent) {
  Space *space = reach->space;
  Statistics *stats = reach->stats;
  if (space->add) {
    const NodeRef ref = space->add(space);
    stats->stored = space->kept;
    return ref;
  }
  const NodeRef ref = store_add(&reach->store, parent);
  stats->stored = reach->store.stored;
  for (uint32_t i = 0; ref != NODE_NONE && i < reach->store.evicted.size; i++) {
    stats->covered++;
    stats->mistakes += store_node(&reach->store, reach->store.evicted.items[i])->is_visited;
  }
  return ref;
}

// Opens a waiting node; false if there is nothing left of it to visit.
static bool open(Reach *reach, NodeRef ref) {
  Space *space = reach->space;
  if (space->take)
    return space->take(space, ref);
  Node *node = store_node(&reach->store, ref);
  if (!node->is_stored)
    return false;
  node->is_visited = true;
  uint32_t format;
  const void *body = store_body(&reach->store, ref, &format);
  space->open(space, store_key(&reach->store, node->group), body, format);
  return true;
}

// Takes the space's current node in, unless it is covered; true if it is a goal.
static bool take(Reach *reach, NodeRef parent) {
  Statistics *stats = reach->stats;
  if (reach->space->is_goal && reach->space->is_goal(reach->space)) {
    reach->goal_parent = parent;
    reach->goal_ordinal = reach->space->ordinal;
    return true;
  }
  if (reach->fly) {
    fly_take(reach->fly, parent);
    return false;
  }
  const NodeRef ref = add(reach, parent);
  if (ref == NODE_NONE) {
    stats->covered++;
    return false;
  }
  if (stats->stored > stats->max_stored)
    stats->max_stored = stats->stored;
  order_push(reach->order, ref);
  return false;
}

// Whether the expansion of `parent` ends the search.
static bool failed(Reach *reach, NodeRef parent) {
  if (!reach->space->failure)
    return false;
  reach->goal_parent = parent;
  reach->goal_ordinal = reach->space->ordinal;
  return true;
}

// The passed list with all that belongs to it, shared out among the stored nodes.
static uint64_t node_bytes(const Reach *reach) {
  const Space *space = reach->space;
  if (space->add || !reach->store.stored)
    return 0;
  const size_t shared = space->shared_bytes ? space->shared_bytes(space) : 0;
  return (store_bytes(&reach->store) + shared) / reach->store.stored;
}

static bool stopped(Reach *reach, double start) {
  Statistics *stats = reach->stats;
  stats->seconds = timer_seconds() - start;
  stats->peak_bytes = reach->mem->peak;
  stats->states = reach->store.groups.size;
  stats->node_bytes = node_bytes(reach);
  stats->discovered = reach->space->discovered;
  if (reach->progress)
    reach->progress(reach->terminate_state, stats);
  if (reach->time_limit > 0 && stats->seconds > reach->time_limit)
    reach->stop_reason = "time limit";
  else if (reach->terminate && reach->terminate(reach->terminate_state))
    reach->stop_reason = "interrupted";
  return reach->stop_reason;
}

static NodeRef next_node(Reach *reach) {
  return reach->fly ? fly_next(reach->fly) : order_pop(reach->order);
}

static ReachResult search(Reach *reach, double start) {
  Space *space = reach->space;
  while (!space->failure && space->initial(space))
    if (take(reach, NODE_NONE))
      return REACH_GOAL;
  if (failed(reach, NODE_NONE))
    return REACH_FAILED;
  for (NodeRef ref; (ref = next_node(reach)) != NODE_NONE;) {
    if (!open(reach, ref))
      continue;
    if (reach->stats->visited++ % POLL_INTERVAL == 0 && stopped(reach, start))
      return REACH_STOPPED;
    while (!space->failure && space->next(space)) {
      reach->stats->transitions++;
      if (take(reach, ref))
        return REACH_GOAL;
    }
    if (failed(reach, ref))
      return REACH_FAILED;
    if (reach->fly)
      fly_close(reach->fly, ref);
  }
  return REACH_NONE;
}

ReachResult reach_run(Reach *reach) {
  const double start = timer_seconds();
  const ReachResult result = search(reach, start);
  const char *reason = reach->stop_reason;
  stopped(reach, start); // the final statistics
  reach->stop_reason = reason;
  return result;
}
