#include "analysis/slice.h"

#include "model/access.h"
#include "model/faults.h"

typedef struct Slice {
  const Net *net;
  Access access, target;
  bool *wanted;   // by cell
  bool *dropped;  // by process
  bool *may_fail; // by process
  bool is_loose, changed;
} Slice;

static void want_reads(Slice *s) {
  const CellId first = s->access.first_location, end = s->access.first_clock;
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    if (s->access.marks[cell] & ACCESS_READ && !s->wanted[cell])
      s->wanted[cell] = s->changed = true;
    if (cell >= first && cell < end && s->dropped[cell - first]) {
      s->dropped[cell - first] = false;
      s->changed = true;
    }
  }
}

// What an assignment `target = value` reads does not matter if the target does not, and nothing
// can fail. That is all that counts `n++` for the processes that have nothing else to do with n.
// Local variables of an update are no cells: what they hold may be read behind it.
static bool is_idle(Slice *s, const Stmt *stmt) {
  if (stmt->kind != STMT_ASSIGN || expr_root(stmt->target)->kind != EXPR_VAR ||
      expr_has_effects(stmt->target) || expr_has_effects(stmt->value))
    return false;
  const Stmt alone = {.kind = STMT_ASSIGN, .target = stmt->target};
  access_stmts_alone(&s->target, &alone);
  for (uint32_t i = 0; i < s->target.marked.size; i++) {
    const CellId cell = s->target.marked.items[i];
    if (s->target.marks[cell] & ACCESS_WRITE && s->wanted[cell])
      return false;
  }
  return true;
}

// Marks writes of an idle assignment only.
static void access_idle(Slice *s) {
  for (uint32_t i = 0; i < s->target.marked.size; i++) {
    const CellId cell = s->target.marked.items[i];
    if (s->target.marks[cell] & ACCESS_WRITE)
      access_mark(&s->access, cell, ACCESS_WRITE);
  }
}

static void access_update(Slice *s, const Stmt *stmt) {
  for (; stmt; stmt = stmt->next) {
    Stmt alone = *stmt;
    alone.next = NULL;
    if (is_idle(s, stmt))
      access_idle(s);
    else
      access_stmts(&s->access, &alone);
  }
}

static void access_edges(Slice *s, const Location *location) {
  for (uint32_t k = 0; k < location->edge_count; k++) {
    const Edge *edge = net_edge_from(s->net, location, k);
    access_expr(&s->access, edge->guard_expr);
    if (s->may_fail[edge->process])
      access_stmts(&s->access, edge->update_stmts);
    else
      access_update(s, edge->update_stmts);
  }
}

// All that a process writes is marked, and what it reads as far as that matters.
static void access_process(Slice *s, ProcessId p) {
  const Process *process = &s->net->processes.items[p];
  access_clear(&s->access);
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &s->net->locations.items[process->first_location + l];
    access_expr(&s->access, location->invariant_expr);
    access_edges(s, location);
  }
}

static bool writes_wanted(const Slice *s) {
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    if (s->wanted[cell] && s->access.marks[cell] & (ACCESS_WRITE | ACCESS_SET))
      return true;
  }
  return false;
}

static void keep(Slice *s, ProcessId p) {
  s->changed |= s->dropped[p];
  s->dropped[p] = false;
}

// Whether a process can leave a committed location with this event.
static bool commits(const Net *net, const SyncPart *part) {
  const Process *process = &net->processes.items[part->process];
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    for (uint32_t k = 0; location->committed && k < location->edge_count; k++)
      if (net_edge_from(net, location, k)->event == part->event)
        return true;
  }
  return false;
}

// Whether several receivers of a broadcast are kept. They go together: one after the other, each
// would find what the others did, and a committed location could stop the rest. So they need
// their sender.
static bool is_joint(const Sync *sync, const bool *dropped) {
  uint32_t receivers = 0;
  for (uint32_t k = 1; sync->broadcast && k < sync->parts.size; k++)
    receivers += !dropped[sync->parts.items[k].process];
  return receivers > 1;
}

