#include "search/workers/workers.h"

#include "search/save/checkpoint.h"
#include "search/space/trail.h"
#include "search/workers/ranks.h"

enum { FLUSH_INTERVAL = 64 }; // visited nodes after which nodes for others wait no longer
// Nodes lent at a time; so few that more are needed; the same to and from other processes.
enum { LENT = 32, FEW_LENT = 8, FAR_LENT = 256, FEW_FAR_LENT = 96 };
static const double longest_rest = 0.05; // seconds between looks at the clock, with nothing to do
static const double patience = 0.005;    // after which work is asked for, if not at once

// A space, a passed list and an order for another worker, in its own Mem.
static Reach *new_member(const Reach *first, Mem *mem, SearchOrder order) {
  Reach *reach = mem_alloc(mem, sizeof *reach);
  Statistics *stats = mem_alloc(mem, sizeof *stats);
  reach_init(reach, mem, first->space->exchange.sibling(first->space, mem), order, stats);
  return reach;
}

static const Division division;

// Each worker knows its number.
static void join(Reach *reach, Peers *peers, uint32_t index) {
  const uint32_t number = peers->first + index;
  Exchange *exchange = &reach->space->exchange;
  exchange->workers = peers->all;
  exchange->number = number;
  exchange->saves_bytes = peers->link && peers->link->neighbours < peers->link->ranks;
  if (peers->link && exchange->connect)
    exchange->connect(reach->space);
  reach->division = &division;
  reach->peers = peers;
  reach->worker = team_worker(peers->team, index);
  reach->mail = mail_new(peers->mems[index], reach->space);
  reach->store.workers = peers->all;
  reach->store.number = number;
  if (reach->passed->trail) {
    reach->passed->trail->workers = peers->all;
    reach->passed->trail->number = number;
  }
}

void workers_divide(Reach *first, uint32_t workers, SearchOrder order, Link *link) {
  Mem *mem = mem_branch(first->mem);
  Peers *peers = first->peers;
  peers->link = link;
  peers->count = workers;
  peers->members = mem_alloc(mem, workers * sizeof *peers->members);
  peers->mems = mem_alloc(mem, workers * sizeof *peers->mems);
  peers->told = mem_alloc(mem, workers * sizeof *peers->told);
  for (uint32_t i = 0; i < workers; i++)
    peers->mems[i] = i ? mem_branch(first->mem) : mem;
  peers->team = team_new(peers->mems, workers, mail_message_bytes(first->space), link);
  peers->all = first->space->exchange.workers = team_all(peers->team);
  peers->first = team_first(peers->team);
  for (uint32_t i = 0; i < workers; i++)
    peers->members[i] = i ? new_member(first, peers->mems[i], order) : first;
  for (uint32_t i = 0; i < workers; i++)
    join(peers->members[i], peers, i);
}

static void release(Reach *reach) {
  Peers *peers = reach->peers;
  team_release(peers->team);
  for (uint32_t i = peers->count; i-- > 0;)
    mem_release_branch(reach->mem, peers->mems[i]); // the first is the caller's own
}

// Tells the counts of this worker. Returns those of all, as they last told them.
static Statistics tell(const Reach *reach) {
  Peers *peers = reach->peers;
  Statistics sum = {0};
  team_lock(peers->team);
  peers->told[reach->store.number - peers->first] = *reach->stats;
  for (uint32_t i = 0; i < peers->count; i++)
    statistics_add(&sum, &peers->told[i]);
  team_unlock(peers->team);
  const uint64_t drawn = atomic_load(&peers->budget.peak);
  sum.peak_bytes = drawn < sum.peak_bytes ? drawn : sum.peak_bytes;
  return sum;
}

// The first worker, in the caller's thread, shows the sum.
static void poll(Reach *reach) {
  const Statistics own = *reach->stats, sum = tell(reach);
  if (reach != reach->peers->members[0]) {
    checkpoint_watch(reach);
    return;
  }
  *reach->stats = sum;
  reach_ask(reach);
  if (reach->saver && !reach->store.number)
    checkpoint_look(reach);
  *reach->stats = own;
}

