#include "analysis/diagonals.h"

#include "base/testbuild.h"
#include "model/expr/pieces.h"
#include "model/intervals.h"

#include <stdlib.h>
#include <string.h>

typedef ClockTests Set; // sorted, each test once

typedef struct News { // a test that is new at a location; NET_NONE: of the goal
  LocationId location;
  ClockTest test;
} News;

static const uint32_t nobody = UINT32_MAX, many = UINT32_MAX - 1; // as writers

typedef struct Analysis {
  ClockFlow flow;
  uint32_t *writers; // by clock: the one process that updates it, nobody or many
  Set *sets;         // by location
  Set *single;       // by location
  Set goal;
  bool is_symmetric;
  VEC(News) news; // whose ways back have not been followed
} Analysis;

static int order(const ClockTest *a, const ClockTest *b) {
  if (a->i != b->i)
    return a->i < b->i ? -1 : 1;
  if (a->j != b->j)
    return a->j < b->j ? -1 : 1;
  if (a->constant != b->constant)
    return a->constant < b->constant ? -1 : 1;
  return b->strict - a->strict;
}

// True if it is new.
static bool insert(Mem *mem, Set *set, ClockTest test) {
  uint32_t low = 0, high = set->size;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int compared = order(&test, &set->items[middle]);
    if (!compared)
      return false;
    if (compared < 0)
      high = middle;
    else
      low = middle + 1;
  }
  vec_push(mem, set, test);
  memmove(&set->items[low + 1], &set->items[low], (set->size - 1 - low) * sizeof test);
  set->items[low] = test;
  return true;
}

// A test that matters at a location. There it does so once; if it is new, its way back is
// followed.
static void add_news(Analysis *analysis, LocationId location, ClockTest test, Place place) {
  Set *set = location == NET_NONE ? &analysis->goal : &analysis->sets[location];
  if (set->size >= DIAGONALS_MAX)
    diagonalflow_refuse(analysis->flow.report, place);
  else if (insert(analysis->flow.mem, set, test))
    vec_push(analysis->flow.mem, &analysis->news, ((News){location, test}));
}

// Of the tests of one clock on one side the largest constant matters.
static void add_single(Analysis *analysis, LocationId location, ClockTest test) {
  Set *set = &analysis->single[location];
  for (uint32_t i = 0; i < set->size; i++) {
    ClockTest *known = &set->items[i];
    if (known->i != test.i || known->j != test.j)
      continue;
    if (test.i ? test.constant > known->constant : test.constant < known->constant)
      *known = test;
    return;
  }
  insert(analysis->flow.mem, set, test);
}

typedef struct Tests {
  Analysis *analysis;
  LocationId location;
  bool is_negated; // the tests and their negations
} Tests;

static void add_constant(Tests *tests, const Expr *test, ClockIndex a, ClockIndex b,
                         int32_t constant) {
  ClockTest list[4];
  const bool is_other = test->op == EXPR_NE; // either side of it
  uint32_t count = code_clock_tests(list, a, b, is_other ? EXPR_LT : test->op, constant);
  if (is_other)
    count += code_clock_tests(list + count, a, b, EXPR_GT, constant);
  for (uint32_t i = 0; i < count; i++) {
    if (PLANTED("differences-strict"))
      list[i].strict = false;
    add_news(tests->analysis, tests->location, list[i], test->place);
    if (tests->is_negated)
      add_news(tests->analysis, tests->location, pieces_negate(list[i]), test->place);
  }
}

static void refuse_range(Report *report, const Expr *test) {
  report_error(report, test->place,
               "a difference of clocks is compared with more than %d values: give the variables "
               "smaller ranges, or use --abstraction none",
               DIAGONALS_MAX);
}

static void add_test(void *context, const Expr *test) {
  Tests *tests = context;
  const ClockFlow *flow = &tests->analysis->flow;
  if (!test->b)
    return;
  const Range range = intervals_of_net(flow->net, test->c);
  const int64_t low = clockflow_clamp(range.low, NET_MAX_CONSTANT),
                high = clockflow_clamp(range.high, NET_MAX_CONSTANT);
  ClockList a = {0}, b = {0};
  clockuse_clocks(flow->mem, test->a, &a);
  clockuse_clocks(flow->mem, test->b, &b);
  if ((high - low + 1) * a.size * b.size > DIAGONALS_MAX) {
    refuse_range(flow->report, test);
  } else {
    for (uint32_t i = 0; i < a.size; i++)
      for (uint32_t j = 0; j < b.size; j++)
        for (int64_t c = low; c <= high; c++)
          if (a.items[i] != b.items[j])
            add_constant(tests, test, a.items[i], b.items[j], (int32_t)c);
  }
  vec_release(flow->mem, &a);
  vec_release(flow->mem, &b);
}

