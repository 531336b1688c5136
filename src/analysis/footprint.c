#include "analysis/footprint.h"

#include "base/testbuild.h"
#include "model/expr/clockuse.h"
#include "model/faults.h"
#include "model/intervals.h"

#include <string.h>

// In tests with planted bugs, the rule of this name is left out.
#define RULE(name) (!PLANTED("por-" name))

enum {
  CONSTANT_LIMIT = 4096,  // beyond, setting a constant counts as any other write
  EDGE_LIMIT = 200,       // of a process with more, each edge can be followed by all
  RECURRING_LIMIT = 1000, // parts of a process that are looked at; of others all edges recur
  WORD_LIMIT = 1 << 23,   // of all rows
};

typedef struct Maker {
  Footprint *f;
  Arena *arena;
  const Net *net;
  Access access;
  bool *is_reset_only;  // by clock: it is never set to anything but 0
  bool *is_upper;       // by clock: invariants only bound it from above
  bool *has_exit;       // by location: an edge that is possible whenever it may be taken
  uint32_t *same_cell;  // by constant: 1 + another constant of its cell; 0: none
  uint32_t *cell_first; // by cell: 1 + a constant of it; 0: none
  ClockList clocks;     // scratch
  Word *foreign;        // by process: cells of the invariants of others
} Maker;

typedef struct FootprintWork {
  Footprint *f;
  Arena *arena;
  const Net *net;
  const bool *is_reset_only;
  uint32_t *edge_counts; // by process
  Word **follow;         // by edge: see footprint_follow; NULL: not asked for yet
  Word **all;            // by process with more than EDGE_LIMIT edges: the same of all of them
  // While an edge is followed:
  uint32_t clock_words;
  bool *is_reached; // by edge
  Word *zeros;      // by edge: clocks that are 0 behind it
  Word *next;       // scratch: clocks
  VEC(EdgeId) stack;
  bool *has_recurring; // by process: it is known of its edges
  bool *recurs;        // by edge
  uint32_t recurring_budget;
} Work;

static Word *new_sets(Maker *m, size_t count, uint32_t words) {
  return ARENA_ARRAY(m->arena, Word, count * words);
}

static Word *row(Word *rows, const Footprint *f, size_t edge) {
  return rows + edge * f->row_words;
}

// --- Constants.

static void map_slots(Maker *m) {
  const Net *net = m->net;
  CellId *cells = ARENA_ARRAY(m->arena, CellId, net->slots.count);
  memset(cells, 0xff, sizeof *cells * net->slots.count);
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *name = &net->variables.items[v];
    for (uint32_t k = 0; name->type->slots <= ACCESS_MAX_SLOTS && k < name->type->slots; k++)
      if (!net->slots.is_meta || !net->slots.is_meta[name->base + k])
        cells[name->base + k] = m->access.first[v] + k;
  }
  m->f->slot_cells = cells;
}

// The number of a constant, or UINT32_MAX if there are too many.
static uint32_t number_constant(Maker *m, FootConstant c) {
  Footprint *f = m->f;
  for (uint32_t k = m->cell_first[c.cell]; k; k = m->same_cell[k - 1])
    if (f->constants.items[k - 1].value == c.value)
      return k - 1;
  if (f->constants.size == CONSTANT_LIMIT)
    return UINT32_MAX;
  m->same_cell[f->constants.size] = m->cell_first[c.cell];
  m->cell_first[c.cell] = f->constants.size + 1;
  vec_push(m->arena->mem, &f->constants, c);
  return f->constants.size - 1;
}

static FootConstant slot_constant(const Footprint *f, const SlotUpdate *u) {
  return (FootConstant){f->slot_cells[u->slot], u->slot, u->value};
}
static FootConstant clock_constant(const Footprint *f, const ClockUpdate *u) {
  return (FootConstant){f->first_clock + u->x, UINT32_MAX, u->constant};
}

