#include "check/renaming.h"

#include "check/renamed_runs.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(Prover *p, const char *reason) {
  return text_refuse(p->why, "a renaming is no symmetry: %s", reason);
}

// --- The network.

static bool are_once(Prover *p, const uint32_t *items, uint32_t count, uint32_t limit) {
  bool *seen = ARENA_ARRAY(&p->arena, bool, limit + 1);
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] >= limit || seen[items[i]])
      return false;
    seen[items[i]] = true;
  }
  return true;
}

static bool are_values_once(const RenamedFamily *f) {
  for (uint32_t a = 0; a < f->value_columns * f->size; a++)
    for (uint32_t b = 0; b < a; b++) {
      const RenamedValues *x = &f->values[a / f->size], *y = &f->values[b / f->size];
      if (x->sort == y->sort && x->values[a % f->size] == y->values[b % f->size])
        return false;
    }
  return true;
}

// Nothing belongs to two ids, so that permutations of the ids compose; ranges allow the values.
static bool check_family(Prover *p, const RenamedFamily *f) {
  const Net *net = p->net;
  if (f->size < 2 ||
      !are_once(p, f->processes, f->process_columns * f->size, net->processes.size) ||
      !are_once(p, f->clocks, f->clock_columns * f->size, net->clock_count + 1) ||
      !are_once(p, f->slots, f->slot_columns * f->size, net->location_slot) ||
      !are_values_once(f))
    return refuse(p, "something belongs to two ids");
  for (uint32_t i = 0; i < f->clock_columns * f->size; i++)
    if (!f->clocks[i])
      return refuse(p, "the constant zero moves");
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++)
    if (f->sort[f->slots[i]] != f->sort[f->slots[i / f->size * f->size]])
      return refuse(p, "variables of different sorts change places");
  for (uint32_t s = 0; s < net->location_slot; s++)
    for (uint32_t c = 0; c < f->value_columns; c++)
      for (uint32_t i = 0; f->sort[s] && f->values[c].sort == f->sort[s] && i < f->size; i++)
        if (f->values[c].values[i] < net->slots.min[s] ||
            f->values[c].values[i] > net->slots.max[s])
          return refuse(p, "a value is outside the range of a variable");
  for (ProcessId q = 0; q < net->processes.size;
       q++) { // excluded locations: of processes that stay
    bool moves = false, excluded = false;
    for (uint32_t i = 0; i < f->process_columns * f->size; i++)
      moves |= f->processes[i] == q;
    for (uint32_t l = 0; l < net->processes.items[q].location_count; l++)
      excluded |= f->excluded[net->processes.items[q].first_location + l];
    if (moves && excluded)
      return refuse(p, "a location of a process that moves is excluded");
  }
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (f->excluded[net->edges.items[e].target] && !f->excluded[net->edges.items[e].source])
      return refuse(p, "the part where it holds is left");
  return true;
}

static bool same_location(Prover *p, const Names *n, const Names *own, LocationId from,
                          LocationId to) {
  const Location *a = &p->net->locations.items[from], *b = &p->net->locations.items[to];
  if (a->committed != b->committed || a->urgent != b->urgent)
    return false;
  Text x = {.mem = p->mem}, y = {.mem = p->mem};
  if (a->invariant.expr)
    naming_write_expr(p, n, &x, a->invariant.expr, 0);
  if (b->invariant.expr)
    naming_write_expr(p, own, &y, b->invariant.expr, 0);
  bool same = !p->is_refused && !strcmp(text_chars(&x), text_chars(&y));
  text_release(&x);
  text_release(&y);
  Lines lines = {0}, others = {0};
  naming_write_edges(p, n, from, &lines);
  naming_write_edges(p, own, to, &others);
  const bool written = !p->is_refused && naming_same_lines(&lines, &others);
  p->is_refused = false;
  naming_release(p, &lines);
  naming_release(p, &others);
  return same && (written || (from == to && renamed_runs_agree(p, n, own, from)));
}

static bool same_process(Prover *p, const Names *n, const Names *own, ProcessId q) {
  const Net *net = p->net;
  const Process *from = &net->processes.items[q], *to = &net->processes.items[n->process[q]];
  if (from->location_count != to->location_count ||
      (net->priority.is_used && from->priority != to->priority))
    return false;
  for (uint32_t l = 0; l < from->location_count; l++) {
    const LocationId a = from->first_location + l, b = to->first_location + l;
    p->is_refused = false;
    if (!p->family->excluded[a] && !same_location(p, n, own, a, b))
      return false;
  }
  return true;
}

