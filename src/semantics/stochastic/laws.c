#include "semantics/stochastic/laws.h"

#include "model/expr/expand.h"
#include "model/state.h"

#include <stdlib.h>

typedef VEC(ProcessId) ProcessList;
typedef VEC(LawRateId) RateList;

typedef struct Maker {
  Laws *laws;
  Arena *arena;
  const Net *net;
  Access access;
  ProcessList *readers;   // by cell: processes whose delays depend on it, ascending
  RateList *rate_readers; // by cell: rates of clocks that depend on it
  uint32_t *slots;        // by cell: its slot; LAW_ALWAYS: a clock, or part of a large array
  bool *is_early;         // by cell: written before the last update of the present edge
} Maker;

static LawNumber make_number(const Maker *maker, const Expr *expr, double otherwise) {
  LawNumber number = {.constant = otherwise};
  uint32_t locals = 0;
  int32_t value;
  expr = expr ? expr_expand(maker->arena, expr, &locals) : NULL;
  if (!expr || expr_is_real(expr, &number.constant))
    return number;
  if (expr_is_const(expr, &value))
    number.constant = value;
  else
    number.code = code_value(maker->arena, expr, locals);
  return number;
}

// Statements up to `end`.
static const Stmt *copy_until(Arena *arena, const Stmt *stmts, const Stmt *end) {
  const Stmt *first = NULL;
  const Stmt **last = &first;
  for (; stmts && stmts != end; stmts = stmts->next) {
    Stmt *copy = arena_copy(arena, stmts, sizeof *stmts);
    copy->next = NULL;
    *last = copy;
    last = &copy->next;
  }
  return first;
}

// A guard `rest && index[v] == k` of a channel that an array holds, where v is a variable; `rest`
// may be NULL. False if it has another form.
static bool is_indexed(const Expr *guard, const Expr **rest, const Expr **index, const Expr **k) {
  *rest = NULL;
  if (guard && guard->kind == EXPR_AND)
    *rest = guard->a, guard = guard->b;
  if (!guard || guard->kind != EXPR_EQ || guard->a->kind != EXPR_INDEX ||
      guard->a->a->kind != EXPR_TABLE || guard->a->b->kind != EXPR_VAR ||
      guard->b->kind != EXPR_CONST)
    return false;
  *index = guard->a->b, *k = guard->b;
  return true;
}

// Of the edges for all channels of an array the first one looks whether the index is in the
// array. For the others it is enough to compare it, and that comes first.
static const Expr *simplify_guard(Maker *maker, const Location *location, const Edge *edge) {
  const Net *net = maker->net;
  const Expr *rest, *index, *k, *other_rest, *other_index, *other;
  if (!is_indexed(edge->guard_expr, &rest, &index, &k))
    return edge->guard_expr;
  for (uint32_t i = 0; i < location->edge_count; i++) {
    const Edge *first = &net->edges.items[net->out[location->first_edge + i]];
    if (first == edge)
      break;
    if (!is_indexed(first->guard_expr, &other_rest, &other_index, &other) || rest != other_rest ||
        index != other_index)
      continue;
    const Expr *test = expr_binary(maker->arena, index->place, EXPR_EQ, index, k);
    return rest ? expr_binary(maker->arena, rest->place, EXPR_AND, test, rest) : test;
  }
  return edge->guard_expr;
}

static void make_edge(Maker *maker, LawEdge *law, const Location *location, const Edge *edge) {
  const uint32_t channel =
      maker->net->event_channels ? maker->net->event_channels[edge->event] : 0;
  *law = (LawEdge){.edge = edge,
                   .guard =
                       condition_make(maker->arena, &maker->access,
                                      simplify_guard(maker, location, edge), edge->guard_locals),
                   .update = edge->update,
                   .weight = make_number(maker, edge->weight, 1),
                   .target = edge->target,
                   .channel = channel};
  if (edge->stem)
    law->update = code_update(maker->arena, edge->branch_stmts, edge->update_locals);
}

// Functions with their arguments read less than functions with any.
static void add_reads(Maker *maker, const Expr *expr) {
  uint32_t locals = 0;
  access_expr(&maker->access, expr ? expr_expand(maker->arena, expr, &locals) : NULL);
}

