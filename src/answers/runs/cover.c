#include "answers/runs/cover.h"

#include "model/marking.h"
#include "search/passed/nodes.h"
#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
  NEAR = 3000, // nodes of a search from the end of a run
  SLACK = 12,  // steps that a detour may take more than a run of its own
  LONG = 400,  // steps, after which a run is not made longer: times for n steps take n * n bounds
  TOO_LONG = 4000, // steps: there is no such run
};

typedef struct Hunt Hunt;

// A run in the making, and the search that makes it longer.
typedef struct Detour {
  Hunt *hunt;
  Space *space;
  bool (*initial)(Space *); // the space's own
  Ordinals ordinals;        // of the run
  // The node at the end of the first `replayed` of them.
  uint64_t *key;
  uint32_t zone, replayed;
  CoverItem *item; // to which it leads first
  uint32_t run;    // its number
  bool is_begun;   // the end of the run was given as the initial node
  bool is_first;   // the next question is about that
  bool is_tired;   // memory or time came to an end: runs are made no longer
} Detour;

// One search, of a network and the items that it can find.
struct Hunt {
  Passed passed; // first: a Passed * is a Hunt *
  Passed *store;
  Cover *cover;
  const Net *net;     // the model, or the one that remembers the last edge of a process
  ProcessId process;  // pairs: of this one; NET_NONE: all
  const int32_t *own; // pairs: by edge, its number in the process from 1 on; 0: of another one
  uint32_t own_count;
  const uint32_t *pairs; // pairs: item + 1 by the numbers of both edges; 0: none
  NodeRef parent;        // of the transition that is looked at
  Report *report;
  // What the search, and later the detours, need. It is dropped as a whole, also when it came to
  // an end in the midst of something.
  Mem *work;
  Space *space;
  Reach reach;
  Statistics stats;
  ReachResult result;
  const char *stopped; // the limit that was reached last
  VEC(uint32_t) found; // items, in the order in which they were found
  Ordinals ways;       // to them
  Detour detour;
};

static void renew(Hunt *hunt) {
  Mem *mem = hunt->cover->mem;
  if (hunt->work)
    mem_release_branch(mem, hunt->work);
  hunt->work = NULL;
  hunt->work = mem_branch(mem);
}

// Does something, within the limits of memory and of the phase. False if one was reached: then
// the caller drops what was being built.
static bool manage(Hunt *hunt, void (*what)(Hunt *), CoverPhase phase) {
  Cover *const cover = hunt->cover;
  Mem *const mem = cover->mem, *const work = hunt->work;
  MemWatch *const watch = cover->limits[phase];
  jmp_buf escape;
  jmp_buf *const outer = mem->escape;
  volatile bool is_done = false;
  if (mem->limit)
    work->limit = mem->limit > mem->bytes ? mem->limit - mem->bytes : 1;
  mem->escape = work->escape = &escape;
  mem_watch(mem, watch);
  mem_watch(work, watch);
  if (!setjmp(escape)) {
    what(hunt);
    is_done = true;
  }
  mem_watch(mem, NULL);
  mem_watch(work, NULL);
  mem->escape = work->escape = outer;
  if (!is_done)
    hunt->stopped = watch && watch->struck ? watch->struck : cover->exhausted;
  return is_done;
}

// The limit of a phase that was reached; NULL: none.
static const char *limit_of(const Cover *cover, CoverPhase phase) {
  const MemWatch *watch = cover->limits[phase];
  return watch ? watch->reached(watch->state) : NULL;
}

static uint32_t item_of(const Hunt *hunt, const int32_t *source, EdgeId edge) {
  const Cover *cover = hunt->cover;
  if (cover->goal == COVER_EDGES)
    return edge;
  if (cover->goal == COVER_LOCATIONS)
    return cover->net->edges.items[edge].target;
  const int32_t last = source[marking_slot(hunt->net)];
  const uint32_t number = (uint32_t)hunt->own[edge];
  return last && number ? hunt->pairs[(uint32_t)(last - 1) * hunt->own_count + number - 1] - 1
                        : UINT32_MAX;
}