// Where a kept process takes part, all that must take part are kept; and those whose committed
// location may be what allows the synchronisation.
static void keep_partners(Slice *s) {
  for (uint32_t i = 0; i < s->net->syncs.size; i++) {
    const Sync *sync = &s->net->syncs.items[i];
    bool some = false;
    for (uint32_t k = 0; k < sync->parts.size; k++)
      some |= !s->dropped[sync->parts.items[k].process];
    for (uint32_t k = 0; k < sync->parts.size && some; k++) {
      const SyncPart *part = &sync->parts.items[k];
      const bool is_needed = !part->weak && (!s->is_loose || is_joint(sync, s->dropped));
      if (s->dropped[part->process] && (is_needed || commits(s->net, part)))
        keep(s, part->process);
    }
  }
}

static void close(Slice *s) {
  do {
    s->changed = false;
    keep_partners(s);
    for (ProcessId p = 0; p < s->net->processes.size; p++) {
      access_process(s, p);
      if (s->dropped[p] && writes_wanted(s))
        keep(s, p);
      if (!s->dropped[p])
        want_reads(s);
    }
  } while (s->changed);
}

uint32_t slice_find(const Net *net, const Expr *condition, bool is_loose, bool *dropped) {
  Arena arena = {.mem = net->mem};
  Slice s = {.net = net, .dropped = dropped, .is_loose = is_loose};
  const uint32_t count = net->processes.size;
  uint32_t left_out = 0;
  if (net->hooks.before_stmts || net->hooks.after_stmts) // they run with every transition
    return 0;
  if (net->priority.is_used) // a participant that is left out may be what makes a priority high
    return 0;
  if (is_loose && !net->event_channels)
    return 0;
  access_init(&s.access, &arena, net);
  access_init(&s.target, &arena, net);
  s.wanted = ARENA_ARRAY(&arena, bool, s.access.cell_count);
  s.may_fail = ARENA_ARRAY(&arena, bool, count);
  for (ProcessId p = 0; p < count; p++)
    dropped[p] = !(s.may_fail[p] = faults_in_process(net, p));
  access_expr(&s.access, condition);
  want_reads(&s);
  close(&s);
  for (ProcessId p = 0; p < count; p++)
    left_out += dropped[p];
  access_release(&s.access);
  access_release(&s.target);
  arena_release(&arena);
  return left_out;
}

// Whether guards of these edges must stay as they are: one that holds can stop time, or make a
// receiver take part.
static bool is_strict(const Net *net, EventId event) {
  const uint32_t number = net->event_channels ? net->event_channels[event] : 0;
  const Channel *channel = number ? &net->channels.items[number - 1] : NULL;
  return channel && (channel->urgent || (channel->broadcast && event == channel->receive));
}

// What a kept process reads that must not be freed is marked. A condition that may fail must
// stay: an error ends a query.
static void access_strict(Slice *s, ProcessId p) {
  const Process *process = &s->net->processes.items[p];
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &s->net->locations.items[process->first_location + l];
    if (faults_in_expr(s->net, location->invariant_expr))
      access_expr(&s->access, location->invariant_expr);
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *edge = net_edge_from(s->net, location, k);
      if (is_strict(s->net, edge->event) || faults_in_expr(s->net, edge->guard_expr))
        access_expr(&s->access, edge->guard_expr);
      access_stmts(&s->access, edge->update_stmts);
    }
  }
}

// Whether a process can synchronise from a committed location.
static bool may_commit(const Net *net, ProcessId p) {
  for (uint32_t i = 0; i < net->syncs.size; i++)
    for (uint32_t k = 0; k < net->syncs.items[i].parts.size; k++)
      if (net->syncs.items[i].parts.items[k].process == p &&
          commits(net, &net->syncs.items[i].parts.items[k]))
        return true;
  return false;
}

// Whether a process sends broadcasts to several processes that are kept.
static bool joins(const Net *net, ProcessId p, const bool *dropped) {
  for (uint32_t i = 0; i < net->syncs.size; i++)
    if (net->syncs.items[i].parts.size && net->syncs.items[i].parts.items[0].process == p &&
        is_joint(&net->syncs.items[i], dropped))
      return true;
  return false;
}

// The cells that the process writes, if they can be freed.
static bool find_freed(Slice *s, const Expr *condition, ProcessId free, bool *freed) {
  access_process(s, free);
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    freed[cell] = s->access.marks[cell] & (ACCESS_WRITE | ACCESS_SET);
  }
  access_expr_alone(&s->access, condition);
  for (ProcessId p = 0; p < s->net->processes.size; p++)
    if (!s->dropped[p] && p != free)
      access_strict(s, p);
  for (uint32_t i = 0; i < s->access.marked.size; i++) {
    const CellId cell = s->access.marked.items[i];
    if (s->access.marks[cell] & ACCESS_READ &&
        (freed[cell] || cell == s->access.first_location + free))
      return false;
  }
  return true;
}