// Notes what the delays in a location, and rates of clocks, depend on.
static void note_reads(Maker *maker, LocationId id) {
  const Location *location = &maker->net->locations.items[id];
  const Net *net = maker->net;
  Access *access = &maker->access;
  access_clear(access);
  add_reads(maker, location->invariant_expr);
  add_reads(maker, location->exponential);
  for (uint32_t k = 0; k < location->edge_count; k++) {
    const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
    const uint32_t channel = net->event_channels ? net->event_channels[edge->event] : 0;
    if (!channel || net->channels.items[channel - 1].send == edge->event)
      add_reads(maker, edge->guard_expr);
  }
  for (uint32_t k = 0; k < access->marked.size; k++) {
    ProcessList *list = &maker->readers[access->marked.items[k]];
    if (!list->size || list->items[list->size - 1] != location->process)
      vec_push(maker->arena->mem, list, location->process);
  }
  for (uint32_t k = 0; k < location->clock_rate_count; k++) {
    const LawRateId rate = {id, k};
    access_clear(access);
    add_reads(maker, location->clock_rates[k].rate);
    for (uint32_t i = 0; i < access->marked.size; i++)
      vec_push(maker->arena->mem, &maker->rate_readers[access->marked.items[i]], rate);
  }
}

static void find_slots(Maker *maker) {
  const Net *net = maker->net;
  const Access *access = &maker->access;
  maker->slots = ARENA_ARRAY(maker->arena, uint32_t, access->cell_count);
  for (CellId cell = 0; cell < access->cell_count; cell++)
    maker->slots[cell] = LAW_ALWAYS;
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    for (uint32_t k = 0; k < variable->type->slots && variable->type->slots <= ACCESS_MAX_SLOTS;
         k++)
      maker->slots[access->first[v] + k] = variable->base + k;
  }
  for (ProcessId p = 0; p < net->processes.size; p++)
    maker->slots[access->first_location + p] = net->location_slot + p;
}

static int compare_cells(const void *left, const void *right) {
  const CellId a = *(const CellId *)left, b = *(const CellId *)right;
  return (a > b) - (a < b);
}

// What the update of a branch writes is compared with what was there before; what is written
// before it, by a stem or a hook, is not.
static void note_writes(Maker *maker, LawEdge *law) {
  const Net *net = maker->net;
  const Edge *edge = law->edge;
  Access *access = &maker->access;
  access_stmts_alone(access, net->hooks.before_stmts);
  access_stmts(access, net->hooks.after_stmts);
  if (edge->stem)
    access_stmts(access, edge->update_stmts);
  for (uint32_t k = 0; k < access->marked.size; k++)
    maker->is_early[access->marked.items[k]] = true;
  access_stmts(access, edge->update_stmts);
  access_mark(access, access->first_location + edge->process, ACCESS_WRITE);
  LawWrite *writes = ARENA_ARRAY(maker->arena, LawWrite, access->marked.size);
  qsort(access->marked.items, access->marked.size, sizeof(CellId), compare_cells);
  uint32_t written = 0;
  for (uint32_t k = 0; k < access->marked.size; k++) {
    const CellId cell = access->marked.items[k];
    const uint32_t slot = maker->is_early[cell] ? LAW_ALWAYS : maker->slots[cell];
    maker->is_early[cell] = false;
    if (!(access->marks[cell] & (ACCESS_WRITE | ACCESS_SET)))
      continue;
    const bool is_read = maker->readers[cell].size || maker->rate_readers[cell].size;
    LawWrite *last = law->write_count ? &writes[law->write_count - 1] : NULL;
    written += slot != LAW_ALWAYS;
    if (last && slot != LAW_ALWAYS && last->slot != LAW_ALWAYS && last->is_read == is_read &&
        last->cell + last->count == cell && last->slot + last->count == slot)
      last->count++;
    else
      writes[law->write_count++] = (LawWrite){cell, slot, 1, is_read};
  }
  law->writes = writes;
  if (written > maker->laws->max_written)
    maker->laws->max_written = written;
}