// Calls for each item that the current transition of the space uses; stops if that is true.
static bool each_item(Hunt *hunt, Space *space, bool (*call)(Hunt *, Space *, CoverItem *)) {
  uint32_t count;
  const Edge *const *edges = reduce_edges(space, space->ordinal, &count);
  const int32_t *source = hunt->cover->goal == COVER_PAIRS ? zones_source(space) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t item = item_of(hunt, source, (EdgeId)(edges[i] - hunt->net->edges.items));
    if (item != UINT32_MAX && call(hunt, space, &hunt->cover->items[item]))
      return true;
  }
  return false;
}

static bool note(Hunt *hunt, Space *space, CoverItem *item) {
  if (!item->is_found) {
    item->is_found = true;
    item->parent = hunt->parent;
    item->ordinal = space->ordinal;
    hunt->found.items[hunt->found.size++] = (uint32_t)(item - hunt->cover->items);
  }
  return false;
}

static void note_initial(Hunt *hunt, Space *space) {
  const int32_t *state = zones_state(space);
  for (ProcessId p = 0; p < hunt->net->processes.size; p++)
    note(hunt, space, &hunt->cover->items[net_location_at(hunt->net, p, state)]);
}

static NodeRef add(Passed *passed, NodeRef parent) {
  Hunt *hunt = (Hunt *)passed;
  Space *space = hunt->space;
  hunt->parent = parent;
  if (parent != NODE_NONE)
    each_item(hunt, space, note);
  else if (hunt->cover->goal == COVER_LOCATIONS)
    note_initial(hunt, space);
  return hunt->store->add(hunt->store, parent);
}

static bool open(Passed *passed, NodeRef node) {
  Hunt *hunt = (Hunt *)passed;
  return hunt->store->open(hunt->store, node);
}

static bool use(Hunt *hunt, Space *space, CoverItem *item) {
  const Detour *detour = space->goal_context;
  (void)hunt;
  if (!item->run)
    item->run = detour->run;
  return false;
}

static bool is_open(Hunt *hunt, Space *space, CoverItem *item) {
  (void)hunt;
  (void)space;
  return item->is_found && !item->run;
}

// Goes on from where it was to the end of the run, and marks what that uses. False if there is no
// such run, which would be a bug.
static bool replay(Detour *detour) {
  Space *space = detour->space;
  const Ordinals *ordinals = &detour->ordinals;
  bool ok = true;
  if (!detour->replayed) {
    space->next_initial = 0;
    do
      ok = detour->initial(space);
    while (ok && space->ordinal != ordinals->items[0]);
    detour->replayed = 1;
  } else {
    space->load(space, detour->key, detour->zone);
  }
  for (uint32_t *i = &detour->replayed; ok && *i < ordinals->size; ++*i) {
    memcpy(detour->key, space->key, sizeof *detour->key * space->key_words);
    const uint32_t zone = space->keep(space);
    space->open(space, detour->key, zone);
    do
      ok = space->next(space);
    while (ok && space->ordinal != ordinals->items[*i]);
    if (ok)
      each_item(detour->hunt, space, use);
  }
  if (ok) {
    memcpy(detour->key, space->key, sizeof *detour->key * space->key_words);
    detour->zone = space->keep(space);
  }
  return ok;
}

static bool begin(Space *space) {
  Detour *detour = space->goal_context;
  if (detour->is_begun)
    return false;
  detour->is_begun = detour->is_first = true;
  space->load(space, detour->key, detour->zone);
  return true;
}

static bool is_goal(Space *space) {
  Detour *detour = space->goal_context;
  const bool is_first = detour->is_first;
  detour->is_first = false;
  return !is_first && each_item(detour->hunt, space, is_open);
}

