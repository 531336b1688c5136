#include "check/zerotime.h"

#include "model/expr/clockuse.h"
#include "model/faults.h"
#include "model/intervals.h"

#include <string.h>

// As in check/leftout.c.
#define RULE(name) true

enum {
  FOLLOW_LIMIT = 256,     // edges of a process; of a larger one all edges can follow each other
  RECURRING_LIMIT = 5000, // parts of a process that are looked at; of others all edges recur
  WORDS_LIMIT = 1 << 25,
};

static Bits *new_bits(const ZeroTime *z, uint32_t words) {
  return ARENA_ARRAY(z->arena, Bits, words);
}

Deeds zerotime_deeds(const ZeroTime *z) {
  return (Deeds){.reads = new_bits(z, z->cell_words),
                 .writes = new_bits(z, z->cell_words),
                 .ups = new_bits(z, z->cell_words),
                 .downs = new_bits(z, z->cell_words),
                 .sets = new_bits(z, z->constant_words),
                 .events = new_bits(z, z->event_words),
                 .targets = new_bits(z, z->location_words)};
}

void zerotime_clear(const ZeroTime *z, Deeds *d) {
  Bits *const of_cells[] = {d->reads, d->writes, d->ups, d->downs};
  for (uint32_t i = 0; i < sizeof of_cells / sizeof *of_cells; i++)
    memset(of_cells[i], 0, z->cell_words * sizeof(Bits));
  memset(d->sets, 0, z->constant_words * sizeof(Bits));
  memset(d->events, 0, z->event_words * sizeof(Bits));
  memset(d->targets, 0, z->location_words * sizeof(Bits));
  d->flags = 0;
}

void zerotime_join(const ZeroTime *z, Deeds *to, const Deeds *from) {
  bits_join(to->reads, from->reads, z->cell_words);
  bits_join(to->writes, from->writes, z->cell_words);
  bits_join(to->ups, from->ups, z->cell_words);
  bits_join(to->downs, from->downs, z->cell_words);
  bits_join(to->sets, from->sets, z->constant_words);
  bits_join(to->events, from->events, z->event_words);
  bits_join(to->targets, from->targets, z->location_words);
  to->flags |= from->flags;
}

void zerotime_written(const ZeroTime *z, const Deeds *d, Bits *cells) {
  bits_join(cells, d->writes, z->cell_words);
  bits_join(cells, d->ups, z->cell_words);
  bits_join(cells, d->downs, z->cell_words);
}

// --- Cells.

static void collect(const Access *access, unsigned kinds, Bits *cells) {
  for (uint32_t i = 0; i < access->marked.size; i++)
    if (access->marks[access->marked.items[i]] & kinds)
      bits_add(cells, access->marked.items[i]);
}

CellId zerotime_cell(const ZeroTime *z, uint32_t slot) {
  const Net *net = z->net;
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *name = &net->variables.items[v];
    if (slot - name->base >= name->type->slots)
      continue;
    const bool is_meta = net->slots.is_meta && net->slots.is_meta[slot];
    return name->type->slots > ACCESS_MAX_SLOTS || is_meta
               ? UINT32_MAX
               : z->access.first[v] + (slot - name->base);
  }
  return UINT32_MAX;
}

static uint32_t number_of(ZeroTime *z, ZeroConstant c) {
  for (uint32_t k = 0; k < z->constants.size; k++)
    if (z->constants.items[k].cell == c.cell && z->constants.items[k].value == c.value)
      return k;
  vec_push(z->arena->mem, &z->constants, c);
  return z->constants.size - 1;
}

// Whether an update does nothing but set constants and count.
static bool is_plain(const ZeroTime *z, const Update *u) {
  bool plain = (!u->code || u->has_shifts) && !u->has_dynamic_clocks;
  for (uint32_t i = 0; i < u->slot_update_count; i++)
    plain = plain && zerotime_cell(z, u->slot_updates[i].slot) != UINT32_MAX;
  for (uint32_t i = 0; i < u->shift_count; i++)
    plain = plain && zerotime_cell(z, u->shifts[i].slot) != UINT32_MAX;
  for (uint32_t i = 0; i < u->clock_update_count; i++)
    plain = plain && !u->clock_updates[i].y;
  return plain;
}

