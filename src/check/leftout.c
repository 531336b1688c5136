#include "check/leftout.h"

#include "check/meaning.h"
#include "model/faults.h"

#include <string.h>

// Marks where a rule is verified, by the name that it has in the notes. Tests check that
// certificates are wrongly accepted by a copy without the rule (test/fuzz/plant/leftout.sed).
#define RULE(name) true

void leftout_init(LeftOut *o, Mem *mem, const Net *net, const Goal *goal) {
  *o = (LeftOut){.mem = mem, .arena = {.mem = mem}, .net = net, .goal = goal};
}

// --- The net and the goal.

static bool can_fail(const Net *net, const Goal *goal) {
  for (LocationId l = 0; l < net->locations.size; l++)
    if (faults_are_errors(net, net->locations.items[l].invariant_expr, NULL))
      return true;
  for (uint32_t c = 0; c < goal->clause_count; c++)
    if (faults_are_errors(net, goal->clauses[c].expr, NULL))
      return true;
  return false;
}

// Whether the guard of a synchronisation fails can depend on the other guards of it.
static bool sync_can_fail(const Net *net) {
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *e = &net->edges.items[i];
    if (!net->async[(size_t)e->process * net->events.size + e->event] &&
        faults_are_errors(net, e->guard_expr, NULL) && RULE("shared"))
      return true;
  }
  return false;
}

// Why nothing may be left out of certificates of this model and goal.
static const char *find_obstacle(const Net *net, const Goal *goal) {
  if (!goal)
    return "all states are asked for";
  for (uint32_t i = 0; goal->ends && i < goal->clause_count; i++)
    if (goal->ends[i] == GOAL_NOT_DEADLOCKED)
      return "the query asks for states that are not deadlocked";
  return net->traits.has_stopwatches ? "clocks are stopped somewhere"
         : net->priority.is_used     ? "there are priorities"
         : net->hooks.before_stmts || net->hooks.after_stmts
             ? "there are updates around each step"
         : net->slots.is_kept  ? "a meta variable is kept"
         : can_fail(net, goal) ? "an invariant or the query can fail at run time"
         : sync_can_fail(net)  ? "a guard of a synchronisation can fail at run time"
                               : NULL;
}

static Bits *new_cells(LeftOut *o) { return ARENA_ARRAY(&o->arena, Bits, o->zero.cell_words); }

static void find_clauses(LeftOut *o) {
  Access *access = &o->zero.access;
  o->clauses = ARENA_ARRAY(&o->arena, Bits *, o->goal->clause_count);
  for (uint32_t c = 0; c < o->goal->clause_count; c++) {
    o->clauses[c] = new_cells(o);
    access_clear(access);
    access_expr(access, o->goal->clauses[c].expr);
    for (uint32_t i = 0; i < access->marked.size; i++)
      if (access->marks[access->marked.items[i]] & ACCESS_READ)
        bits_add(o->clauses[c], access->marked.items[i]);
    o->asks_dead |= o->goal->ends && o->goal->ends[c] == GOAL_DEADLOCKED;
  }
}

static const char *make(LeftOut *o) {
  const Net *net = o->net;
  const uint32_t processes = net->processes.size, edges = net->edges.size;
  const char *obstacle = find_obstacle(net, o->goal);
  if (obstacle)
    return obstacle;
  o->is_made = true;
  net_vm(net, &o->vm, o->mem);
  if (!zerotime_init(&o->zero, &o->arena, net))
    return "the network is too large";
  find_clauses(o);
  o->counts_strictly = (o->asks_dead || o->zero.can_fail) && !net->invalid_is_error;
  o->status = ARENA_ARRAY(&o->arena, LeftOutStatus, edges);
  o->can = ARENA_ARRAY(&o->arena, Deeds, processes);
  o->written = ARENA_ARRAY(&o->arena, Bits *, processes);
  o->constant_cells = ARENA_ARRAY(&o->arena, Bits *, processes);
  o->offers = ARENA_ARRAY(&o->arena, Bits *, processes);
  for (ProcessId p = 0; p < processes; p++) {
    o->can[p] = zerotime_deeds(&o->zero);
    o->written[p] = new_cells(o);
    o->constant_cells[p] = new_cells(o);
    o->offers[p] = ARENA_ARRAY(&o->arena, Bits, o->zero.event_words);
  }
  o->is_out = ARENA_ARRAY(&o->arena, bool, edges);
  o->is_chained = ARENA_ARRAY(&o->arena, bool, edges);
  o->changed = new_cells(o);
  o->needs = new_cells(o);
  o->harms = new_cells(o);
  o->set_cells = new_cells(o);
  o->all_cells = new_cells(o);
  o->scratch = new_cells(o);
  o->set_to = ARENA_ARRAY(&o->arena, uint32_t, o->zero.access.cell_count);
  o->taken = zerotime_deeds(&o->zero);
  return NULL;
}

