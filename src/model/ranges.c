#include "model/ranges.h"

#include "model/counters.h"
#include "model/intervals.h"
#include "model/localranges.h"

#include <string.h>

enum { PATIENCE = 12 }; // rounds before what still grows is given its declared range

typedef struct Ranges {
  Net *net;
  int32_t *low, *high;           // the last round's
  int32_t *next_low, *next_high; // this round's
  int32_t *least, *max;          // that can be
  const ProcessId *writers;      // by slot
} Ranges;

static Range range_of(int64_t low, int64_t high) { return (Range){low, high}; }

static Cells cells_of(const Net *net, const Expr *expr) {
  return intervals_cells(&(Intervals){net, net->slots.low, net->slots.high}, expr);
}

static void widen(Ranges *r, uint32_t slot, Range by) {
  by = intervals_meet(by, range_of(r->least[slot], r->max[slot])); // else it is an error
  if (by.low > by.high)
    return;
  r->next_low[slot] = by.low < r->next_low[slot] ? (int32_t)by.low : r->next_low[slot];
  r->next_high[slot] = by.high > r->next_high[slot] ? (int32_t)by.high : r->next_high[slot];
}

static void forget(Ranges *r, Cells cells) {
  for (uint32_t i = 0; cells.root == EXPR_VAR && i < cells.count; i++)
    widen(r, cells.first + i, range_of(INT32_MIN, INT32_MAX));
}

static void assign(Ranges *r, const Expr *target, const Expr *value) {
  const Cells cells = cells_of(r->net, target);
  if (cells.root != EXPR_VAR)
    return;
  if (!value || target->type->slots != 1) {
    forget(r, cells);
    return;
  }
  const Range range = intervals_of_net(r->net, value);
  for (uint32_t i = 0; i < cells.count; i++)
    widen(r, cells.first + i, range);
}

// Assignments within expressions, and storage passed by reference.
static void visit_expr(Ranges *r, const Expr *expr) {
  if (!expr)
    return;
  if (expr->kind == EXPR_ASSIGN)
    assign(r, expr->a, expr->b);
  else if (expr->kind == EXPR_ADDRESS)
    forget(r, cells_of(r->net, expr->a));
  visit_expr(r, expr->a);
  visit_expr(r, expr->b);
  visit_expr(r, expr->c);
  for (uint32_t i = 0; i < expr->arg_count; i++)
    visit_expr(r, expr->args[i]);
}

static void visit_stmts(Ranges *r, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN)
      assign(r, stmt->target, stmt->value);
    visit_expr(r, stmt->target);
    visit_expr(r, stmt->source);
    visit_expr(r, stmt->value);
    visit_stmts(r, stmt->body);
    visit_stmts(r, stmt->other);
  }
}

// Cuts the range of a slot by the comparisons with constants of a guard or an invariant.
static Range cut(Range range, const Guard *guard, uint32_t slot) {
  for (uint32_t t = 0; t < guard->test_count; t++) {
    const Test *test = &guard->tests[t];
    const int64_t value = test->value;
    if (test->slot != slot)
      continue;
    if (test->op == EXPR_LT || test->op == EXPR_LE || test->op == EXPR_EQ)
      range.high = intervals_meet(range, range_of(INT64_MIN, value - (test->op == EXPR_LT))).high;
    if (test->op == EXPR_GT || test->op == EXPR_GE || test->op == EXPR_EQ)
      range.low = intervals_meet(range, range_of(value + (test->op == EXPR_GT), INT64_MAX)).low;
  }
  return range;
}

// The values that a slot can have when the edge is taken: the guard and the invariant of the
// source hold.
static Range guarded(const Ranges *r, const Edge *edge, uint32_t slot) {
  const Range range = range_of(r->low[slot], r->high[slot]);
  const Guard *invariant = &r->net->locations.items[edge->source].invariant;
  return cut(cut(range, &edge->guard, slot), invariant, slot);
}

// Whether variables can change between the guard and the update: others' updates come first.
static bool is_first(const Net *net, const Edge *edge) {
  if (net->hooks.before_stmts)
    return false;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 1; k < net->syncs.items[s].parts.size; k++)
      if (net_is_of_part(edge, &net->syncs.items[s].parts.items[k]))
        return false;
  return true;
}

// A slot that only this process writes has its old value, too, when the update comes.
static bool is_old(const Ranges *r, const Edge *edge, uint32_t slot, bool is_first_one) {
  return is_first_one || r->writers[slot] == edge->process;
}