// Calls for each constant of a plain update, in order: the last one of a cell counts.
static void each_constant(ZeroTime *z, const Update *u,
                          void (*visit)(ZeroTime *, ZeroConstant, void *), void *context) {
  for (uint32_t i = 0; i < u->slot_update_count; i++) {
    const SlotUpdate *s = &u->slot_updates[i];
    visit(z, (ZeroConstant){zerotime_cell(z, s->slot), s->slot, s->value}, context);
  }
  for (uint32_t i = 0; i < u->clock_update_count; i++) {
    const ClockUpdate *c = &u->clock_updates[i];
    visit(z, (ZeroConstant){z->access.first_clock + c->x, UINT32_MAX, c->constant}, context);
  }
}

static void count_constant(ZeroTime *z, ZeroConstant c, void *unused) {
  (void)unused;
  number_of(z, c);
}

static void set_constant(ZeroTime *z, ZeroConstant c, void *sets) {
  for (uint32_t k = 0; k < z->constants.size; k++)
    if (z->constants.items[k].cell == c.cell)
      ((Bits *)sets)[k / 64] &= ~((Bits)1 << k % 64);
  bits_add(sets, number_of(z, c));
}

// --- Edges.

typedef struct Lowers {
  ZeroTime *z;
  VEC(ZeroLower) list;
} Lowers;

static void add_lower(Lowers *l, ClockIndex clock, int64_t bound, bool strict) {
  if (l->z->resets_only[clock] && (bound > 0 || (bound == 0 && strict)))
    vec_push(l->z->arena->mem, &l->list, ((ZeroLower){clock, bound, strict}));
}

// Conjuncts y >= e, where e depends on variables: its least value counts.
static void add_least(Lowers *l, const Expr *guard) {
  int64_t constant;
  if (guard && guard->kind == EXPR_AND) {
    add_least(l, guard->a);
    add_least(l, guard->b);
  }
  if (!guard || guard->kind != EXPR_CLOCK_TEST || guard->b || guard->a->kind != EXPR_CLOCK ||
      guard->a->type->kind != TYPE_CLOCK || expr_is_time(guard->c, &constant))
    return;
  if (guard->op == EXPR_GE || guard->op == EXPR_GT || guard->op == EXPR_EQ)
    add_lower(l, guard->a->base, intervals_of_net(l->z->net, guard->c).low, guard->op == EXPR_GT);
}

// A guard that can fail at run time is evaluated where the edge cannot be taken, too: then none
// of its conjuncts is of use.
static void find_lowers(ZeroTime *z, const Edge *e, ZeroEdge *edge) {
  Lowers l = {.z = z};
  if (faults_are_errors(z->net, e->guard_expr, NULL) && RULE("unseen"))
    return;
  for (uint32_t k = 0; k < e->guard.clock_test_count; k++)
    if (!e->guard.clock_tests[k].i)
      add_lower(&l, e->guard.clock_tests[k].j, -e->guard.clock_tests[k].constant,
                e->guard.clock_tests[k].strict);
  add_least(&l, e->guard_expr);
  edge->lower_count = l.list.size;
  edge->lower = arena_copy(z->arena, l.list.items, l.list.size * sizeof *l.list.items);
  vec_release(z->arena->mem, &l.list);
}

// Whether an invariant of another process reads the cell.
static bool is_watched(const ZeroTime *z, CellId cell, ProcessId but) {
  for (LocationId l = 0; l < z->net->locations.size; l++)
    if (z->net->locations.items[l].process != but && bits_has(z->invariants[l], cell))
      return true;
  return false;
}

// Of the updates that were just looked at. Setting a clock to 0 that invariants bound from above
// only does no harm.
static void find_harms(const ZeroTime *z, const Edge *e, Bits *harms) {
  const Access *access = &z->access;
  for (uint32_t i = 0; i < access->marked.size; i++) {
    const CellId cell = access->marked.items[i];
    const unsigned marks = access->marks[cell];
    const bool is_reset = cell >= access->first_clock && !(marks & ACCESS_SET) &&
                          z->only_above[cell - access->first_clock];
    if (marks & (ACCESS_WRITE | ACCESS_SET) && !is_reset && is_watched(z, cell, e->process))
      bits_add(harms, cell);
  }
}

