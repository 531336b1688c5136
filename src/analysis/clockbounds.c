#include "analysis/clockbounds.h"

#include "base/testbuild.h"
#include "model/faults.h"
#include "model/localranges.h"

#include <string.h>

// The analysis of BBFL03 (Behrmann, Bouyer, Fleury, Larsen: Static guard analysis in timed
// automata verification, TACAS 2003), for lower and upper bounds apart, per process: the levels
// of a location are those of its invariant, of the guards of its edges, and the levels
// of their targets as they were before the update. An update is gone through backwards:
// x := e ends the levels of x, x := y + c moves them, less c, to y.
//
// Beyond it:
// - Clocks are shared. A test of x by another process, wherever that is, or by the goal, also
//   moves to y on x := y + c, unless y is x and c >= 0. These *foreign* levels of x only matter
//   where they are moved: else the other process has them itself. Hence an outer fixpoint over
//   the processes.
// - Where the clock depends on an index all that it can be count: each may be tested, may be
//   assigned (which ends no level), may be the source.
// - What happens may depend on a guard not holding (Edge.is_negated: a broadcast receiver that
//   stays out, a lower priority, time that may pass). Its negation compares the same clocks with
//   the same constants from the other side, in the same location.
// - Statements around all updates (`before_update`, `after_update`) go with each edge.
// - Branches are joined, loops and calls in expressions are iterated.
// - A diagonal x - y # c gives levels |c| to both clocks, of both kinds. This alone does not make
//   extrapolation sound; engines treat diagonals apart. Beside analysis/diagonals.h it gives
//   none, and a location has the levels that differences become through updates.
//
// With x := y - c on a cycle there may be no least fixpoint. If there is one, each level comes
// from a test over a path on which no assignment occurs twice with the same source: the sum of
// all those c, above the largest constant of a test, is a limit, except for endless cycles.

// Levels of one process; rows are indexed by the position in `clocks`.
typedef struct Region {
  ClockList clocks; // those that it tests, copies or makes copies of, ascending
  Level *table;     // a row for each location, by local index
  Level *foreign;   // one row
  bool has_copies;
} Region;

typedef struct Analysis {
  ClockFlow flow;
  Region *regions;
  Level *goal;                // by clock
  const Diagonals *diagonals; // may be NULL
  Access access;
  Flow at; // values of variables at a location
} Analysis;

static void clear(Level *row, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    row[i] = NO_LEVEL;
}

static Intervals everywhere(const Net *net) {
  return (Intervals){net, net->slots.low, net->slots.high};
}

// What a clock test asks of each of its clocks.
static Level test_level(const ClockFlow *flow, const Intervals *intervals, const Expr *test) {
  const Range range = intervals_of(intervals, test->c);
  const int64_t low = clockflow_clamp(range.low, flow->max),
                high = clockflow_clamp(range.high, flow->max);
  if (test->b) {
    const int64_t max = clockflow_larger(-low, high);
    return (Level){max, max};
  }
  const int64_t max = clockflow_larger(high, 0); // a negative one compares like 0, or not at all
  const bool is_upper = test->op == EXPR_LT || test->op == EXPR_LE;
  const bool is_lower = test->op == EXPR_GT || test->op == EXPR_GE;
  return (Level){is_upper ? CLOCK_UNBOUNDED : max, is_lower ? CLOCK_UNBOUNDED : max};
}

// The clocks of a test or of one side of an assignment; the caller releases the list.
static ClockList clocks_of(Mem *mem, const Expr *a, const Expr *b) {
  ClockList list = {0};
  if (a)
    clockuse_clocks(mem, a, &list);
  if (b)
    clockuse_clocks(mem, b, &list);
  return list;
}

typedef struct Tests {
  const ClockFlow *flow;
  Intervals intervals; // where the tests are made
  Level *row;
  const uint32_t *position; // NULL: rows are indexed by clock
  bool is_negated;          // the tests and their negations
  bool is_beside;           // differences are known elsewhere
} Tests;

static void add_test(void *context, const Expr *test) {
  const Tests *tests = context;
  if (test->b && tests->is_beside)
    return;
  ClockList clocks = clocks_of(tests->flow->mem, test->a, test->b);
  Level level = test_level(tests->flow, &tests->intervals, test);
  if (tests->is_negated)
    level.lower = level.upper = clockflow_larger(level.lower, level.upper);
  for (uint32_t i = 0; i < clocks.size; i++) {
    const ClockIndex clock = clocks.items[i];
    clockflow_raise(&tests->row[tests->position ? tests->position[clock] : clock], level);
  }
  vec_release(tests->flow->mem, &clocks);
}