// The channel on which an edge to a branch point synchronises whatever the branch is; 0: none.
static uint32_t stem_channel(const Net *net, const Edge *edge) {
  return net->event_channels && !edge->is_late ? net->event_channels[edge->event] : 0;
}

static void make_choices(Maker *maker, LawLocation *law, const Location *location) {
  const Net *net = maker->net;
  LawChoice *outputs = ARENA_ARRAY(maker->arena, LawChoice, location->edge_count);
  LawChoice *inputs = ARENA_ARRAY(maker->arena, LawChoice, location->edge_count);
  bool *is_done = ARENA_ARRAY(maker->arena, bool, location->edge_count);
  LawEdge *edges = ARENA_ARRAY(maker->arena, LawEdge, location->edge_count); // not yet in use
  for (uint32_t k = 0; k < location->edge_count; k++) {
    const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
    if (is_done[k])
      continue;
    const uint32_t channel = net->event_channels ? net->event_channels[edge->event] : 0;
    const bool is_input = channel && net->channels.items[channel - 1].receive == edge->event;
    LawChoice *choice = is_input ? &inputs[law->input_count++] : &outputs[law->output_count++];
    choice->edges = edges;
    choice->channel = stem_channel(net, edge);
    for (uint32_t i = k; i < (edge->stem ? location->edge_count : k + 1); i++) {
      const Edge *branch = &net->edges.items[net->out[location->first_edge + i]];
      if (branch->stem != edge->stem || stem_channel(net, branch) != stem_channel(net, edge))
        continue;
      is_done[i] = true;
      LawEdge *made = edges++;
      choice->edge_count++;
      make_edge(maker, made, location, branch);
      note_writes(maker, made);
      choice->is_late |= branch->is_late;
      choice->is_conditional |= branch->is_conditional;
      choice->is_urgent |= made->channel && net->channels.items[made->channel - 1].urgent;
    }
    choice->has_stem = edge->stem;
    if (edge->stem)
      choice->stem = code_update(maker->arena,
                                 copy_until(maker->arena, edge->update_stmts, edge->branch_stmts),
                                 edge->update_locals);
  }
  law->outputs = outputs, law->inputs = inputs;
}

static void make_rates(Maker *maker, LawLocation *law, const Location *location) {
  LawRate *rates = ARENA_ARRAY(maker->arena, LawRate, location->clock_rate_count);
  for (uint32_t k = 0; k < location->clock_rate_count; k++) {
    const ClockRate *rate = &location->clock_rates[k];
    access_expr_alone(&maker->access, rate->rate);
    rates[k].is_curved = access_has_clocks(&maker->access);
    rates[k].rate = make_number(maker, rate->rate, 1);
    rates[k].clock = (LawNumber){.constant = rate->clock->base};
    maker->laws->has_rates = true;
    law->is_curved |= rates[k].is_curved;
  }
  maker->laws->has_curves |= law->is_curved;
  if (location->clock_rate_count > maker->laws->max_rates)
    maker->laws->max_rates = location->clock_rate_count;
  law->clock_rates = rates;
  law->clock_rate_count = location->clock_rate_count;
}

static void make_location(Maker *maker, LawLocation *law, LocationId id) {
  const Location *location = &maker->net->locations.items[id];
  *law = (LawLocation){.location = location,
                       .is_committed = location->committed,
                       .is_urgent = location->urgent,
                       .has_rate = location->exponential != NULL,
                       .rate = make_number(maker, location->exponential, 0)};
  if (location->invariant_expr)
    law->invariant =
        condition_make(maker->arena, &maker->access, location->invariant_expr, location->locals);
  access_clear(&maker->access);
  add_reads(maker, location->exponential);
  maker->laws->has_moving_rates |= access_has_clocks(&maker->access);
  make_rates(maker, law, location);
  make_choices(maker, law, location);
}