// Whether the updates only set constants and count, in cells of one slot.
static bool is_simple(Maker *m, const Update *u) {
  const Footprint *f = m->f;
  bool simple = (!u->code || u->has_shifts) && !u->has_dynamic_clocks;
  for (uint32_t i = 0; simple && i < u->slot_update_count; i++)
    simple = f->slot_cells[u->slot_updates[i].slot] != UINT32_MAX &&
             number_constant(m, slot_constant(f, &u->slot_updates[i])) != UINT32_MAX;
  for (uint32_t i = 0; simple && i < u->shift_count; i++)
    simple = f->slot_cells[u->shifts[i].slot] != UINT32_MAX;
  for (uint32_t i = 0; simple && i < u->clock_update_count; i++)
    simple = !u->clock_updates[i].y &&
             number_constant(m, clock_constant(f, &u->clock_updates[i])) != UINT32_MAX;
  return simple;
}

static void find_rivals(Maker *m) {
  Footprint *f = m->f;
  f->rivals = ARENA_ARRAY(m->arena, Word *, f->constants.size);
  for (uint32_t i = 0; i < f->constants.size; i++) {
    f->rivals[i] = new_sets(m, 1, f->set_words);
    for (uint32_t k = m->cell_first[f->constants.items[i].cell]; k; k = m->same_cell[k - 1])
      if (k - 1 != i)
        foot_add(f->rivals[i], k - 1);
  }
}

// The last constant of a cell counts.
static void set_constant(Footprint *f, Word *sets, uint32_t number) {
  for (uint32_t w = 0; w < f->set_words; w++)
    sets[w] &= ~f->rivals[number][w];
  foot_add(sets, number);
}

// --- Edges.

static void collect(const Access *access, unsigned kinds, Word *set) {
  for (uint32_t i = 0; i < access->marked.size; i++)
    if (access->marks[access->marked.items[i]] & kinds)
      foot_add(set, access->marked.items[i]);
}

static void add_simple(Maker *m, const Update *u, Word *own) {
  Footprint *f = m->f;
  for (uint32_t i = 0; i < u->slot_update_count; i++)
    set_constant(f, own + f->sets, number_constant(m, slot_constant(f, &u->slot_updates[i])));
  for (uint32_t i = 0; i < u->clock_update_count; i++)
    set_constant(f, own + f->sets, number_constant(m, clock_constant(f, &u->clock_updates[i])));
  for (uint32_t i = 0; i < u->shift_count; i++)
    foot_add(own + (u->shifts[i].delta > 0 ? f->ups : f->downs),
             f->slot_cells[u->shifts[i].slot]);
}

// Cells that the updates, just looked at, write and that invariants of other processes read. A
// clock that invariants bound from above only can be set to 0.
static void find_harms(Maker *m, const Edge *e, Word *harms) {
  const Footprint *f = m->f;
  const Access *access = &m->access;
  for (uint32_t i = 0; i < access->marked.size; i++) {
    const CellId cell = access->marked.items[i];
    const bool is_clock = cell >= f->first_clock;
    const uint8_t marks = access->marks[cell];
    if ((marks & (ACCESS_WRITE | ACCESS_SET)) &&
        !(is_clock && !(marks & ACCESS_SET) && m->is_upper[cell - f->first_clock]))
      foot_add(harms, cell);
  }
  const Word *foreign = m->foreign + (size_t)e->process * f->cell_words;
  for (uint32_t w = 0; w < f->cell_words; w++)
    harms[w] &= foreign[w];
}

static void add_lower(Maker *m, ClockIndex clock, int64_t bound, bool strict) {
  if (m->is_reset_only[clock] && (bound > 0 || (!bound && strict)))
    vec_push(m->arena->mem, &m->f->lowers, ((FootLower){clock, bound, strict}));
}