// Whether a participant only sets clocks to constants: its place among the others does not matter
// as long as no other one sets the same clock.
static bool only_resets(const Net *net, const SyncPart *part, bool *set) {
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    if (!net_is_of_part(edge, part))
      continue;
    if (edge->update.code || edge->update.slot_update_count || edge->guard.code)
      return false;
    for (uint32_t u = 0; u < edge->update.clock_update_count; u++) {
      if (edge->update.clock_updates[u].y || set[edge->update.clock_updates[u].x])
        return false;
    }
  }
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    for (uint32_t u = 0; net_is_of_part(edge, part) && u < edge->update.clock_update_count; u++)
      set[edge->update.clock_updates[u].x] = true;
  }
  return true;
}

static bool is_unordered(Prover *p, const Sync *sync) {
  bool *set = ARENA_ARRAY(&p->arena, bool, p->net->clock_count + 1);
  for (uint32_t k = 0; k < sync->parts.size; k++)
    if (!only_resets(p->net, &sync->parts.items[k], set))
      return false;
  return true;
}

static void write_syncs(Prover *p, const Names *n, Lines *lines) {
  const Net *net = p->net;
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    const Channel *channel = sync->channel ? &net->channels.items[sync->channel - 1] : NULL;
    Lines parts = {0};
    Text text = {.mem = p->mem};
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      text_addf(&text, "%u@%u%d", n->process[part->process],
                naming_event(n, part->process, part->event), part->weak);
      naming_add_line(p, &parts, &text);
    }
    if (is_unordered(p, sync) && parts.size)
      qsort(parts.items, parts.size, sizeof *parts.items, naming_compare);
    text_addf(&text, "%d %d %d %d", sync->broadcast, channel != NULL, channel && channel->urgent,
              channel ? channel->priority : 0);
    for (uint32_t k = 0; k < parts.size; k++)
      text_addf(&text, ":%s", parts.items[k]);
    naming_add_line(p, lines, &text);
    naming_release(p, &parts);
  }
}

// Whether evaluating an expression can fail, as far as one can see from declared ranges.
static bool can_fail(const Expr *e) {
  if (!e)
    return false;
  switch (e->kind) {
  case EXPR_CONST:
  case EXPR_AT:
    return false;
  case EXPR_VAR:
  case EXPR_CLOCK:
    return e->type->slots != 1;
  case EXPR_INDEX: {
    const Range range = expr_range(e->b);
    const int64_t first = e->a->type->first;
    return (e->a->kind != EXPR_VAR && e->a->kind != EXPR_CLOCK) || e->type->slots != 1 ||
           can_fail(e->b) || range.low < first || range.high >= first + e->a->type->count;
  }
  case EXPR_CLOCK_TEST: { // the bound must be one that clocks can be compared with
    const Range range = expr_range(e->c);
    return can_fail(e->a) || can_fail(e->b) || can_fail(e->c) || range.low < -NET_MAX_CONSTANT ||
           range.high > NET_MAX_CONSTANT;
  }
  case EXPR_NEG:
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL: {
    const Range range = expr_range(e);
    return can_fail(e->a) || can_fail(e->b) || range.low <= INT32_MIN || range.high >= INT32_MAX;
  }
  case EXPR_NOT:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_GT:
  case EXPR_GE:
    return can_fail(e->a) || can_fail(e->b);
  default:
    return true;
  }
}

static bool is_comparison(const Expr *e) { return e->kind >= EXPR_EQ && e->kind <= EXPR_GE; }

static void write_goal(Prover *p, const Names *n, Text *text, const Expr *e);

static void add_operands(Prover *p, const Names *n, Lines *lines, const Expr *e, ExprKind kind) {
  if (e->kind == kind) {
    add_operands(p, n, lines, e->a, kind);
    add_operands(p, n, lines, e->b, kind);
    return;
  }
  Text text = {.mem = p->mem};
  write_goal(p, n, &text, e);
  naming_add_line(p, lines, &text);
}

