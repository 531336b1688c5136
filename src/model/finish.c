// net_finish: the checks of a net that a front end has filled, and the tables made from it.
#include "model/access.h"
#include "model/channels.h"
#include "model/expr/clockuse.h"
#include "model/meta.h"
#include "model/ranges.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_TABLE = 1 << 26 }; // entries of the table processes x events

static void check_sizes(const Net *net, Report *report) {
  if (!net->processes.size)
    report_error(report, net->origin.place,
                 "the model has no process: there is nothing to explore");
  if (net->clock_count > NET_MAX_CLOCKS)
    report_error(report, vec_last(&net->clocks).place, "more than %d clocks are not supported",
                 NET_MAX_CLOCKS);
  if (net->location_slot > NET_MAX_SLOTS)
    report_error(report, vec_last(&net->variables).place,
                 "the variables have more than %d elements together: use smaller arrays",
                 NET_MAX_SLOTS);
  if ((uint64_t)net->processes.size * net->events.size > MAX_TABLE)
    report_error(report, net->origin.place,
                 "%" PRIu32 " processes with %" PRIu32 " events are too many",
                 net->processes.size, net->events.size);
}

// Brings the locations of each process together, in order of declaration.
static void group_locations(Net *net) {
  LocationId next = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    net->processes.items[p].first_location = next;
    next += net->processes.items[p].location_count;
  }
  const uint32_t count = net->locations.size;
  Location *grouped = mem_alloc(net->mem, sizeof *grouped * count);
  LocationId *moved = mem_alloc(net->mem, sizeof *moved * count);
  for (LocationId i = 0; i < count; i++) {
    const Location *location = &net->locations.items[i];
    moved[i] = net->processes.items[location->process].first_location + location->index;
    grouped[moved[i]] = *location;
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    Edge *edge = &net->edges.items[i];
    edge->source = moved[edge->source];
    edge->target = moved[edge->target];
  }
  mem_free(net->mem, moved);
  mem_free(net->mem, net->locations.items);
  net->locations.items = grouped;
  net->locations.capacity = count;
}

static void check_processes(const Net *net, Report *report) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    uint32_t initial = 0;
    for (uint32_t i = 0; i < process->location_count; i++)
      initial += net->locations.items[process->first_location + i].initial;
    if (initial || (net->reading.may_lack_initial && process->location_count))
      continue;
    if (!process->location_count)
      report_error(report, process->place, "process `%s` has no location", process->name);
    else
      report_error(report, process->place,
                   "process `%s` has no initial location: mark at least one", process->name);
  }
}

static void check_syncs(const Net *net, Report *report) {
  uint32_t *seen = mem_alloc(net->mem, sizeof *seen * net->processes.size);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    if (sync->parts.size < 1 && !sync->channel)
      report_error(report, sync->place, "a synchronisation without a process");
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      assert(part->process < net->processes.size && part->event < net->events.size);
      if (seen[part->process] == s + 1)
        report_error(report, sync->place,
                     "process `%s` occurs twice in this synchronisation: it can take part with "
                     "one event only",
                     net->processes.items[part->process].name);
      seen[part->process] = s + 1;
    }
  }
  mem_free(net->mem, seen);
}

static void add_names(Net *net, Text *text, const Type *type, const char ***next) {
  const size_t size = text->size;
  const bool is_leaf = type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT;
  const char *name = is_leaf ? arena_text(&net->arena, text->chars, size) : NULL;
  for (uint32_t i = 0; is_leaf && i < type->slots; i++) // a real number has two
    *(*next)++ = name;
  for (uint32_t i = 0; !is_leaf && i < type->count; i++) {
    if (type->kind == TYPE_ARRAY)
      text_addf(text, "[%d]", type->first + (int32_t)i);
    else
      text_addf(text, ".%s", type->fields[i].name);
    add_names(net, text, type->kind == TYPE_ARRAY ? type->element : type->fields[i].type, next);
    text->size = size;
    text->chars[size] = '\0';
  }
}