static void find_lowers(Maker *m, const Expr *guard) {
  if (!guard)
    return;
  if (guard->kind == EXPR_AND) {
    find_lowers(m, guard->a);
    find_lowers(m, guard->b);
  }
  int64_t constant;
  if (guard->kind != EXPR_CLOCK_TEST || guard->b || guard->a->kind != EXPR_CLOCK ||
      guard->a->type->kind != TYPE_CLOCK || expr_is_time(guard->c, &constant))
    return; // constants are in Guard.clock_tests
  if (guard->op == EXPR_GE || guard->op == EXPR_GT || guard->op == EXPR_EQ)
    add_lower(m, guard->a->base, intervals_of_net(m->net, guard->c).low, guard->op == EXPR_GT);
}

static void find_edge(Maker *m, EdgeId i) {
  Footprint *f = m->f;
  const Edge *e = &m->net->edges.items[i];
  Access *access = &m->access;
  Word *own = row(f->own, f, i), *needs = f->needs + (size_t)i * f->cell_words;
  Word *guards = f->guards + (size_t)i * f->cell_words;
  Word *harms = f->harms + (size_t)i * f->cell_words;
  access_expr_alone(access, e->guard_expr);
  collect(access, ACCESS_READ, guards);
  collect(access, ACCESS_WRITE | ACCESS_SET, own + f->writes); // a function may
  access_stmts_alone(access, e->update_stmts);
  find_harms(m, e, harms);
  foot_unite(needs, guards, f->cell_words);
  if (is_simple(m, &e->update))
    add_simple(m, &e->update, own);
  else {
    collect(access, ACCESS_READ, needs);
    collect(access, ACCESS_WRITE | ACCESS_SET, own + f->writes);
  }
  foot_unite(needs, f->invariants + (size_t)e->target * f->cell_words, f->cell_words);
  foot_unite(own + f->reads, needs, f->cell_words);
  foot_unite(own + f->reads, f->invariants + (size_t)e->source * f->cell_words, f->cell_words);
  foot_add(own + f->writes, f->first_location + e->process);
  foot_add(own + f->events, e->event);
  if (f->watched[e->target])
    foot_add(own + f->targets, f->watched[e->target] - 1);
  own[f->flags] |= FOOT_MOVES;
  if (faults_are_errors(m->net, e->guard_expr, e->update_stmts))
    own[f->flags] |= FOOT_FAULT;
  f->can_fail |= (own[f->flags] & FOOT_FAULT) != 0;
  for (uint32_t w = 0; w < f->cell_words; w++)
    f->has_harm[i] |= harms[w] != 0;
  f->first_lower[i] = f->lowers.size;
  if (RULE("unseen") && faults_are_errors(m->net, e->guard_expr, NULL))
    return; // it is evaluated where the edge cannot be taken, too
  for (uint32_t k = 0; k < e->guard.clock_test_count; k++) {
    const ClockTest *t = &e->guard.clock_tests[k];
    if (!t->i)
      add_lower(m, t->j, -t->constant, t->strict);
  }
  find_lowers(m, e->guard_expr);
}

// --- Locations.

static void limit_clocks(void *context, const Expr *test) {
  Maker *m = context;
  vec_clear(&m->clocks);
  if (test->b || (test->op != EXPR_LE && test->op != EXPR_LT)) {
    clockuse_clocks(m->arena->mem, test->a, &m->clocks);
    if (test->b)
      clockuse_clocks(m->arena->mem, test->b, &m->clocks);
  }
  for (uint32_t i = 0; i < m->clocks.size; i++)
    m->is_upper[m->clocks.items[i]] = false;
}

static void find_invariants(Maker *m) {
  Footprint *f = m->f;
  for (LocationId l = 0; l < m->net->locations.size; l++) {
    const Expr *expr = m->net->locations.items[l].invariant_expr;
    access_expr_alone(&m->access, expr);
    collect(&m->access, ACCESS_READ, f->invariants + (size_t)l * f->cell_words);
    if (expr)
      clockuse_tests(expr, limit_clocks, m);
  }
  const uint32_t processes = m->net->processes.size;
  m->foreign = new_sets(m, processes, f->cell_words);
  for (LocationId l = 0; l < m->net->locations.size; l++)
    for (ProcessId p = 0; m->net->locations.items[l].invariant_expr && p < processes; p++)
      if (p != m->net->locations.items[l].process)
        foot_unite(m->foreign + (size_t)p * f->cell_words,
                   f->invariants + (size_t)l * f->cell_words, f->cell_words);
}