// Formulas of locations, variables and clocks: operands of &&, || and of sums that are compared,
// in the order of their texts. An operand that fails is not met behind one that decides, and a
// sum overflows in one order and not in another, so this is for formulas that cannot fail.
static void write_goal(Prover *p, const Names *n, Text *text, const Expr *e) {
  if (e->kind == EXPR_NOT) {
    text_add(text, "!");
    write_goal(p, n, text, e->a);
    return;
  }
  if (is_comparison(e) && (e->a->kind == EXPR_ADD || e->b->kind == EXPR_ADD)) {
    text_addf(text, "<%d ", (int)e->kind);
    write_goal(p, n, text, e->a);
    text_add(text, " ");
    write_goal(p, n, text, e->b);
    text_add(text, ">");
    return;
  }
  if (e->kind != EXPR_AND && e->kind != EXPR_OR && e->kind != EXPR_ADD) {
    naming_write_expr(p, n, text, e, 0);
    return;
  }
  Lines lines = {0};
  add_operands(p, n, &lines, e, e->kind);
  qsort(lines.items, lines.size, sizeof *lines.items, naming_compare);
  text_addf(text, "(%d", (int)e->kind);
  for (uint32_t i = 0; i < lines.size; i++)
    text_addf(text, " %s", lines.items[i]);
  text_add(text, ")");
  naming_release(p, &lines);
}

static void write_clause(Prover *p, const Names *n, Text *text, const Expr *e) {
  if (can_fail(e))
    naming_write_expr(p, n, text, e, 0);
  else
    write_goal(p, n, text, e);
}

// Clauses, and whether they ask for a deadlock: a state is deadlocked if and only if it is under
// other names.
static bool same_goal(Prover *p, const Names *n, const Names *own) {
  Lines a = {0}, b = {0};
  p->is_refused = false;
  for (uint32_t c = 0; p->goal && c < p->goal->clause_count; c++) {
    Text x = {.mem = p->mem}, y = {.mem = p->mem};
    if (p->goal->clauses[c].expr) {
      const Expr *expr = p->goal->clauses[c].expr;
      write_clause(p, n, &x, expr);
      write_clause(p, own, &y, expr);
    }
    if (p->goal->ends) {
      text_addf(&x, " end %d", (int)p->goal->ends[c]);
      text_addf(&y, " end %d", (int)p->goal->ends[c]);
    }
    naming_add_line(p, &a, &x);
    naming_add_line(p, &b, &y);
  }
  const bool same = !p->is_refused && naming_same_lines(&a, &b);
  naming_release(p, &a);
  naming_release(p, &b);
  return same;
}

// The events that a process has, in edges or synchronisations.
static void find_events(const Net *net, ProcessId process, bool *used) {
  for (EdgeId e = 0; e < net->edges.size; e++)
    if (net->edges.items[e].process == process)
      used[net->edges.items[e].event] = true;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++)
      if (net->syncs.items[s].parts.items[k].process == process)
        used[net->syncs.items[s].parts.items[k].event] = true;
}

// Different events of a process become different ones.
static bool are_events_once(Prover *p, const Names *n) {
  const Net *net = p->net;
  for (uint32_t c = 0; c < p->family->event_columns; c++)
    for (uint32_t i = 0; i < p->family->size; i++)
      if (p->family->events[c].events[i] >= net->events.size)
        return false;
  for (ProcessId q = 0; q < net->processes.size; q++) {
    bool *seen = ARENA_ARRAY(&p->arena, bool, net->events.size);
    bool *used = ARENA_ARRAY(&p->arena, bool, net->events.size);
    find_events(net, q, used);
    for (EventId e = 0; e < net->events.size; e++) {
      const EventId to = naming_event(n, q, e);
      if (!used[e])
        continue;
      if (to >= net->events.size || seen[to])
        return false;
      seen[to] = true;
    }
  }
  return true;
}

// Invariants are looked at process by process, up to the first that is false: one that fails is
// not met behind it. So the order of processes matters if some invariant can fail.
static bool has_failing_invariant(const Net *net) {
  for (LocationId l = 0; l < net->locations.size; l++)
    if (can_fail(net->locations.items[l].invariant.expr))
      return true;
  return false;
}

// After each transition meta variables have their initial values: these are renamed to each
// other.
static bool is_meta_alike(const Names *n, uint32_t slot) {
  const NetSlots *slots = &n->net->slots;
  const uint32_t to = n->slot[slot];
  if (!slots->is_meta)
    return true;
  return slots->is_meta[slot] == slots->is_meta[to] &&
         (!slots->is_meta[slot] ||
          naming_value(n, naming_sort(n, slot), slots->initial[slot]) == slots->initial[to]);
}

