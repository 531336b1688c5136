#include "model/net.h"

#include "model/clockuse.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { MOST_TABLE = 1 << 26 }; // entries of the table processes x events

void net_init(Net *net, Mem *mem) { *net = (Net){.mem = mem, .arena = {.mem = mem}}; }

#define RELEASE_NAMES(mem, names)                                                                \
  do {                                                                                           \
    for (uint32_t n = 0; n < (names)->size; n++)                                                 \
      vec_release(mem, &(names)->items[n].attributes);                                           \
    vec_release(mem, names);                                                                     \
  } while (0)

void net_release(Net *net) {
  Mem *mem = net->mem;
  for (uint32_t i = 0; i < net->locations.size; i++)
    vec_release(mem, &net->locations.items[i].labels);
  for (uint32_t i = 0; i < net->syncs.size; i++)
    vec_release(mem, &net->syncs.items[i].parts);
  RELEASE_NAMES(mem, &net->processes);
  RELEASE_NAMES(mem, &net->locations);
  RELEASE_NAMES(mem, &net->edges);
  RELEASE_NAMES(mem, &net->syncs);
  RELEASE_NAMES(mem, &net->events);
  RELEASE_NAMES(mem, &net->labels);
  RELEASE_NAMES(mem, &net->clocks);
  RELEASE_NAMES(mem, &net->variables);
  vec_release(mem, &net->functions);
  vec_release(mem, &net->attributes);
  arena_release(&net->arena);
  net_init(net, mem);
}

static const char *copy_name(Net *net, const char *name) {
  return arena_text(&net->arena, name, strlen(name));
}

ProcessId net_add_process(Net *net, const char *name, Place place) {
  const Process process = {.name = copy_name(net, name), .place = place};
  vec_push(net->mem, &net->processes, process);
  return net->processes.size - 1;
}

LocationId net_add_location(Net *net, ProcessId process, const char *name, Place place) {
  assert(process < net->processes.size);
  const Location location = {.name = copy_name(net, name),
                             .place = place,
                             .process = process,
                             .index = net->processes.items[process].location_count++};
  vec_push(net->mem, &net->locations, location);
  return net->locations.size - 1;
}

EdgeId net_add_edge(Net *net, LocationId source, LocationId target, EventId event, Place place) {
  assert(source < net->locations.size && target < net->locations.size);
  assert(event < net->events.size);
  const ProcessId process = net->locations.items[source].process;
  assert(net->locations.items[target].process == process);
  const Edge edge = {
      .place = place, .process = process, .source = source, .target = target, .event = event};
  vec_push(net->mem, &net->edges, edge);
  return net->edges.size - 1;
}

EventId net_add_event(Net *net, const char *name, Place place) {
  const Name event = {.name = copy_name(net, name), .place = place};
  vec_push(net->mem, &net->events, event);
  return net->events.size - 1;
}

LabelId net_add_label(Net *net, const char *name) {
  for (LabelId i = 0; i < net->labels.size; i++)
    if (!strcmp(net->labels.items[i].name, name))
      return i;
  const Name label = {.name = copy_name(net, name)};
  vec_push(net->mem, &net->labels, label);
  return net->labels.size - 1;
}

// Sum that stays above the limit once it is: net_finish refuses it then.
static uint32_t add_up_to(uint32_t sum, uint32_t count, uint32_t most) {
  return sum > most || count > most - sum ? most + 1 : sum + count;
}

uint32_t net_add_clocks(Net *net, const char *name, uint32_t count, Place place) {
  const Type *clock = type_clock(&net->arena);
  const uint32_t base = net->clock_count + 1;
  net->clock_count = add_up_to(net->clock_count, count, NET_MOST_CLOCKS);
  const Name clocks = {.name = copy_name(net, name),
                       .place = place,
                       .type = count == 1 ? clock : type_array(&net->arena, clock, 0, count),
                       .base = base};
  vec_push(net->mem, &net->clocks, clocks);
  return base;
}

