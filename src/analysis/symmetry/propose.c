#include "analysis/symmetry/propose.h"

#include "analysis/symmetry/align.h"
#include "analysis/symmetry/columns.h"
#include "analysis/symmetry/partners.h"

#include <string.h>

// --- Reports of the walk.

static bool set_item(Builder *b, uint32_t **column, uint32_t from, uint32_t to) {
  if (!*column)
    *column = ARENA_ARRAY(b->arena, uint32_t, b->size);
  uint32_t *items = *column;
  items[0] = from;
  if (items[b->id] && items[b->id] - 1 != to && b->id)
    return false;
  if (b->id)
    items[b->id] = to + 1; // 0: not known
  return true;
}

static bool visit_clock(void *context, ClockIndex from, ClockIndex to) {
  Builder *b = context;
  return set_item(b, &b->clocks[from], from, to);
}

static bool visit_slot(void *context, uint32_t from, uint32_t to) {
  Builder *b = context;
  return set_item(b, &b->slots[from], from, to);
}

// The walk of id 0 with itself makes the list, the others fill it in.
static bool visit_constant(void *context, uint32_t node, int32_t from, int32_t to) {
  Builder *b = context;
  if (!b->id) {
    const ConstantUse use = {node, ARENA_ARRAY(b->arena, int32_t, b->size)};
    use.values[0] = from;
    vec_push(b->mem, &b->uses, use);
    return true;
  }
  if (b->cursor == b->uses.size)
    return false;
  b->uses.items[b->cursor++].values[b->id] = to;
  return true;
}

static Align builder_align(Builder *b, AlignVisit *visit) {
  *visit = (AlignVisit){b, visit_clock, visit_slot, visit_constant};
  return (Align){.classes = b->classes, .visit = visit};
}

// --- Processes and their events.

static EventDraft *find_events(Builder *b, bool is_moved, uint32_t process, EventId first) {
  for (uint32_t i = 0; i < b->events.size; i++) {
    EventDraft *draft = &b->events.items[i];
    if (draft->is_moved == is_moved && draft->process == process && draft->events[0] == first)
      return draft;
  }
  return NULL;
}

static EventDraft *add_events(Builder *b, bool is_moved, uint32_t process, EventId first) {
  EventDraft *draft = find_events(b, is_moved, process, first);
  if (draft)
    return draft;
  const EventDraft made = {is_moved, process, ARENA_ARRAY(b->arena, EventId, b->size)};
  made.events[0] = first;
  for (uint32_t i = 1; i < b->size; i++)
    made.events[i] = NET_NONE;
  vec_push(b->mem, &b->events, made);
  return &vec_last(&b->events);
}

// Events of aligned edges correspond.
static bool pair_events(Builder *b, uint32_t column, uint32_t id) {
  const Edge *edges = b->net->edges.items;
  EdgeIds from = {0}, to = {0};
  partners_list_edges(b, b->processes.items[column][0], 0, &from);
  partners_list_edges(b, b->processes.items[column][id], id, &to);
  bool good = from.size == to.size;
  for (uint32_t i = 0; good && i < from.size; i++) {
    const EventId event = edges[to.items[i]].event;
    EventDraft *draft = add_events(b, true, column, edges[from.items[i]].event);
    good = draft->events[id] == NET_NONE || draft->events[id] == event || !id;
    draft->events[id] = event;
  }
  vec_release(b->mem, &from);
  vec_release(b->mem, &to);
  return good;
}

// Events with which a process takes part in synchronisations, though it has no edge with them.
static void add_unused(Builder *b, uint32_t column) {
  const Net *net = b->net;
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      if (part->process != b->processes.items[column][0] ||
          find_events(b, true, column, part->event))
        continue;
      EventDraft *draft = add_events(b, true, column, part->event);
      for (uint32_t i = 1; i < b->size; i++)
        draft->events[i] = part->event;
    }
}

static bool add_processes(Builder *b, ProcessId *column) {
  const uint32_t number = b->processes.size, first_use = b->uses.size;
  for (uint32_t i = 0; i < b->size; i++) {
    if (b->is_member[column[i]])
      return false;
    b->is_member[column[i]] = true;
  }
  vec_push(b->mem, &b->processes, column);
  AlignVisit visit;
  Align align = builder_align(b, &visit);
  for (b->id = 0; b->id < b->size; b->id++) {
    b->cursor = first_use;
    if (!align_processes(&align, b->net, column[0], column[b->id]) ||
        !pair_events(b, number, b->id) || (b->id && b->cursor != b->uses.size))
      return false;
  }
  add_unused(b, number);
  return true;
}