// The least depth of the items that the transition found uses.
static uint32_t own_depth(const Detour *detour) {
  const Hunt *hunt = detour->hunt;
  uint32_t count, least = UINT32_MAX;
  const Edge *const *edges = reduce_edges(detour->space, detour->space->ordinal, &count);
  const int32_t *source = hunt->cover->goal == COVER_PAIRS ? zones_source(detour->space) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t item = item_of(hunt, source, (EdgeId)(edges[i] - hunt->net->edges.items));
    if (item == UINT32_MAX || !is_open(NULL, NULL, &hunt->cover->items[item]))
      continue;
    const uint32_t depth = hunt->cover->items[item].depth;
    least = depth < least ? depth : least;
  }
  return least;
}

// Makes the run longer by the way to the nearest item that no run has; false if there is none
// that is worth it.
static bool extend(Detour *detour) {
  Mem *mem = detour->hunt->work;
  Statistics stats = {0};
  Reach reach;
  detour->is_begun = false;
  reach_init(&reach, mem, detour->space, ORDER_BFS, &stats);
  reach.max_visited = NEAR;
  reach.outer = detour->hunt->cover->limits[COVER_DETOURS];
  bool ok = reach_run(&reach) == REACH_GOAL;
  if (ok) {
    Ordinals more = {0};
    vec_push(mem, &more, reach.goal_ordinal);
    nodes_path(&reach, mem, &more);
    vec_reverse(&more, 0); // the first one is the last of the run so far
    ok = more.size - 1 <= own_depth(detour) + SLACK;
    for (uint32_t i = 1; ok && i < more.size; i++)
      vec_push(mem, &detour->ordinals, more.items[i]);
    vec_release(mem, &more);
  }
  reach_release(&reach);
  return ok;
}

// Makes the concrete run, in the model. False if there is none: clocks are stopped.
static bool keep_run(const Hunt *hunt, const Ordinals *ordinals) {
  Cover *cover = hunt->cover;
  Trace trace;
  if (!trace_follow(&trace, cover->mem, hunt->net, NULL, ordinals, TRACE_CONCRETE)) {
    trace_release(&trace);
    return false;
  }
  if (hunt->net != cover->net) {
    trace.run = marking_run(&trace.arena, &trace.run, hunt->net, cover->net);
    trace.net = cover->net;
  }
  vec_push(cover->mem, &cover->runs, trace);
  return true;
}

static int compare_pairs(const void *a, const void *b) {
  const CoverItem *x = a, *y = b;
  return x->before != y->before ? (x->before > y->before) - (x->before < y->before)
                                : (x->edge > y->edge) - (x->edge < y->edge);
}

// They are listed in this order.
static CoverItem *pair_of(const Cover *cover, EdgeId before, EdgeId edge) {
  const CoverItem wanted = {.before = before, .edge = edge};
  return bsearch(&wanted, cover->items, cover->item_count, sizeof wanted, compare_pairs);
}

// What a run uses of other searches' items: pairs of other processes.
static void mark_run(Cover *cover, const Run *run, uint32_t number) {
  const Net *net = cover->net;
  uint32_t *last = mem_alloc(cover->mem, sizeof *last * net->processes.size);
  for (uint32_t i = 1; i < run->step_count; i++)
    for (uint32_t e = 0; e < run->steps[i].edge_count; e++) {
      const Edge *edge = run->steps[i].edges[e];
      const EdgeId id = (EdgeId)(edge - net->edges.items);
      const uint32_t before = last[edge->process];
      last[edge->process] = id + 1;
      CoverItem *item = before ? pair_of(cover, before - 1, id) : NULL;
      if (item && !item->run) {
        item->run = number;
        item->status = COVER_COVERED;
      }
    }
  mem_free(cover->mem, last);
}

static void take_back(Cover *cover, uint32_t run, bool is_found) {
  for (uint32_t i = 0; i < cover->item_count; i++)
    if (cover->items[i].run == run) {
      cover->items[i].run = 0;
      cover->items[i].is_found = is_found;
      cover->items[i].status = COVER_UNDECIDED;
    }
}

static bool is_tired(Detour *detour) {
  const Cover *cover = detour->hunt->cover;
  detour->is_tired = detour->is_tired || limit_of(cover, COVER_DETOURS);
  return detour->is_tired;
}