static const Location *location_of(const LeftOut *o, ProcessId p) {
  return &o->net->locations.items[net_location_at(o->net, p, o->state)];
}

// The edges out of the present location of a process.
static const EdgeId *edges_of(const LeftOut *o, ProcessId p, uint32_t *count) {
  const Location *at = location_of(o, p);
  *count = at->edge_count;
  return o->net->out + at->first_edge;
}

// --- W and U.

static bool can_exceed(const NodeBound *zone, uint32_t k, uint32_t x, int64_t bound) {
  return bound != BOUND_INFINITE && zone[x * k] > 2 * bound + 1;
}

// Of a_LU(zone): a clock that can exceed L has no upper bounds, and one that can exceed U may be
// any value above U.
static NodeBound wide_entry(const NodeBound *zone, const NodeBounds *b, uint32_t i, uint32_t j) {
  const NodeBound entry = zone[i * b->k + j];
  if (!RULE("hull"))
    return entry;
  if (i && can_exceed(zone, b->k, i, b->lower[i]))
    return NODEBOUND_INFINITE;
  if (!j || !can_exceed(zone, b->k, j, b->upper[j]))
    return entry;
  const NodeBound sunk = b->upper[j] == BOUND_NONE ? NODEBOUND_ZERO : -2 * b->upper[j];
  const NodeBound most = nodebound_sum(i ? zone[i * b->k] : NODEBOUND_ZERO, sunk);
  return most > entry ? most : entry;
}

static NodeBound least(NodeBound a, NodeBound b) { return a < b ? a : b; }

// Cuts W with x_i <= most[i], all at once.
static void cut_above(LeftOut *o, uint32_t k) {
  NodeBound *w = o->wide;
  for (uint32_t i = 1; i < k; i++)
    for (uint32_t j = 1; j < k; j++)
      w[i * k] = least(w[i * k], nodebound_sum(w[i * k + j], o->most[j]));
  for (uint32_t i = 1; i < k; i++)
    for (uint32_t j = 1; j < k; j++)
      if (i != j)
        w[i * k + j] = least(w[i * k + j], nodebound_sum(w[i * k], w[j]));
}

// W: a zone that contains all that the node stands for, within the invariant. Some of its entries
// may be larger than what follows from the others: then the rules are stricter.
static void find_wide(LeftOut *o, const StateTransitions *a, const NodeBound *zone,
                      const NodeBounds *b) {
  const uint32_t k = b->k;
  if (o->room < k * k) {
    mem_free(o->mem, o->wide);
    mem_free(o->mem, o->part);
    mem_free(o->mem, o->most);
    o->room = k * k;
    o->wide = mem_alloc(o->mem, o->room * sizeof(NodeBound));
    o->part = mem_alloc(o->mem, o->room * sizeof(NodeBound));
    o->most = mem_alloc(o->mem, o->room * sizeof(NodeBound));
  }
  for (uint32_t i = 0; i < k; i++) {
    o->most[i] = NODEBOUND_INFINITE;
    for (uint32_t j = 0; j < k; j++)
      o->wide[i * k + j] = i == j ? NODEBOUND_ZERO : wide_entry(zone, b, i, j);
  }
  for (uint32_t t = 0; t < a->invariant.size; t++) {
    const ClockTest *test = &a->invariant.items[t];
    const uint32_t i = b->position[test->i], j = b->position[test->j];
    if (i == UINT32_MAX || j == UINT32_MAX)
      continue;
    if (i && !j)
      o->most[i] = least(o->most[i], nodebound_of(test));
    else
      nodezone_constrain(o->wide, k, i, j, nodebound_of(test));
  }
  cut_above(o, k);
}

