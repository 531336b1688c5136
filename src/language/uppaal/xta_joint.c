// Synchronisations of more than two processes, as broadcasts. The first part sends. Its guard
// says where the others are, by variables that hold their locations, and that their guards hold.
// So exactly the processes with a receiving edge take part, and these are the ones that must.
#include "language/uppaal/xta_parts.h"

#include "model/access.h"

#include <string.h>

// More than two processes, all of which must take part.
bool xta_is_joint(const Sync *sync) {
  for (uint32_t k = 0; k < sync->parts.size; k++)
    if (sync->parts.items[k].weak)
      return false;
  return sync->parts.size > 2;
}

// The edges of a part from a location: how many, and one of them.
static uint32_t count_edges(const Net *net, const SyncPart *part, LocationId source,
                            const Edge **one) {
  uint32_t count = 0;
  for (EdgeId i = 0; i < net->edges.size; i++)
    if (net_is_of_part(&net->edges.items[i], part) && net->edges.items[i].source == source) {
      *one = &net->edges.items[i];
      count++;
    }
  return count;
}

void xta_add_where(Writer *w, ProcessId p, const char *op, LocationId location) {
  text_addf(w->text, "at_%s %s %d", w->net->processes.items[p].name, op,
            (int)net_index(w->net, location));
}

// `P is not there, or c`, for each conjunct c.
static void add_conjuncts(Writer *w, ProcessId p, const Expr *guard, LocationId location) {
  if (guard->kind == EXPR_AND) {
    add_conjuncts(w, p, guard->a, location);
    add_conjuncts(w, p, guard->b, location);
    return;
  }
  text_add(w->text, " && (");
  xta_add_where(w, p, "!=", location);
  text_add(w->text, " || ");
  xta_add_conjunct(w, guard);
  text_add(w->text, ")");
}

// Several edges: one of their guards holds. If one has none that is so.
static void add_alternatives(Writer *w, const SyncPart *part, LocationId location) {
  const Net *net = w->net;
  for (EdgeId i = 0; i < net->edges.size; i++)
    if (net_is_of_part(&net->edges.items[i], part) && net->edges.items[i].source == location &&
        !net->edges.items[i].guard_expr)
      return;
  text_add(w->text, " && (");
  xta_add_where(w, part->process, "!=", location);
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (!net_is_of_part(edge, part) || edge->source != location)
      continue;
    if (expr_has_clock_test(edge->guard_expr))
      report_error(w->report, edge->place,
                   "of a synchronisation of more than two processes, several edges from one "
                   "location with clock guards are not converted");
    text_add(w->text, " || (");
    xta_add_expr(w, edge->guard_expr);
    text_add(w->text, ")");
  }
  text_add(w->text, ")");
}

static void check_ranges(Writer *w, const Edge *edge) {
  for (const Stmt *s = edge->update_stmts; s; s = s->next)
    if (xta_can_leave(s) || !xta_is_plain(s))
      report_error(w->report, s->place,
                   "of a synchronisation of more than two processes, assignments that can leave "
                   "their ranges are not converted");
}

// What the sender asks of another part: it is where it has an edge, whose guard holds.
static void add_demand(Writer *w, const SyncPart *part) {
  const Net *net = w->net;
  const Process *process = &net->processes.items[part->process];
  const LocationId end = process->first_location + process->location_count;
  const Edge *edge = NULL;
  const char *separator = " && (";
  for (LocationId l = process->first_location; l < end; l++)
    if (count_edges(net, part, l, &edge)) {
      text_add(w->text, separator);
      xta_add_where(w, part->process, "==", l);
      separator = " || ";
    }
  text_add(w->text, edge ? ")" : " && false");
  for (LocationId l = process->first_location; l < end; l++) {
    const uint32_t count = count_edges(net, part, l, &edge);
    if (count > 1)
      add_alternatives(w, part, l);
    else if (count && edge->guard_expr)
      add_conjuncts(w, part->process, edge->guard_expr, l);
  }
}

// The guard of an edge as a part of a synchronisation: the first one has all conditions.
bool xta_add_joint_guard(Writer *w, const Edge *edge, const Sync *sync, uint32_t k) {
  const Edge *one;
  check_ranges(w, edge);
  if (k)
    return count_edges(w->net, &sync->parts.items[k], edge->source, &one) > 1 &&
           xta_add_guard(w, edge);
  if (!xta_add_guard(w, edge))
    text_add(w->text, " guard true");
  for (uint32_t other = 1; other < sync->parts.size; other++)
    add_demand(w, &sync->parts.items[other]);
  return true;
}

// In UPPAAL updates run in the order of processes behind the sender's.
static void check_order(Writer *w, const Sync *sync) {
  const Net *net = w->net;
  bool is_sorted = true;
  for (uint32_t k = 2; k < sync->parts.size; k++)
    is_sorted &= sync->parts.items[k - 1].process < sync->parts.items[k].process;
  Arena arena = {.mem = net->mem};
  Access access;
  access_init(&access, &arena, net);
  uint32_t *writer = ARENA_ARRAY(&arena, uint32_t, access.cell_count); // part + 1
  for (int round = 0; round < 2; round++)
    for (EdgeId i = 0; !is_sorted && i < net->edges.size; i++)
      for (uint32_t k = 1; k < sync->parts.size; k++) {
        if (!net_is_of_part(&net->edges.items[i], &sync->parts.items[k]))
          continue;
        access_stmts_alone(&access, net->edges.items[i].update_stmts);
        for (uint32_t m = 0; m < access.marked.size; m++) {
          const CellId cell = access.marked.items[m];
          if (round && writer[cell] && writer[cell] != k + 1)
            report_error(w->report, sync->place,
                         "in UPPAAL the updates would run in another order: name the processes "
                         "in the order of their declaration");
          else if (!round && access.marks[cell] & ACCESS_WRITE)
            writer[cell] = writer[cell] && writer[cell] != k + 1 ? UINT32_MAX : k + 1;
        }
      }
  access_release(&access);
  arena_release(&arena);
}

void xta_find_located(Writer *w) {
  const Net *net = w->net;
  w->is_located = mem_alloc(net->mem, sizeof *w->is_located * (net->processes.size + 1));
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    if (!xta_is_joint(sync))
      continue;
    check_order(w, sync);
    for (uint32_t k = 1; k < sync->parts.size; k++)
      w->is_located[sync->parts.items[k].process] = true;
  }
}

static bool is_called(const char *name, const char *process) {
  return !strncmp(name, "at_", 3) && !strcmp(name + 3, process);
}

static void check_free(Writer *w, const Process *process) {
  const Net *net = w->net;
  bool found = false;
  for (uint32_t i = 0; i < net->variables.size; i++)
    found |= is_called(net->variables.items[i].name, process->name);
  for (uint32_t i = 0; i < net->clocks.size; i++)
    found |= is_called(net->clocks.items[i].name, process->name);
  for (ProcessId p = 0; p < net->processes.size; p++)
    found |= is_called(net->processes.items[p].name, process->name);
  if (found)
    report_error(w->report, process->place,
                 "`at_%s` is needed for the location of `%s`: rename what has that name",
                 process->name, process->name);
}

void xta_add_located(Writer *w) {
  const Net *net = w->net;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (w->is_located[p]) {
      check_free(w, &net->processes.items[p]);
      text_addf(w->text, "int[0,%u] at_%s = %d; // its location\n",
                (unsigned)net->processes.items[p].location_count - 1,
                net->processes.items[p].name, (int)net->slots.initial[net->location_slot + p]);
    }
}