// The edges of a process that stays, with the event of id 0 and with those of the others.
static bool align_shared(Builder *b, ProcessId process, const EventId *events) {
  const Net *net = b->net;
  const uint32_t first_use = b->uses.size;
  AlignVisit visit;
  Align align = builder_align(b, &visit);
  for (b->id = 0; b->id < b->size; b->id++) {
    b->cursor = first_use;
    EdgeId k = 0;
    for (EdgeId i = 0; i < net->edges.size; i++) {
      const Edge *edge = &net->edges.items[i];
      if (edge->process != process || edge->event != events[0])
        continue;
      while (k < net->edges.size && (net->edges.items[k].process != process ||
                                     net->edges.items[k].event != events[b->id]))
        k++;
      if (k == net->edges.size)
        return false;
      const Edge *other = &net->edges.items[k++];
      if (edge->source != other->source || edge->target != other->target ||
          !align_edges(&align, edge, other))
        return false;
    }
    if (b->id && b->cursor != b->uses.size)
      return false;
  }
  return true;
}

// --- Synchronisations.

// What stands at one place of the synchronisations of all ids: a process that stays, perhaps with
// an event for each, or a new column.
static bool follow_part(Builder *b, const uint32_t *syncs, uint32_t place) {
  const Net *net = b->net;
  ProcessId *column = ARENA_ARRAY(b->arena, ProcessId, b->size);
  EventId *events = ARENA_ARRAY(b->arena, EventId, b->size);
  bool is_same = true, is_same_event = true, is_known = false, is_distinct = true;
  for (uint32_t i = 0; i < b->size; i++) {
    const SyncPart *part = &net->syncs.items[syncs[i]].parts.items[place];
    column[i] = part->process;
    events[i] = part->event;
    is_same &= column[i] == column[0];
    is_same_event &= events[i] == events[0];
    is_known |= b->is_member[column[i]];
    for (uint32_t k = 0; k < i; k++)
      is_distinct &= column[k] != column[i];
  }
  if (is_known)
    return true;
  if (!is_same)
    return !is_distinct || add_processes(b, column);
  if (is_same_event || find_events(b, false, column[0], events[0]))
    return true;
  EventDraft *draft = add_events(b, false, column[0], events[0]);
  memcpy(draft->events, events, b->size * sizeof *events);
  return align_shared(b, column[0], events);
}

// Follows the synchronisations of one event of a column, first those of all ids, then the
// second...
static bool follow_event(Builder *b, uint32_t column, const EventId *events) {
  const Net *net = b->net;
  uint32_t *syncs = ARENA_ARRAY(b->arena, uint32_t, b->size);
  for (uint32_t which = 0;; which++) {
    bool is_one = false, good = true;
    for (uint32_t i = 0; good && i < b->size; i++) {
      mem_tick(b->mem);
      syncs[i] = partners_find_sync(b->syncs, b->processes.items[column][i], events[i], which);
      good = syncs[i] != NET_NONE;
      is_one |= i && syncs[i] == syncs[0];
    }
    if (!good)
      return true;
    if (is_one) // all of them take part in it
      continue;
    const uint32_t parts = net->syncs.items[syncs[0]].parts.size;
    for (uint32_t i = 0; i < b->size; i++)
      good &= net->syncs.items[syncs[i]].parts.size == parts;
    for (uint32_t place = 0; good && place < parts; place++)
      if (!follow_part(b, syncs, place))
        return false;
  }
}

static bool follow(Builder *b) {
  for (uint32_t i = 0; i < b->events.size; i++) {
    const EventDraft draft = b->events.items[i];
    if (draft.is_moved && !follow_event(b, draft.process, draft.events))
      return false;
  }
  return true;
}

// --- Which processes look alike.

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 31;
}

static uint64_t hash_process(const Net *net, ProcessId p) {
  uint64_t hash = net->processes.items[p].location_count;
  for (uint32_t l = 0; l < net->processes.items[p].location_count; l++) {
    const Location *location = net_location(net, p, (int32_t)l);
    hash = mix(hash, location->committed * 4u + location->urgent * 2u +
                         (location->invariant.expr != NULL));
  }
  return hash;
}