static void find_resets(Maker *m) {
  const uint32_t clocks = m->net->clock_count + 1;
  for (uint32_t x = 0; x < clocks; x++)
    m->is_reset_only[x] = m->is_upper[x] = true;
  for (uint32_t i = 0; i < m->net->edges.size; i++) {
    access_expr_alone(&m->access, m->net->edges.items[i].guard_expr);
    access_stmts(&m->access, m->net->edges.items[i].update_stmts);
    for (uint32_t x = 1; x < clocks; x++)
      if (m->access.marks[m->f->first_clock + x] & ACCESS_SET)
        m->is_reset_only[x] = false;
  }
}

// A committed location cannot be stuck if it has an edge that is always possible: alone, without
// a guard, to a location without an invariant, and its updates make no invariant false and keep
// variables in their ranges (or leaving the range is an error, and no deadlock).
static void find_exits(Maker *m) {
  const Net *net = m->net;
  for (uint32_t i = 0; i < net->edges.size; i++) {
    const Edge *e = &net->edges.items[i];
    m->has_exit[e->source] |= net->async[e->process * net->events.size + e->event] &&
                              !e->guard_expr && !net->locations.items[e->target].invariant_expr &&
                              (net->invalid_is_error || !e->update.code) && !m->f->has_harm[i];
  }
  for (uint32_t i = 0; i < net->edges.size; i++) {
    const LocationId target = net->edges.items[i].target;
    if (net->locations.items[target].committed && !m->has_exit[target])
      row(m->f->own, m->f, i)[m->f->flags] |= FOOT_CAN_STICK;
  }
}

// --- What can follow an edge in zero time.

// Whether an edge cannot be taken in zero time after these clocks have been reset.
static bool is_blocked(const Footprint *f, EdgeId e, const Word *zero) {
  for (uint32_t i = f->first_lower[e]; i < f->first_lower[e + 1]; i++)
    if (foot_has(zero, f->lowers.items[i].clock))
      return true;
  return false;
}

static void add_zeros(const Work *w, EdgeId i, Word *zero) {
  const Update *u = &w->net->edges.items[i].update;
  for (uint32_t k = 0; !u->has_dynamic_clocks && k < u->clock_update_count; k++)
    if (w->is_reset_only[u->clock_updates[k].x])
      foot_add(zero, u->clock_updates[k].x);
}

static Word *zeros_of(const Work *w, EdgeId e) { return w->zeros + (size_t)e * w->clock_words; }

// The first time an edge is come to, or by a way on which fewer clocks are 0: it is followed.
static void arrive(Work *w, EdgeId e, const Word *before) {
  bool changed = !w->is_reached[e];
  Word *zeros = zeros_of(w, e);
  memcpy(w->next, before, w->clock_words * sizeof(Word));
  add_zeros(w, e, w->next);
  if (!w->is_reached[e])
    memcpy(zeros, w->next, w->clock_words * sizeof(Word));
  w->is_reached[e] = true;
  for (uint32_t i = 0; i < w->clock_words; i++) {
    changed |= (zeros[i] & ~w->next[i]) != 0;
    zeros[i] &= w->next[i];
  }
  if (changed)
    vec_push(w->arena->mem, &w->stack, e);
}

// Which edges recur: a run can take them again and again in zero time. Those that a process takes
// again and again are strongly connected, and no clock is both reset and asked to be more than 0
// by them. So where a strongly connected part has both, the one or the other is left out.

