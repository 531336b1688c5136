#include "model/localranges.h"

#include "model/expr/clockuse.h"
#include "model/faults.h"

#include <stdlib.h>
#include <string.h>

// A round takes the edges from the locations whose intervals grew in the round before. Each
// gives its target what the intervals of the source become: guard, updates, invariant of the
// target. What others do in the same transition does not matter, as the variables are not theirs.
// So a location's intervals hold in every reachable state.
//
// An interval that grew PATIENCE times jumps to the next constant that the variable is compared
// with in the net, give or take one, and later to the net's interval. All joins of a round use
// what was known before it: the result does not depend on the order of edges.

enum { PATIENCE = 10, MAX_CELLS = 1 << 20 };

typedef struct Row { // of a location: intervals, by index in `own`
  bool is_reached, has_grown, has_arrivals;
  int32_t *low, *high, *next_low, *next_high;
  uint8_t *growth; // how often
} Row;

typedef struct Locals {
  Net *net;
  Arena arena;
  Access access;
  Flow flow;
  ProcessId process;
  LocationId first_location;
  uint32_t location_count;
  VEC(uint32_t) own;      // slots
  VEC(int32_t) constants; // ascending
  Row *rows;              // by local index
} Locals;

const ProcessId *localranges_writers(const Net *net, Arena *arena) {
  Access access;
  access_init(&access, arena, net);
  ProcessId *cells = ARENA_ARRAY(arena, ProcessId, access.cell_count);
  ProcessId *writers = ARENA_ARRAY(arena, ProcessId, net->slots.count);
  for (CellId cell = 0; cell < access.cell_count; cell++)
    cells[cell] = net->hooks.before_stmts || net->hooks.after_stmts ? LOCALRANGES_SEVERAL
                                                                    : LOCALRANGES_NOBODY;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    access_expr_alone(&access, edge->guard_expr);
    access_stmts(&access, edge->update_stmts);
    for (uint32_t i = 0; i < access.marked.size; i++) {
      ProcessId *writer = &cells[access.marked.items[i]];
      if (access.marks[access.marked.items[i]] & ACCESS_WRITE)
        *writer = *writer == LOCALRANGES_NOBODY || *writer == edge->process ? edge->process
                                                                            : LOCALRANGES_SEVERAL;
    }
  }
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    writers[slot] = cells[access_cell(&access, slot)];
  access_release(&access);
  return writers;
}

// Whether a clock bound of the process is an expression whose range the variables decide.

typedef struct Interest {
  Locals *locals;
  bool found;
} Interest;

static void look_at_test(void *context, const Expr *test) {
  Interest *interest = context;
  Locals *l = interest->locals;
  const Range range =
      intervals_of(&(Intervals){l->net, l->net->slots.low, l->net->slots.high}, test->c);
  if (range.low == range.high)
    return;
  access_expr_alone(&l->access, test->c);
  for (uint32_t i = 0; i < l->access.marked.size; i++)
    interest->found |= l->access.marked.items[i] < l->access.first_location;
}

static bool is_of_interest(Locals *l) {
  Interest interest = {l, false};
  for (uint32_t i = 0; i < l->location_count; i++) {
    const Location *location = &l->net->locations.items[l->first_location + i];
    clockuse_tests(location->invariant.expr, look_at_test, &interest);
    for (uint32_t k = 0; k < location->edge_count; k++)
      clockuse_tests(net_edge_from(l->net, location, k)->guard.expr, look_at_test, &interest);
  }
  return interest.found;
}

static void find_own(Locals *l, const ProcessId *writers) {
  vec_clear(&l->own);
  for (uint32_t slot = 0; slot < l->net->location_slot; slot++)
    if (writers[slot] == l->process && !(l->net->slots.is_meta && l->net->slots.is_meta[slot]) &&
        l->net->slots.low[slot] < l->net->slots.high[slot])
      vec_push(l->net->mem, &l->own, slot);
}

static void add_constants(Locals *l, const Expr *expr) {
  if (!expr)
    return;
  for (int32_t by = -1; expr->kind == EXPR_CONST && by <= 1; by++)
    if (expr->value > INT32_MIN && expr->value < INT32_MAX)
      vec_push(l->net->mem, &l->constants, expr->value + by);
  add_constants(l, expr->a);
  add_constants(l, expr->b);
  add_constants(l, expr->c);
}