static void visit_edge(Ranges *r, const Edge *edge, bool is_first_one) {
  const Update *update = &edge->update;
  visit_expr(r, edge->guard_expr);
  bool is_simple = update->has_shifts;
  for (uint32_t i = 0; is_simple && i < update->shift_count; i++)
    is_simple = is_old(r, edge, update->shifts[i].slot, is_first_one);
  if (!is_simple) {
    visit_stmts(r, edge->update_stmts);
    return;
  }
  for (uint32_t i = 0; i < update->slot_update_count; i++)
    widen(r, update->slot_updates[i].slot,
          range_of(update->slot_updates[i].value, update->slot_updates[i].value));
  for (uint32_t i = 0; i < update->shift_count; i++) {
    const SlotShift *shift = &update->shifts[i];
    const Range old = guarded(r, edge, shift->slot);
    if (old.low <= old.high)
      widen(r, shift->slot,
            intervals_meet(range_of(old.low + shift->delta, old.high + shift->delta),
                           range_of(shift->low, shift->high)));
  }
}

static void visit_all(Ranges *r, const bool *first) {
  const Net *net = r->net;
  for (EdgeId e = 0; e < net->edges.size; e++)
    visit_edge(r, &net->edges.items[e], first[e]);
  for (LocationId l = 0; l < net->locations.size; l++)
    visit_expr(r, net->locations.items[l].invariant_expr);
  for (uint32_t f = 0; f < net->functions.size; f++)
    visit_stmts(r, net->functions.items[f]->body);
  visit_stmts(r, net->hooks.before_stmts);
  visit_stmts(r, net->hooks.after_stmts);
}

// Takes over the round's result; true if something changed. Each slot for itself, so that the
// result does not depend on the order of processes.
static bool end_round(Ranges *r, uint32_t round) {
  bool changed = false;
  for (uint32_t slot = 0; slot < r->net->location_slot; slot++) {
    if (r->next_low[slot] == r->low[slot] && r->next_high[slot] == r->high[slot])
      continue;
    changed = true;
    if (round > PATIENCE) {
      r->next_low[slot] = r->least[slot];
      r->next_high[slot] = r->max[slot];
    }
    r->low[slot] = r->next_low[slot];
    r->high[slot] = r->next_high[slot];
  }
  return changed;
}

void ranges_compute(Net *net) {
  const uint32_t slots = net->slots.count;
  Ranges r = {.net = net};
  r.low = ARENA_ARRAY(&net->arena, int32_t, slots);
  r.high = ARENA_ARRAY(&net->arena, int32_t, slots);
  r.next_low = mem_alloc(net->mem, sizeof(int32_t) * slots);
  r.next_high = mem_alloc(net->mem, sizeof(int32_t) * slots);
  r.least = mem_alloc(net->mem, sizeof(int32_t) * slots);
  r.max = mem_alloc(net->mem, sizeof(int32_t) * slots);
  memcpy(r.least, net->slots.min, sizeof(int32_t) * slots);
  memcpy(r.max, net->slots.max, sizeof(int32_t) * slots);
  counters_limit(net, r.least, r.max);
  Arena arena = {.mem = net->mem};
  r.writers = localranges_writers(net, &arena);
  bool *first = mem_alloc(net->mem, net->edges.size + 1);
  for (EdgeId e = 0; e < net->edges.size; e++)
    first[e] = net->edges.items[e].update.has_shifts && is_first(net, &net->edges.items[e]);
  for (uint32_t slot = 0; slot < slots; slot++) {
    const bool is_location = slot >= net->location_slot;
    r.low[slot] = is_location ? net->slots.min[slot] : net->slots.initial[slot];
    r.high[slot] = is_location ? net->slots.max[slot] : net->slots.initial[slot];
  }
  memcpy(r.next_low, r.low, sizeof(int32_t) * slots);
  memcpy(r.next_high, r.high, sizeof(int32_t) * slots);
  net->slots.low = r.low;
  net->slots.high = r.high;
  uint32_t round = 0;
  do {
    mem_tick(net->mem);
    visit_all(&r, first);
  } while (end_round(&r, round++));
  mem_free(net->mem, r.next_low);
  mem_free(net->mem, r.next_high);
  mem_free(net->mem, r.least);
  mem_free(net->mem, r.max);
  mem_free(net->mem, first);
  localranges_compute(net, r.writers);
  arena_release(&arena);
}