// The edges of a process, in the order of net->out: sets of them are arrays in this order.
typedef struct Edges {
  const EdgeId *items;
  uint32_t count, locations;
  LocationId first; // location
} Edges;

static Edges edges_of(const Work *w, ProcessId p) {
  const Process *process = &w->net->processes.items[p];
  const Location *first = &w->net->locations.items[process->first_location];
  return (Edges){w->net->out + first->first_edge, w->edge_counts[p], process->location_count,
                 process->first_location};
}

// Locations to which there is a way from `start`, or from which there is one to it.
static void mark_ways(const Work *w, const Edges *edges, const bool *allowed, uint32_t start,
                      bool forward, bool *marks) {
  marks[start] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < edges->count; k++) {
      const Edge *e = &w->net->edges.items[edges->items[k]];
      const uint32_t from = (forward ? e->source : e->target) - edges->first;
      const uint32_t to = (forward ? e->target : e->source) - edges->first;
      if (allowed[k] && marks[from] && !marks[to])
        changed = marks[to] = true;
    }
  }
}

// The allowed edges in the strongly connected component of `start`; returns how many.
static uint32_t find_part(const Work *w, const Edges *edges, const bool *allowed, uint32_t start,
                          bool *part) {
  bool *marks = mem_alloc(w->arena->mem, 2 * (size_t)edges->locations);
  bool *back = marks + edges->locations;
  uint32_t count = 0;
  mark_ways(w, edges, allowed, start, true, marks);
  mark_ways(w, edges, allowed, start, false, back);
  for (uint32_t k = 0; k < edges->count; k++) {
    const Edge *e = &w->net->edges.items[edges->items[k]];
    const uint32_t from = e->source - edges->first, to = e->target - edges->first;
    part[k] = allowed[k] && marks[from] && back[from] && marks[to] && back[to];
    count += part[k];
  }
  mem_free(w->arena->mem, marks);
  return count;
}

static bool resets(const Work *w, EdgeId e, ClockIndex clock) {
  const Update *u = &w->net->edges.items[e].update;
  for (uint32_t k = 0; !u->has_dynamic_clocks && k < u->clock_update_count; k++)
    if (u->clock_updates[k].x == clock)
      return true;
  return false;
}

static bool tests(const Work *w, EdgeId e, ClockIndex clock) {
  for (uint32_t i = w->f->first_lower[e]; i < w->f->first_lower[e + 1]; i++)
    if (w->f->lowers.items[i].clock == clock)
      return true;
  return false;
}

// A clock that the part both resets and tests; 0: none.
static ClockIndex find_clock(const Work *w, const Edges *edges, const bool *part) {
  for (uint32_t k = 0; k < edges->count; k++)
    for (uint32_t i = w->f->first_lower[edges->items[k]];
         part[k] && i < w->f->first_lower[edges->items[k] + 1]; i++)
      for (uint32_t j = 0; j < edges->count; j++)
        if (part[j] && resets(w, edges->items[j], w->f->lowers.items[i].clock))
          return w->f->lowers.items[i].clock;
  return 0;
}

static void find_recurring(Work *w, const Edges *edges, const bool *allowed) {
  bool *part = mem_alloc(w->arena->mem, 2 * (size_t)edges->count + edges->locations);
  bool *less = part + edges->count, *done = less + edges->count; // done: by location
  for (uint32_t l = 0; l < edges->locations; l++) {
    if (done[l] || !find_part(w, edges, allowed, l, part))
      continue;
    for (uint32_t k = 0; k < edges->count; k++)
      if (part[k])
        done[w->net->edges.items[edges->items[k]].source - edges->first] = true;
    const ClockIndex clock = w->recurring_budget ? find_clock(w, edges, part) : 0;
    w->recurring_budget -= w->recurring_budget > 0;
    for (uint32_t k = 0; k < edges->count && !clock; k++)
      w->recurs[edges->items[k]] |= part[k];
    for (int without = 0; without < 2 && clock; without++) {
      for (uint32_t k = 0; k < edges->count; k++)
        less[k] = part[k] && !(without ? resets(w, edges->items[k], clock)
                                       : tests(w, edges->items[k], clock));
      find_recurring(w, edges, less);
    }
  }
  mem_free(w->arena->mem, part);
}