void proposals_init(Proposals *proposals, Arena *arena, const Net *net) {
  *proposals = (Proposals){.net = net};
  proposals->syncs = partners_list_syncs(arena, net);
  proposals->shapes = ARENA_ARRAY(arena, uint64_t, net->processes.size);
  proposals->used = ARENA_ARRAY(arena, bool, net->processes.size);
  bool repeats = false;
  for (ProcessId p = 0; p < net->processes.size; p++)
    proposals->shapes[p] = hash_process(net, p);
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    uint64_t *hash = &proposals->shapes[edge->process];
    *hash = mix(*hash, (uint64_t)net_index(net, edge->source) << 32 |
                           (uint32_t)net_index(net, edge->target));
    *hash = mix(*hash, (edge->guard.expr != NULL) * 2u + (edge->update.stmts != NULL));
  }
  for (ProcessId p = 1; p < net->processes.size; p++)
    for (ProcessId q = 0; q < p && !repeats; q++)
      repeats = proposals->shapes[p] == proposals->shapes[q];
  repeats |= net->origin.scalar_sets != 0;
  if (!repeats || net->location_slot > CLASSES_MAX_SLOTS) {
    memset(proposals->used, true, net->processes.size);
    return; // nothing to propose
  }
  proposals->classes = ARENA_NEW(arena, Classes);
  classes_init(proposals->classes, arena, net);
}

void proposals_release(Proposals *proposals) {
  if (proposals->classes)
    classes_release(proposals->classes);
}

// The processes that look like `first`, which begins the list.
static uint32_t find_alike(Proposals *proposals, ProcessId first, ProcessId *list) {
  const Net *net = proposals->net;
  Align align = {.classes = proposals->classes};
  uint32_t count = 0;
  for (ProcessId p = first; p < net->processes.size; p++)
    if (!proposals->used[p] && proposals->shapes[p] == proposals->shapes[first] &&
        align_processes(&align, net, first, p))
      list[count++] = p;
  return count;
}

// --- Partners through shared variables.

// Whether a second process differs from the first as id 1 differs from id 0: in a constant of the
// same class, or in a variable of the same column.
typedef struct Link {
  Builder *builder;
  bool found;
} Link;

static bool link_clock(void *context, ClockIndex from, ClockIndex to) {
  (void)context, (void)from, (void)to;
  return true;
}

static bool link_slot(void *context, uint32_t from, uint32_t to) {
  Link *link = context;
  const uint32_t *items = link->builder->slots[from];
  link->found |= from != to && items && items[1] == to + 1;
  return true;
}

static bool link_constant(void *context, uint32_t node, int32_t from, int32_t to) {
  Link *link = context;
  Builder *b = link->builder;
  for (uint32_t u = 0; from != to && u < b->uses.size; u++) {
    const ConstantUse *use = &b->uses.items[u];
    link->found |= use->values[0] == from && use->values[1] == to &&
                   classes_find(b->classes, use->node) == classes_find(b->classes, node);
  }
  return true;
}

static bool is_linked(Builder *b, const ProcessId *list) {
  Link link = {.builder = b};
  const AlignVisit visit = {&link, link_clock, link_slot, link_constant};
  Align align = {.classes = b->classes, .visit = &visit};
  return align_processes(&align, b->net, list[0], list[1]) && link.found;
}

// Processes of another form that have the same ids need not synchronise with the family. They are
// a column, too: if they stayed, their constants would name the wrong ids.
static bool add_linked(Proposals *proposals, Builder *b) {
  const uint32_t count = b->net->processes.size;
  ProcessId *list = ARENA_ARRAY(b->arena, ProcessId, count);
  for (bool more = b->size < count; more;) {
    more = false;
    for (ProcessId p = 0; p < count; p++) {
      if (proposals->used[p] || b->is_member[p] || find_alike(proposals, p, list) != b->size ||
          !is_linked(b, list))
        continue;
      ProcessId *column = ARENA_ARRAY(b->arena, ProcessId, b->size);
      memcpy(column, list, b->size * sizeof *column);
      if (!add_processes(b, column) || !follow(b))
        return false;
      more = true;
    }
  }
  return true;
}

static bool build(Proposals *proposals, Builder *b, ProcessId *seed, Family *family) {
  return add_processes(b, seed) && follow(b) && add_linked(proposals, b) &&
         columns_make(b, family);
}

static Builder begin(Proposals *proposals, Arena *arena, uint32_t size) {
  const Net *net = proposals->net;
  return (Builder){.mem = mem_part(arena->mem),
                   .arena = arena,
                   .net = net,
                   .syncs = proposals->syncs,
                   .classes = proposals->classes,
                   .size = size,
                   .is_member = ARENA_ARRAY(arena, bool, net->processes.size),
                   .clocks = ARENA_ARRAY(arena, ClockIndex *, net->clock_count + 1),
                   .slots = ARENA_ARRAY(arena, uint32_t *, net->location_slot + 1),
                   .is_taken = ARENA_ARRAY(arena, bool, net->location_slot + 1)};
}