// An upper bound of x_i - x_j in U.
static NodeBound entry(const LeftOut *o, uint32_t i, uint32_t j) {
  const uint32_t k = o->bounds->k;
  const NodeBound plain = o->wide[i * k + j];
  if (!o->x)
    return plain;
  const NodeBound to_x = nodebound_sum(o->wide[i * k], 1 - 2 * o->top); // x_i - x
  return least(plain, nodebound_sum(to_x, o->wide[o->x * k + j]));
}

static bool find_places(const LeftOut *o, const ClockTest *t, uint32_t *i, uint32_t *j) {
  *i = o->bounds->position[t->i];
  *j = o->bounds->position[t->j];
  return *i != UINT32_MAX && *j != UINT32_MAX;
}

static bool fails_in_u(const LeftOut *o, const ClockTest *t) {
  uint32_t i, j;
  return find_places(o, t, &i, &j) &&
         nodebound_sum(entry(o, j, i), nodebound_of(t)) < NODEBOUND_ZERO;
}

static bool holds_in_u(const LeftOut *o, const ClockTest *t) {
  uint32_t i, j;
  return find_places(o, t, &i, &j) && entry(o, i, j) <= nodebound_of(t);
}

// --- What processes can do in U, and in zero time from there.

static LeftOutStatus status_of(LeftOut *o, EdgeId i) {
  const ZeroEdge *edge = &o->zero.edges[i];
  for (uint32_t k = 0; k < edge->lower_count; k++) {
    const ZeroLower *lower = &edge->lower[k];
    if (fails_in_u(o, &(ClockTest){0, lower->clock, -lower->bound, lower->strict}))
      return LEFTOUT_NEVER;
  }
  vec_clear(&o->tests);
  const VmResult result =
      meaning_guard(&o->vm, o->net, &o->net->edges.items[i].guard, o->state, &o->tests);
  if (result == VM_ERROR)
    return LEFTOUT_POSSIBLE;
  if (result != VM_TRUE)
    return LEFTOUT_FAILS;
  for (uint32_t t = 0; t < o->tests.size; t++)
    if (fails_in_u(o, &o->tests.items[t]))
      return LEFTOUT_FAILS;
  return LEFTOUT_POSSIBLE;
}

static bool is_alone(const LeftOut *o, const Edge *e) {
  return o->net->async[(size_t)e->process * o->net->events.size + e->event];
}

// Whether all strong parts of some synchronisation of the edge offer their event.
static bool has_partners(const LeftOut *o, const Edge *e) {
  bool found = is_alone(o, e);
  const ZeroSyncs list = zerotime_syncs(&o->zero, e->process, e->event);
  for (uint32_t s = 0; s < list.count && !found; s++) {
    const Sync *sync = list.items[s];
    bool all = true;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      all = part->weak || part->process == e->process ||
            bits_has(o->offers[part->process], part->event);
    }
    found = all;
  }
  return found;
}

static bool is_present(const LeftOut *o, uint32_t constant) {
  const ZeroConstant *c = &o->zero.constants.items[constant];
  return c->slot != UINT32_MAX && o->state[c->slot] == c->value;
}

// A constant that the cell has, and that no process changes.
static bool is_idle(const LeftOut *o, uint32_t constant) {
  return is_present(o, constant) && !bits_has(o->changed, o->zero.constants.items[constant].cell);
}

// The process can take an edge out of its present location, and all that follows.
static void let_go(LeftOut *o, EdgeId i) {
  const ZeroTime *z = &o->zero;
  const Deeds *all = &z->edges[i].all;
  const ProcessId p = o->net->edges.items[i].process;
  o->is_out[i] = true;
  zerotime_join(z, &o->can[p], all);
  bits_join(o->offers[p], all->events, z->event_words);
  zerotime_written(z, all, o->changed);
  for (uint32_t w = 0; w < z->constant_words; w++)
    for (Bits left = all->sets[w]; left; left &= left - 1) {
      const uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(left);
      if (!is_present(o, k))
        bits_add(o->changed, z->constants.items[k].cell);
    }
}

static bool extend(LeftOut *o, EdgeId i) {
  const ZeroTime *z = &o->zero;
  const Edge *e = &o->net->edges.items[i];
  if (o->is_out[i] || o->status[i] == LEFTOUT_NEVER ||
      (o->status[i] == LEFTOUT_FAILS && !bits_meet(z->edges[i].guard, o->changed, z->cell_words)))
    return false;
  const bool is_new = !bits_has(o->offers[e->process], e->event);
  bits_add(o->offers[e->process], e->event);
  if (!has_partners(o, e))
    return is_new;
  let_go(o, i);
  return true;
}