// A run to the item, made longer while that is worth it.
static void make_run(Hunt *hunt) {
  Cover *cover = hunt->cover;
  Detour *detour = &hunt->detour;
  CoverItem *item = detour->item;
  vec_clear(&detour->ordinals);
  detour->replayed = 0;
  for (uint32_t i = 0; i < item->depth; i++)
    vec_push(hunt->work, &detour->ordinals, hunt->ways.items[item->way + i]);
  item->run = detour->run; // an initial location is used by no transition
  bool ok = replay(detour);
  while (ok && detour->ordinals.size < LONG && !is_tired(detour) && extend(detour))
    ok = replay(detour);
  if (!keep_run(hunt, &detour->ordinals))
    take_back(cover, detour->run, false);
  else if (cover->goal == COVER_PAIRS)
    mark_run(cover, &vec_last(&cover->runs).run, detour->run);
}

static void begin_detours(Hunt *hunt) {
  Options options;
  options_init(&options);
  Space *space = zones_new(hunt->work, hunt->net, NULL, &options, hunt->report);
  if (!space)
    return;
  hunt->detour = (Detour){.hunt = hunt,
                          .space = space,
                          .initial = space->initial,
                          .key = mem_alloc(hunt->work, sizeof(uint64_t) * space->key_words),
                          .is_tired = hunt->detour.is_tired};
  space->initial = begin;
  space->is_goal = is_goal;
  space->goal_context = &hunt->detour;
}

// Without what earlier runs and their detours have left behind.
static bool begin_anew(Hunt *hunt) {
  renew(hunt);
  hunt->detour.space = NULL;
  return manage(hunt, begin_detours, COVER_RUNS) && hunt->detour.space;
}

// If a limit is reached on detours, the run is made without. True if none was.
static bool try_run(Hunt *hunt, CoverItem *item) {
  Cover *cover = hunt->cover;
  const size_t mark = mem_mark(cover->mem);
  const uint32_t run = cover->runs.size + 1;
  hunt->detour.item = item;
  hunt->detour.run = run;
  if (manage(hunt, make_run, hunt->detour.is_tired ? COVER_RUNS : COVER_DETOURS))
    return true;
  cover->runs.size = run - 1;
  take_back(cover, run, true);
  mem_release_to(cover->mem, mark);
  return false;
}

static void cover_item(Hunt *hunt, CoverItem *item) {
  Cover *cover = hunt->cover;
  const char *limit = limit_of(cover, COVER_RUNS);
  if (limit || item->depth > TOO_LONG) {
    cover->stop_reason = limit ? limit : "a run would have more than 4000 steps";
    return;
  }
  if (hunt->detour.space && try_run(hunt, item))
    return;
  hunt->detour.is_tired = true;
  if (begin_anew(hunt) && try_run(hunt, item))
    return;
  item->is_found = false;
  cover->stop_reason = hunt->stopped;
}

// Runs for all items that were found, the last ones first.
static void choose_runs(Hunt *hunt) {
  Cover *cover = hunt->cover;
  hunt->detour.is_tired = hunt->result == REACH_EXHAUSTED;
  if (!begin_anew(hunt) && report_failed(hunt->report))
    return;
  for (uint32_t i = hunt->found.size; i-- > 0;) {
    CoverItem *item = &cover->items[hunt->found.items[i]];
    if (is_open(NULL, NULL, item))
      cover_item(hunt, item);
  }
  for (uint32_t i = 0; i < hunt->found.size; i++) {
    CoverItem *item = &cover->items[hunt->found.items[i]];
    if (item->run)
      item->status = COVER_COVERED;
  }
}

// Items of this search that no run has: unreachable if it saw all.
static bool is_own(const Hunt *hunt, const CoverItem *item) {
  return hunt->cover->goal != COVER_PAIRS ||
         hunt->cover->net->edges.items[item->edge].process == hunt->process;
}