// The clocks of a region are found by marks in `position`.

typedef struct Marking {
  ClockFlow *flow;
  Region *region;
  const Diagonals *diagonals;
  int64_t constant; // the largest of a test
  int64_t growth;   // what the assignments can add, see the head of this file
} Marking;

static void mark(Marking *marking, const Expr *a, const Expr *b) {
  ClockList list = clocks_of(marking->flow->mem, a, b);
  for (uint32_t i = 0; i < list.size; i++)
    marking->flow->position[list.items[i]] = 0;
  vec_release(marking->flow->mem, &list);
}

static void mark_test(void *context, const Expr *test) {
  Marking *marking = context;
  const Intervals intervals = everywhere(marking->flow->net);
  const Level level = test_level(marking->flow, &intervals, test);
  const int64_t max = clockflow_larger(level.lower, level.upper);
  marking->constant = max > marking->constant ? max : marking->constant;
  mark(marking, test->a, test->b);
}

static void mark_assign(void *context, const Stmt *assign) {
  Marking *marking = context;
  if (!assign->source)
    return;
  marking->region->has_copies = true;
  mark(marking, assign->target, assign->source);
  ClockList sources = clocks_of(marking->flow->mem, assign->source, NULL);
  const int64_t addend = clockflow_addend(marking->flow, assign);
  marking->growth += addend < 0 ? -addend * sources.size : 0;
  vec_release(marking->flow->mem, &sources);
}

// The clock of a test of one, and its level.
static ClockIndex single_level(const ClockTest *test, Level *level) {
  *level = test->j ? (Level){-test->constant, CLOCK_UNBOUNDED}
                   : (Level){CLOCK_UNBOUNDED, test->constant};
  return test->j ? test->j : test->i;
}

static void mark_single(Marking *marking, const TestList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Level level;
    marking->flow->position[single_level(&list->items[i], &level)] = 0;
    const int64_t max = clockflow_larger(level.lower, level.upper);
    marking->constant = max > marking->constant ? max : marking->constant;
  }
}

static void find_clocks(Marking *marking, const Process *process) {
  ClockFlow *flow = marking->flow;
  const Net *net = flow->net;
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    if (marking->diagonals)
      mark_single(marking, &marking->diagonals->single[process->first_location + l]);
    clockuse_tests(location->invariant.expr, mark_test, marking);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
      clockuse_tests(edge->guard.expr, mark_test, marking);
      clockflow_assigns(flow, edge->update_stmts, mark_assign, marking);
    }
  }
  clockflow_assigns(flow, net->hooks.before_stmts, mark_assign, marking);
  clockflow_assigns(flow, net->hooks.after_stmts, mark_assign, marking);
  for (ClockIndex clock = 1; clock <= net->clock_count; clock++)
    if (flow->position[clock] != UINT32_MAX) {
      vec_push(flow->mem, &marking->region->clocks, clock);
      flow->position[clock] = UINT32_MAX;
    }
}

static void find_all_clocks(Analysis *analysis) {
  const Net *net = analysis->flow.net;
  Marking marking = {.flow = &analysis->flow, .diagonals = analysis->diagonals};
  for (ClockIndex clock = 1; clock <= net->clock_count; clock++) {
    const int64_t max =
        clockflow_larger(analysis->goal[clock].lower, analysis->goal[clock].upper);
    marking.constant = max > marking.constant ? max : marking.constant;
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    marking.region = &analysis->regions[p];
    find_clocks(&marking, &net->processes.items[p]);
  }
  analysis->flow.limit = clockflow_clamp(marking.constant + marking.growth, analysis->flow.max);
}

static void enter(ClockFlow *flow, const Region *region) {
  flow->size = region->clocks.size;
  for (uint32_t i = 0; i < region->clocks.size; i++)
    flow->position[region->clocks.items[i]] = i;
}

static void leave(ClockFlow *flow, const Region *region) {
  for (uint32_t i = 0; i < region->clocks.size; i++)
    flow->position[region->clocks.items[i]] = UINT32_MAX;
}