static void find_can(LeftOut *o) {
  const ZeroTime *z = &o->zero;
  const uint32_t processes = o->net->processes.size;
  uint32_t count;
  memset(o->changed, 0, z->cell_words * sizeof(Bits));
  for (ProcessId p = 0; p < processes; p++) {
    zerotime_clear(z, &o->can[p]);
    memset(o->offers[p], 0, z->event_words * sizeof(Bits));
    memset(o->written[p], 0, z->cell_words * sizeof(Bits));
    const EdgeId *out = edges_of(o, p, &count);
    for (uint32_t k = 0; k < count; k++) {
      o->status[out[k]] = status_of(o, out[k]);
      o->is_out[out[k]] = false;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcessId p = 0; p < processes; p++) {
      const EdgeId *out = edges_of(o, p, &count);
      for (uint32_t k = 0; k < count; k++)
        changed |= extend(o, out[k]);
    }
  }
  for (ProcessId p = 0; p < processes; p++) {
    memset(o->constant_cells[p], 0, z->cell_words * sizeof(Bits));
    for (uint32_t w = 0; w < z->constant_words; w++)
      for (Bits left = o->can[p].sets[w]; left; left &= left - 1) {
        const uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(left);
        if (!is_idle(o, k))
          bits_add(o->constant_cells[p], z->constants.items[k].cell);
      }
    zerotime_written(z, &o->can[p], o->written[p]);
    bits_join(o->written[p], o->constant_cells[p], z->cell_words);
  }
}

// --- The rules, for the processes of P.

static bool moves(const LeftOut *o, ProcessId p) { return o->can[p].flags & DEED_MOVES; }
static bool can_offer(const LeftOut *o, ProcessId p, EventId event) {
  return bits_has(o->can[p].events, event);
}

static bool offers_now(const LeftOut *o, ProcessId p, EventId event) {
  uint32_t count;
  const EdgeId *out = edges_of(o, p, &count);
  for (uint32_t k = 0; k < count; k++)
    if (o->net->edges.items[out[k]].event == event && o->status[out[k]] == LEFTOUT_POSSIBLE)
      return true;
  return false;
}

// Whether no process outside of P can write one of the cells.
static bool is_kept(const LeftOut *o, const Bits *cells) {
  for (ProcessId r = 0; r < o->net->processes.size; r++)
    if (!o->claim.in[r] && bits_meet(o->written[r], cells, o->zero.cell_words))
      return false;
  return true;
}

// Rule 4: a process of P hears the event. Whether a strong part of each synchronisation is in P,
// or one cannot take part; of one with weak parts only, all that can take part are in P.
static bool is_heard(const LeftOut *o, ProcessId p, EventId event) {
  const ZeroSyncs list = zerotime_syncs(&o->zero, p, event);
  for (uint32_t s = 0; s < list.count; s++) {
    const Sync *sync = list.items[s];
    bool hears = false, has_strong = false, strong_may = true, weak_may = false;
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      const ProcessId q = part->process;
      if (q == p) {
        hears |= part->weak && part->event == event;
        continue;
      }
      const bool may = !o->claim.in[q] && can_offer(o, q, part->event);
      has_strong |= !part->weak;
      strong_may &= part->weak || may;
      weak_may |= may;
    }
    if (hears && (has_strong ? strong_may : weak_may))
      return false;
  }
  return true;
}

static bool hears_at(const LeftOut *o, ProcessId p, LocationId l) {
  const Location *at = &o->net->locations.items[l];
  for (uint32_t k = 0; k < at->edge_count; k++)
    if (!is_heard(o, p, o->net->edges.items[o->net->out[at->first_edge + k]].event))
      return false;
  return true;
}

static void chain(LeftOut *o, EdgeId e) {
  if (o->is_chained[e])
    return;
  o->is_chained[e] = true;
  vec_push(o->mem, &o->chain, e);
}

// Rule 6: edges of a partner with this event are block edges.
static void chain_partner(LeftOut *o, ProcessId p, EventId event) {
  for (EdgeId e = 0; e < o->net->edges.size; e++)
    if (o->net->edges.items[e].process == p && o->net->edges.items[e].event == event)
      chain(o, e);
}