static bool check_generator(Prover *p, const uint32_t *to) {
  const Net *net = p->net;
  const Names n = naming_make(p, p->family, to), own = naming_make(p, NULL, NULL);
  for (uint32_t s = 0; s < net->location_slot; s++)
    if (net->slots.min[s] != net->slots.min[n.slot[s]] ||
        net->slots.max[s] != net->slots.max[n.slot[s]])
      return refuse(p, "variables of different ranges change places");
  for (uint32_t s = 0; s < net->location_slot; s++)
    if (!is_meta_alike(&n, s))
      return refuse(p, "what meta variables become after a transition differs");
  if (net->hooks.before_stmts || net->hooks.after_stmts)
    return refuse(p, "there are statements around all updates");
  if (p->family->process_columns && has_failing_invariant(net))
    return refuse(p, "processes change places, and an invariant can fail");
  if (!are_events_once(p, &n))
    return refuse(p, "events are not renamed one to one");
  for (ProcessId q = 0; q < net->processes.size; q++)
    if (!same_process(p, &n, &own, q))
      return refuse(p, net->processes.items[q].name);
  Lines a = {0}, b = {0};
  write_syncs(p, &n, &a);
  write_syncs(p, &own, &b);
  const bool same = naming_same_lines(&a, &b);
  naming_release(p, &a);
  naming_release(p, &b);
  if (!same)
    return refuse(p, "the synchronisations differ");
  return same_goal(p, &n, &own) || refuse(p, "the query tells ids apart");
}

bool renaming_check(const Renamings *renamings, Mem *owner, const Net *net, const Goal *goal,
                    Text *why) {
  Mem *mem = mem_part(owner);
  Prover p = {.mem = mem, .arena = {.mem = mem}, .net = net, .goal = goal, .why = why};
  access_init(&p.access, &p.arena, net);
  net_vm(net, &p.vm, mem);
  bool good = true;
  for (uint32_t k = 0; good && k < renamings->count; k++) {
    const RenamedFamily *f = p.family = &renamings->families[k];
    uint32_t *to = ARENA_ARRAY(&p.arena, uint32_t, f->size);
    good = check_family(&p, f);
    for (int swaps = f->is_cyclic; good && swaps < 2; swaps++) {
      for (uint32_t i = 0; i < f->size; i++)
        to[i] = swaps ? (i + 1) % f->size : i < 2 ? 1 - i : i;
      good = check_generator(&p, to);
    }
  }
  mem_release_part(mem);
  return good;
}

bool renaming_allows(const RenamedFamily *f, const Net *net, const int32_t *state,
                     const uint32_t *to) {
  bool is_identity = true;
  for (uint32_t i = 0; i < f->size; i++) {
    if (to[i] >= f->size || (f->is_cyclic && to[i] != (to[0] + i) % f->size))
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (to[k] == to[i])
        return false;
    is_identity &= to[i] == i;
  }
  for (ProcessId q = 0; q < net->processes.size && !is_identity; q++)
    if (f->excluded[net->processes.items[q].first_location +
                    (uint32_t)state[net->location_slot + q]])
      return false;
  return true;
}

void renaming_apply(const RenamedFamily *f, const Net *net, const uint32_t *to, int32_t *state,
                    int32_t *scratch, ClockIndex *from, ClockIndex *scratch_clocks) {
  const Names n = {.net = net, .family = f, .to = to};
  memcpy(scratch, state, net->slots.count * sizeof *state);
  for (uint32_t s = 0; s < net->location_slot; s++)
    state[s] = naming_value(&n, f->sort[s], scratch[s]);
  memcpy(scratch, state, net->slots.count * sizeof *state);
  for (uint32_t i = 0; i < f->slot_columns * f->size; i++)
    state[f->slots[i / f->size * f->size + to[i % f->size]]] = scratch[f->slots[i]];
  for (uint32_t i = 0; i < f->process_columns * f->size; i++)
    state[net->location_slot + f->processes[i / f->size * f->size + to[i % f->size]]] =
        scratch[net->location_slot + f->processes[i]];
  memcpy(scratch_clocks, from, (net->clock_count + 1) * sizeof *from);
  for (uint32_t i = 0; i < f->clock_columns * f->size; i++)
    from[f->clocks[i / f->size * f->size + to[i % f->size]]] = scratch_clocks[f->clocks[i]];
}