static void find_edge(ZeroTime *z, EdgeId i) {
  const Edge *e = &z->net->edges.items[i];
  ZeroEdge *edge = &z->edges[i];
  Access *access = &z->access;
  *edge = (ZeroEdge){.own = zerotime_deeds(z),
                     .all = zerotime_deeds(z),
                     .guard = new_bits(z, z->cell_words),
                     .needs = new_bits(z, z->cell_words),
                     .harms = new_bits(z, z->cell_words)};
  access_expr_alone(access, e->guard_expr);
  collect(access, ACCESS_READ, edge->guard);
  collect(access, ACCESS_WRITE | ACCESS_SET, edge->own.writes);
  access_stmts_alone(access, e->update_stmts);
  find_harms(z, e, edge->harms);
  bits_join(edge->needs, edge->guard, z->cell_words);
  bits_join(edge->needs, z->invariants[e->target], z->cell_words);
  if (is_plain(z, &e->update)) {
    each_constant(z, &e->update, set_constant, edge->own.sets);
    for (uint32_t k = 0; k < e->update.shift_count; k++)
      bits_add(e->update.shifts[k].delta > 0 ? edge->own.ups : edge->own.downs,
               zerotime_cell(z, e->update.shifts[k].slot));
  } else {
    collect(access, ACCESS_READ, edge->needs);
    collect(access, ACCESS_WRITE | ACCESS_SET, edge->own.writes);
  }
  bits_join(edge->own.reads, edge->needs, z->cell_words);
  bits_join(edge->own.reads, z->invariants[e->source], z->cell_words);
  bits_add(edge->own.writes, access->first_location + e->process);
  bits_add(edge->own.events, e->event);
  bits_add(edge->own.targets, e->target);
  edge->own.flags = DEED_MOVES;
  if (faults_are_errors(z->net, e->guard_expr, e->update_stmts))
    edge->own.flags |= DEED_FAILS;
  z->can_fail |= edge->own.flags & DEED_FAILS;
  find_lowers(z, e, edge);
}

// --- Locations and clocks.

static void look_at_test(void *context, const Expr *test) {
  ZeroTime *z = context;
  ClockList clocks = {0};
  if (test->b || (test->op != EXPR_LE && test->op != EXPR_LT)) {
    clockuse_clocks(z->arena->mem, test->a, &clocks);
    if (test->b)
      clockuse_clocks(z->arena->mem, test->b, &clocks);
  }
  for (uint32_t i = 0; i < clocks.size; i++)
    z->only_above[clocks.items[i]] = false;
  vec_release(z->arena->mem, &clocks);
}

static void find_invariants(ZeroTime *z) {
  z->invariants = ARENA_ARRAY(z->arena, Bits *, z->net->locations.size);
  for (LocationId l = 0; l < z->net->locations.size; l++) {
    const Expr *invariant = z->net->locations.items[l].invariant_expr;
    z->invariants[l] = new_bits(z, z->cell_words);
    access_expr_alone(&z->access, invariant);
    collect(&z->access, ACCESS_READ, z->invariants[l]);
    if (invariant)
      clockuse_tests(invariant, look_at_test, z);
  }
}

static void find_clocks(ZeroTime *z) {
  const uint32_t clocks = z->net->clock_count + 1;
  z->resets_only = ARENA_ARRAY(z->arena, bool, clocks);
  z->only_above = ARENA_ARRAY(z->arena, bool, clocks);
  memset(z->resets_only, true, clocks);
  memset(z->only_above, true, clocks);
  access_clear(&z->access);
  for (EdgeId e = 0; e < z->net->edges.size; e++) {
    access_expr(&z->access, z->net->edges.items[e].guard_expr);
    access_stmts(&z->access, z->net->edges.items[e].update_stmts);
  }
  for (uint32_t x = 1; x < clocks; x++)
    z->resets_only[x] = !(z->access.marks[z->access.first_clock + x] & ACCESS_SET);
}

static bool is_empty(const Bits *set, uint32_t words) { return !bits_meet(set, set, words); }

// Whether a committed location has an edge that can be taken whenever the process may move.
static bool has_exit(const ZeroTime *z, LocationId l) {
  const Net *net = z->net;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *e = &net->edges.items[i];
    if (e->source == l && net->async[(size_t)e->process * net->events.size + e->event] &&
        !e->guard_expr && !net->locations.items[e->target].invariant_expr &&
        (net->invalid_is_error || !e->update.code) && is_empty(z->edges[i].harms, z->cell_words))
      return true;
  }
  return false;
}

static void find_stuck(ZeroTime *z) {
  for (LocationId l = 0; l < z->net->locations.size; l++) {
    if (!z->net->locations.items[l].committed || has_exit(z, l))
      continue;
    for (EdgeId i = 0; i < z->net->edges.size; i++)
      if (z->net->edges.items[i].target == l)
        z->edges[i].own.flags |= DEED_STICKS;
  }
}

// --- What follows an edge in zero time.

typedef struct Ways { // of one process
  const EdgeId *edges;
  uint32_t count;
  uint32_t words; // of sets of clocks
  bool *reached;  // by number in `edges`
  Bits *zero;     // the same: clocks that are 0 behind it, on every way
  uint32_t budget;
} Ways;

