#include "semantics/stochastic/laws.h"

#include "model/state.h"

typedef VEC(ProcessId) ProcessList;

typedef struct Maker {
  Laws *laws;
  Arena *arena;
  const Net *net;
  Access access;
  ProcessList *readers; // by cell: processes whose delays depend on it, ascending
  uint32_t *stamps;     // by process: the number of the edge for which it was listed last
  uint32_t stamp;
} Maker;

static LawNumber make_number(const Maker *maker, const Expr *expr, double otherwise) {
  LawNumber number = {.constant = otherwise};
  int32_t value;
  if (!expr || expr_is_real(expr, &number.constant))
    return number;
  if (expr_is_const(expr, &value))
    number.constant = value;
  else
    number.code = code_value(maker->arena, expr, 0);
  return number;
}

static bool reads_clocks(Access *access) {
  for (uint32_t k = 0; k < access->marked.size; k++)
    if (access->marked.items[k] >= access->first_clock)
      return true;
  return false;
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

static void make_edge(Maker *maker, LawEdge *law, const Edge *edge) {
  const uint32_t channel =
      maker->net->event_channels ? maker->net->event_channels[edge->event] : 0;
  *law = (LawEdge){
      .edge = edge,
      .guard = condition_of_guard(maker->arena, &maker->access, &edge->guard, edge->guard_locals),
      .update = edge->update,
      .weight = make_number(maker, edge->weight, 1),
      .target = edge->target,
      .channel = channel};
  if (edge->stem)
    law->update = code_update(maker->arena, edge->branch_stmts, edge->update_locals);
}

// Notes what the delays in a location depend on.
static void note_reads(Maker *maker, const Location *location) {
  const Net *net = maker->net;
  Access *access = &maker->access;
  access_clear(access);
  access_expr(access, location->invariant_expr);
  access_expr(access, location->exponential);
  for (uint32_t k = 0; k < location->edge_count; k++) {
    const Edge *edge = &net->edges.items[net->out[location->first_edge + k]];
    const uint32_t channel = net->event_channels ? net->event_channels[edge->event] : 0;
    if (!channel || net->channels.items[channel - 1].send == edge->event)
      access_expr(access, edge->guard_expr);
  }
  for (uint32_t k = 0; k < access->marked.size; k++) {
    ProcessList *list = &maker->readers[access->marked.items[k]];
    if (!list->size || list->items[list->size - 1] != location->process)
      vec_push(maker->arena->mem, list, location->process);
  }
}

static void note_concerned(Maker *maker, LawEdge *law) {
  const Net *net = maker->net;
  Access *access = &maker->access;
  access_clear(access);
  access_stmts(access, law->edge->update_stmts);
  access_stmts(access, net->hooks.before_stmts);
  access_stmts(access, net->hooks.after_stmts);
  access_mark(access, access->first_location + law->edge->process, ACCESS_WRITE);
  ProcessList list = {0};
  CellId *written = ARENA_ARRAY(maker->arena, CellId, access->marked.size);
  maker->stamps[law->edge->process] = ++maker->stamp;
  for (uint32_t k = 0; k < access->marked.size; k++) {
    const CellId cell = access->marked.items[k];
    const ProcessList *readers = &maker->readers[cell];
    if (access->marks[cell] & (ACCESS_WRITE | ACCESS_SET))
      written[law->written_count++] = cell;
    for (uint32_t i = 0; i < readers->size && access->marks[cell] & (ACCESS_WRITE | ACCESS_SET);
         i++)
      if (maker->stamps[readers->items[i]] != maker->stamp) {
        maker->stamps[readers->items[i]] = maker->stamp;
        vec_push(maker->arena->mem, &list, readers->items[i]);
      }
  }
  law->written = written;
  law->concerned = arena_copy(maker->arena, list.items, sizeof *list.items * list.size);
  law->concerned_count = list.size;
  vec_release(maker->arena->mem, &list);
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
    for (uint32_t i = k; i < (edge->stem ? location->edge_count : k + 1); i++) {
      const Edge *branch = &net->edges.items[net->out[location->first_edge + i]];
      if (branch->stem != edge->stem)
        continue;
      is_done[i] = true;
      LawEdge *made = edges++;
      choice->edge_count++;
      make_edge(maker, made, branch);
      note_concerned(maker, made);
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
    access_clear(&maker->access);
    access_expr(&maker->access, rate->rate);
    rates[k].is_curved = reads_clocks(&maker->access);
    rates[k].rate = make_number(maker, rate->rate, 1);
    rates[k].clock = (LawNumber){.constant = rate->clock->base};
    maker->laws->has_rates = true;
    maker->laws->has_curves |= rates[k].is_curved;
  }
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
        condition_of_guard(maker->arena, &maker->access, &location->invariant, location->locals);
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
    if (!channel->broadcast) {
      report_error(report, channel->place,
                   "statistical queries need broadcast channels; `%s` is a binary one",
                   channel->name);
      return false;
    }
  }
  if (net->priority.is_used)
    report_error(report, net->origin.place, "statistical queries do not go with priorities");
  else if (net->syncs.size && !net->channels.size)
    report_error(report, net->syncs.items[0].place,
                 "statistical queries are for models of UPPAAL's language");
  return !report_failed(report);
}

bool laws_make(Laws *laws, Arena *arena, const Net *net, Report *report) {
  *laws = (Laws){.net = net, .error = LAWS_ERROR};
  if (!check(net, report))
    return false;
  Maker maker = {.laws = laws, .arena = arena, .net = net};
  access_init(&maker.access, arena, net);
  maker.readers = ARENA_ARRAY(arena, ProcessList, maker.access.cell_count);
  maker.stamps = ARENA_ARRAY(arena, uint32_t, net->processes.size);
  for (LocationId id = 0; id < net->locations.size; id++)
    note_reads(&maker, &net->locations.items[id]);
  LawLocation *locations = ARENA_ARRAY(arena, LawLocation, net->locations.size);
  laws->locations = locations;
  for (LocationId id = 0; id < net->locations.size; id++)
    make_location(&maker, &locations[id], id);
  make_receivers(&maker);
  int32_t *initial = ARENA_ARRAY(arena, int32_t, net->slots.count);
  state_initial(net, initial, 0);
  laws->initial = initial;
  for (CellId cell = 0; cell < maker.access.cell_count; cell++)
    vec_release(arena->mem, &maker.readers[cell]);
  access_release(&maker.access);
  return true;
}