// Rule 3. `*can`: whether the edge has partners, so that it may be taken.
static bool check_partners(LeftOut *o, const Edge *e, bool is_chain, bool *can) {
  *can = is_alone(o, e);
  const ZeroSyncs list = zerotime_syncs(&o->zero, e->process, e->event);
  for (uint32_t s = 0; s < list.count; s++) {
    const Sync *sync = list.items[s];
    bool all = true;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      all = part->weak || part->process == e->process ||
            (o->claim.in[part->process] && !is_chain ? offers_now(o, part->process, part->event)
                                                     : can_offer(o, part->process, part->event));
    }
    *can |= all;
    for (uint32_t k = 0; k < sync->parts.size && all; k++) {
      const SyncPart *part = &sync->parts.items[k];
      if (part->process == e->process)
        continue;
      const bool offers = can_offer(o, part->process, part->event);
      const bool waits =
          part->weak && !sync->broadcast && moves(o, part->process) && RULE("waiting");
      if (((offers && RULE("partners")) || waits) && !o->claim.in[part->process])
        return false;
      if (offers && is_chain && RULE("chain-partner"))
        chain_partner(o, part->process, part->event);
    }
  }
  return true;
}

// Rule 6: a committed location is entered.
static void enter(LeftOut *o, LocationId l) {
  const Location *at = &o->net->locations.items[l];
  if (!at->committed || o->has_committed)
    return;
  o->has_chain = true;
  for (uint32_t k = 0; k < at->edge_count; k++)
    chain(o, o->net->out[at->first_edge + k]);
}

// An edge that P may take, now or in a block. NULL, or the rule that does not hold.
static const char *take(LeftOut *o, EdgeId i, bool is_chain) {
  const ZeroTime *z = &o->zero;
  const Edge *e = &o->net->edges.items[i];
  bool can;
  if (!check_partners(o, e, is_chain, &can))
    return "a partner can take part that is not in the set";
  if (!can)
    return NULL;
  if (!hears_at(o, e->process, e->target) && RULE("hearing"))
    return "another process can send what a target hears";
  bits_join(o->needs, z->edges[i].needs, z->cell_words);
  bits_join(o->harms, z->edges[i].harms, z->cell_words);
  zerotime_join(z, &o->taken, &z->edges[i].own);
  enter(o, e->target);
  return NULL;
}

static const char *take_process(LeftOut *o, ProcessId p) {
  const ZeroTime *z = &o->zero;
  uint32_t count;
  const EdgeId *out = edges_of(o, p, &count);
  const char *why = NULL;
  for (uint32_t k = 0; k < count && !why; k++) {
    const EdgeId i = out[k];
    if (o->status[i] == LEFTOUT_POSSIBLE)
      why = take(o, i, false);
    if (o->status[i] != LEFTOUT_FAILS)
      continue;
    if (!is_kept(o, z->edges[i].guard) && RULE("disabled"))
      why = "another process can make a guard true";
    else if (bits_meet(z->edges[i].guard, o->changed, z->cell_words) &&
             !is_heard(o, p, o->net->edges.items[i].event) && RULE("waking"))
      why = "another process can send what a guard keeps from being heard";
  }
  return why;
}

static const char *take_all(LeftOut *o) {
  const char *why = NULL;
  zerotime_clear(&o->zero, &o->taken);
  memset(o->needs, 0, o->zero.cell_words * sizeof(Bits));
  memset(o->harms, 0, o->zero.cell_words * sizeof(Bits));
  memset(o->is_chained, 0, o->net->edges.size);
  vec_clear(&o->chain);
  o->has_chain = false;
  for (ProcessId p = 0; p < o->net->processes.size && !why; p++)
    if (o->claim.in[p])
      why = take_process(o, p);
  while (!why && o->chain.size) {
    const EdgeId next = vec_pop(&o->chain);
    if (RULE("chain"))
      why = take(o, next, true);
  }
  for (uint32_t c = 0; !why && o->has_chain && RULE("chain") && c < o->goal->clause_count; c++)
    if (!is_kept(o, o->clauses[c]))
      why = "another process can change the goal while a committed location is entered";
  return why;
}