// Edges are in order of their processes.
static void make_receivers(Maker *maker) {
  const Net *net = maker->net;
  ProcessList *lists = ARENA_ARRAY(maker->arena, ProcessList, net->channels.size);
  for (uint32_t k = 0; k < net->edges.size && net->event_channels; k++) {
    const Edge *edge = &net->edges.items[k];
    const uint32_t channel = net->event_channels[edge->event];
    if (!channel || net->channels.items[channel - 1].receive != edge->event)
      continue;
    ProcessList *list = &lists[channel - 1];
    if (!list->size || list->items[list->size - 1] != edge->process)
      vec_push(maker->arena->mem, list, edge->process);
  }
  const ProcessId **receivers = ARENA_ARRAY(maker->arena, const ProcessId *, net->channels.size);
  uint32_t *counts = ARENA_ARRAY(maker->arena, uint32_t, net->channels.size);
  for (uint32_t c = 0; c < net->channels.size; c++) {
    counts[c] = lists[c].size;
    receivers[c] = arena_copy(maker->arena, lists[c].items, sizeof(ProcessId) * counts[c]);
    vec_release(maker->arena->mem, &lists[c]);
  }
  maker->laws->receivers = receivers;
  maker->laws->receiver_counts = counts;
}

static bool check(const Net *net, Report *report) {
  for (uint32_t k = 0; k < net->channels.size; k++) {
    const Channel *channel = &net->channels.items[k];
    if (!channel->broadcast)
      return report_error(report, channel->place,
                          "statistical queries need broadcast channels; `%s` is a binary one",
                          channel->name);
  }
  if (net->priority.is_used)
    report_error(report, net->origin.place, "statistical queries do not go with priorities");
  else if (net->syncs.size && !net->channels.size)
    report_error(report, net->syncs.items[0].place,
                 "statistical queries are for models of UPPAAL's language");
  return !report_failed(report);
}

static void keep_readers(Maker *maker) {
  Arena *arena = maker->arena;
  const uint32_t count = maker->access.cell_count;
  LawReaders *readers = ARENA_ARRAY(arena, LawReaders, count);
  LawRateReaders *rates = ARENA_ARRAY(arena, LawRateReaders, count);
  for (CellId cell = 0; cell < count; cell++) {
    ProcessList *list = &maker->readers[cell];
    RateList *turning = &maker->rate_readers[cell];
    readers[cell].items = arena_copy(arena, list->items, sizeof *list->items * list->size);
    readers[cell].count = list->size;
    rates[cell].items = arena_copy(arena, turning->items, sizeof *turning->items * turning->size);
    rates[cell].count = turning->size;
    vec_release(arena->mem, list);
    vec_release(arena->mem, turning);
  }
  maker->laws->readers = readers;
  maker->laws->rate_readers = rates;
}

static void find_turners(Maker *maker) {
  const Net *net = maker->net;
  ProcessId *turners = ARENA_ARRAY(maker->arena, ProcessId, net->processes.size);
  for (LocationId id = 0; id < net->locations.size; id++) {
    const Location *location = &net->locations.items[id];
    const uint32_t count = maker->laws->turner_count;
    if (location->clock_rate_count && (!count || turners[count - 1] != location->process))
      turners[maker->laws->turner_count++] = location->process;
  }
  maker->laws->turners = turners;
}

bool laws_make(Laws *laws, Arena *arena, const Net *net, Report *report) {
  *laws = (Laws){.net = net, .error = LAWS_ERROR};
  if (!check(net, report))
    return false;
  Maker maker = {.laws = laws, .arena = arena, .net = net};
  access_init(&maker.access, arena, net);
  maker.readers = ARENA_ARRAY(arena, ProcessList, maker.access.cell_count);
  maker.rate_readers = ARENA_ARRAY(arena, RateList, maker.access.cell_count);
  maker.is_early = ARENA_ARRAY(arena, bool, maker.access.cell_count);
  find_slots(&maker);
  for (LocationId id = 0; id < net->locations.size; id++)
    note_reads(&maker, id);
  LawLocation *locations = ARENA_ARRAY(arena, LawLocation, net->locations.size);
  laws->locations = locations;
  for (LocationId id = 0; id < net->locations.size; id++)
    make_location(&maker, &locations[id], id);
  make_receivers(&maker);
  int32_t *initial = ARENA_ARRAY(arena, int32_t, net->slots.count);
  state_initial(net, initial, 0);
  laws->initial = initial;
  find_turners(&maker);
  keep_readers(&maker);
  laws->first_clock = maker.access.first_clock;
  access_release(&maker.access);
  return true;
}