// Sends the space's current node if it belongs to another worker. The worker that finishes an
// unfinished node counts it.
static bool deliver(Reach *reach, NodeRef parent) {
  const Exchange *exchange = &reach->space->exchange;
  const uint32_t number = reach->store.number;
  const uint32_t owner = exchange->is_own ? number : mail_owner(reach);
  if (owner == number) {
    if (parent != NODE_NONE && store_own(&reach->store, parent) == NODE_NONE) // it was lent
      order_expect(reach->waiting, order_hint(reach->waiting));
    return false;
  }
  reach->stats->transitions -= exchange->is_unfinished;
  mail_send(reach, owner, parent);
  return true;
}

// Lends waiting nodes to a worker that asks for some, if there are enough.
static void lend(Reach *reach) {
  const uint32_t to = worker_asked(reach->worker);
  if (to == reach->store.number || reach->space->passed || worker_is_pausing(reach->worker))
    return;
  const uint32_t max = peers_member(reach->peers, to) ? LENT : FAR_LENT;
  if (order_waiting(reach->waiting) < 2 * max)
    return;
  uint32_t lent = 0;
  for (NodeRef ref; lent < max && (ref = order_pop(reach->waiting)) != NODE_NONE;) {
    Node *node = store_node(&reach->store, ref);
    if (!node->is_stored)
      continue;
    node->is_visited = true;
    mail_lend(reach, to, ref);
    lent++;
  }
  worker_flush(reach->worker);
  if (lent) // else it still waits for some
    worker_gave(reach->worker, to);
}

// Takes in what other workers sent; false if that ends the search. A worker whose mail does not
// end may visit no node for long.
static bool take_mail(Reach *reach) {
  NodeRef parent;
  while (!worker_is_over(reach->worker) && !reach->stop_reason) {
    const Received received = mail_receive(reach, &parent);
    if (received == MAIL_NONE)
      return true;
    if (received == MAIL_FINISHED && reach_is_goal(reach, parent))
      return false;
    if (received != MAIL_DEALT)
      reach_add(reach, parent);
    if (reach_failed(reach, parent))
      return false;
    lend(reach);
    mem_tick(reach->mem);
  }
  return false;
}

// Opens the next node: of the waiting ones, or else one that was lent; only those in a pause. A
// reference among the nodes of all workers.
static NodeRef open_next(Reach *reach) {
  const bool is_pausing = worker_is_pausing(reach->worker);
  for (NodeRef ref; !is_pausing && (ref = order_pop(reach->waiting)) != NODE_NONE;)
    if (reach->passed->open(reach->passed, ref))
      return store_global(&reach->store, ref);
  const NodeRef ref = mail_open_lent(reach);
  const uint32_t few = reach->peers->link ? FEW_FAR_LENT : FEW_LENT;
  if (ref != NODE_NONE && mail_lent(reach) < few && !is_pausing)
    worker_ask(reach->worker);
  return ref;
}

// Waits until there is mail, or a pause ended, or all is over; false if time is up.
static bool rest(Reach *reach, bool asks) {
  Relay *relay = asks ? team_relay(reach->peers->team) : NULL;
  Rest rest;
  while ((rest = worker_rest(reach->worker, relay ? patience : longest_rest)) == REST_TIMEOUT) {
    if (reach_stopped(reach))
      return false;
    if (relay) // one process after the other is asked
      relay_need(relay, reach->store.number);
  }
  if (rest == REST_QUIET)
    checkpoint_rest(reach);
  return !reach->stop_reason;
}

// There is nothing to visit: asks for work and waits; false if time is up.
static bool wait_for_work(Reach *reach) {
  if (worker_linger(reach->worker))
    return true;
  const bool asks = mail_asks(reach) && !worker_is_pausing(reach->worker);
  if (asks) {
    worker_ask(reach->worker);
    if (worker_linger(reach->worker))
      return true;
  }
  return rest(reach, asks);
}

