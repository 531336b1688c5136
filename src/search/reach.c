#include "search/reach.h"

#include "base/testbuild.h"
#include "base/timer.h"
#include "search/passed/fly.h"
#include "search/passed/prefetch.h"

// Visited nodes between questions to the caller. Slow nodes have more of them, for ticks look at
// the clock (MemWatch).
enum { POLL_INTERVAL = LOWERED(256, 16, 16) };
enum { SOME_SUCCESSORS = 16 };                // of one node, after which there is a tick
enum { SWEEP_INTERVAL = LOWERED(16, 16, 1) }; // between looks whether zones can be dropped

void reach_init(Reach *reach, Mem *mem, Space *space, SearchOrder order, Statistics *stats) {
  *reach = (Reach){.mem = mem, .space = space, .stats = stats, .goal_parent = NODE_NONE};
  reach->max_visited = reach->max_transitions = UINT64_MAX;
  reach->self = reach;
  reach->own_peers = (Peers){.count = 1, .all = 1, .members = &reach->self, .mems = &reach->mem};
  reach->peers = &reach->own_peers;
  reach->own = mem_part(mem);
  store_init(&reach->store, reach->own, space, stats);
  reach->waiting = order_new(reach->own, order, &reach->store);
  if (space->needs)
    reach->fly = fly_new(reach->own, space, &reach->store, reach->waiting, order);
  reach->passed = reach->fly      ? &reach->fly->passed
                  : space->passed ? space->passed
                                  : &reach->store.passed;
  reach->passed->stats = stats;
}

void reach_release(Reach *reach) {
  if (reach->division)
    reach->division->release(reach);
  mem_release_part(reach->own);
}

// The space's current node, or what failed, is what the search leads to.
static bool conclude(Reach *reach, NodeRef parent) {
  reach->goal_parent = parent;
  reach->goal_ordinal = reach->space->ordinal;
  return true;
}

bool reach_is_goal(Reach *reach, NodeRef parent) {
  Space *space = reach->space;
  return space->is_goal && space->is_goal(space) && conclude(reach, parent);
}

bool reach_failed(Reach *reach, NodeRef parent) {
  return reach->space->failure && conclude(reach, parent);
}

// The passed list with all that belongs to it, shared out among the stored nodes.
static uint64_t node_bytes(const Reach *reach) {
  const Space *space = reach->space;
  if (space->passed || !reach->store.stored)
    return 0;
  const size_t shared = space->shared_bytes ? space->shared_bytes(space) : 0;
  return (store_bytes(&reach->store) + shared) / reach->store.stored;
}

void reach_measure(Reach *reach) {
  Statistics *stats = reach->stats;
  stats->seconds = timer_seconds() - reach->start;
  stats->peak_bytes = reach->mem->peak;
  stats->states = reach->store.groups.size;
  stats->node_bytes = node_bytes(reach);
  stats->discovered = reach->space->discovered;
  stats->left_out = reach->space->left_out;
}

void reach_ask(Reach *reach) {
  if (reach->outer && !reach->stop_reason)
    reach->stop_reason = reach->outer->reached(reach->outer->state);
}

bool reach_stopped(Reach *reach) {
  reach_measure(reach);
  if (reach->division)
    reach->division->poll(reach);
  else
    reach_ask(reach);
  return reach->stop_reason;
}

// Why the search ends in the midst of a node, NULL: it goes on. If it is saved it ends between
// two nodes.
static const char *end_within(Reach *reach) {
  return reach->worker && worker_is_over(reach->worker) ? "others ended the search"
         : reach->saver                                 ? NULL
                                                        : reach->stop_reason;
}

// For the watch.
static const char *limit_reached(void *state) {
  reach_stopped(state);
  return end_within(state);
}

bool reach_is_long(const Reach *reach) {
  return reach->stats->visited >= reach->max_visited ||
         reach->stats->transitions >= reach->max_transitions;
}

// Asks the caller whether to stop before the next node. It counts as visited then: looks at the
// clock within a node never see this number, so a caller that stops at a number of nodes always
// stops here, and finds this number at the end. A search that is saved has not visited it.
static bool ask_before_next(Reach *reach) {
  reach->stats->visited++;
  const bool stops =
      reach_stopped(reach) || (reach->between && reach->between(reach->between_state));
  if (!stops || reach->saver)
    reach->stats->visited--;
  return stops;
}

