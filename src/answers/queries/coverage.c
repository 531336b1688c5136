#include "answers/queries/coverage.h"

#include "semantics/zone/reduce.h"
#include "semantics/zone/zones.h"

// The passed list of the search, between the loop and the store.
typedef struct Watch {
  Passed passed; // first: a Passed * is a Watch *
  Passed *store;
  Space *space;
  Coverage *coverage;
  Intern combinations; // of edges, each looked at once
  VEC(EdgeId) combination;
  Deadgoal deadgoal;
  bool (*is_blocked)(Space *); // NULL: not of interest
} Watch;

void coverage_init(Coverage *coverage, Arena *arena, Mem *mem, const Net *net) {
  *coverage = (Coverage){.mem = mem, .net = net};
  coverage->locations = ARENA_ARRAY(arena, bool, net->locations.size);
  coverage->blocking = ARENA_ARRAY(arena, bool, net->locations.size);
  coverage->edges = ARENA_ARRAY(arena, bool, net->edges.size);
  coverage->syncs = ARENA_ARRAY(arena, bool, net->syncs.size);
}

// Whether these edges are a choice of the synchronisation: every strong part has one, and every
// edge is of a part.
static bool is_of(const Sync *sync, const Edge *const *edges, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < sync->parts.size; i++) {
    const SyncPart *part = &sync->parts.items[i];
    bool has_edge = false;
    for (uint32_t e = 0; e < count && !has_edge; e++)
      has_edge = net_is_of_part(edges[e], part);
    if (!has_edge && !part->weak)
      return false;
    found += has_edge;
  }
  return found == count;
}

static void note_transition(Watch *watch) {
  const Net *net = watch->coverage->net;
  uint32_t count;
  const Edge *const *edges = reduce_edges(watch->space, watch->space->ordinal, &count);
  vec_clear(&watch->combination);
  for (uint32_t i = 0; i < count; i++)
    vec_push(watch->coverage->mem, &watch->combination, (EdgeId)(edges[i] - net->edges.items));
  const uint32_t known = watch->combinations.items.size;
  if (!count || intern_number(&watch->combinations, watch->combination.items,
                              count * sizeof *watch->combination.items) <= known)
    return;
  for (uint32_t i = 0; i < count; i++)
    watch->coverage->edges[watch->combination.items[i]] = true;
  bool *syncs = watch->coverage->syncs;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    syncs[s] = syncs[s] || is_of(&net->syncs.items[s], edges, count);
}

static bool stops_time(const Location *location) {
  return location->urgent || location->committed;
}

static void note_blocking(Watch *watch, const int32_t *state) {
  Coverage *coverage = watch->coverage;
  const Net *net = coverage->net;
  watch->deadgoal.doubtful = false;
  const bool is_blocked = watch->is_blocked(watch->space) || watch->deadgoal.doubtful;
  if (watch->space->failure) { // of this question, not of the search, which goes on
    watch->space->failure = NULL;
    watch->is_blocked = NULL;
    coverage->skips_blocking = true;
  }
  for (ProcessId p = 0; is_blocked && p < net->processes.size; p++) {
    const LocationId id = net_location_at(net, p, state);
    coverage->blocking[id] |= stops_time(&net->locations.items[id]);
    coverage->has_blocking = true;
  }
}

// Whether time may be blocked is asked of states in which a location stops it that is not known
// to block it.
static void note_state(Watch *watch) {
  Coverage *coverage = watch->coverage;
  const Net *net = coverage->net;
  const int32_t *state = zones_state(watch->space);
  bool is_suspect = false;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId id = net_location_at(net, p, state);
    coverage->locations[id] = true;
    is_suspect |= stops_time(&net->locations.items[id]) && !coverage->blocking[id];
  }
  if (watch->is_blocked && is_suspect)
    note_blocking(watch, state);
}

// A value was out of range since the last look: only the first one has a place.
static void note_invalid(Watch *watch) {
  Coverage *coverage = watch->coverage;
  VmInvalid *invalid = &watch->space->invalid;
  if (!invalid->count)
    return;
  const Place place = invalid->first;
  *invalid = (VmInvalid){0};
  for (uint32_t i = 0; i < coverage->invalid_count; i++)
    if (coverage->invalid[i].source == place.source &&
        coverage->invalid[i].offset == place.offset)
      return;
  if (coverage->invalid_count < COVERAGE_MAX_PLACES)
    coverage->invalid[coverage->invalid_count++] = place;
}