static void add_single(const ClockFlow *flow, Level *row, const TestList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Level level;
    const ClockIndex clock = single_level(&list->items[i], &level);
    clockflow_raise(&row[flow->position[clock]], level);
  }
}

// Clock tests of a guard matter where the other parts hold or can fail; false: nowhere.
static bool enter_guard(Analysis *analysis, LocationId location, const Edge *edge) {
  if (!analysis->flow.net->slots.local)
    return true;
  localranges_enter(analysis->flow.net, &analysis->at, location);
  if (!faults_in_expr(analysis->flow.net, edge->guard_expr))
    intervals_assume(&analysis->at, edge->guard.expr, true);
  return !analysis->at.is_dead;
}

// The levels of the tests themselves.
static void start(Analysis *analysis, Region *region, const Process *process) {
  ClockFlow *flow = &analysis->flow;
  const Diagonals *diagonals = analysis->diagonals;
  const Net *net = flow->net;
  const uint32_t size = region->clocks.size, rows = process->location_count;
  region->table = mem_alloc(flow->mem, sizeof(Level) * ((size_t)size * rows + 1));
  region->foreign = mem_alloc(flow->mem, sizeof(Level) * size);
  clear(region->foreign, size);
  enter(flow, region);
  for (uint32_t l = 0; l < rows; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    Flow *at = &analysis->at;
    Tests tests = {
        flow,  {net, at->low, at->high}, region->table + (size_t)l * size, flow->position,
        false, diagonals != NULL};
    clear(tests.row, size);
    localranges_enter(net, at, process->first_location + l);
    if (diagonals)
      add_single(flow, tests.row, &diagonals->single[process->first_location + l]);
    clockuse_tests(location->invariant.expr, add_test, &tests);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
      tests.is_negated = edge->is_negated && !PLANTED("levels");
      if (enter_guard(analysis, process->first_location + l, edge))
        clockuse_tests(edge->guard.expr, add_test, &tests);
    }
  }
  leave(flow, region);
}

// The fixpoint of one process, by a list of locations whose levels have changed.
typedef struct Solver {
  ClockFlow *flow;
  const Region *region;
  LocationId first_location;
  EdgeId *into;    // edges ordered by target
  uint32_t *first; // by local index of the target, into `into`
  Level *front;
  VEC(uint32_t) queue; // local indices
  bool *queued;
} Solver;

static void solver_init(Solver *solver, ClockFlow *flow, const Region *region,
                        const Process *process) {
  const Net *net = flow->net;
  const uint32_t count = process->location_count;
  const Location *locations = net->locations.items + process->first_location;
  uint32_t edges = 0;
  for (uint32_t l = 0; l < count; l++)
    edges += locations[l].edge_count;
  *solver = (Solver){.flow = flow, .region = region, .first_location = process->first_location};
  solver->front = mem_alloc(flow->mem, sizeof *solver->front * 2 * flow->size);
  solver->into = mem_alloc(flow->mem, sizeof *solver->into * edges);
  solver->first = mem_alloc(flow->mem, sizeof *solver->first * (count + 2));
  solver->queued = mem_alloc(flow->mem, sizeof *solver->queued * count);
  uint32_t *next = solver->first + 1; // counts, then first free places, at last the ends
  const EdgeId *out = net->out + locations[0].first_edge; // of the whole process
  for (uint32_t k = 0; k < edges; k++)
    next[net->edges.items[out[k]].target - solver->first_location + 1]++;
  for (uint32_t l = 0; l < count; l++)
    next[l + 1] += next[l];
  for (uint32_t k = 0; k < edges; k++)
    solver->into[next[net->edges.items[out[k]].target - solver->first_location]++] = out[k];
  for (uint32_t l = 0; l < count; l++) {
    vec_push(flow->mem, &solver->queue, l);
    solver->queued[l] = true;
  }
}

// Raises the levels at the source of an edge by those at its target.
static bool undo_edge(Solver *solver, const Edge *edge) {
  const uint32_t size = solver->flow->size;
  Level *source = solver->region->table + (size_t)(edge->source - solver->first_location) * size;
  Level *target = solver->region->table + (size_t)(edge->target - solver->first_location) * size;
  memcpy(solver->front, target, sizeof *target * size);
  memcpy(solver->front + size, solver->region->foreign, sizeof *target * size);
  clockflow_undo_edge(solver->flow, edge, solver->front);
  return clockflow_raise_all(source, solver->front, size);
}