static int compare_constants(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void find_constants(Locals *l) {
  vec_clear(&l->constants);
  for (uint32_t i = 0; i < l->location_count; i++) {
    const Location *location = &l->net->locations.items[l->first_location + i];
    add_constants(l, location->invariant.expr);
    for (uint32_t k = 0; k < location->edge_count; k++)
      add_constants(l, net_edge_from(l->net, location, k)->guard.expr);
  }
  if (!l->constants.size)
    return;
  qsort(l->constants.items, l->constants.size, sizeof(int32_t), compare_constants);
  uint32_t size = 1;
  for (uint32_t i = 1; i < l->constants.size; i++)
    if (l->constants.items[i] != l->constants.items[size - 1])
      l->constants.items[size++] = l->constants.items[i];
  l->constants.size = size;
}

// The flow begins with the net's intervals but for the own variables.
static void begin(Locals *l, const Row *row) {
  const size_t bytes = sizeof(int32_t) * l->net->slots.count;
  memcpy(l->flow.low, l->net->slots.low, bytes);
  memcpy(l->flow.high, l->net->slots.high, bytes);
  l->flow.is_dead = false;
  for (uint32_t i = 0; i < l->own.size; i++) {
    l->flow.low[l->own.items[i]] = row->low[i];
    l->flow.high[l->own.items[i]] = row->high[i];
  }
}

// Others may have written what is not our own.
static void keep_own(Locals *l) {
  Row *spare = &l->rows[l->location_count];
  for (uint32_t i = 0; i < l->own.size; i++) {
    spare->low[i] = l->flow.low[l->own.items[i]];
    spare->high[i] = l->flow.high[l->own.items[i]];
  }
  begin(l, spare);
}

// Joins the flow to what the location will have after this round.
static void arrive(Locals *l, uint32_t at) {
  const Location *location = &l->net->locations.items[l->first_location + at];
  Row *row = &l->rows[at];
  // Where it can fail its clock tests may decide that before.
  if (!faults_in_expr(l->net, location->invariant_expr))
    intervals_assume(&l->flow, location->invariant_expr, true);
  if (l->flow.is_dead)
    return;
  row->has_arrivals = true;
  for (uint32_t i = 0; i < l->own.size; i++) {
    const int32_t low = l->flow.low[l->own.items[i]], high = l->flow.high[l->own.items[i]];
    row->next_low[i] = low < row->next_low[i] ? low : row->next_low[i];
    row->next_high[i] = high > row->next_high[i] ? high : row->next_high[i];
  }
}

static void follow(Locals *l, const Edge *edge) {
  begin(l, &l->rows[edge->source - l->first_location]);
  intervals_assume(&l->flow, edge->guard_expr, true);
  if (l->flow.is_dead)
    return;
  keep_own(l);
  intervals_run(&l->flow, edge->update.stmts);
  if (l->flow.is_dead)
    return;
  keep_own(l);
  arrive(l, edge->target - l->first_location);
}

// The constant at or above (below) a bound, not beyond the net's.
static int32_t next_above(const Locals *l, int32_t bound, int32_t max) {
  for (uint32_t i = 0; i < l->constants.size; i++)
    if (l->constants.items[i] >= bound)
      return l->constants.items[i] < max ? l->constants.items[i] : max;
  return max;
}

static int32_t next_below(const Locals *l, int32_t bound, int32_t least) {
  for (uint32_t i = l->constants.size; i-- > 0;)
    if (l->constants.items[i] <= bound)
      return l->constants.items[i] > least ? l->constants.items[i] : least;
  return least;
}

// Takes over the round's result.
static void settle(Locals *l, Row *row) {
  row->has_grown = row->has_arrivals && !row->is_reached;
  row->is_reached |= row->has_arrivals;
  row->has_arrivals = false;
  for (uint32_t i = 0; row->is_reached && i < l->own.size; i++) {
    const uint32_t slot = l->own.items[i];
    const bool falls = row->next_low[i]<row->low[i], rises = row->next_high[i]> row->high[i];
    if (!falls && !rises)
      continue;
    row->has_grown = true;
    row->growth[i] = (uint8_t)(row->growth[i] + (row->growth[i] <= PATIENCE));
    if (row->growth[i] > PATIENCE && falls)
      row->next_low[i] = next_below(l, row->next_low[i], l->net->slots.low[slot]);
    if (row->growth[i] > PATIENCE && rises)
      row->next_high[i] = next_above(l, row->next_high[i], l->net->slots.high[slot]);
    row->low[i] = row->next_low[i];
    row->high[i] = row->next_high[i];
  }
}

static bool settle_all(Locals *l) {
  bool changed = false;
  for (uint32_t i = 0; i < l->location_count; i++) {
    settle(l, &l->rows[i]);
    changed |= l->rows[i].has_grown;
  }
  return changed;
}

static void start(Locals *l) {
  const uint32_t size = l->own.size;
  l->rows = ARENA_ARRAY(&l->arena, Row, l->location_count + 1); // the last one is spare
  for (uint32_t at = 0; at <= l->location_count; at++) {
    Row *row = &l->rows[at];
    int32_t *numbers = ARENA_ARRAY(&l->arena, int32_t, 4 * size);
    *row = (Row){.low = numbers,
                 .high = numbers + size,
                 .next_low = numbers + 2 * size,
                 .next_high = numbers + 3 * size,
                 .growth = ARENA_ARRAY(&l->arena, uint8_t, size)};
    for (uint32_t i = 0; i < size; i++) {
      row->low[i] = row->next_low[i] = INT32_MAX;
      row->high[i] = row->next_high[i] = INT32_MIN;
    }
  }
  Row *spare = &l->rows[l->location_count];
  for (uint32_t at = 0; at < l->location_count; at++) {
    if (!l->net->locations.items[l->first_location + at].initial)
      continue;
    for (uint32_t i = 0; i < size; i++)
      spare->low[i] = spare->high[i] = l->net->slots.initial[l->own.items[i]];
    begin(l, spare);
    arrive(l, at);
  }
}

static void solve(Locals *l) {
  start(l);
  while (settle_all(l))
    for (uint32_t at = 0; at < l->location_count; at++) {
      const Location *location = &l->net->locations.items[l->first_location + at];
      mem_tick(l->net->mem);
      for (uint32_t k = 0; l->rows[at].has_grown && k < location->edge_count; k++)
        follow(l, net_edge_from(l->net, location, k));
    }
}

// What is less than in the net.
static SlotRanges publish(Locals *l, const Row *row) {
  const Net *net = l->net;
  SlotRange *items = ARENA_ARRAY(&l->net->arena, SlotRange, row->is_reached ? l->own.size : 0);
  SlotRanges ranges = {items, 0};
  for (uint32_t i = 0; row->is_reached && i < l->own.size; i++) {
    const uint32_t slot = l->own.items[i];
    if (row->low[i] > net->slots.low[slot] || row->high[i] < net->slots.high[slot])
      items[ranges.count++] = (SlotRange){slot, row->low[i], row->high[i]};
  }
  return ranges;
}

static bool is_small(const Locals *l) {
  uint64_t edges = 0;
  for (uint32_t i = 0; i < l->location_count; i++)
    edges += l->net->locations.items[l->first_location + i].edge_count;
  return (uint64_t)l->own.size * (l->location_count + 1) < MAX_CELLS &&
         (edges + 1) * l->net->slots.count < MAX_CELLS;
}

static void compute_process(Locals *l, const ProcessId *writers, SlotRanges **all) {
  find_own(l, writers);
  if (!l->own.size || !is_small(l) || !is_of_interest(l))
    return;
  find_constants(l);
  solve(l);
  if (!*all)
    *all = ARENA_ARRAY(&l->net->arena, SlotRanges, l->net->locations.size);
  for (uint32_t at = 0; at < l->location_count; at++)
    (*all)[l->first_location + at] = publish(l, &l->rows[at]);
}

void localranges_compute(Net *net, const ProcessId *writers) {
  Locals l = {.net = net, .arena = {.mem = net->mem}};
  SlotRanges *all = NULL;
  access_init(&l.access, &l.arena, net);
  l.flow = (Flow){.access = &l.access,
                  .net = net,
                  .low = ARENA_ARRAY(&l.arena, int32_t, net->slots.count),
                  .high = ARENA_ARRAY(&l.arena, int32_t, net->slots.count)};
  for (ProcessId p = 0; p < net->processes.size; p++) {
    l.process = p;
    l.first_location = net->processes.items[p].first_location;
    l.location_count = net->processes.items[p].location_count;
    compute_process(&l, writers, &all);
  }
  net->slots.local = all;
  vec_release(net->mem, &l.own);
  vec_release(net->mem, &l.constants);
  access_release(&l.access);
  arena_release(&l.arena);
}

void localranges_enter(const Net *net, Flow *flow, LocationId location) {
  const size_t bytes = sizeof(int32_t) * net->slots.count;
  memcpy(flow->low, net->slots.low, bytes);
  memcpy(flow->high, net->slots.high, bytes);
  flow->is_dead = false;
  const SlotRanges *ranges = net->slots.local ? &net->slots.local[location] : NULL;
  for (uint32_t i = 0; ranges && i < ranges->count; i++) {
    flow->low[ranges->items[i].slot] = ranges->items[i].low;
    flow->high[ranges->items[i].slot] = ranges->items[i].high;
  }
}