// Names of all the elements: `x[2]`, `s.f`; an array of one is called as if it were none.
static void name_elements(Net *net, const Name *name, const char **names) {
  const Type *type = name->type;
  if (type->kind == TYPE_ARRAY && type->count == 1 && type->first == 0)
    type = type->element;
  Text text = {.mem = net->mem};
  text_add(&text, name->name);
  add_names(net, &text, type, &names);
  text_release(&text);
}

static void build_names(Net *net) {
  const char **clocks = ARENA_ARRAY(&net->arena, const char *, net->clock_count + 1);
  clocks[0] = "0";
  for (uint32_t i = 0; i < net->clocks.size; i++)
    name_elements(net, &net->clocks.items[i], clocks + net->clocks.items[i].base);
  const char **slots = ARENA_ARRAY(&net->arena, const char *, net->slots.count);
  for (uint32_t i = 0; i < net->variables.size; i++)
    name_elements(net, &net->variables.items[i], slots + net->variables.items[i].base);
  for (ProcessId p = 0; p < net->processes.size; p++)
    slots[net->location_slot + p] = net->processes.items[p].name;
  net->clock_names = clocks;
  net->slots.names = slots;
}

static void check_initial(const Net *net, const Name *variable, Report *report) {
  for (uint32_t slot = variable->base; slot < variable->base + variable->type->slots; slot++) {
    const int32_t min = net->slots.min[slot], max = net->slots.max[slot];
    const int32_t value = net->slots.initial[slot];
    if (min > max)
      report_error(report, variable->place, "the range %d .. %d of `%s` is empty", min, max,
                   net->slots.names[slot]);
    else if (value < min || value > max)
      report_error(report, variable->place,
                   "the initial value %d of `%s` is outside its range %d .. %d", value,
                   net->slots.names[slot], min, max);
  }
}

static void build_slots(Net *net, Report *report) {
  int32_t *min = ARENA_ARRAY(&net->arena, int32_t, net->slots.count);
  int32_t *max = ARENA_ARRAY(&net->arena, int32_t, net->slots.count);
  int32_t *initial = ARENA_ARRAY(&net->arena, int32_t, net->slots.count);
  for (uint32_t i = 0; i < net->variables.size; i++) {
    const Name *variable = &net->variables.items[i];
    net_ranges(variable->type, min, max, variable->base);
    for (uint32_t k = 0; k < variable->type->slots; k++)
      initial[variable->base + k] = variable->initial[k];
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    max[net->location_slot + p] = (int32_t)process->location_count - 1;
    for (uint32_t i = net->processes.items[p].location_count; i-- > 0;)
      if (net_location(net, p, (int32_t)i)->initial)
        initial[net->location_slot + p] = (int32_t)i;
  }
  net->slots.min = min;
  net->slots.max = max;
  net->slots.initial = initial;
  for (uint32_t i = 0; i < net->variables.size; i++)
    check_initial(net, &net->variables.items[i], report);
}

// Once: a copy may be in another unit, and may have to answer for the constants of a query.
static void note_constants(Net *net) {
  Scale *scale = &net->origin.scale;
  if (scale->is_known)
    return;
  scale->is_known = true;
  for (uint32_t i = 0; i < net->clocks.size; i++)
    for (uint32_t k = 0; net->clocks.items[i].initial && k < net->clocks.items[i].type->slots;
         k++)
      scale_note(scale, net->clocks.items[i].initial[k]);
  for (LocationId i = 0; i < net->locations.size; i++)
    scale_note_expr(scale, net->locations.items[i].invariant_expr);
  for (EdgeId i = 0; i < net->edges.size; i++) {
    scale_note_expr(scale, net->edges.items[i].guard_expr);
    scale_note_stmts(scale, net->edges.items[i].update_stmts);
  }
  scale_note_stmts(scale, net->hooks.before_stmts);
  scale_note_stmts(scale, net->hooks.after_stmts);
  for (uint32_t i = 0; i < net->functions.size; i++)
    scale_note_stmts(scale, net->functions.items[i]->body);
}

