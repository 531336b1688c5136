#include "model/net.h"

#include <assert.h>
#include <string.h>

void net_init(Net *net, Mem *mem) { *net = (Net){.mem = mem, .arena = {.mem = mem}}; }

#define RELEASE_NAMES(mem, names)                                                                \
  do {                                                                                           \
    for (uint32_t n = 0; n < (names)->size; n++)                                                 \
      vec_release(mem, &(names)->items[n].attributes);                                           \
    vec_release(mem, names);                                                                     \
  } while (0)

void net_clear(Net *net) {
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
  vec_release(mem, &net->channels);
  vec_release(mem, &net->functions);
  vec_release(mem, &net->tables);
  vec_release(mem, &net->origin.attributes);
  const Arena arena = net->arena;
  net_init(net, mem);
  net->arena = arena;
}

void net_release(Net *net) {
  net_clear(net);
  arena_release(&net->arena);
}

#define SETTLE(net, list)                                                                        \
  do {                                                                                           \
    const size_t bytes = sizeof *(list)->items * (list)->size;                                   \
    void *items = arena_alloc(&(net)->arena, bytes);                                             \
    if (bytes)                                                                                   \
      memcpy(items, (list)->items, bytes);                                                       \
    const uint32_t size = (list)->size;                                                          \
    vec_release((net)->mem, list);                                                               \
    (list)->items = items;                                                                       \
    (list)->size = (list)->capacity = size;                                                      \
  } while (0)