// Writes the range of each slot of a value; returns the first slot after it.
static uint32_t fill_ranges(const Type *type, int32_t *min, int32_t *max, uint32_t slot) {
  switch (type->kind) {
  case TYPE_ARRAY:
    for (uint32_t i = 0; i < type->count; i++)
      slot = fill_ranges(type->element, min, max, slot);
    return slot;
  case TYPE_STRUCT:
    for (uint32_t i = 0; i < type->count; i++)
      slot = fill_ranges(type->fields[i].type, min, max, slot);
    return slot;
  default:
    assert(type->kind == TYPE_INT);
    min[slot] = type->min;
    max[slot] = type->max;
    return slot + 1;
  }
}

// 0, or the value of the range next to it, in each slot of a value.
static const int32_t *default_values(Net *net, const Type *type) {
  int32_t *values = ARENA_ARRAY(&net->arena, int32_t, type->slots);
  int32_t *max = mem_alloc(net->mem, sizeof *max * type->slots);
  fill_ranges(type, values, max, 0);
  for (uint32_t i = 0; i < type->slots; i++)
    values[i] = values[i] > 0 ? values[i] : max[i] < 0 ? max[i] : 0;
  mem_free(net->mem, max);
  return values;
}

uint32_t net_add_variable(Net *net, const char *name, const Type *type, const int32_t *initial,
                          Place place) {
  Name variable = {
      .name = copy_name(net, name), .place = place, .type = type, .base = net->location_slot};
  net->location_slot = add_up_to(net->location_slot, type->slots, NET_MOST_SLOTS);
  if (net->location_slot <= NET_MOST_SLOTS) {
    int32_t *values = ARENA_ARRAY(&net->arena, int32_t, type->slots);
    if (initial && type->slots)
      memcpy(values, initial, sizeof *values * type->slots);
    variable.initial = initial ? values : default_values(net, type);
  }
  vec_push(net->mem, &net->variables, variable);
  return net->variables.size - 1;
}

ProcessId net_find_process(const Net *net, const char *name) {
  for (ProcessId i = 0; i < net->processes.size; i++)
    if (!strcmp(net->processes.items[i].name, name))
      return i;
  return NET_NONE;
}

LocationId net_find_location(const Net *net, ProcessId process, const char *name) {
  for (LocationId i = 0; i < net->locations.size; i++) {
    const Location *location = &net->locations.items[i];
    if (location->process == process && !strcmp(location->name, name))
      return i;
  }
  return NET_NONE;
}

static void check_sizes(const Net *net, Report *report) {
  if (!net->processes.size)
    report_error(report, net->place, "the model has no process: there is nothing to explore");
  if (net->clock_count > NET_MOST_CLOCKS)
    report_error(report, vec_last(&net->clocks).place, "more than %d clocks are not supported",
                 NET_MOST_CLOCKS);
  if (net->location_slot > NET_MOST_SLOTS)
    report_error(report, vec_last(&net->variables).place,
                 "the variables have more than %d elements together: use smaller arrays",
                 NET_MOST_SLOTS);
  if ((uint64_t)net->processes.size * net->events.size > MOST_TABLE)
    report_error(report, net->place, "%" PRIu32 " processes with %" PRIu32 " events are too many",
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
    if (!process->location_count)
      report_error(report, process->place, "process `%s` has no location", process->name);
    else if (!initial)
      report_error(report, process->place,
                   "process `%s` has no initial location: mark at least one", process->name);
  }
}

static void check_syncs(const Net *net, Report *report) {
  uint32_t *seen = mem_alloc(net->mem, sizeof *seen * net->processes.size);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    const Sync *sync = &net->syncs.items[s];
    if (sync->parts.size < 2)
      report_error(report, sync->place, "a synchronisation needs at least two processes");
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
  if (is_leaf)
    *(*next)++ = arena_text(&net->arena, text->chars, size);
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
  const char **slots = ARENA_ARRAY(&net->arena, const char *, net->slot_count);
  for (uint32_t i = 0; i < net->variables.size; i++)
    name_elements(net, &net->variables.items[i], slots + net->variables.items[i].base);
  for (ProcessId p = 0; p < net->processes.size; p++)
    slots[net->location_slot + p] = net->processes.items[p].name;
  net->clock_names = clocks;
  net->slot_names = slots;
}