static bool solver_run(Solver *solver) {
  bool changed = false;
  while (solver->queue.size && !report_failed(solver->flow->report)) {
    const uint32_t target = vec_pop(&solver->queue);
    solver->queued[target] = false;
    mem_tick(solver->flow->mem);
    for (uint32_t k = solver->first[target]; k < solver->first[target + 1]; k++) {
      const Edge *edge = &solver->flow->net->edges.items[solver->into[k]];
      if (!undo_edge(solver, edge))
        continue;
      changed = true;
      const uint32_t source = edge->source - solver->first_location;
      if (!solver->queued[source])
        vec_push(solver->flow->mem, &solver->queue, source);
      solver->queued[source] = true;
    }
  }
  return changed;
}

// True if some level changed.
static bool solve(ClockFlow *flow, const Region *region, const Process *process) {
  if (!region->clocks.size)
    return false;
  Solver solver;
  enter(flow, region);
  solver_init(&solver, flow, region, process);
  const bool changed = solver_run(&solver);
  leave(flow, region);
  return changed;
}

// Raises a row by clock to the levels of all locations of a process.
static void add_maximum(const Region *region, const Process *process, Level *row) {
  const uint32_t size = region->clocks.size;
  for (uint32_t l = 0; l < process->location_count; l++)
    for (uint32_t i = 0; i < size; i++)
      clockflow_raise(&row[region->clocks.items[i]], region->table[(size_t)l * size + i]);
}

// True if the foreign levels of process p changed.
static bool update_foreign(Analysis *analysis, ProcessId p) {
  const Net *net = analysis->flow.net;
  Mem *mem = analysis->flow.mem;
  Level *row = mem_alloc(mem, sizeof *row * (net->clock_count + 1));
  memcpy(row, analysis->goal, sizeof *row * (net->clock_count + 1));
  for (ProcessId q = 0; q < net->processes.size; q++)
    if (mem_tick(mem), q != p)
      add_maximum(&analysis->regions[q], &net->processes.items[q], row);
  Region *region = &analysis->regions[p];
  bool changed = false;
  for (uint32_t i = 0; i < region->clocks.size; i++)
    changed |= clockflow_raise(&region->foreign[i], row[region->clocks.items[i]]);
  mem_free(mem, row);
  return changed;
}

static void solve_all(Analysis *analysis) {
  const Net *net = analysis->flow.net;
  const Process *processes = net->processes.items;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    start(analysis, &analysis->regions[p], &processes[p]);
    solve(&analysis->flow, &analysis->regions[p], &processes[p]);
  }
  for (bool changed = true; changed && !report_failed(analysis->flow.report);) {
    changed = false;
    for (ProcessId p = 0; p < net->processes.size; p++)
      if (analysis->regions[p].has_copies && update_foreign(analysis, p))
        changed |= solve(&analysis->flow, &analysis->regions[p], &processes[p]);
  }
}

static ClockBoundList pack_row(Arena *arena, const Region *region, const Level *row) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < region->clocks.size; i++)
    count += clockflow_larger(row[i].lower, row[i].upper) != CLOCK_UNBOUNDED;
  ClockBound *items = ARENA_ARRAY(arena, ClockBound, count);
  const ClockBoundList list = {items, count};
  for (uint32_t i = 0; i < region->clocks.size; i++)
    if (clockflow_larger(row[i].lower, row[i].upper) != CLOCK_UNBOUNDED)
      *items++ = (ClockBound){region->clocks.items[i], row[i].lower, row[i].upper};
  return list;
}

static void unzip(Arena *arena, const Level *row, uint32_t count, int64_t **lower,
                  int64_t **upper) {
  *lower = ARENA_ARRAY(arena, int64_t, count);
  *upper = ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 1; i < count; i++) { // clock 0 keeps 0
    (*lower)[i] = row[i].lower;
    (*upper)[i] = row[i].upper;
  }
}