static void add_resets(const ZeroTime *z, EdgeId e, Bits *clocks) {
  const Update *u = &z->net->edges.items[e].update;
  for (uint32_t k = 0; !u->has_dynamic_clocks && k < u->clock_update_count; k++)
    if (z->resets_only[u->clock_updates[k].x])
      bits_add(clocks, u->clock_updates[k].x);
}

static bool is_barred(const ZeroEdge *edge, const Bits *zero) {
  for (uint32_t k = 0; k < edge->lower_count; k++)
    if (bits_has(zero, edge->lower[k].clock))
      return true;
  return false;
}

// Goes from edge number `from` to number `to`; whether something changed.
static bool go(const ZeroTime *z, Ways *w, uint32_t from, uint32_t to, Bits *scratch) {
  Bits *behind = w->zero + (size_t)to * w->words;
  memcpy(scratch, w->zero + (size_t)from * w->words, w->words * sizeof(Bits));
  if (is_barred(&z->edges[w->edges[to]], scratch))
    return false;
  add_resets(z, w->edges[to], scratch);
  bool changed = !w->reached[to];
  for (uint32_t k = 0; k < w->words; k++) {
    const Bits now = w->reached[to] ? behind[k] & scratch[k] : scratch[k];
    changed |= now != behind[k];
    behind[k] = now;
  }
  w->reached[to] = true;
  return changed;
}

static void find_ways(const ZeroTime *z, Ways *w, uint32_t start) {
  Bits *scratch = w->zero + (size_t)w->count * w->words;
  memset(w->reached, 0, w->count);
  memset(w->zero, 0, (size_t)w->count * w->words * sizeof(Bits));
  w->reached[start] = true;
  add_resets(z, w->edges[start], w->zero + (size_t)start * w->words);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 0; a < w->count; a++)
      for (uint32_t b = 0; w->reached[a] && b < w->count; b++)
        if (z->net->edges.items[w->edges[a]].target == z->net->edges.items[w->edges[b]].source)
          changed |= go(z, w, a, b, scratch);
  }
}

// --- Which edges recur. An infinite way in zero time takes the edges of some strongly connected
// part again and again. If a clock is reset there and asked to be more than 0, then not all of
// these edges are among them.

static bool resets(const ZeroTime *z, EdgeId e, ClockIndex clock) {
  const Update *u = &z->net->edges.items[e].update;
  for (uint32_t k = 0; !u->has_dynamic_clocks && k < u->clock_update_count; k++)
    if (u->clock_updates[k].x == clock)
      return true;
  return false;
}

static bool asks(const ZeroTime *z, EdgeId e, ClockIndex clock) {
  for (uint32_t k = 0; k < z->edges[e].lower_count; k++)
    if (z->edges[e].lower[k].clock == clock)
      return true;
  return false;
}

// By edge: `to` from which, or to which, a way of allowed edges leads.
static void spread(const ZeroTime *z, const Ways *w, const bool *allowed, uint32_t start,
                   bool forward, bool *marks) {
  memset(marks, 0, w->count);
  marks[start] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 0; a < w->count; a++)
      for (uint32_t b = 0; marks[a] && b < w->count; b++) {
        const Edge *first = &z->net->edges.items[w->edges[forward ? a : b]];
        const Edge *second = &z->net->edges.items[w->edges[forward ? b : a]];
        if (allowed[b] && !marks[b] && first->target == second->source)
          changed = marks[b] = true;
      }
  }
}

// A clock that the edges of the part reset and ask for; 0: none.
static ClockIndex find_clock(const ZeroTime *z, const Ways *w, const bool *part) {
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t k = 0; part[a] && k < z->edges[w->edges[a]].lower_count; k++)
      for (uint32_t b = 0; b < w->count; b++)
        if (part[b] && resets(z, w->edges[b], z->edges[w->edges[a]].lower[k].clock))
          return z->edges[w->edges[a]].lower[k].clock;
  return 0;
}