// Rule 5 needs, of what P takes: the cells that it sets to constants, to which one, and all cells
// that it writes. Constants that change nothing do not count.
static void sum_up(LeftOut *o) {
  const ZeroTime *z = &o->zero;
  memset(o->set_to, 0, z->access.cell_count * sizeof *o->set_to);
  memset(o->set_cells, 0, z->cell_words * sizeof(Bits));
  for (uint32_t k = 0; k < z->constants.size; k++) {
    if (!bits_has(o->taken.sets, k) || is_idle(o, k))
      continue;
    uint32_t *to = &o->set_to[z->constants.items[k].cell];
    *to = *to ? UINT32_MAX : k + 1;
    bits_add(o->set_cells, z->constants.items[k].cell);
  }
  memcpy(o->all_cells, o->set_cells, z->cell_words * sizeof(Bits));
  zerotime_written(z, &o->taken, o->all_cells);
}

// Whether P and r set a cell to different constants.
static bool set_apart(const LeftOut *o, ProcessId r) {
  const ZeroTime *z = &o->zero;
  for (uint32_t w = 0; w < z->constant_words; w++)
    for (Bits left = o->can[r].sets[w]; left; left &= left - 1) {
      const uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(left);
      const uint32_t to = o->set_to[z->constants.items[k].cell];
      if (to && to != k + 1)
        return true;
    }
  return false;
}

// Rule 5: whether what P takes and what r can do end in the same state in both orders.
static bool commute(const LeftOut *o, ProcessId r) {
  const uint32_t words = o->zero.cell_words;
  const Deeds *mine = &o->taken, *its = &o->can[r];
  const Bits *written = o->written[r], *sets = o->constant_cells[r];
  if (bits_meet(o->needs, written, words) && RULE("reads"))
    return false;
  if (bits_meet(o->all_cells, its->reads, words) && RULE("writes-read"))
    return false;
  const bool collide =
      bits_meet(mine->writes, written, words) || bits_meet(o->all_cells, its->writes, words) ||
      bits_meet(mine->ups, its->downs, words) || bits_meet(mine->downs, its->ups, words) ||
      bits_meet(mine->ups, sets, words) || bits_meet(mine->downs, sets, words) ||
      bits_meet(o->set_cells, its->ups, words) || bits_meet(o->set_cells, its->downs, words) ||
      set_apart(o, r);
  if (collide && RULE("writes"))
    return false;
  return !(o->counts_strictly && RULE("range") &&
           (bits_meet(mine->ups, its->ups, words) || bits_meet(mine->downs, its->downs, words)));
}

static const char *check_data(LeftOut *o) {
  const ZeroTime *z = &o->zero;
  sum_up(o);
  for (ProcessId r = 0; r < o->net->processes.size; r++) {
    const bool is_outside = !o->claim.in[r] && moves(o, r);
    if (is_outside && !commute(o, r))
      return "another process can interfere by variables or clocks";
    const Bits *invariant = z->invariants[net_location_at(o->net, r, o->state)];
    if (bits_meet(invariant, o->harms, z->cell_words) && RULE("harm") &&
        (is_outside || !is_kept(o, invariant)))
      return "the invariant of another process may be made false";
  }
  return NULL;
}

// --- Rule 7: the goal.

// Whether a conjunct that is false stays so while P does not move.
static bool stays_false(LeftOut *o, const Test *test) {
  const Net *net = o->net;
  Bits *cells = o->scratch;
  memset(cells, 0, o->zero.cell_words * sizeof(Bits));
  if (test->slot < net->location_slot) {
    const CellId cell = zerotime_cell(&o->zero, test->slot);
    if (cell == UINT32_MAX)
      return false;
    bits_add(cells, cell);
    return is_kept(o, cells);
  }
  const ProcessId p = test->slot - net->location_slot;
  const LocationId l = net->processes.items[p].first_location + (uint32_t)test->value;
  if (test->op == EXPR_EQ && l < net->locations.size && !bits_has(o->can[p].targets, l))
    return true; // it is not entered
  bits_add(cells, o->zero.access.first_location + p);
  return is_kept(o, cells);
}

static bool clocks_stay(LeftOut *o, const ClockTest *t) {
  memset(o->scratch, 0, o->zero.cell_words * sizeof(Bits));
  bits_add(o->scratch, o->zero.access.first_clock + t->i);
  bits_add(o->scratch, o->zero.access.first_clock + t->j);
  return is_kept(o, o->scratch);
}