// Mail first, then the next node. NODE_NONE if the search is over.
static NodeRef next(Reach *reach) {
  while (take_mail(reach)) {
    if (worker_is_ahead(reach->worker)) {
      worker_pause(reach->worker);
      if (reach_stopped(reach))
        break;
      continue;
    }
    lend(reach);
    const NodeRef ref = open_next(reach);
    if (ref != NODE_NONE) {
      if (reach->stats->visited % FLUSH_INTERVAL == 0)
        worker_flush(reach->worker);
      return ref;
    }
    if (!wait_for_work(reach))
      break;
  }
  return NODE_NONE;
}

// One worker ends the search for all; the first one to do so says how.
static void decide(Reach *reach, ReachResult result) {
  Peers *peers = reach->peers;
  team_lock(peers->team);
  const bool is_first = !peers->decider;
  if (is_first) {
    peers->decider = reach;
    peers->result = result;
  }
  team_unlock(peers->team);
  if (is_first && peers->link)
    ranks_decide(reach, result);
  team_stop(peers->team);
}

// What a worker does, in a thread of its own. A thread cannot jump out of another one.
static void work(void *context, uint32_t number) {
  Peers *peers = context;
  Reach *reach = peers->members[number];
  ReachResult result = reach_explore(reach);
  if (result == REACH_NONE) // mail can end it, too
    result = reach->goal_parent != NODE_NONE ? REACH_GOAL
             : reach->stop_reason            ? REACH_STOPPED
                                             : REACH_NONE;
  if (result != REACH_NONE)
    decide(reach, result);
  reach->space->exchange.leaves_others = reach->space->exchange.is_unfinished = false;
  reach_measure(reach);
  reach->stats->peak_bytes += number ? 0 : peers->mems[0]->peak;
  tell(reach);
}

// What the worker that ended the search found becomes what the caller's found.
static void adopt(Reach *reach, const Reach *decider) {
  reach->goal_parent = decider->goal_parent;
  reach->goal_ordinal = decider->goal_ordinal;
  reach->stop_reason = decider->stop_reason;
  reach->space->failure = decider->space->failure;
  reach->space->failure_place = decider->space->failure_place;
}

static bool share_memory(Reach *reach, MemBudget *budget) {
  bool ok = mem_share(reach->mem, budget);
  for (uint32_t i = 0; ok && i < reach->peers->count; i++)
    ok = mem_share(reach->peers->mems[i], budget);
  return ok;
}

// The caller's Mem has what the others leave of the limit, and says how much all of them used.
// The others have no limit from now on: evidence hardly uses them, and where it does, it stops
// when memory runs out.
static void divide_memory(Reach *reach, size_t limit, size_t peak) {
  share_memory(reach, NULL);
  size_t others = 0;
  for (uint32_t i = 0; i < reach->peers->count; i++) {
    others += reach->peers->mems[i]->bytes;
    reach->peers->mems[i]->escape = reach->mem->escape;
  }
  reach->mem->limit = !limit ? 0 : others < limit ? limit - others : 1;
  reach->mem->peak = peak > reach->mem->peak ? peak : reach->mem->peak;
}

static ReachResult run(Reach *reach) {
  Peers *peers = reach->peers;
  const size_t limit = reach->mem->limit;
  for (uint32_t i = 1; i < peers->count; i++)
    peers->members[i]->start = reach->start;
  peers->budget.limit = limit;
  peers->budget.threads = peers->count;
  const bool fits = share_memory(reach, &peers->budget);
  const bool has_run = fits && team_run(peers->team, work, peers);
  *reach->stats = tell(reach);
  for (uint32_t i = 1; i < peers->count; i++)
    vm_add_invalid(&reach->space->invalid, &peers->members[i]->space->invalid);
  divide_memory(reach, limit, reach->stats->peak_bytes);
  if (!has_run) {
    reach->stop_reason = "cannot start as many threads";
    decide(reach, fits ? REACH_STOPPED : REACH_EXHAUSTED);
  }
  if (peers->link)
    ranks_finish(reach);
  if (peers->link && peers->link->rank)
    return REACH_STOPPED;
  if (!peers->decider)
    return REACH_NONE;
  if (peers->decider != reach)
    adopt(reach, peers->decider);
  return peers->result;
}

static const Division division = {
    .run = run, .next = next, .deliver = deliver, .poll = poll, .release = release};
