#include "search/reach.h"

#include "base/timer.h"
#include "search/fly.h"
#include "search/post.h"
#include "space/trail.h"

enum { POLL_INTERVAL = 256 };      // visited nodes between looks at the clock, at most
enum { SOME_SUCCESSORS = 16 };     // of one node, after which there is a tick
enum { MANY_SUCCESSORS = 4096 };   // and another look
enum { SWEEP_INTERVAL = 16 };      // between looks whether zones can be dropped
enum { FLUSH_INTERVAL = 64 };      // after which nodes for others wait no longer
enum { GIFT = 32, FEW_GIFTS = 8 }; // nodes given at a time; so few that more are needed
// From this number of discrete states on, what is known of them is not in the fast caches. Builds
// with assertions look ahead from the beginning, to have it tested.
#ifdef NDEBUG
enum { LEAST_STATES = 1 << 16 };
#else
enum { LEAST_STATES = 1 };
#endif
static const double longest_rest = 0.05; // seconds between looks at the clock, with nothing to do
static const double patience = 0.005;    // after which work is asked for, if not at once
static const double longest_work = 0.02; // and with something, about

void reach_init(Reach *reach, Mem *mem, Space *space, SearchOrder order, Statistics *stats) {
  *reach = (Reach){.mem = mem, .space = space, .stats = stats, .goal_parent = NODE_NONE};
  reach->poll_interval = 1;
  if (space->add)
    reach->store =
        (Store){.mem = mem, .space = space, .workers = 1}; // empty: the order asks whose it is
  else
    store_init(&reach->store, mem, space);
  reach->order = order_new(mem, order, &reach->store, stats);
  if (space->needs)
    reach->fly = fly_new(mem, space, &reach->store, reach->order, order, stats);
}

// A space, a store and an order for another worker, in its own Mem.
static Reach *new_member(const Reach *first, Mem *mem, SearchOrder order) {
  Reach *reach = mem_alloc(mem, sizeof *reach);
  Statistics *stats = mem_alloc(mem, sizeof *stats);
  reach_init(reach, mem, first->space->sibling(first->space, mem), order, stats);
  return reach;
}

void reach_divide(Reach *first, uint32_t workers, SearchOrder order) {
  Mem *mem = mem_branch(first->mem);
  Crew *crew = mem_alloc(mem, sizeof *crew);
  first->space->workers = workers;
  crew->count = workers;
  crew->members = mem_alloc(mem, workers * sizeof *crew->members);
  crew->mems = mem_alloc(mem, workers * sizeof *crew->mems);
  crew->told = mem_alloc(mem, workers * sizeof *crew->told);
  for (uint32_t i = 0; i < workers; i++) {
    crew->mems[i] = i ? mem_branch(first->mem) : mem;
    crew->members[i] = i ? new_member(first, crew->mems[i], order) : first;
  }
  Trial *trial = mem_alloc(mem, sizeof *trial);
  crew->team = team_new(crew->mems, workers, post_message_bytes(first->space));
  for (uint32_t i = 0; i < workers; i++) {
    Reach *reach = crew->members[i];
    reach->crew = crew;
    reach->post = mem_alloc(crew->mems[i], sizeof *reach->post);
    post_init(reach->post, crew->mems[i], crew->team, trial, workers, i, &reach->store,
              reach->order, reach->stats);
    reach->store.workers = workers;
    reach->store.number = i;
    reach->space->number = i;
    if (reach->space->trail) {
      reach->space->trail->workers = workers;
      reach->space->trail->number = i;
    }
  }
}

static void release_crew(Reach *reach) {
  Crew *crew = reach->crew;
  team_release(crew->team);
  for (uint32_t i = crew->count; i-- > 0;)
    mem_release_branch(reach->mem, crew->mems[i]); // the first is the crew's own
}

void reach_release(Reach *reach) {
  if (reach->crew)
    release_crew(reach);
  if (reach->fly)
    fly_release(reach->fly);
  order_release(reach->order);
  if (!reach->space->add)
    store_release(&reach->store);
}