static NodeRef add(Passed *passed, NodeRef parent) {
  Watch *watch = (Watch *)passed;
  if (parent != NODE_NONE)
    note_transition(watch);
  note_state(watch);
  note_invalid(watch);
  return watch->store->add(watch->store, parent);
}

static bool open(Passed *passed, NodeRef node) {
  Watch *watch = (Watch *)passed;
  note_invalid(watch);
  return watch->store->open(watch->store, node);
}

static bool has_stops(const Net *net) {
  for (LocationId l = 0; l < net->locations.size; l++)
    if (stops_time(&net->locations.items[l]))
      return true;
  return false;
}

// Watches a search that is about to begin.
static void attach(Watch *watch, Reach *reach, const Goal *deadlock, bool is_exact) {
  Coverage *coverage = watch->coverage;
  watch->store = reach->passed;
  watch->passed = (Passed){.add = add, .open = open, .stats = reach->stats};
  reach->passed = &watch->passed;
  coverage->skips_blocking =
      coverage->net->traits.has_diagonals || coverage->net->traits.has_stopwatches;
  if (!has_stops(coverage->net) || coverage->skips_blocking)
    return;
  deadgoal_attach(&watch->deadgoal, coverage->mem, reach->space, coverage->net, deadlock,
                  is_exact);
  watch->is_blocked = reach->space->is_goal;
  reach->space->is_goal = NULL;
}

static ReachResult search_space(Coverage *coverage, Space *space, const Goal *goal, bool is_exact,
                                MemWatch *limits, Statistics *stats) {
  static const Guard anything;
  static const GoalEnd end = GOAL_DEADLOCKED;
  const Goal deadlock = {.clauses = &anything, .clause_count = 1, .ends = &end};
  Watch watch = {.coverage = coverage, .space = space};
  Reach reach;
  reach_init(&reach, coverage->mem, space, ORDER_STAGES, stats);
  intern_init(&watch.combinations, coverage->mem);
  if (!goal)
    attach(&watch, &reach, &deadlock, is_exact);
  else if (goal->ends)
    deadgoal_attach(&watch.deadgoal, coverage->mem, space, coverage->net, goal, is_exact);
  mem_watch(coverage->mem, limits);
  const ReachResult result = reach_run(&reach);
  mem_watch(coverage->mem, NULL);
  note_invalid(&watch);
  coverage->stop_reason = result == REACH_STOPPED ? reach.stop_reason : NULL;
  if (result == REACH_FAILED) {
    coverage->failure = space->failure;
    coverage->failure_place = space->failure_place;
  }
  if (watch.deadgoal.mem)
    deadgoal_release(&watch.deadgoal);
  intern_release(&watch.combinations);
  vec_release(coverage->mem, &watch.combination);
  reach_release(&reach);
  return result;
}

// For a goal, or for all that there is (NULL). Runs out of memory as out of time: what was seen
// stays.
static ReachResult search(Coverage *coverage, const Goal *goal, bool is_exact, MemWatch *limits,
                          Statistics *stats, Report *report) {
  Mem *mem = coverage->mem;
  jmp_buf escape;
  jmp_buf *const outer = mem->escape;
  volatile ReachResult result = REACH_STOPPED;
  Options options;
  options_init(&options);
  if (is_exact && !coverage->net->traits.has_diagonals)
    options.abstraction = ABSTRACTION_AM;
  const size_t mark = mem_mark(mem);
  mem->escape = &escape;
  if (setjmp(escape)) {
    mem_watch(mem, NULL);
    mem_release_to(mem, mark);
    coverage->stop_reason = "memory limit";
  } else {
    Space *space = zones_new(mem, coverage->net, goal, &options, report);
    if (space) {
      result = search_space(coverage, space, goal, is_exact, limits, stats);
      space_release(space);
    }
  }
  mem->escape = outer;
  return result;
}

bool coverage_search(Coverage *coverage, bool is_exact, MemWatch *limits, Statistics *stats,
                     Report *report) {
  search(coverage, NULL, is_exact, limits, stats, report);
  return !report_failed(report);
}

// Only M bounds show whether a deadlock is reached.
ReachResult coverage_reach(Mem *mem, const Net *net, const Goal *goal, MemWatch *limits) {
  if (goal->ends && net->traits.has_diagonals)
    return REACH_STOPPED;
  Coverage unused = {.mem = mem, .net = net};
  Statistics stats = {0};
  return search(&unused, goal, goal->ends, limits, &stats, &(Report){0});
}