bool slice_free(const Net *net, const Expr *condition, ProcessId free, bool *dropped,
                bool *freed) {
  Arena arena = {.mem = net->mem};
  Slice s = {.net = net, .dropped = dropped, .is_loose = true};
  if (dropped[free] || net->priority.is_used || !net->event_channels || net->hooks.before_stmts ||
      net->hooks.after_stmts || faults_in_process(net, free) || may_commit(net, free) ||
      joins(net, free, dropped))
    return false;
  access_init(&s.access, &arena, net);
  access_init(&s.target, &arena, net);
  s.wanted = ARENA_ARRAY(&arena, bool, s.access.cell_count);
  s.may_fail = ARENA_ARRAY(&arena, bool, net->processes.size);
  const bool ok = find_freed(&s, condition, free, freed);
  dropped[free] = ok;
  access_release(&s.access);
  access_release(&s.target);
  arena_release(&arena);
  return ok;
}

// Without the parts of a conjunction that read what is freed; NULL: true.
static const Expr *weaken(Net *net, Access *access, const bool *freed, const Expr *expr) {
  if (!expr)
    return NULL;
  if (expr->kind == EXPR_AND) {
    const Expr *a = weaken(net, access, freed, expr->a), *b = weaken(net, access, freed, expr->b);
    return a && b ? expr_binary(&net->arena, expr->place, EXPR_AND, a, b) : a ? a : b;
  }
  access_expr_alone(access, expr);
  for (uint32_t i = 0; i < access->marked.size; i++)
    if (freed[access->marked.items[i]])
      return NULL;
  return expr;
}

static void weaken_all(Net *net, const bool *freed) {
  Arena arena = {.mem = net->mem};
  Access access;
  access_init(&access, &arena, net);
  for (EdgeId e = 0; e < net->edges.size; e++)
    net->edges.items[e].guard_expr = weaken(net, &access, freed, net->edges.items[e].guard_expr);
  for (LocationId l = 0; l < net->locations.size; l++)
    net->locations.items[l].invariant_expr =
        weaken(net, &access, freed, net->locations.items[l].invariant_expr);
  access_release(&access);
  arena_release(&arena);
}

// By event: a process that is left out has an edge with it.
static bool *find_lost(const Net *net, const bool *dropped) {
  bool *lost = mem_alloc(net->mem, net->events.size + 1);
  for (EdgeId e = 0; e < net->edges.size; e++)
    lost[net->edges.items[e].event] |= dropped[net->edges.items[e].process];
  return lost;
}

// Whether an edge can synchronise with a process that is left out. Broadcasts need their sender
// only.
static bool has_lost_partner(const Net *net, const bool *lost, EventId event) {
  for (uint32_t c = 0; c < net->channels.size; c++) {
    const Channel *channel = &net->channels.items[c];
    if (event == channel->receive)
      return lost[channel->send];
    if (event == channel->send)
      return !channel->broadcast && lost[channel->receive];
  }
  return false;
}

void slice_apply(Net *net, const bool *dropped, const bool *freed) {
  if (freed)
    weaken_all(net, freed);
  bool *lost = find_lost(net, dropped);
  const uint32_t count = net->edges.size;
  const EventId tau = net->channels.size ? net_tau_event(net) : 0;
  uint32_t kept = 0;
  for (EdgeId e = 0; e < count; e++)
    if (!dropped[net->edges.items[e].process])
      net->edges.items[kept++] = net->edges.items[e];
  net->edges.size = kept;
  for (EdgeId e = 0; e < kept; e++) {
    Edge alone = net->edges.items[e];
    if (!has_lost_partner(net, lost, alone.event))
      continue;
    alone.event = tau;
    vec_push(net->mem, &net->edges, alone);
  }
  for (LocationId l = 0; l < net->locations.size; l++) {
    Location *location = &net->locations.items[l];
    if (!dropped[location->process])
      continue;
    location->invariant_expr = NULL;
    location->committed = location->urgent = false;
  }
  mem_free(net->mem, lost);
}