// Adds the current node to the passed list; NODE_NONE if it is not to be visited.
static inline NodeRef add(Reach *reach, NodeRef parent) {
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

// Takes the space's current node in, unless it is covered.
static inline void keep(Reach *reach, NodeRef parent) {
  Statistics *stats = reach->stats;
  const NodeRef ref = add(reach, parent);
  if (ref == NODE_NONE) {
    stats->covered++;
    return;
  }
  if (stats->stored > stats->max_stored)
    stats->max_stored = stats->stored;
  order_push(reach->order, ref);
}

// The space's current node is kept, here or by the worker to which it belongs.
__attribute__((noinline)) static void deliver(Reach *reach, NodeRef parent) {
  const uint32_t owner = reach->space->is_own ? reach->post->number : post_owner(reach->post);
  if (owner == reach->post->number) {
    if (reach->has_gift)
      order_expect(reach->order, order_hint(reach->order));
    keep(reach, parent);
  } else
    post_send(reach->post, owner, parent);
}

// Whether the space's current node is a goal.
static inline bool is_goal(Reach *reach, NodeRef parent) {
  if (!reach->space->is_goal || !reach->space->is_goal(reach->space))
    return false;
  reach->goal_parent = parent;
  reach->goal_ordinal = reach->space->ordinal;
  reach->has_goal = true;
  return true;
}

// Deals with the space's current node; true if it is a goal.
static inline bool take(Reach *reach, NodeRef parent) {
  if (!reach->space->is_unfinished && is_goal(reach, parent))
    return true;
  if (reach->fly)
    fly_take(reach->fly, parent);
  else if (reach->post)
    deliver(reach, parent);
  else
    keep(reach, parent);
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

// The counts of all workers, as they last told them. Nodes are of one worker each, but the most
// that each stored need not have been at the same time.
static Statistics sum_up(Crew *crew) {
  Statistics sum = {0};
  uint64_t bytes = 0;
  team_lock(crew->team);
  for (uint32_t i = 0; i < crew->count; i++) {
    const Statistics *told = &crew->told[i];
#define STAT(name, scope, help) sum.name += told->name;
    STATISTICS(STAT)
#undef STAT
    sum.seconds = told->seconds > sum.seconds ? told->seconds : sum.seconds;
    bytes += told->node_bytes * told->stored;
  }
  team_unlock(crew->team);
  sum.node_bytes = sum.stored ? bytes / sum.stored : 0;
  const uint64_t drawn = atomic_load(&crew->budget.peak);
  sum.peak_bytes = drawn < sum.peak_bytes ? drawn : sum.peak_bytes;
  return sum;
}

static void tell(Reach *reach) {
  Crew *crew = reach->crew;
  team_lock(crew->team);
  crew->told[reach->post->number] = *reach->stats;
  team_unlock(crew->team);
}

// Asks the caller whether to go on.
static void poll(Reach *reach) {
  const Statistics *stats = reach->stats;
  if (reach->progress)
    reach->progress(reach->terminate_state, stats);
  if (reach->time_limit > 0 && stats->seconds > reach->time_limit)
    reach->stop_reason = "time limit";
  else if (reach->terminate && reach->terminate(reach->terminate_state))
    reach->stop_reason = "interrupted";
  else if (reach->outer)
    reach->stop_reason = reach->outer->reached(reach->outer->state);
}

// The same where others search too: the first worker, in the caller's thread, shows the sum.
static void poll_crew(Reach *reach) {
  tell(reach);
  if (reach->post->number)
    return;
  const Statistics own = *reach->stats;
  *reach->stats = sum_up(reach->crew);
  poll(reach);
  *reach->stats = own;
}

static void measure(Reach *reach, double start) {
  Statistics *stats = reach->stats;
  stats->seconds = timer_seconds() - start;
  stats->peak_bytes = reach->mem->peak;
  stats->states = reach->store.groups.size;
  stats->node_bytes = node_bytes(reach);
  stats->discovered = reach->space->discovered;
}

// Looks at the clock are far apart only where nodes are quick: with hundreds of clocks one can
// take 0.1 s. Intervals are powers of two, so that every POLL_INTERVAL nodes there is a look in
// any case.
static void pace(Reach *reach, double passed) {
  if (passed < longest_work && reach->poll_interval < POLL_INTERVAL)
    reach->poll_interval *= 2;
  while (passed > longest_work && reach->poll_interval > 1) {
    reach->poll_interval /= 2;
    passed /= 2;
  }
}

static void ask(Reach *reach) {
  if (reach->crew)
    poll_crew(reach);
  else
    poll(reach);
}

static bool stopped(Reach *reach, double start) {
  const double before = reach->stats->seconds;
  measure(reach, start);
  pace(reach, reach->stats->seconds - before);
  ask(reach);
  return reach->stop_reason;
}

// For the watch, which asks in the midst of a node.
static const char *limit_reached(void *state) {
  Reach *reach = state;
  measure(reach, reach->start);
  ask(reach);
  const bool is_over = reach->post && worker_is_over(reach->post->worker);
  return reach->stop_reason ? reach->stop_reason : is_over ? "others ended the search" : NULL;
}

// Gives waiting nodes to a worker that asks for some, if there are enough.
static void give(Reach *reach) {
  Post *post = reach->post;
  const uint32_t to = worker_asked(post->worker);
  if (to == post->number || reach->space->add || order_waiting(reach->order) < 2 * GIFT)
    return;
  uint32_t given = 0;
  while (given < GIFT) {
    const NodeRef ref = order_pop(reach->order);
    if (ref == NODE_NONE)
      break;
    Node *node = store_node(&reach->store, ref);
    if (!node->is_stored)
      continue;
    node->is_visited = true;
    post_give(post, to, ref);
    given++;
  }
  worker_flush(post->worker);
  if (given) // else it still waits for some
    worker_gave(post->worker, to);
}

// Takes in a node that another worker sent; false if that ends the search.
static bool take_sent(Reach *reach, NodeRef parent) {
  if (failed(reach, parent) || (reach->post->was_unfinished && is_goal(reach, parent)))
    return false;
  keep(reach, parent);
  if (failed(reach, parent))
    return false;
  give(reach);
  return true;
}

// A worker whose mail does not end may visit no node for long.
static bool is_time_up(Reach *reach) {
  return ++reach->waited % reach->poll_interval == 0 && stopped(reach, reach->crew->start);
}

// Takes in what other workers sent; false if that ends the search.
static bool take_mail(Reach *reach) {
  Post *post = reach->post;
  NodeRef parent;
  while (!worker_is_over(post->worker) && post_receive(post, &parent))
    if ((post->has_node && !take_sent(reach, parent)) || is_time_up(reach))
      return false;
  return !worker_is_over(post->worker) && !is_time_up(reach);
}

// With nothing of its own to visit: a node that was given, if there is one.
static NodeRef open_gift(Reach *reach) {
  if (reach->space->add)
    return NODE_NONE;
  const NodeRef ref = post_open_gift(reach->post);
  reach->has_gift = ref != NODE_NONE;
  if (reach->has_gift && reach->post->gift_count < FEW_GIFTS)
    worker_ask(reach->post->worker);
  return ref;
}

// Waits until there is mail, or all is over; false if time is up.
static bool rest(Reach *reach, Asking asking) {
  Worker *worker = reach->post->worker;
  double limit = asking == ASK_LATER ? patience : reach->post->number ? 0 : longest_rest;
  while (worker_rest(worker, limit) == REST_TIMEOUT) {
    if (stopped(reach, reach->crew->start))
      return false;
    if (asking == ASK_LATER)
      worker_ask(worker);
    limit = longest_rest;
  }
  return true;
}

// Of several workers: mail first, then the next node of the order. With neither, the worker
// rests. NODE_NONE if the search is over.
static NodeRef next_of_crew(Reach *reach) {
  Post *post = reach->post;
  while (take_mail(reach)) {
    if (worker_is_ahead(post->worker)) {
      worker_pause(post->worker);
      if (stopped(reach, reach->crew->start))
        return NODE_NONE;
      continue;
    }
    give(reach);
    reach->has_gift = false;
    NodeRef ref = order_pop(reach->order);
    if (ref == NODE_NONE)
      ref = open_gift(reach);
    if (ref != NODE_NONE) {
      if (reach->stats->visited % FLUSH_INTERVAL == 0)
        worker_flush(post->worker);
      return ref;
    }
    if (worker_linger(post->worker))
      continue;
    const Asking asking = reach->space->add ? ASK_NEVER : post_asking(post);
    if (asking == ASK_NOW) {
      worker_ask(post->worker);
      if (worker_linger(post->worker))
        continue;
    }
    if (!rest(reach, asking))
      return NODE_NONE;
  }
  return NODE_NONE;
}

// Several workers remember the words of nodes that they sent: these must not change meaning.
static bool wants_sweep(const Reach *reach) {
  const Space *space = reach->space;
  return space->wants_sweep && reach->stats->visited % SWEEP_INTERVAL == 0 && !reach->post &&
         space->wants_sweep(space, reach->store.stored);
}

static NodeRef next_node(Reach *reach) {
  if (wants_sweep(reach))
    store_sweep(&reach->store);
  return reach->fly    ? fly_next(reach->fly)
         : reach->post ? next_of_crew(reach)
                       : order_pop(reach->order);
}

// Has memory fetched that the successors of the opened node, and the nodes after it, will need.
static void look_ahead(Reach *reach) {
  Space *space = reach->space;
  const uint32_t words = reach->store.key_words;
  const uint64_t *key;
  StoreKey keys[SPACE_AHEAD];
  const uint32_t count = space->foresee(space, &key);
  for (uint32_t i = 0; i < count; i++, key += words)
    keys[i] = (StoreKey){.key = key, .hash = store_hash(key, words)};
  store_fetch(&reach->store, keys, count, FETCH_SLOT);
  for (FetchStage stage = FETCH_ITEM; stage <= FETCH_LINK; stage++) {
    store_fetch(&reach->store, keys, count, stage);
    space->fetch_ahead(space, stage);
  }
  NodeRef refs[STORE_OPENING];
  store_fetch_opening(&reach->store, refs, order_peek(reach->order, refs, STORE_OPENING));
}

// Looked at in the midst of a node, for a dart can have a million successors.
static bool is_over(Reach *reach, double start) {
  return stopped(reach, start) || (reach->post && worker_is_over(reach->post->worker));
}

static ReachResult search(Reach *reach, double start) {
  Space *space = reach->space;
  const bool is_first = !reach->store.number;
  while (is_first && !space->failure && space->initial(space))
    if (take(reach, NODE_NONE))
      return REACH_GOAL;
  if (failed(reach, NODE_NONE))
    return REACH_FAILED;
  for (NodeRef ref; (ref = next_node(reach)) != NODE_NONE;) {
    if (!reach->has_gift && !open(reach, ref))
      continue;
    const NodeRef parent = reach->has_gift ? ref : store_global(&reach->store, ref);
    mem_tick(reach->mem);
    if (reach->stats->visited++ % reach->poll_interval == 0 && stopped(reach, start))
      return REACH_STOPPED;
    if (space->foresee && reach->store.groups.size >= LEAST_STATES)
      look_ahead(reach);
    for (uint32_t count = 1; !space->failure && space->next(space); count++) {
      reach->stats->transitions += !space->is_unfinished;
      if (take(reach, parent))
        return REACH_GOAL;
      if (count % SOME_SUCCESSORS == 0) {
        mem_tick(reach->mem);
        if (count % MANY_SUCCESSORS == 0 && is_over(reach, start))
          return REACH_STOPPED;
      }
    }
    if (failed(reach, parent))
      return REACH_FAILED;
    if (reach->fly)
      fly_close(reach->fly, ref);
  }
  return space->failure       ? REACH_FAILED
         : reach->has_goal    ? REACH_GOAL
         : reach->stop_reason ? REACH_STOPPED
                              : REACH_NONE;
}

// One of several workers ends the search for all; the first one to do so says how.
static void decide(Reach *reach, ReachResult result, bool is_exhausted) {
  Crew *crew = reach->crew;
  team_lock(crew->team);
  if (!crew->decider) {
    crew->decider = reach;
    crew->result = result;
    crew->is_exhausted = is_exhausted;
  }
  team_unlock(crew->team);
  team_stop(crew->team);
}

static void begin_watch(Reach *reach) {
  reach->watch = (MemWatch){.reached = limit_reached, .state = reach};
  reach->outer = mem_watch(reach->mem, &reach->watch);
}

// What a worker does, in a thread of its own. Running out of memory or time is caught here:
// nobody can jump out of another's thread.
static void work(void *context, uint32_t number) {
  Crew *crew = context;
  Reach *reach = crew->members[number];
  jmp_buf escape;
  jmp_buf *const outer = reach->mem->escape;
  reach->mem->escape = crew->mems[number]->escape = &escape;
  reach->start = crew->start;
  begin_watch(reach);
  if (setjmp(escape)) {
    decide(reach, REACH_STOPPED, !reach->watch.struck);
  } else {
    const ReachResult result = search(reach, crew->start);
    if (result != REACH_NONE)
      decide(reach, result, false);
  }
  mem_watch(reach->mem, reach->outer);
  reach->mem->escape = crew->mems[number]->escape = outer;
  reach->space->leaves_others = reach->space->is_unfinished = false;
  measure(reach, crew->start);
  reach->stats->peak_bytes += number ? 0 : crew->mems[0]->peak;
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
  for (uint32_t i = 0; ok && i < reach->crew->count; i++)
    ok = mem_share(reach->crew->mems[i], budget);
  return ok;
}

// The caller's Mem has what the others leave of the limit, and says how much all of them used.
// The others have none any more: evidence hardly uses them, and it runs out of memory where they
// do.
static void divide_memory(Reach *reach, size_t limit, size_t peak) {
  share_memory(reach, NULL);
  size_t others = 0;
  for (uint32_t i = 0; i < reach->crew->count; i++)
    others += reach->crew->mems[i]->bytes;
  reach->mem->limit = !limit ? 0 : others < limit ? limit - others : 1;
  reach->mem->peak = peak > reach->mem->peak ? peak : reach->mem->peak;
  for (uint32_t i = 0; i < reach->crew->count; i++)
    reach->crew->mems[i]->escape = reach->mem->escape;
}

static ReachResult run_crew(Reach *reach) {
  Crew *crew = reach->crew;
  const size_t limit = reach->mem->limit;
  crew->start = timer_seconds();
  crew->budget.limit = limit;
  crew->budget.threads = crew->count;
  bool is_exhausted = !share_memory(reach, &crew->budget);
  const bool has_run = !is_exhausted && team_run(crew->team, work, crew);
  is_exhausted |= crew->is_exhausted;
  *reach->stats = sum_up(crew);
  divide_memory(reach, limit, reach->stats->peak_bytes);
  if (is_exhausted)
    mem_exhausted(reach->mem);
  if (!has_run) {
    reach->stop_reason = "cannot start as many threads";
    return REACH_STOPPED;
  }
  if (!crew->decider)
    return REACH_NONE;
  adopt(reach, crew->decider);
  return crew->result;
}

ReachResult reach_run(Reach *reach) {
  if (reach->crew)
    return run_crew(reach);
  jmp_buf escape;
  jmp_buf *const outer = reach->mem->escape;
  volatile ReachResult result = REACH_STOPPED;
  reach->start = timer_seconds();
  begin_watch(reach);
  reach->mem->escape = &escape;
  if (!setjmp(escape))
    result = search(reach, reach->start);
  else if (!reach->watch.struck) {
    mem_watch(reach->mem, reach->outer);
    reach->mem->escape = outer;
    mem_exhausted(reach->mem);
  }
  mem_watch(reach->mem, reach->outer);
  reach->mem->escape = outer;
  const char *reason = reach->stop_reason;
  stopped(reach, reach->start); // the final statistics
  reach->stop_reason = reason;
  return result;
}