static void build_clock_initial(Net *net, Report *report) {
  int32_t *initial = NULL;
  for (uint32_t i = 0; i < net->clocks.size; i++) {
    const Name *clocks = &net->clocks.items[i];
    const uint32_t count = clocks->type->slots;
    for (uint32_t k = 0; clocks->initial && k < count; k++) {
      if (clocks->initial[k] < 0 || clocks->initial[k] > net_max_constant(net))
        report_error(report, clocks->place,
                     "a clock starts with a value between 0 and %lld, not %d",
                     (long long)net_max_constant(net), clocks->initial[k]);
      if (clocks->initial[k] && !initial)
        initial = ARENA_ARRAY(&net->arena, int32_t, net->clock_count + 1);
      if (initial)
        initial[clocks->base + k] = clocks->initial[k];
    }
  }
  net->clock_initial = initial;
}

// Counting sort by source and event; stable, so the order of declaration is kept within.
static void build_out(Net *net) {
  const uint32_t count = net->edges.size, events = net->events.size;
  uint32_t *next = mem_alloc(net->mem, sizeof *next * (events + 1));
  EdgeId *by_event = mem_alloc(net->mem, sizeof *by_event * (count + 1));
  EdgeId *out = ARENA_ARRAY(&net->arena, EdgeId, count);
  for (EdgeId i = 0; i < count; i++) {
    next[net->edges.items[i].event + 1]++;
    net->locations.items[net->edges.items[i].source].edge_count++;
  }
  for (uint32_t e = 0; e < events; e++)
    next[e + 1] += next[e];
  for (EdgeId i = 0; i < count; i++)
    by_event[next[net->edges.items[i].event]++] = i;
  EdgeId first = 0;
  for (LocationId l = 0; l < net->locations.size; l++) {
    net->locations.items[l].first_edge = first;
    first += net->locations.items[l].edge_count;
    net->locations.items[l].edge_count = 0;
  }
  for (uint32_t k = 0; k < count; k++) {
    Location *source = &net->locations.items[net->edges.items[by_event[k]].source];
    out[source->first_edge + source->edge_count++] = by_event[k];
  }
  net->out = out;
  mem_free(net->mem, by_event);
  mem_free(net->mem, next);
}

static void build_async(Net *net) {
  const uint32_t events = net->events.size;
  bool *async = ARENA_ARRAY(&net->arena, bool, (size_t)net->processes.size *events);
  memset(async, true, (size_t)net->processes.size * events);
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      async[(size_t)part->process * events + part->event] = false;
    }
  for (uint32_t c = 0; c < net->channels.size; c++) // even if no process could take part
    for (ProcessId p = 0; p < net->processes.size; p++) {
      async[(size_t)p * events + net->channels.items[c].send] = false;
      async[(size_t)p * events + net->channels.items[c].receive] = false;
    }
  net->async = async;
}

static Guard compile_guard(Net *net, const Expr *expr, uint32_t locals, ClockTraits *traits,
                           Report *report) {
  if (!expr)
    return (Guard){0};
  assert(!expr_guard_flaw(expr)); // front ends have refused it, with the place
  if (!net->reading.is_statistical)
    clockuse_check_tests(expr, net_max_constant(net), report);
  expr = clockuse_fold(&net->arena, expr);
  int32_t value;
  if (expr_is_const(expr, &value) && value)
    return (Guard){0};
  clockuse_traits(expr, traits);
  return report_failed(report) ? (Guard){0} : code_guard(&net->arena, expr, locals);
}

// The rates of a location as a guard, which the interpreter runs as any other: a test x == rate
// for each (model/stopwatches.h). Rates that cannot be 0 or 1 are for statistical queries.
static Guard compile_rates(Net *net, const Location *location) {
  Expr *all = NULL;
  for (uint32_t i = 0; i < location->clock_rate_count; i++) {
    const ClockRate *rate = &location->clock_rates[i];
    const Range range = expr_range(rate->rate);
    if (rate->rate->type->kind != TYPE_INT || range.low > 1 || range.high < 0)
      return (Guard){0};
    Expr *test =
        expr_clock_test(&net->arena, rate->rate->place, rate->clock, NULL, EXPR_EQ, rate->rate);
    all = all ? expr_binary(&net->arena, test->place, EXPR_AND, all, test) : test;
  }
  if (!all)
    return (Guard){0};
  if (!net->traits.has_stopwatches)
    net->traits.stopwatch_place = all->place;
  net->traits.has_stopwatches = true;
  return code_guard(&net->arena, all, location->locals);
}