static void publish(ClockBounds *bounds, Arena *arena, const Analysis *analysis) {
  const Net *net = analysis->flow.net;
  Level *row = analysis->goal; // becomes the maximum of all
  bounds->by_location = ARENA_ARRAY(arena, ClockBoundList, net->locations.size);
  unzip(arena, row, bounds->clocks, &bounds->goal_lower, &bounds->goal_upper);
  bounds->small_lower = ARENA_ARRAY(arena, int32_t, bounds->clocks);
  bounds->small_upper = ARENA_ARRAY(arena, int32_t, bounds->clocks);
  for (ClockIndex x = 1; x < bounds->clocks; x++) {
    bounds->small_lower[x] = (int32_t)bounds->goal_lower[x];
    bounds->small_upper[x] = (int32_t)bounds->goal_upper[x];
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Region *region = &analysis->regions[p];
    const Process *process = &net->processes.items[p];
    for (uint32_t l = 0; l < process->location_count; l++)
      bounds->by_location[process->first_location + l] =
          pack_row(arena, region, region->table + (size_t)l * region->clocks.size);
    add_maximum(region, process, row);
  }
  unzip(arena, row, bounds->clocks, &bounds->global_lower, &bounds->global_upper);
}

static void analysis_init(Analysis *analysis, Arena *arena, const Net *net, const Goal *goal,
                          const Diagonals *diagonals, int64_t max, Report *report) {
  Mem *mem = arena->mem;
  analysis->diagonals = diagonals;
  clockflow_init(&analysis->flow, mem, net, max, report);
  analysis->regions = mem_alloc(mem, sizeof *analysis->regions * net->processes.size);
  analysis->goal = mem_alloc(mem, sizeof *analysis->goal * (net->clock_count + 1));
  clear(analysis->goal, net->clock_count + 1);
  access_init(&analysis->access, arena, net);
  analysis->at = (Flow){.access = &analysis->access,
                        .net = net,
                        .low = mem_alloc(mem, sizeof(int32_t) * net->slots.count),
                        .high = mem_alloc(mem, sizeof(int32_t) * net->slots.count)};
  Tests tests = {&analysis->flow, everywhere(net),  analysis->goal, NULL,
                 false,           diagonals != NULL};
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    clockuse_tests(goal->clauses[i].expr, add_test, &tests);
}

// Both bounds of a clock become the larger one.
static void widen(Level *row, uint32_t count) {
  for (uint32_t x = 0; x < count; x++)
    row[x].lower = row[x].upper = clockflow_larger(row[x].lower, row[x].upper);
}

static bool compute(ClockBounds *bounds, Arena *arena, const Net *net, const Goal *goal,
                    const Diagonals *diagonals, int64_t max, bool is_cut, Report *report) {
  *bounds = (ClockBounds){.clocks = net->clock_count + 1};
  Mem *mem = mem_part(arena->mem);
  Arena own = {.mem = mem};
  Analysis analysis;
  analysis_init(&analysis, &own, net, goal, diagonals, max, report);
  if (is_cut)
    widen(analysis.goal, bounds->clocks);
  find_all_clocks(&analysis);
  solve_all(&analysis);
  if (!report_failed(report))
    publish(bounds, arena, &analysis);
  mem_release_part(mem);
  return !report_failed(report);
}

bool clockbounds_compute_up_to(ClockBounds *bounds, Arena *arena, const Net *net,
                               const Goal *goal, const Diagonals *diagonals, int64_t max,
                               Report *report) {
  return compute(bounds, arena, net, goal, diagonals, max, false, report);
}

bool clockbounds_compute_cut(ClockBounds *bounds, Arena *arena, const Net *net, const Goal *goal,
                             const Diagonals *diagonals, Report *report) {
  return compute(bounds, arena, net, goal, diagonals, NET_MAX_CONSTANT, true, report);
}

void clockbounds_of_state(const ClockBounds *bounds, const Net *net, const int32_t *state,
                          int32_t *lower, int32_t *upper) {
  memcpy(lower, bounds->small_lower, sizeof *lower * bounds->clocks);
  memcpy(upper, bounds->small_upper, sizeof *upper * bounds->clocks);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const ClockBoundList *list = clockbounds_at(bounds, net, state, p);
    for (uint32_t i = 0; i < list->size; i++) {
      const ClockBound *bound = &list->items[i];
      const int32_t low = (int32_t)bound->lower, high = (int32_t)bound->upper;
      lower[bound->clock] = lower[bound->clock] > low ? lower[bound->clock] : low;
      upper[bound->clock] = upper[bound->clock] > high ? upper[bound->clock] : high;
    }
  }
}