// --- Scalar sets.

// What the elements of one set stand for in storage.
typedef struct ScalarWalk {
  Builder *builder;
  uint32_t set;
  bool is_clock;
  uint32_t index; // node of the index of the variable's first dimension
} ScalarWalk;

static void use_values(Builder *b, uint32_t node) {
  const ConstantUse use = {node, ARENA_ARRAY(b->arena, int32_t, b->size)};
  for (uint32_t i = 0; i < b->size; i++)
    use.values[i] = (int32_t)i;
  vec_push(b->mem, &b->uses, use);
}

// Storage at `base`; with a stride it is that of element 0, and the others follow at that
// distance.
static void walk_storage(const ScalarWalk *w, const Type *type, uint32_t base, uint32_t depth,
                         uint32_t stride) {
  Builder *b = w->builder;
  if (type->kind == TYPE_ARRAY) {
    const bool is_indexed = type->scalar_set == w->set && !stride;
    if (type->scalar_set == w->set && !w->is_clock && depth < CLASSES_DIMENSIONS)
      use_values(b, w->index + depth);
    for (uint32_t i = 0; i < (is_indexed ? 1 : type->count); i++)
      walk_storage(w, type->element, base + i * type->element->slots, depth + 1,
                   is_indexed ? type->element->slots : stride);
    return;
  }
  if (type->kind == TYPE_STRUCT) {
    for (uint32_t k = 0; k < type->count; k++)
      walk_storage(w, type->fields[k].type, base + type->fields[k].offset, CLASSES_DIMENSIONS,
                   stride);
    return;
  }
  for (uint32_t i = 0; i < (stride ? b->size : 1); i++) {
    const uint32_t at = base + i * stride;
    if (!w->is_clock && type->scalar_set == w->set)
      use_values(b, at);
    if (stride)
      set_item(b, w->is_clock ? &b->clocks[base] : &b->slots[base], base, (b->id = i, at));
  }
}

static uint32_t set_size(const Type *type, uint32_t set) {
  uint32_t size = type->scalar_set != set    ? 0
                  : type->kind == TYPE_ARRAY ? type->count
                                             : (uint32_t)type->max + 1;
  if (!size && type->kind == TYPE_ARRAY)
    size = set_size(type->element, set);
  for (uint32_t k = 0; !size && type->kind == TYPE_STRUCT && k < type->count; k++)
    size = set_size(type->fields[k].type, set);
  return size;
}

// The family of the elements of a set that variables hold, or that index them; false if there are
// no such variables.
static bool build_scalars(Proposals *proposals, Arena *arena, uint32_t set, Family *family) {
  const Net *net = proposals->net;
  uint32_t size = 0;
  for (uint32_t v = 0; !size && v < net->variables.size; v++)
    size = set_size(net->variables.items[v].type, set);
  if (size < 2)
    return false;
  Builder b = begin(proposals, arena, size);
  ScalarWalk walk = {.builder = &b, .set = set};
  for (uint32_t v = 0; v < net->variables.size; v++) {
    walk.index = classes_variable_index(b.classes, v);
    walk_storage(&walk, net->variables.items[v].type, net->variables.items[v].base, 0, 0);
  }
  walk.is_clock = true;
  for (uint32_t k = 0; k < net->clocks.size; k++)
    walk_storage(&walk, net->clocks.items[k].type, net->clocks.items[k].base, 0, 0);
  const bool good = columns_make(&b, family);
  mem_release_part(b.mem);
  return good;
}

bool proposals_next(Proposals *proposals, Arena *arena, Family *family) {
  const Net *net = proposals->net;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    if (proposals->used[p])
      continue;
    ProcessId *seed = ARENA_ARRAY(arena, ProcessId, net->processes.size);
    const uint32_t count = find_alike(proposals, p, seed);
    for (uint32_t i = 0; i < count; i++)
      proposals->used[seed[i]] = true;
    if (count < 2)
      continue;
    Builder b = begin(proposals, arena, count);
    const bool good = build(proposals, &b, seed, family);
    mem_release_part(b.mem);
    for (uint32_t i = 0; good && i < family->process_columns * count; i++)
      proposals->used[family->processes[i]] = true;
    if (good)
      return true;
  }
  while (proposals->classes && proposals->sets < net->origin.scalar_sets)
    if (build_scalars(proposals, arena, ++proposals->sets, family))
      return true;
  return false;
}