static bool has_return(const Stmt *stmt) {
  for (; stmt; stmt = stmt->next)
    if (stmt->kind == STMT_RETURN || has_return(stmt->body) || has_return(stmt->other))
      return true;
  return false;
}

// A call by itself of a function that runs to its end, with numbers as arguments.
static const Function *inlinable(const Stmt *stmt) {
  if (stmt->kind != STMT_CALL || stmt->value->kind != EXPR_CALL)
    return NULL;
  const Function *function = stmt->value->function;
  for (uint32_t i = 0; i < function->param_count; i++)
    if (function->params[i]->slots != 1)
      return NULL;
  return function->result->kind == TYPE_VOID && !has_return(function->body) ? function : NULL;
}

static Stmt *append_stmt(Net *net, const Stmt ***end, Stmt stmt) {
  Stmt *copy = ARENA_NEW(&net->arena, Stmt);
  *copy = stmt;
  copy->next = NULL;
  **end = copy;
  *end = &copy->next;
  return copy;
}

// Puts the bodies of functions in the place of their calls: then most updates are lists of
// constants. All bodies use the same locals, one after the other; so the update must have none
// itself. After so many statements calls stay what they are: there can be exponentially many.
enum { MAX_INLINED = 4000 };

static const Stmt *inline_calls(Net *net, const Stmt *stmts, uint32_t *locals, uint32_t *left) {
  const Stmt *first = NULL, **end = &first;
  uint32_t max = 0;
  for (const Stmt *stmt = stmts; stmt; stmt = stmt->next) {
    const Function *function = *left ? inlinable(stmt) : NULL;
    *left -= *left > 0;
    if (!function) {
      append_stmt(net, &end, *stmt);
      continue;
    }
    for (uint32_t i = 0; i < function->param_count; i++)
      append_stmt(net, &end,
                  (Stmt){.kind = STMT_LOCAL,
                         .place = stmt->place,
                         .target = expr_storage(&net->arena, stmt->place, EXPR_LOCAL,
                                                function->name, function->params[i], i),
                         .value = stmt->value->args[i]});
    max = function->local_slots > max ? function->local_slots : max;
    uint32_t inner = function->local_slots;
    for (const Stmt *s = inner ? function->body : inline_calls(net, function->body, &inner, left);
         s; s = s->next)
      append_stmt(net, &end, *s);
    max = inner > max ? inner : max;
  }
  *locals = max;
  return first;
}

static Update compile_update(Net *net, const Stmt *stmts, uint32_t locals, Report *report) {
  if (!net->reading.is_statistical)
    clockuse_check_assigns(stmts, net_max_constant(net), report);
  uint32_t left = MAX_INLINED;
  if (!locals)
    stmts = inline_calls(net, stmts, &locals, &left);
  const bool skipped = !stmts || report_failed(report);
  return skipped ? (Update){0} : code_update(&net->arena, stmts, locals);
}

static void compile(Net *net, Report *report) {
  Arena *arena = &net->arena;
  ClockTraits traits = {0};
  for (LocationId i = 0; i < net->locations.size; i++) {
    mem_tick(net->mem);
    Location *location = &net->locations.items[i];
    location->invariant =
        compile_guard(net, location->invariant_expr, location->locals, &traits, report);
    location->rates = compile_rates(net, location);
    net->traits.has_unread_rates |= location->unread_rate_count > 0;
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    mem_tick(net->mem);
    Edge *edge = &net->edges.items[i];
    edge->guard = compile_guard(net, edge->guard_expr, edge->guard_locals, &traits, report);
    edge->update = compile_update(net, edge->update_stmts, edge->update_locals, report);
  }
  net->hooks.before =
      compile_update(net, net->hooks.before_stmts, net->hooks.before_locals, report);
  net->hooks.after = compile_update(net, net->hooks.after_stmts, net->hooks.after_locals, report);
  const Code **codes = ARENA_ARRAY(arena, const Code *, net->functions.size);
  for (uint32_t i = 0; i < net->functions.size; i++) {
    assert(net->functions.items[i]->id == i);
    if (!net->reading.is_statistical)
      clockuse_check_assigns(net->functions.items[i]->body, net_max_constant(net), report);
    if (!report_failed(report))
      codes[i] = code_function(arena, net->functions.items[i]);
  }
  net->function_codes = codes;
  net->traits.has_diagonals = traits.has_diagonals;
  net->traits.diagonal_place = traits.diagonal_place;
  net->traits.has_strict = traits.has_strict;
  net->traits.strict_place = traits.strict_place;
}