// The tests themselves.
static void start(Analysis *analysis, const Goal *goal) {
  const Net *net = analysis->flow.net;
  for (LocationId l = 0; l < net->locations.size; l++) {
    const Location *location = &net->locations.items[l];
    Tests tests = {analysis, l, analysis->is_symmetric};
    clockuse_tests(location->invariant.expr, add_test, &tests);
    for (uint32_t e = 0; e < location->edge_count; e++) {
      const Edge *edge = net_edge_from(net, location, e);
      tests.is_negated = edge->is_negated || analysis->is_symmetric;
      clockuse_tests(edge->guard.expr, add_test, &tests);
    }
  }
  Tests tests = {analysis, NET_NONE, analysis->is_symmetric};
  for (uint32_t i = 0; goal && i < goal->clause_count; i++)
    clockuse_tests(goal->clauses[i].expr, add_test, &tests);
}

typedef struct Writer {
  Analysis *analysis;
  ProcessId process;
} Writer;

static void note_writer(void *context, const Stmt *assign) {
  const Writer *writer = context;
  uint32_t *writers = writer->analysis->writers;
  ClockList list = {0};
  clockuse_clocks(writer->analysis->flow.mem, assign->target, &list);
  for (uint32_t i = 0; i < list.size; i++) {
    uint32_t *known = &writers[list.items[i]];
    *known = *known == (uint32_t)nobody || *known == writer->process ? writer->process : many;
  }
  vec_release(writer->analysis->flow.mem, &list);
}

static void find_writers(Analysis *analysis) {
  const Net *net = analysis->flow.net;
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    analysis->writers[x] = nobody;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    Writer writer = {analysis, net->edges.items[e].process};
    clockflow_assigns(&analysis->flow, net->edges.items[e].update_stmts, note_writer, &writer);
  }
  Writer everybody = {analysis, many};
  clockflow_assigns(&analysis->flow, net->hooks.before_stmts, note_writer, &everybody);
  clockflow_assigns(&analysis->flow, net->hooks.after_stmts, note_writer, &everybody);
}

// A bound on x_i - x_j as one number, 2c + 1 or, if it is strict, 2c; and their sum.
static int64_t bound_of(const ClockTest *test) {
  return 2 * (int64_t)test->constant + !test->strict;
}

static int64_t bound_plus(int64_t a, int64_t b) { return a + b - ((a | b) & 1); }

#define NO_BOUND (INT64_C(1) << 40)

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// The strongest bound on x_i - x_j that one of the tests says; clocks are not negative.
static int64_t said(const Guard *guard, ClockIndex i, ClockIndex j) {
  int64_t bound = i ? NO_BOUND : 1;
  for (uint32_t t = 0; t < guard->clock_test_count; t++) {
    const ClockTest *test = &guard->clock_tests[t];
    if (test->i == i && test->j == j)
      bound = least(bound, bound_of(test));
  }
  return bound;
}

// The bound on x_i - x_j that holds where the edge is taken.
static int64_t known(const Net *net, const Edge *edge, ClockIndex i, ClockIndex j) {
  const Guard *guard = &edge->guard, *invariant = &net->locations.items[edge->source].invariant;
  const int64_t direct = least(said(guard, i, j), said(invariant, i, j));
  const int64_t from = least(said(guard, i, 0), said(invariant, i, 0));
  const int64_t to = least(said(guard, 0, j), said(invariant, 0, j));
  return from >= NO_BOUND ? direct : least(direct, bound_plus(from, to));
}

static bool is_private(const Analysis *analysis, ClockIndex x, ProcessId p) {
  return analysis->writers[x] == (uint32_t)nobody || analysis->writers[x] == p;
}

// Whether the guard decides a test of a difference: where the edge is taken, it holds always or
// never. The test speaks of the clocks before this edge's update, which is the moment of the
// guard only if no other edge of the joint transition has updated them.
static bool is_decided(const Analysis *analysis, const Edge *edge, const ClockTest *test) {
  const Net *net = analysis->flow.net;
  if (!is_private(analysis, test->i, edge->process) ||
      !is_private(analysis, test->j, edge->process))
    return false;
  const int64_t bound = bound_of(test), back = known(net, edge, test->j, test->i);
  return known(net, edge, test->i, test->j) <= bound ||
         (back < NO_BOUND && bound_plus(back, bound) < 1);
}

// The test through an update, with or without what comes before and after all updates.
static void undo_update(Analysis *analysis, const Edge *edge, ClockTest test, bool is_own,
                        const Stmt *before, const Stmt *after) {
  DiagonalFlow f = {.flow = &analysis->flow};
  diagonalflow_add(&f, test, is_own, edge->place);
  diagonalflow_undo(&f, after);
  diagonalflow_undo(&f, edge->update_stmts);
  diagonalflow_undo(&f, before);
  for (uint32_t i = 0; i < f.front.size; i++) {
    const ClockTest earlier = f.front.items[i].test;
    if (!f.front.items[i].is_own)
      continue;
    if (!earlier.i || !earlier.j)
      add_single(analysis, edge->source, earlier);
    else if (!is_decided(analysis, edge, &earlier))
      add_news(analysis, edge->source, earlier, edge->place);
  }
  diagonalflow_release(&f);
}