// Looks at the clock and at the caller's wishes now and then: whether to stop before the next
// node.
static inline bool poll(Reach *reach) {
  mem_tick(reach->mem);
  return reach->stop_reason || reach_is_long(reach) ||
         (reach->stats->visited % POLL_INTERVAL == 0 && ask_before_next(reach));
}

// In the midst of a node, for a dart can have a million successors.
static inline bool poll_within(Reach *reach, uint32_t successors) {
  if (successors % SOME_SUCCESSORS)
    return false;
  mem_tick(reach->mem);
  return end_within(reach);
}

// Zones that no node has are dropped. Several workers remember the zones of nodes that they sent:
// these must not change their meaning.
static inline void sweep(Reach *reach) {
  const Space *space = reach->space;
  if (space->speed.wants_sweep && reach->stats->visited % SWEEP_INTERVAL == 0 &&
      !reach->division && space->speed.wants_sweep(space, reach->store.stored)) {
    store_sweep(&reach->store);
    if (reach->saver)
      reach->saver->swept(reach);
  }
}

// Opens the next of the waiting nodes that no other node covers by now. NODE_NONE: nothing waits,
// or the search is over.
static inline NodeRef next_node(Reach *reach) {
  sweep(reach);
  if (reach->division)
    return reach->division->next(reach);
  NodeRef node;
  do
    node = order_pop(reach->waiting);
  while (node != NODE_NONE && !reach->passed->open(reach->passed, node));
  return node;
}

void reach_add(Reach *reach, NodeRef parent) {
  const NodeRef added = reach->passed->add(reach->passed, parent);
  if (added != NODE_NONE) // else it is covered
    order_push(reach->waiting, added);
}

// The space's current node goes to the worker that it belongs to.
static inline void settle(Reach *reach, NodeRef parent) {
  if (!reach->division || !reach->division->deliver(reach, parent))
    reach_add(reach, parent);
}

// The initial nodes, which the first worker finds; true if one is a goal.
static bool begin(Reach *reach) {
  Space *space = reach->space;
  while (!reach->store.number && !reach->is_resumed && !space->failure && space->initial(space)) {
    if (reach_is_goal(reach, NODE_NONE))
      return true;
    settle(reach, NODE_NONE);
  }
  return false;
}

// By itself: a function that calls setjmp keeps its variables in memory.
__attribute__((noinline)) static ReachResult explore(Reach *reach) {
  Space *space = reach->space;
  Statistics *stats = reach->stats;
  if (begin(reach))
    return REACH_GOAL;
  NodeRef node = NODE_NONE;
  while (!reach_failed(reach, node)) {
    const bool stops = poll(reach);
    if (reach->saver && !reach->division)
      reach->saver->save(reach, stops);
    if (stops)
      return REACH_STOPPED;
    if ((node = next_node(reach)) == NODE_NONE)
      break;
    stats->visited++;
    prefetch_successors(&reach->store, reach->waiting);
    for (uint32_t count = 1; !space->failure && space->next(space); count++) {
      stats->transitions++;
      if (reach_is_goal(reach, node))
        return REACH_GOAL;
      settle(reach, node);
      if (poll_within(reach, count))
        return REACH_STOPPED;
    }
    if (reach->passed->close && !space->failure)
      reach->passed->close(reach->passed);
  }
  return space->failure ? REACH_FAILED : REACH_NONE;
}

ReachResult reach_explore(Reach *reach) {
  Mem *const mem = reach->mem;
  Mem *const mail = reach->peers->mems[reach->store.number - reach->peers->first];
  jmp_buf escape;
  jmp_buf *const outer = mem->escape;
  volatile ReachResult result = REACH_EXHAUSTED;
  reach->watch = (MemWatch){.reached = limit_reached, .state = reach};
  reach->outer = mem_watch(mem, &reach->watch);
  mem->escape = mail->escape = &escape;
  if (!setjmp(escape))
    result = explore(reach);
  mem_watch(mem, reach->outer);
  mem->escape = mail->escape = outer;
  return result == REACH_EXHAUSTED && reach->watch.struck ? REACH_STOPPED : result;
}

ReachResult reach_run(Reach *reach) {
  reach->start = timer_seconds();
  const ReachResult result = (reach->division ? reach->division->run : reach_explore)(reach);
  if (result == REACH_EXHAUSTED)
    mem_exhausted(reach->mem);
  if (!reach->division)
    reach_measure(reach);
  return result;
}