static bool check_clause(LeftOut *o, uint32_t c) {
  const Guard *clause = &o->goal->clauses[c];
  bool ok = (o->goal->ends && o->goal->ends[c] == GOAL_DEADLOCKED) || is_kept(o, o->clauses[c]);
  for (uint32_t i = 0; i < clause->test_count && !ok; i++)
    ok = !vm_test(&clause->tests[i], o->state) && stays_false(o, &clause->tests[i]);
  for (uint32_t i = 0; i < clause->clock_test_count && !ok; i++)
    ok = fails_in_u(o, &clause->clock_tests[i]) && clocks_stay(o, &clause->clock_tests[i]);
  return ok;
}

// --- Rules 8 and 9: keys.

static TransitionEdges edges_in(const LeftOut *o, const StateTransition *t) {
  return o->outgoing->transitions.list.items[t->ordinal];
}

static const Edge *edge_in(const LeftOut *o, TransitionEdges list, uint32_t k) {
  return o->outgoing->transitions.edges.items[list.first + k];
}

static bool is_of_set(const LeftOut *o, const StateTransition *t) {
  const TransitionEdges list = edges_in(o, t);
  for (uint32_t k = 0; k < list.count; k++)
    if (o->claim.in[edge_in(o, list, k)->process])
      return true;
  return false;
}

// Whether a transition is possible in all of U. One with tests beyond the guards of its edges is
// not counted, because these would have to stay true, too.
static bool is_key(const LeftOut *o, const StateTransition *t) {
  const StateTransitions *a = o->outgoing;
  if (!edges_in(o, t).count || t->error || t->is_blocked || t->is_weakened ||
      (a->is_split && a->conditional.list.items[t->ordinal].count) || !is_of_set(o, t))
    return false;
  for (uint32_t k = 0; k < t->test_count; k++)
    if (!holds_in_u(o, &a->tests.items[t->first_test + k]))
      return false;
  for (uint32_t k = 0; k < t->drop_count; k++) { // no clock becomes negative
    const Origin drop = a->drops.items[t->first_drop + k];
    if (!drop.y || !holds_in_u(o, &(ClockTest){0, drop.y, drop.d, false}))
      return false;
  }
  return true;
}

// Whether a key comes to an end: a run takes some edge of it finitely often in zero time.
static bool ends(const LeftOut *o, const StateTransition *t) {
  const TransitionEdges list = edges_in(o, t);
  bool recurs = RULE("endless");
  for (uint32_t k = 0; k < list.count; k++) {
    const Edge *e = edge_in(o, list, k);
    if (o->net->locations.items[e->target].committed && !o->has_committed)
      return false;
    recurs = recurs && o->zero.edges[e - o->net->edges.items].recurs;
  }
  return !recurs;
}

static bool has_key(const LeftOut *o, bool must_end) {
  for (uint32_t i = 0; i < o->outgoing->list.size; i++) {
    const StateTransition *t = &o->outgoing->list.items[i];
    if (is_key(o, t) && (!must_end || ends(o, t)))
      return true;
  }
  return false;
}

static bool is_outside(const LeftOut *o, unsigned flag) {
  for (ProcessId r = 0; r < o->net->processes.size; r++)
    if (!o->claim.in[r] && o->can[r].flags & flag)
      return true;
  return false;
}

static const char *check_ends(LeftOut *o) {
  for (uint32_t c = 0; c < o->goal->clause_count; c++)
    if (!check_clause(o, c) && RULE("goal"))
      return "another process can make the query's condition true";
  if (o->asks_dead && !has_key(o, false) && RULE("key"))
    return "no transition of the set is possible in all of the states";
  if (o->asks_dead && !o->has_committed && is_outside(o, DEED_STICKS) && RULE("stuck"))
    return "another process can get stuck in a committed location";
  if (is_outside(o, DEED_FAILS) && !has_key(o, true) && RULE("faults"))
    return "another process can fail at run time";
  return NULL;
}

// --- Rule 1: why time stands still.

static bool has_clock_test(const Edge *e) {
  return expr_has_clock_test(e->guard_expr) || (e->guard.expr && e->guard.clock_test_count);
}