static void build_rates(Net *net) {
  const Guard **rates = ARENA_ARRAY(&net->arena, const Guard *, net->locations.size);
  for (LocationId i = 0; i < net->locations.size; i++)
    rates[i] = net->locations.items[i].clock_rate_count ? &net->locations.items[i].rates : NULL;
  net->by_location.rates = rates;
}

// What searches ask about locations, apart from their long records.
static void build_flags(Net *net) {
  const uint32_t count = net->locations.size;
  const Guard **invariants = ARENA_ARRAY(&net->arena, const Guard *, count);
  bool *urgent = ARENA_ARRAY(&net->arena, bool, count);
  bool *committed = ARENA_ARRAY(&net->arena, bool, count);
  for (LocationId i = 0; i < count; i++) {
    const Location *location = &net->locations.items[i];
    invariants[i] = location->invariant.expr ? &location->invariant : NULL;
    urgent[i] = location->urgent || location->committed;
    committed[i] = location->committed;
  }
  net->by_location.invariants = invariants;
  if (net->traits.has_stopwatches)
    build_rates(net);
  net->by_location.urgent = urgent;
  net->by_location.committed = committed;
}

// How the guard of an edge decides which joint transitions there are, or whether time may pass.
typedef enum Decision { DECIDES_NOTHING, DECIDES_DELAY, DECIDES_TRANSITIONS } Decision;

static Decision decision_of(const Net *net, const Edge *edge) {
  const uint32_t number = net->event_channels ? net->event_channels[edge->event] : 0;
  const Channel *channel = number ? &net->channels.items[number - 1] : NULL;
  if (!edge->guard.expr)
    return DECIDES_NOTHING;
  if (net->priority.is_used || (channel && channel->broadcast && edge->event == channel->receive))
    return DECIDES_TRANSITIONS;
  return channel && channel->urgent ? DECIDES_DELAY : DECIDES_NOTHING;
}

// Marks the slots that the guard of an edge reads.
static void mark_control(Access *access, const Net *net, const Edge *edge, bool *control) {
  access_expr_alone(access, edge->guard.expr);
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    control[slot] |= access->marks[access_cell(access, slot)] != 0;
}

static void build_control(Net *net) {
  Access access = {0};
  bool *control = NULL;
  net->traits.is_listed = net->priority.is_used;
  for (EdgeId i = 0; i < net->edges.size; i++) {
    Edge *edge = &net->edges.items[i];
    const Decision decision = decision_of(net, edge);
    if (decision == DECIDES_NOTHING)
      continue;
    const bool has_clocks = expr_has_clock_test(edge->guard.expr);
    net->traits.is_listed |= decision == DECIDES_TRANSITIONS || has_clocks;
    edge->is_negated = has_clocks;
    if (has_clocks && !net->traits.has_negated) {
      net->traits.has_negated = true;
      net->traits.negated_place = edge->place;
    }
    if (!control) {
      control = ARENA_ARRAY(&net->arena, bool, net->slots.count);
      access_init(&access, &net->arena, net);
    }
    mark_control(&access, net, edge, control);
  }
  net->slots.control = control;
  if (control)
    access_release(&access);
}

bool net_finish(Net *net, Report *report) {
  check_sizes(net, report);
  if (report_failed(report))
    return false;
  channels_add_syncs(net);
  group_locations(net);
  check_processes(net, report);
  check_syncs(net, report);
  if (report_failed(report))
    return false;
  net->slots.count = net->location_slot + net->processes.size;
  note_constants(net);
  build_names(net);
  build_slots(net, report);
  build_clock_initial(net, report);
  build_out(net);
  build_async(net);
  channels_index(net);
  compile(net, report);
  build_flags(net);
  if (!report_failed(report) && !net->reading.is_statistical) {
    meta_find(net);
    build_control(net);
    ranges_compute(net);
  }
  return !report_failed(report);
}