static void check_initial(const Net *net, const Name *variable, Report *report) {
  for (uint32_t slot = variable->base; slot < variable->base + variable->type->slots; slot++) {
    const int32_t min = net->slot_min[slot], max = net->slot_max[slot];
    const int32_t value = net->slot_initial[slot];
    if (min > max)
      report_error(report, variable->place, "the range %d .. %d of `%s` is empty", min, max,
                   net->slot_names[slot]);
    else if (value < min || value > max)
      report_error(report, variable->place,
                   "the initial value %d of `%s` is outside its range %d .. %d", value,
                   net->slot_names[slot], min, max);
  }
}

static void build_slots(Net *net, Report *report) {
  int32_t *min = ARENA_ARRAY(&net->arena, int32_t, net->slot_count);
  int32_t *max = ARENA_ARRAY(&net->arena, int32_t, net->slot_count);
  int32_t *initial = ARENA_ARRAY(&net->arena, int32_t, net->slot_count);
  for (uint32_t i = 0; i < net->variables.size; i++) {
    const Name *variable = &net->variables.items[i];
    fill_ranges(variable->type, min, max, variable->base);
    for (uint32_t k = 0; k < variable->type->slots; k++)
      initial[variable->base + k] = variable->initial[k];
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    max[net->location_slot + p] = (int32_t)process->location_count - 1;
    while (!net_location(net, p, initial[net->location_slot + p])->initial)
      initial[net->location_slot + p]++;
  }
  net->slot_min = min;
  net->slot_max = max;
  net->slot_initial = initial;
  for (uint32_t i = 0; i < net->variables.size; i++)
    check_initial(net, &net->variables.items[i], report);
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
  net->async = async;
}

static Guard compile_guard(Net *net, const Expr *expr, uint32_t locals, ClockTraits *traits,
                           Report *report) {
  if (!expr)
    return (Guard){0};
  assert(!expr_guard_flaw(expr)); // front ends have refused it, with the place
  clockuse_check_tests(expr, NET_MOST_CONSTANT, report);
  expr = clockuse_fold(&net->arena, expr);
  int32_t value;
  if (expr_is_const(expr, &value) && value)
    return (Guard){0};
  clockuse_traits(expr, traits);
  return report_failed(report) ? (Guard){0} : code_guard(&net->arena, expr, locals);
}

static void compile(Net *net, Report *report) {
  Arena *arena = &net->arena;
  ClockTraits traits = {0};
  for (LocationId i = 0; i < net->locations.size; i++) {
    Location *location = &net->locations.items[i];
    location->invariant =
        compile_guard(net, location->invariant_expr, location->locals, &traits, report);
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    Edge *edge = &net->edges.items[i];
    edge->guard = compile_guard(net, edge->guard_expr, edge->guard_locals, &traits, report);
    clockuse_check_assigns(edge->update_stmts, NET_MOST_CONSTANT, report);
    if (edge->update_stmts && !report_failed(report))
      edge->update = code_update(arena, edge->update_stmts, edge->update_locals);
  }
  const Code **codes = ARENA_ARRAY(arena, const Code *, net->functions.size);
  for (uint32_t i = 0; i < net->functions.size; i++) {
    assert(net->functions.items[i]->id == i);
    clockuse_check_assigns(net->functions.items[i]->body, NET_MOST_CONSTANT, report);
    if (!report_failed(report))
      codes[i] = code_function(arena, net->functions.items[i]);
  }
  net->function_codes = codes;
  net->has_diagonals = traits.has_diagonals;
  net->diagonal_place = traits.diagonal_place;
  net->has_strict = traits.has_strict;
  net->strict_place = traits.strict_place;
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
  net->invariants = invariants;
  net->urgent = urgent;
  net->committed = committed;
}

bool net_finish(Net *net, Report *report) {
  if (net->measures_time)
    net_add_clocks(net, "#time", 1, net->place);
  check_sizes(net, report);
  if (report_failed(report))
    return false;
  group_locations(net);
  check_processes(net, report);
  check_syncs(net, report);
  if (report_failed(report))
    return false;
  net->slot_count = net->location_slot + net->processes.size;
  build_names(net);
  build_slots(net, report);
  build_out(net);
  build_async(net);
  compile(net, report);
  build_flags(net);
  return !report_failed(report);
}

void net_vm(const Net *net, Vm *vm, Mem *mem) {
  vm_init(vm, mem);
  vm->slot_min = net->slot_min;
  vm->slot_max = net->slot_max;
  vm->functions = net->function_codes;
}