static void find_recurring_of(Work *w, ProcessId p) {
  const Edges edges = edges_of(w, p);
  const bool is_large = edges.count > EDGE_LIMIT;
  bool *all = mem_alloc(w->arena->mem, edges.count + 1);
  memset(all, true, edges.count);
  w->recurring_budget = RECURRING_LIMIT;
  if (!is_large)
    find_recurring(w, &edges, all);
  for (uint32_t k = 0; k < edges.count && is_large; k++)
    w->recurs[edges.items[k]] = true;
  mem_free(w->arena->mem, all);
}

bool footprint_recurs(Footprint *f, EdgeId e) {
  Work *w = f->work;
  const ProcessId p = f->net->edges.items[e].process;
  if (!w->has_recurring[p])
    find_recurring_of(w, p);
  w->has_recurring[p] = true;
  return w->recurs[e];
}

static void follow(Work *w, EdgeId start, Word *to) {
  Footprint *f = w->f;
  const Net *net = w->net;
  const Edges edges = edges_of(w, net->edges.items[start].process);
  memset(zeros_of(w, start), 0, w->clock_words * sizeof(Word)); // nothing is known before it
  arrive(w, start, zeros_of(w, start));
  while (w->stack.size) {
    const EdgeId e = vec_pop(&w->stack);
    const Location *at = &net->locations.items[net->edges.items[e].target];
    foot_unite(to, row(f->own, f, e), f->row_words);
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const EdgeId next = net->out[at->first_edge + k];
      if (!is_blocked(f, next, zeros_of(w, e)))
        arrive(w, next, zeros_of(w, e));
    }
  }
  for (uint32_t k = 0; k < edges.count; k++)
    w->is_reached[edges.items[k]] = false;
}

static Word *new_follow(const Work *w) {
  return ARENA_ARRAY(w->arena, Word, w->f->row_words + w->f->cell_words);
}

static void find_changes(const Footprint *f, Word *to) {
  foot_unite(to + f->row_words, to + f->writes, f->cell_words);
  foot_unite(to + f->row_words, to + f->ups, f->cell_words);
  foot_unite(to + f->row_words, to + f->downs, f->cell_words);
}

// Where a process has many edges, any can follow.
static Word *follow_any(Work *w, ProcessId p) {
  const Edges edges = edges_of(w, p);
  if (w->all[p])
    return w->all[p];
  w->all[p] = new_follow(w);
  for (uint32_t k = 0; k < edges.count; k++)
    foot_unite(w->all[p], row(w->f->own, w->f, edges.items[k]), w->f->row_words);
  find_changes(w->f, w->all[p]);
  return w->all[p];
}

const Word *footprint_follow(Footprint *f, EdgeId e) {
  Work *w = f->work;
  const ProcessId p = f->net->edges.items[e].process;
  if (w->follow[e])
    return w->follow[e];
  mem_tick(w->arena->mem);
  if (w->edge_counts[p] > EDGE_LIMIT)
    return w->follow[e] = follow_any(w, p);
  w->follow[e] = new_follow(w);
  follow(w, e, w->follow[e]);
  find_changes(f, w->follow[e]);
  return w->follow[e];
}