static void conclude(Hunt *hunt) {
  Cover *cover = hunt->cover;
  const ReachResult result = hunt->result;
  if (result == REACH_STOPPED)
    cover->stop_reason = hunt->reach.stop_reason;
  if (result == REACH_EXHAUSTED)
    cover->stop_reason = hunt->stopped;
  if (result == REACH_FAILED) {
    cover->failure = hunt->space->failure;
  }
  for (uint32_t i = 0; i < cover->item_count; i++) {
    CoverItem *item = &cover->items[i];
    if (is_own(hunt, item) && !item->run)
      item->status =
          result == REACH_NONE && !item->is_found ? COVER_UNREACHABLE : COVER_UNDECIDED;
  }
}

static void explore(Hunt *hunt) {
  Reach *reach = &hunt->reach;
  Options options;
  options_init(&options);
  hunt->space = zones_new(hunt->work, hunt->net, NULL, &options, hunt->report);
  if (!hunt->space)
    return;
  reach_init(reach, hunt->work, hunt->space, ORDER_BFS, &hunt->stats);
  hunt->store = reach->passed;
  hunt->passed = (Passed){.add = add, .open = open, .stats = reach->stats};
  reach->passed = &hunt->passed;
  hunt->result = reach_run(reach);
}

// The caller has what the search left of the memory.
static void show_explored(Hunt *hunt) {
  Mem *mem = hunt->cover->mem;
  if (mem->limit)
    mem->limit = mem->limit > hunt->work->bytes ? mem->limit - hunt->work->bytes : 1;
  const CoverSpace space = {&hunt->reach, hunt->net, hunt->process, hunt->own};
  hunt->cover->explored(hunt->cover->state, &space);
}

// The ways to the items, which are needed when the search is gone. An item that has none for
// lack of memory stays undecided.
static void keep_ways(Hunt *hunt) {
  Mem *mem = hunt->cover->mem;
  Ordinals way = {0};
  for (uint32_t i = 0; i < hunt->found.size; i++) {
    CoverItem *item = &hunt->cover->items[hunt->found.items[i]];
    vec_clear(&way);
    vec_push(mem, &way, item->ordinal);
    hunt->reach.goal_parent = item->parent;
    nodes_path(&hunt->reach, mem, &way);
    item->way = hunt->ways.size;
    for (uint32_t k = way.size; way.size <= TOO_LONG && k-- > 0;)
      vec_push(mem, &hunt->ways, way.items[k]);
    item->depth = way.size;
  }
  vec_release(mem, &way);
}

static void forget_without_way(Hunt *hunt) {
  for (uint32_t i = 0; i < hunt->found.size; i++) {
    CoverItem *item = &hunt->cover->items[hunt->found.items[i]];
    if (!item->depth && !item->run)
      item->is_found = false;
  }
}

// The search, and what is to be known of it later.
static void search_states(Hunt *hunt) {
  Cover *cover = hunt->cover;
  Mem *mem = cover->mem;
  const size_t limit = mem->limit;
  hunt->result = REACH_EXHAUSTED;
  renew(hunt);
  manage(hunt, explore, COVER_SEARCH);
  if (report_failed(hunt->report))
    return;
  conclude(hunt);
  if (hunt->result == REACH_EXHAUSTED && hunt->store)
    reach_measure(&hunt->reach);
  hunt->reach.passed = hunt->store;
  if (hunt->result == REACH_NONE && cover->explored)
    manage(hunt, show_explored, COVER_DETOURS);
  mem->limit = limit;
  if (!manage(hunt, keep_ways, COVER_RUNS)) {
    forget_without_way(hunt);
    cover->stop_reason = hunt->stopped;
  }
  statistics_follow(cover->stats, &hunt->stats);
}

static bool search(Hunt *hunt, uint32_t left, Report *report) {
  Cover *cover = hunt->cover;
  hunt->report = report;
  if (cover->begins)
    cover->begins(cover->state, left);
  vec_reserve(cover->mem, &hunt->found, cover->item_count);
  search_states(hunt);
  if (!report_failed(report)) {
    vec_reserve(cover->mem, &cover->runs, cover->runs.size + hunt->found.size);
    choose_runs(hunt);
  }
  mem_release_branch(cover->mem, hunt->work);
  vec_release(cover->mem, &hunt->found);
  vec_release(cover->mem, &hunt->ways);
  return !report_failed(report);
}