// An enabled synchronisation over an urgent channel, without clock guards, all in P.
static bool is_urgent(LeftOut *o, TransitionEdges list) {
  const Net *net = o->net;
  if (!list.count || !net->event_channels)
    return false;
  const uint32_t channel = net->event_channels[edge_in(o, list, 0)->event];
  bool urgent = channel && net->channels.items[channel - 1].urgent;
  for (uint32_t k = 0; k < list.count && urgent; k++) {
    const Edge *e = edge_in(o, list, k);
    vec_clear(&o->tests);
    urgent = o->claim.in[e->process] && !has_clock_test(e) &&
             meaning_guard(&o->vm, o->net, &e->guard, o->state, &o->tests) == VM_TRUE &&
             !o->tests.size;
  }
  return urgent;
}

static bool has_urgent(LeftOut *o) {
  const Transitions *all = &o->outgoing->transitions;
  for (uint32_t i = 0; i < all->list.size; i++)
    if (is_urgent(o, all->list.items[i]))
      return true;
  return false;
}

static bool has_location(const LeftOut *o, bool committed) {
  for (ProcessId p = 0; p < o->net->processes.size; p++)
    if (o->claim.in[p] && (committed ? location_of(o, p)->committed : location_of(o, p)->urgent))
      return true;
  return false;
}

// The invariant of a process of P says x <= top, the least such bound: U is where x = top.
static bool find_top(LeftOut *o) {
  const ReducedSet *claim = &o->claim;
  const Guard *invariant =
      o->net->by_location.invariants[net_location_at(o->net, claim->process, o->state)];
  vec_clear(&o->tests);
  const uint32_t x = o->bounds->position[claim->clock];
  if (!claim->in[claim->process] || !invariant || !claim->clock || x == UINT32_MAX ||
      meaning_guard(&o->vm, o->net, invariant, o->state, &o->tests) != VM_TRUE)
    return false;
  for (uint32_t t = 0; t < o->tests.size; t++) {
    const ClockTest *test = &o->tests.items[t];
    if (test->i != claim->clock || test->j || test->strict || (o->x && test->constant >= o->top))
      continue;
    o->x = x;
    o->top = test->constant;
  }
  return o->x;
}

static bool stands_still(LeftOut *o) {
  o->has_committed = false;
  o->x = 0;
  for (ProcessId p = 0; p < o->net->processes.size; p++)
    o->has_committed |= location_of(o, p)->committed;
  if (o->has_committed)
    return o->claim.reason == CERTIFY_STILL_COMMITTED && has_location(o, true);
  return o->claim.reason == CERTIFY_STILL_URGENT    ? has_location(o, false)
         : o->claim.reason == CERTIFY_STILL_CHANNEL ? has_urgent(o)
         : o->claim.reason == CERTIFY_STILL_BOUND   ? find_top(o)
                                                    : false;
}

// Time passes by a transition somewhere.
static bool has_delay(const LeftOut *o) {
  const Transitions *all = &o->outgoing->transitions;
  for (uint32_t i = 0; i < all->list.size; i++)
    if (!all->list.items[i].count)
      return true;
  return false;
}

const char *leftout_refuse(LeftOut *o, const StateTransitions *a, const NodeBound *zone,
                           const NodeBounds *bounds, const ReducedSet *claim) {
  const char *why = o->is_made ? NULL : make(o);
  if (why)
    return why;
  o->claim = *claim;
  o->outgoing = a;
  o->state = a->state;
  o->bounds = bounds;
  if (has_delay(o))
    return "time passes by transitions";
  if (!stands_still(o))
    return "time need not stand still";
  find_wide(o, a, zone, bounds);
  find_can(o);
  if (o->x && RULE("reason") &&
      !is_kept(o, o->zero.invariants[net_location_at(o->net, claim->process, o->state)]))
    return "another process can let time pass";
  why = take_all(o);
  if (!why)
    why = check_data(o);
  return why ? why : check_ends(o);
}

bool leftout_allows(LeftOut *o, const StateTransition *t) {
  const uint32_t k = o->bounds->k;
  if (!edges_in(o, t).count || is_of_set(o, t))
    return false;
  if (!o->x || !RULE("within"))
    return true;
  memcpy(o->part, o->wide, sizeof *o->part * k * k);
  if (!nodezone_constrain(o->part, k, o->x, 0, 2 * o->top)) // x < top
    return true;
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const ClockTest *test = &o->outgoing->tests.items[t->first_test + i];
    uint32_t a, b;
    if (find_places(o, test, &a, &b) && !nodezone_constrain(o->part, k, a, b, nodebound_of(test)))
      return true;
  }
  return false;
}