static void init_work(const Maker *m) {
  const Net *net = m->net;
  const uint32_t edges = net->edges.size, processes = net->processes.size;
  Work *w = m->f->work = ARENA_NEW(m->arena, Work);
  *w = (Work){.f = m->f, .arena = m->arena, .net = net, .is_reset_only = m->is_reset_only};
  w->edge_counts = ARENA_ARRAY(m->arena, uint32_t, processes);
  for (EdgeId i = 0; i < edges; i++)
    w->edge_counts[net->edges.items[i].process]++;
  w->follow = ARENA_ARRAY(m->arena, Word *, edges);
  w->all = ARENA_ARRAY(m->arena, Word *, processes);
  w->clock_words = net->clock_count / 64 + 1;
  w->is_reached = ARENA_ARRAY(m->arena, bool, edges);
  w->zeros = ARENA_ARRAY(m->arena, Word, (size_t)edges * w->clock_words);
  w->next = ARENA_ARRAY(m->arena, Word, w->clock_words);
  w->has_recurring = ARENA_ARRAY(m->arena, bool, processes);
  w->recurs = ARENA_ARRAY(m->arena, bool, edges);
}

// --- The whole.

static void find_syncs(Maker *m) {
  const Net *net = m->net;
  const uint32_t events = net->events.size;
  const size_t count = (size_t)net->processes.size * events;
  uint32_t *number = ARENA_ARRAY(m->arena, uint32_t, count);
  m->f->syncs = ARENA_ARRAY(m->arena, uint32_t *, count);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < net->syncs.size; i++)
      for (uint32_t k = 0; k < net->syncs.items[i].parts.size; k++) {
        const SyncPart *part = &net->syncs.items[i].parts.items[k];
        const size_t at = (size_t)part->process * events + part->event;
        if (!round) {
          number[at]++;
          continue;
        }
        if (!m->f->syncs[at])
          m->f->syncs[at] = ARENA_ARRAY(m->arena, uint32_t, number[at] + 1);
        m->f->syncs[at][++m->f->syncs[at][0]] = i;
      }
}

static uint32_t find_watched(Maker *m, const Goal *goal) {
  const Net *net = m->net;
  uint32_t count = 0;
  m->f->watched = ARENA_ARRAY(m->arena, uint32_t, net->locations.size);
  for (uint32_t c = 0; goal && c < goal->clause_count; c++)
    for (uint32_t i = 0; i < goal->clauses[c].test_count; i++) {
      const Test *test = &goal->clauses[c].tests[i];
      if (test->slot < net->location_slot || test->op != EXPR_EQ)
        continue;
      const Process *p = &net->processes.items[test->slot - net->location_slot];
      uint32_t *number = test->value >= 0 && (uint32_t)test->value < p->location_count
                             ? &m->f->watched[p->first_location + (uint32_t)test->value]
                             : NULL;
      if (number && !*number)
        *number = ++count;
    }
  return count;
}

static void lay_out(Maker *m, const Goal *goal) {
  Footprint *f = m->f;
  const Net *net = m->net;
  const uint32_t watched = find_watched(m, goal);
  f->cell_words = m->access.cell_count / 64 + 1;
  f->set_words = f->constants.size / 64 + 1;
  f->event_words = net->events.size / 64 + 1;
  const uint32_t sizes[] = {f->cell_words,
                            f->cell_words,
                            f->cell_words,
                            f->cell_words,
                            f->set_words,
                            f->event_words,
                            1,
                            watched / 64 + 1};
  uint32_t *const places[] = {&f->reads, &f->writes, &f->ups,   &f->downs,
                              &f->sets,  &f->events, &f->flags, &f->targets};
  for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    *places[i] = f->row_words;
    f->row_words += sizes[i];
  }
}

static void find_clauses(Maker *m, const Goal *goal) {
  Footprint *f = m->f;
  const uint32_t count = goal ? goal->clause_count : 0;
  f->clauses = new_sets(m, count, f->cell_words);
  for (uint32_t c = 0; c < count; c++) {
    access_expr_alone(&m->access, goal->clauses[c].expr);
    collect(&m->access, ACCESS_READ, f->clauses + (size_t)c * f->cell_words);
  }
}