// Attributes and labels of locations are TChecker's: nets for statistical queries have none.
void net_settle(Net *net) {
  for (uint32_t s = 0; s < net->syncs.size; s++)
    SETTLE(net, &net->syncs.items[s].parts);
  SETTLE(net, &net->processes);
  SETTLE(net, &net->locations);
  SETTLE(net, &net->edges);
  SETTLE(net, &net->channels);
  SETTLE(net, &net->syncs);
  SETTLE(net, &net->events);
  SETTLE(net, &net->labels);
  SETTLE(net, &net->clocks);
  SETTLE(net, &net->variables);
  SETTLE(net, &net->functions);
  SETTLE(net, &net->tables);
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

EventId net_tau_event(Net *net) {
  if (!net->priority.tau_event)
    net->priority.tau_event = net_add_event(net, "tau", net->origin.place) + 1;
  return net->priority.tau_event - 1;
}

uint32_t net_add_channel(Net *net, const char *name, Place place) {
  Channel channel = {.name = copy_name(net, name), .place = place};
  Text text = {.mem = net->mem};
  text_addf(&text, "%s!", name);
  channel.send = net_add_event(net, text.chars, place);
  text.size = 0;
  text_addf(&text, "%s?", name);
  channel.receive = net_add_event(net, text.chars, place);
  text_release(&text);
  vec_push(net->mem, &net->channels, channel);
  return net->channels.size - 1;
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
static uint32_t add_up_to(uint32_t sum, uint32_t count, uint32_t max) {
  return sum > max || count > max - sum ? max + 1 : sum + count;
}

uint32_t net_add_clocks(Net *net, const char *name, uint32_t count, Place place) {
  const Type *clock = type_clock(&net->arena);
  const uint32_t base = net->clock_count + 1;
  net->clock_count = add_up_to(net->clock_count, count, NET_MAX_CLOCKS);
  const Name clocks = {.name = copy_name(net, name),
                       .place = place,
                       .type = count == 1 ? clock : type_array(&net->arena, clock, 0, count),
                       .base = base};
  vec_push(net->mem, &net->clocks, clocks);
  return base;
}

uint32_t net_ranges(const Type *type, int32_t *min, int32_t *max, uint32_t slot) {
  switch (type->kind) {
  case TYPE_ARRAY:
    for (uint32_t i = 0; i < type->count; i++)
      slot = net_ranges(type->element, min, max, slot);
    return slot;
  case TYPE_STRUCT:
    for (uint32_t i = 0; i < type->count; i++)
      slot = net_ranges(type->fields[i].type, min, max, slot);
    return slot;
  case TYPE_REAL:
    for (uint32_t end = slot + type->slots; slot < end; slot++)
      min[slot] = INT32_MIN, max[slot] = INT32_MAX;
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
  net_ranges(type, values, max, 0);
  for (uint32_t i = 0; i < type->slots; i++)
    values[i] = values[i] > 0 ? values[i] : max[i] < 0 ? max[i] : 0;
  mem_free(net->mem, max);
  return values;
}

uint32_t net_add_variable(Net *net, const char *name, const Type *type, const int32_t *initial,
                          Place place) {
  Name variable = {
      .name = copy_name(net, name), .place = place, .type = type, .base = net->location_slot};
  net->location_slot = add_up_to(net->location_slot, type->slots, NET_MAX_SLOTS);
  if (net->location_slot <= NET_MAX_SLOTS) {
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

bool net_has_urgent(const Net *net) {
  for (uint32_t c = 0; c < net->channels.size; c++)
    if (net->channels.items[c].urgent)
      return true;
  return false;
}

bool net_is_of_sync(const Edge *edge, const Sync *sync) {
  for (uint32_t k = 0; k < sync->parts.size; k++)
    if (net_is_of_part(edge, &sync->parts.items[k]))
      return true;
  return false;
}

LocationId net_find_location(const Net *net, ProcessId process, const char *name) {
  for (LocationId i = 0; i < net->locations.size; i++) {
    const Location *location = &net->locations.items[i];
    if (location->process == process && !strcmp(location->name, name))
      return i;
  }
  return NET_NONE;
}

bool net_is_narrow(const Net *net, Report *report) {
  if (!net_is_wide(net))
    return true;
  return report_error(
      report, net->origin.place,
      "clocks meet the constant %lld, and the constants have no common divisor that makes "
      "them at most %d: only `tarn check` with --engine wide or auto takes them",
      (long long)net->origin.scale.max, NET_MAX_CONSTANT);
}

static bool copies_clocks(const Update *update) {
  bool copies = update->has_dynamic_clocks;
  for (uint32_t u = 0; u < update->clock_update_count; u++)
    copies |= update->clock_updates[u].y != 0;
  return copies;
}

bool net_has_copies(const Net *net) {
  bool copies = copies_clocks(&net->hooks.before) || copies_clocks(&net->hooks.after);
  for (EdgeId e = 0; e < net->edges.size; e++)
    copies = copies || copies_clocks(&net->edges.items[e].update);
  return copies;
}

// The items of a vector, without their attributes.
#define COPY_NAMES(mem, to, from)                                                                \
  do {                                                                                           \
    COPY(mem, to, from);                                                                         \
    for (uint32_t i = 0; i < (to)->size; i++)                                                    \
      (to)->items[i].attributes = (Attributes){0};                                               \
  } while (0)
#define COPY(mem, to, from)                                                                      \
  do {                                                                                           \
    vec_reserve(mem, to, (from)->size);                                                          \
    if ((from)->size)                                                                            \
      memcpy((to)->items, (from)->items, sizeof *(to)->items *(from)->size);                     \
    (to)->size = (from)->size;                                                                   \
  } while (0)

// What net_finish adds to.
static void copy_locations(Net *copy, const Net *net) {
  COPY_NAMES(copy->mem, &copy->locations, &net->locations);
  for (LocationId l = 0; l < copy->locations.size; l++) {
    Location *location = &copy->locations.items[l];
    location->edge_count = 0;
    memset(&location->labels, 0, sizeof location->labels);
    COPY(copy->mem, &location->labels, &net->locations.items[l].labels);
  }
}

// Those of channels are made by net_finish.
static void copy_syncs(Net *copy, const Net *net) {
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    if (net->syncs.items[s].channel)
      continue;
    Sync sync = net->syncs.items[s];
    memset(&sync.parts, 0, sizeof sync.parts);
    sync.attributes = (Attributes){0};
    COPY(copy->mem, &sync.parts, &net->syncs.items[s].parts);
    vec_push(copy->mem, &copy->syncs, sync);
  }
}

void net_copy(Net *copy, const Net *net) {
  net_init(copy, net->mem);
  copy->origin = net->origin;
  copy->origin.attributes = (Attributes){0};
  copy->reading = net->reading;
  copy->priority = net->priority;
  copy->hooks = net->hooks;
  copy->clock_count = net->clock_count;
  copy->location_slot = net->location_slot;
  copy->invalid_is_error = net->invalid_is_error;
  COPY_NAMES(net->mem, &copy->processes, &net->processes);
  copy_locations(copy, net);
  COPY_NAMES(net->mem, &copy->edges, &net->edges);
  for (EdgeId e = 0; e < copy->edges.size; e++)
    copy->edges.items[e].is_negated = false;
  COPY(net->mem, &copy->channels, &net->channels);
  copy_syncs(copy, net);
  COPY_NAMES(net->mem, &copy->events, &net->events);
  COPY_NAMES(net->mem, &copy->labels, &net->labels);
  COPY_NAMES(net->mem, &copy->clocks, &net->clocks);
  COPY_NAMES(net->mem, &copy->variables, &net->variables);
  COPY(net->mem, &copy->functions, &net->functions);
  COPY(net->mem, &copy->tables, &net->tables);
}

void net_measure(Net *timed, const Net *net, Arena *arena) {
  const uint32_t n = net->clock_count + 1;
  const char **names = ARENA_ARRAY(arena, const char *, n + 1);
  memcpy(names, net->clock_names, sizeof *names * n);
  names[n] = "#time";
  *timed = *net;
  timed->clock_count = n;
  timed->clock_names = names;
  timed->reading.measures_time = true;
  if (!net->clock_initial)
    return;
  int32_t *initial = ARENA_ARRAY(arena, int32_t, n + 1);
  memcpy(initial, net->clock_initial, sizeof *initial * n);
  timed->clock_initial = initial;
}

void net_vm(const Net *net, Vm *vm, Mem *mem) {
  vm_init(vm, mem);
  vm->slot_min = net->slots.min;
  vm->slot_max = net->slots.max;
  vm->functions = net->function_codes;
  vm->tables = net->tables.items;
  vm->wraps = vm->invalid_is_error = net->invalid_is_error;
  if (net->reading.is_statistical)
    vm->max_constant = INT64_MAX;
}