// Adds to the set of an edge's source what a test after the edge becomes before it. A test of the
// edge's target always goes back. A foreign test, of another process or of the goal, goes back
// only if the update changes it; otherwise its owner keeps it. Updates of other edges of the
// transition come between this one and what is around all: so each of that counts with and
// without.
static void undo_edge(Analysis *analysis, const Edge *edge, ClockTest test, bool is_own) {
  const Stmt *before = analysis->flow.net->hooks.before_stmts,
             *after = analysis->flow.net->hooks.after_stmts;
  undo_update(analysis, edge, test, is_own, NULL, NULL);
  if (before)
    undo_update(analysis, edge, test, is_own, before, NULL);
  if (after)
    undo_update(analysis, edge, test, is_own, NULL, after);
  if (before && after)
    undo_update(analysis, edge, test, is_own, before, after);
}

static bool may_update(const Analysis *analysis, ProcessId p, ClockIndex x) {
  return analysis->writers[x] == (uint32_t)many || analysis->writers[x] == p;
}

static void solve(Analysis *analysis) {
  const Net *net = analysis->flow.net;
  while (analysis->news.size && !report_failed(analysis->flow.report)) {
    const News news = vec_pop(&analysis->news);
    const ProcessId process =
        news.location == NET_NONE ? NET_NONE : net->locations.items[news.location].process;
    mem_tick(analysis->flow.mem);
    for (EdgeId e = 0; e < net->edges.size; e++) {
      const Edge *edge = &net->edges.items[e];
      if (edge->process == process ? edge->target == news.location
                                   : may_update(analysis, edge->process, news.test.i) ||
                                         may_update(analysis, edge->process, news.test.j))
        undo_edge(analysis, edge, news.test, edge->process == process);
    }
  }
}

static TestList publish(Arena *arena, const Set *set) {
  ClockTest *items = ARENA_ARRAY(arena, ClockTest, set->size + 1);
  for (uint32_t i = 0; i < set->size; i++)
    items[i] = set->items[i];
  return (TestList){items, set->size};
}

static void publish_all(Diagonals *diagonals, Arena *arena, Analysis *analysis) {
  const Net *net = analysis->flow.net;
  Mem *mem = analysis->flow.mem;
  diagonals->by_location = ARENA_ARRAY(arena, TestList, net->locations.size);
  diagonals->single = ARENA_ARRAY(arena, TestList, net->locations.size);
  diagonals->goal = publish(arena, &analysis->goal);
  for (LocationId l = 0; l < net->locations.size; l++) {
    if (PLANTED("differences-drop") && analysis->sets[l].size)
      analysis->sets[l].size--;
    diagonals->by_location[l] = publish(arena, &analysis->sets[l]);
    diagonals->single[l] = publish(arena, &analysis->single[l]);
    for (uint32_t i = 0; i < analysis->sets[l].size; i++)
      insert(mem, &analysis->goal, analysis->sets[l].items[i]);
  }
  diagonals->all = publish(arena, &analysis->goal);
}

bool diagonals_occur(const Net *net, const Goal *goal) {
  return net->traits.has_diagonals || (goal && goal->has_diagonals);
}

bool diagonals_compute(Diagonals *diagonals, Arena *arena, const Net *net, const Goal *goal,
                       bool is_symmetric, Report *report) {
  Mem *mem = mem_part(arena->mem);
  Analysis analysis = {.is_symmetric = is_symmetric && !PLANTED("differences-one-way")};
  clockflow_init(&analysis.flow, mem, net, NET_MAX_CONSTANT, report);
  analysis.sets = mem_alloc(mem, net->locations.size * sizeof *analysis.sets);
  analysis.single = mem_alloc(mem, net->locations.size * sizeof *analysis.single);
  analysis.writers = mem_alloc(mem, (net->clock_count + 1) * sizeof *analysis.writers);
  find_writers(&analysis);
  start(&analysis, goal);
  solve(&analysis);
  if (!report_failed(report))
    publish_all(diagonals, arena, &analysis);
  mem_release_part(mem);
  return !report_failed(report);
}

void diagonals_of_state(const Diagonals *diagonals, Mem *mem, const Net *net,
                        const int32_t *state, ClockTests *list) {
  const int32_t *locations = state + net->location_slot;
  vec_clear(list);
  for (uint32_t i = 0; i < diagonals->goal.count; i++)
    insert(mem, list, diagonals->goal.items[i]);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const TestList *own =
        &diagonals->by_location[net->processes.items[p].first_location + (uint32_t)locations[p]];
    for (uint32_t i = 0; i < own->count; i++)
      insert(mem, list, own->items[i]);
  }
}