// The pairs of one process, in a network that remembers its last edge.
static bool search_pairs(Cover *cover, ProcessId p, Report *report) {
  const Net *net = cover->net;
  Arena arena = {.mem = cover->mem};
  int32_t own_count;
  const int32_t *own = marking_numbers(&arena, net, p, &own_count);
  Hunt hunt = {.cover = cover, .process = p, .own = own, .own_count = (uint32_t)own_count};
  uint32_t *pairs = ARENA_ARRAY(&arena, uint32_t, (size_t)hunt.own_count * hunt.own_count);
  hunt.pairs = pairs;
  bool is_needed = false, ok = true;
  for (uint32_t i = 0; i < cover->item_count; i++) {
    const CoverItem *item = &cover->items[i];
    if (!own[item->edge])
      continue;
    pairs[(uint32_t)(own[item->before] - 1) * hunt.own_count + (uint32_t)own[item->edge] - 1] =
        i + 1;
    is_needed |= !item->run;
  }
  Net marked;
  const char *limit = limit_of(cover, COVER_RUNS);
  if (is_needed && limit)
    cover->stop_reason = limit;
  if (is_needed && !limit && !cover->failure) {
    ok = marking_remember(&marked, net, own, own_count, report);
    hunt.net = &marked;
    if (ok) { // else there is nothing to release
      ok = search(&hunt, net->processes.size - p, report);
      net_release(&marked);
    }
  }
  arena_release(&arena);
  return ok;
}

static void list_pairs(Cover *cover) {
  const Net *net = cover->net;
  VEC(CoverItem) list = {0};
  for (EdgeId a = 0; a < net->edges.size; a++)
    for (EdgeId b = 0; b < net->edges.size; b++) {
      const CoverItem item = {.before = a, .edge = b};
      if (net->edges.items[a].target == net->edges.items[b].source)
        vec_push(cover->mem, &list, item);
    }
  cover->items = list.items;
  cover->item_count = list.size;
}

static void list_items(Cover *cover) {
  const Net *net = cover->net;
  if (cover->goal == COVER_PAIRS) {
    list_pairs(cover);
  } else {
    cover->item_count = cover->goal == COVER_EDGES ? net->edges.size : net->locations.size;
    cover->items = mem_alloc(cover->mem, sizeof *cover->items * (cover->item_count + 1));
    for (uint32_t i = 0; i < cover->item_count; i++)
      cover->items[i] = (CoverItem){.edge = i, .location = i};
  }
  for (uint32_t i = 0; i < cover->item_count; i++)
    cover->items[i].status = COVER_UNDECIDED;
}

bool cover_find(Cover *cover, Report *report) {
  list_items(cover);
  if (!cover->exhausted)
    cover->exhausted = "memory limit";
  if (cover->goal != COVER_PAIRS)
    return search(&(Hunt){.cover = cover, .net = cover->net, .process = NET_NONE}, 1, report);
  for (ProcessId p = 0; p < cover->net->processes.size; p++)
    if (!search_pairs(cover, p, report))
      return false;
  return true;
}

static void add_edge(Text *text, const Net *net, EdgeId id) {
  const Edge *edge = &net->edges.items[id];
  const Location *locations = net->locations.items;
  text_addf(text, "%s -> %s", locations[edge->source].name, locations[edge->target].name);
  if (edge->event + 1 != net->priority.tau_event)
    text_addf(text, " (%s)", net->events.items[edge->event].name);
}

void cover_name(Text *text, const Net *net, CoverGoal goal, const CoverItem *item) {
  if (goal == COVER_LOCATIONS) {
    const Location *location = &net->locations.items[item->location];
    text_addf(text, "%s.%s", net->processes.items[location->process].name, location->name);
    return;
  }
  text_addf(text, "%s.", net->processes.items[net->edges.items[item->edge].process].name);
  if (goal == COVER_PAIRS) {
    add_edge(text, net, item->before);
    text_add(text, ", ");
  }
  add_edge(text, net, item->edge);
}