// Marks the edges that can be taken again and again by ways of allowed edges.
static void find_recurring(ZeroTime *z, Ways *w, const bool *allowed) {
  Mem *mem = z->arena->mem;
  const uint32_t n = w->count;
  bool *part = mem_alloc(mem, 4 * (size_t)n), *back = part + n, *less = back + n,
       *done = less + n;
  for (uint32_t start = 0; start < n; start++) {
    const Edge *e = &z->net->edges.items[w->edges[start]];
    if (!allowed[start] || done[start])
      continue;
    spread(z, w, allowed, start, true, part);
    spread(z, w, allowed, start, false, back);
    bool is_cycle = e->source == e->target;
    for (uint32_t k = 0; k < n; k++) {
      part[k] = part[k] && back[k];
      done[k] |= part[k];
      is_cycle |= part[k] && k != start;
    }
    if (!is_cycle)
      continue;
    const ClockIndex clock = w->budget ? find_clock(z, w, part) : 0;
    w->budget -= w->budget > 0;
    for (uint32_t k = 0; k < n && !clock; k++)
      z->edges[w->edges[k]].recurs |= part[k];
    for (int which = 0; which < 2 && clock; which++) {
      for (uint32_t k = 0; k < n; k++)
        less[k] =
            part[k] && !(which ? resets(z, w->edges[k], clock) : asks(z, w->edges[k], clock));
      find_recurring(z, w, less);
    }
  }
  mem_free(mem, part);
}

// --- The whole.

static void find_syncs(ZeroTime *z) {
  const Net *net = z->net;
  z->syncs = ARENA_ARRAY(z->arena, ZeroSyncs, (size_t)net->processes.size * net->events.size + 1);
  for (int round = 0; round < 2; round++)
    for (uint32_t s = 0; s < net->syncs.size; s++)
      for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
        const SyncPart *part = &net->syncs.items[s].parts.items[k];
        ZeroSyncs *list = &z->syncs[(size_t)part->process * net->events.size + part->event];
        if (round && !list->items) {
          list->items = ARENA_ARRAY(z->arena, const Sync *, list->count);
          list->count = 0;
        }
        if (round)
          list->items[list->count] = &net->syncs.items[s];
        list->count++;
      }
}

static void follow_edge(ZeroTime *z, Ways *w, uint32_t start) {
  Deeds *all = &z->edges[w->edges[start]].all;
  mem_tick(z->arena->mem);
  find_ways(z, w, start);
  for (uint32_t k = 0; k < w->count; k++)
    if (w->reached[k])
      zerotime_join(z, all, &z->edges[w->edges[k]].own);
}

static void follow_process(ZeroTime *z, ProcessId p) {
  const Net *net = z->net;
  EdgeId *edges = mem_alloc(net->mem, (net->edges.size + 1) * sizeof *edges);
  Ways w = {.edges = edges, .words = net->clock_count / 64 + 1};
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].process == p)
      edges[w.count++] = e;
  const bool is_large = w.count > FOLLOW_LIMIT;
  w.reached = mem_alloc(net->mem, w.count + 1);
  w.zero = mem_alloc(net->mem, is_large ? 1 : (w.count + 1) * w.words * sizeof(Bits));
  Deeds every = zerotime_deeds(z);
  for (uint32_t a = 0; is_large && a < w.count; a++)
    zerotime_join(z, &every, &z->edges[edges[a]].own);
  for (uint32_t a = 0; a < w.count; a++)
    if (is_large)
      zerotime_join(z, &z->edges[edges[a]].all, &every);
    else
      follow_edge(z, &w, a);
  w.budget = RECURRING_LIMIT;
  memset(w.reached, true, w.count);
  for (uint32_t a = 0; is_large && a < w.count; a++)
    z->edges[edges[a]].recurs = true;
  if (!is_large)
    find_recurring(z, &w, w.reached);
  mem_free(net->mem, w.zero);
  mem_free(net->mem, w.reached);
  mem_free(net->mem, edges);
}

bool zerotime_init(ZeroTime *z, Arena *arena, const Net *net) {
  *z = (ZeroTime){.net = net, .arena = arena};
  access_init(&z->access, arena, net);
  z->cell_words = z->access.cell_count / 64 + 1;
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (is_plain(z, &net->edges.items[e].update))
      each_constant(z, &net->edges.items[e].update, count_constant, NULL);
  z->constant_words = z->constants.size / 64 + 1;
  z->event_words = net->events.size / 64 + 1;
  z->location_words = net->locations.size / 64 + 1;
  const uint64_t words = 11 * (uint64_t)z->cell_words + 2 * (uint64_t)z->constant_words +
                         2 * (uint64_t)z->event_words + 2 * (uint64_t)z->location_words;
  if (words * net->edges.size > WORDS_LIMIT)
    return false;
  z->edges = ARENA_ARRAY(arena, ZeroEdge, net->edges.size);
  find_clocks(z);
  find_invariants(z);
  for (EdgeId e = 0; e < net->edges.size; e++)
    find_edge(z, e);
  find_stuck(z);
  find_syncs(z);
  for (ProcessId p = 0; p < net->processes.size; p++)
    follow_process(z, p);
  return true;
}