static void allocate(Maker *m) {
  Footprint *f = m->f;
  const Net *net = m->net;
  const uint32_t edges = net->edges.size;
  f->own = new_sets(m, edges, f->row_words);
  f->guards = new_sets(m, edges, f->cell_words);
  f->needs = new_sets(m, edges, f->cell_words);
  f->harms = new_sets(m, edges, f->cell_words);
  f->has_harm = ARENA_ARRAY(m->arena, bool, edges);
  f->invariants = new_sets(m, net->locations.size, f->cell_words);
  f->first_lower = ARENA_ARRAY(m->arena, uint32_t, edges + 1);
  m->has_exit = ARENA_ARRAY(m->arena, bool, net->locations.size);
}

static void make(Maker *m, const Goal *goal) {
  Footprint *f = m->f;
  const Net *net = m->net;
  map_slots(m);
  find_resets(m);
  m->same_cell = ARENA_ARRAY(m->arena, uint32_t, CONSTANT_LIMIT);
  m->cell_first = ARENA_ARRAY(m->arena, uint32_t, m->access.cell_count);
  for (uint32_t i = 0; i < net->edges.size; i++)
    is_simple(m, &net->edges.items[i].update); // numbers constants
  lay_out(m, goal);
  find_rivals(m);
  allocate(m);
  find_invariants(m);
  find_clauses(m, goal);
  for (uint32_t i = 0; i < net->edges.size; i++)
    find_edge(m, i);
  f->first_lower[net->edges.size] = f->lowers.size;
  find_exits(m);
  find_syncs(m);
  init_work(m);
}

static bool can_fail(const Net *net, const Goal *goal) {
  for (uint32_t l = 0; l < net->locations.size; l++)
    if (faults_are_errors(net, net->locations.items[l].invariant_expr, NULL))
      return true;
  for (uint32_t c = 0; goal && c < goal->clause_count; c++)
    if (faults_are_errors(net, goal->clauses[c].expr, NULL))
      return true;
  return false;
}

// A guard that is evaluated only where others of the synchronisation are possible: whether it
// fails depends on all of them.
static bool sync_can_fail(const Net *net) {
  for (uint32_t i = 0; i < net->edges.size; i++) {
    const Edge *e = &net->edges.items[i];
    if (!net->async[(size_t)e->process * net->events.size + e->event] &&
        faults_are_errors(net, e->guard_expr, NULL) && RULE("shared"))
      return true;
  }
  return false;
}

// Beyond WORD_LIMIT words for all rows, about.
static bool is_large(const Net *net) {
  size_t cells = net->processes.size + net->clock_count;
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const uint32_t slots = net->variables.items[v].type->slots;
    cells += slots > ACCESS_MAX_SLOTS ? 1 : slots;
  }
  return (cells + net->events.size) / 16 * net->edges.size > WORD_LIMIT;
}

const char *footprint_obstacle(const Net *net, const Goal *goal) {
  for (uint32_t i = 0; goal && goal->ends && i < goal->clause_count; i++)
    if (goal->ends[i] == GOAL_NOT_DEADLOCKED)
      return "the query asks for states that are not deadlocked";
  return net->priority.is_used ? "there are priorities"
         : net->hooks.before_stmts || net->hooks.after_stmts
             ? "there are updates around each step"
         : net->slots.is_kept  ? "a meta variable may be read before it is written"
         : can_fail(net, goal) ? "an invariant or the query can fail at run time"
         : sync_can_fail(net)  ? "a guard of a synchronisation can fail at run time"
         : is_large(net)       ? "the network is too large for it"
                               : NULL;
}

void footprint_make(Footprint *f, Arena *arena, const Net *net, const Goal *goal) {
  *f = (Footprint){.net = net};
  Maker m = {.f = f, .arena = arena, .net = net};
  access_init(&m.access, arena, net);
  f->first_location = m.access.first_location;
  f->first_clock = m.access.first_clock;
  m.is_reset_only = ARENA_ARRAY(arena, bool, net->clock_count + 1);
  m.is_upper = ARENA_ARRAY(arena, bool, net->clock_count + 1);
  make(&m, goal);
  access_release(&m.access);
  vec_release(arena->mem, &m.clocks);
}
