#include "model/joint.h"

#include <assert.h>
#include <string.h>

// Finding the synchronisations that a location vector enables must not cost a look at each of
// them. Every synchronisation has a *pivot*, the strong part that the fewest locations of
// its process offer; each location lists the synchronisations whose pivot it offers. The lists
// of the present locations, united in a bitmap, are the candidates in order of declaration;
// the other parts of a candidate are tested when its turn comes. A synchronisation with weak
// parts only is on the lists of all its parts: any of them enables it.
//
// In most synchronisations the locations of the parts leave one choice of edges at most. What was
// found once is kept in a small table by these locations: that there is none, or the number
// that the owner has given it.
//
// All edges of a part start in the present location of its process. So whether a committed
// process takes part does not depend on the choice of edges.

typedef struct Choices { // edges of a location with one event, or its asynchronous edges
  const Edge *const *edges;
  uint32_t count;
} Choices;

typedef struct Part {
  ProcessId process;
  bool weak;
  const Choices *choices; // by local index of the location
  uint32_t stride;        // of that index, in Parts.numbers
} Part;

typedef struct Parts {
  Part *items;
  uint32_t count;
  uint32_t *numbers; // by locations, 0: not known; NULL: some part is weak, or they are many
} Parts;

#define NOT_ENABLED UINT32_MAX // as a number
enum { MOST_NUMBERS = 256, MOST_IN_ALL = 1 << 14 };

typedef struct Spot { // what a location offers
  Choices async;
  const uint32_t *syncs; // whose pivot it offers
  uint32_t sync_count;
  uint32_t index; // local
  bool committed;
} Spot;

typedef struct Wheel { // a participant's place in the product of the edges
  const Edge *const *edges;
  uint32_t count, at;
} Wheel;

struct JointCursor {
  Mem *mem;          // its watch: the product of the edges can have no end in sight
  const Spot *spots; // by location
  const LocationId *first_locations;
  const Parts *syncs;
  uint32_t process_count, word_count;
  uint32_t *numbers; // of all synchronisations
  uint32_t number_count;
  // The present vector:
  const Spot **now; // by process
  bool committed, has_async;
  uint64_t *candidates; // bitmap of synchronisations still to be tried
  uint32_t word;
  Wheel *wheels;     // of the present synchronisation
  uint32_t *place;   // of its number; NULL: it has none
  ProcessId process; // of the next asynchronous edge
  uint32_t async;
};

// Edges of (process, event), one Choices for each location of the process.
static const Choices *find_choices(Arena *arena, const Net *net, const Edge *const *out,
                                   const SyncPart *part) {
  const Process *process = &net->processes.items[part->process];
  Choices *choices = ARENA_ARRAY(arena, Choices, process->location_count);
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    for (uint32_t k = 0; k < location->edge_count; k++) {
      const Edge *const *edge = out + location->first_edge + k;
      if ((*edge)->event == part->event) {
        choices[l].edges = choices[l].count ? choices[l].edges : edge;
        choices[l].count++;
      }
    }
  }
  return choices;
}

// The parts of all synchronisations; those with equal process and event share their choices.
static Parts *build_syncs(Arena *arena, const Net *net, const Edge *const *out) {
  const uint32_t events = net->events.size;
  const size_t pairs = (size_t)net->processes.size * events;
  const Choices **known = mem_alloc(arena->mem, sizeof *known * pairs);
  Parts *syncs = ARENA_ARRAY(arena, Parts, net->syncs.size);
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    mem_tick(arena->mem);
    const Sync *sync = &net->syncs.items[s];
    Part *parts = ARENA_ARRAY(arena, Part, sync->parts.size);
    for (uint32_t k = 0; k < sync->parts.size; k++) {
      const SyncPart *part = &sync->parts.items[k];
      const Choices **choices = &known[(size_t)part->process * events + part->event];
      if (!*choices)
        *choices = find_choices(arena, net, out, part);
      parts[k] = (Part){.process = part->process, .weak = part->weak, .choices = *choices};
    }
    syncs[s] = (Parts){.items = parts, .count = sync->parts.size};
  }
  mem_free(arena->mem, known);
  return syncs;
}

// Sets the strides; how many numbers there are then, 0 for none.
static uint32_t set_strides(const Net *net, const Sync *sync, Part *parts) {
  uint64_t count = 1;
  for (uint32_t k = 0; k < sync->parts.size && count <= MOST_NUMBERS; k++) {
    parts[k].stride = (uint32_t)count;
    count *= net->processes.items[parts[k].process].location_count;
    if (parts[k].weak)
      return 0;
  }
  return count <= MOST_NUMBERS ? (uint32_t)count : 0;
}

static void build_numbers(Arena *arena, const Net *net, JointCursor *cursor, Parts *syncs) {
  uint32_t *counts = mem_alloc(arena->mem, sizeof *counts * net->syncs.size), all = 0;
  for (uint32_t s = 0; s < net->syncs.size && all <= MOST_IN_ALL; s++)
    all += counts[s] = set_strides(net, &net->syncs.items[s], syncs[s].items);
  uint32_t *at = cursor->numbers = ARENA_ARRAY(arena, uint32_t, all);
  cursor->number_count = all;
  for (uint32_t s = 0; s < net->syncs.size; at += counts[s++])
    syncs[s].numbers = counts[s] ? at : NULL;
  mem_free(arena->mem, counts);
}

static uint32_t offering(const Net *net, const Part *part) {
  uint32_t count = 0;
  for (uint32_t l = 0; l < net->processes.items[part->process].location_count; l++)
    count += part->choices[l].count != 0;
  return count;
}

// The strong part that is offered in the smallest share of its process's locations; NULL if
// all are weak.
static const Part *find_pivot(const Net *net, const Parts *parts) {
  const Part *pivot = NULL;
  uint64_t least = 0, of = 1;
  for (uint32_t k = 0; k < parts->count; k++) {
    const Part *part = &parts->items[k];
    if (part->weak)
      continue;
    const uint64_t count = offering(net, part);
    const uint64_t all = net->processes.items[part->process].location_count;
    if (!pivot || count * of < least * all) {
      pivot = part;
      least = count;
      of = all;
    }
  }
  return pivot;
}

static void list_sync(const Net *net, const Part *part, uint32_t sync, Spot *spots,
                      uint32_t **lists) {
  const Process *process = &net->processes.items[part->process];
  for (uint32_t l = 0; l < process->location_count; l++)
    if (part->choices[l].count) {
      Spot *spot = &spots[process->first_location + l];
      if (lists)
        lists[process->first_location + l][spot->sync_count] = sync;
      spot->sync_count++;
    }
}

// Counts the entries of each location's list or, with `lists`, writes them.
static void list_syncs(Mem *mem, const Net *net, const Parts *syncs, Spot *spots,
                       uint32_t **lists) {
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    mem_tick(mem);
    const Part *pivot = find_pivot(net, &syncs[s]);
    if (pivot)
      list_sync(net, pivot, s, spots, lists);
    else
      for (uint32_t k = 0; k < syncs[s].count; k++)
        list_sync(net, &syncs[s].items[k], s, spots, lists);
  }
}

static void build_async(Arena *arena, const Net *net, Spot *spots) {
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (net->async[(size_t)edge->process * net->events.size + edge->event])
      spots[edge->source].async.count++;
  }
  const Edge ***lists = mem_alloc(arena->mem, sizeof *lists * net->locations.size);
  for (LocationId l = 0; l < net->locations.size; l++) {
    lists[l] = ARENA_ARRAY(arena, const Edge *, spots[l].async.count);
    spots[l].async = (Choices){lists[l], 0};
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    if (net->async[(size_t)edge->process * net->events.size + edge->event])
      lists[edge->source][spots[edge->source].async.count++] = edge;
  }
  mem_free(arena->mem, lists);
}

static const Spot *build_spots(Arena *arena, const Net *net, const Parts *syncs) {
  Spot *spots = ARENA_ARRAY(arena, Spot, net->locations.size);
  uint32_t **lists = mem_alloc(arena->mem, sizeof *lists * net->locations.size);
  build_async(arena, net, spots);
  list_syncs(arena->mem, net, syncs, spots, NULL);
  for (LocationId l = 0; l < net->locations.size; l++) {
    lists[l] = ARENA_ARRAY(arena, uint32_t, spots[l].sync_count);
    spots[l].syncs = lists[l];
    spots[l].sync_count = 0;
    spots[l].index = net->locations.items[l].index;
    spots[l].committed = net->committed[l];
  }
  list_syncs(arena->mem, net, syncs, spots, lists);
  mem_free(arena->mem, lists);
  return spots;
}

void joint_init(Joint *joint, const Net *net, Arena *arena) {
  const Edge **out = ARENA_ARRAY(arena, const Edge *, net->edges.size);
  for (uint32_t k = 0; k < net->edges.size; k++)
    out[k] = &net->edges.items[net->out[k]];
  LocationId *first = ARENA_ARRAY(arena, LocationId, net->processes.size);
  for (ProcessId p = 0; p < net->processes.size; p++)
    first[p] = net->processes.items[p].first_location;

  JointCursor *cursor = ARENA_NEW(arena, JointCursor);
  Parts *syncs = build_syncs(arena, net, out);
  build_numbers(arena, net, cursor, syncs);
  cursor->mem = arena->mem;
  cursor->syncs = syncs;
  cursor->spots = build_spots(arena, net, cursor->syncs);
  cursor->first_locations = first;
  cursor->process_count = net->processes.size;
  cursor->word_count = (net->syncs.size + 63) / 64;
  cursor->now = ARENA_ARRAY(arena, const Spot *, net->processes.size);
  cursor->candidates = ARENA_ARRAY(arena, uint64_t, cursor->word_count);
  cursor->wheels = ARENA_ARRAY(arena, Wheel, net->processes.size);
  *joint = (Joint){.net = net,
                   .edges = ARENA_ARRAY(arena, const Edge *, net->processes.size),
                   .sync = NET_NONE,
                   .cursor = cursor};
}

void joint_begin(Joint *joint, const int32_t *state) {
  JointCursor *cursor = joint->cursor;
  const int32_t *locations = state + joint->net->location_slot;
  memset(cursor->candidates, 0, sizeof *cursor->candidates * cursor->word_count);
  bool committed = false;
  uint32_t async = 0;
  for (ProcessId p = 0; p < cursor->process_count; p++) {
    const Spot *spot = &cursor->spots[cursor->first_locations[p] + (uint32_t)locations[p]];
    cursor->now[p] = spot;
    committed |= spot->committed;
    async |= spot->async.count;
    for (uint32_t k = 0; k < spot->sync_count; k++)
      cursor->candidates[spot->syncs[k] / 64] |= (uint64_t)1 << spot->syncs[k] % 64;
  }
  cursor->committed = committed;
  cursor->has_async = async;
  cursor->word = 0;
  cursor->process = 0;
  cursor->async = 0;
  joint->edge_count = 0;
  joint->sync = NET_NONE;
  joint->ordinal = UINT32_MAX; // the first joint_next makes it 0
}

// Next combination of the edges of the present synchronisation, the last part fastest.
static bool turn(Joint *joint) {
  for (uint32_t k = joint->edge_count; k-- > 0;) {
    Wheel *wheel = &joint->cursor->wheels[k];
    const bool more = ++wheel->at < wheel->count;
    wheel->at = more ? wheel->at : 0;
    joint->edges[k] = wheel->edges[wheel->at];
    if (more)
      return true;
  }
  return false;
}

// Positions on the first combination of a synchronisation if it is enabled.
static bool engage(Joint *joint, uint32_t sync) {
  JointCursor *cursor = joint->cursor;
  const Parts *parts = &cursor->syncs[sync];
  bool allowed = !cursor->committed;
  uint32_t count = 0;
  for (uint32_t k = 0; k < parts->count; k++) {
    const Part *part = &parts->items[k];
    const Spot *spot = cursor->now[part->process];
    const Choices *choices = &part->choices[spot->index];
    if (choices->count) {
      allowed |= spot->committed;
      cursor->wheels[count] = (Wheel){choices->edges, choices->count, 0};
      joint->edges[count++] = choices->edges[0];
    } else if (!part->weak)
      return false;
  }
  if (!allowed)
    return false;
  assert(count); // the pivot offers an edge
  joint->edge_count = count;
  joint->sync = sync;
  return true;
}

// The next candidate, or NET_NONE.
static inline uint32_t next_candidate(JointCursor *cursor) {
  for (; cursor->word < cursor->word_count; cursor->word++) {
    uint64_t *bits = &cursor->candidates[cursor->word];
    if (!*bits)
      continue;
    const uint32_t sync = cursor->word * 64 + (uint32_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return sync;
  }
  return NET_NONE;
}

static bool next_sync(Joint *joint) {
  for (uint32_t sync; (sync = next_candidate(joint->cursor)) != NET_NONE;)
    if (engage(joint, sync))
      return true;
  return false;
}

static bool next_async(Joint *joint) {
  JointCursor *cursor = joint->cursor;
  joint->sync = NET_NONE;
  joint->edge_count = 1;
  for (; cursor->process < cursor->process_count; cursor->process++) {
    const Spot *spot = cursor->now[cursor->process];
    if (cursor->async < spot->async.count && (!cursor->committed || spot->committed)) {
      joint->edges[0] = spot->async.edges[cursor->async++];
      return true;
    }
    cursor->async = 0;
  }
  joint->edge_count = 0;
  return false;
}

// Where the number of a synchronisation is in the present locations, or NULL.
static inline uint32_t *place_of(const JointCursor *cursor, const Parts *parts) {
  if (!parts->numbers || cursor->committed)
    return NULL;
  uint32_t at = 0;
  for (uint32_t k = 0; k < parts->count; k++)
    at += cursor->now[parts->items[k].process]->index * parts->items[k].stride;
  return &parts->numbers[at];
}

bool joint_next_number(Joint *joint) {
  JointCursor *cursor = joint->cursor;
  mem_tick(cursor->mem);
  joint->ordinal++;
  joint->number = 0;
  if (joint->sync != NET_NONE && turn(joint)) {
    cursor->place = NULL;
    return true;
  }
  joint->sync = NET_NONE;
  for (uint32_t sync; (sync = next_candidate(cursor)) != NET_NONE;) {
    uint32_t *place = cursor->place = place_of(cursor, &cursor->syncs[sync]);
    if (place && *place && *place != NOT_ENABLED) {
      joint->number = *place;
      return true;
    }
    if ((!place || !*place) && engage(joint, sync))
      return true;
    if (place)
      *place = NOT_ENABLED;
  }
  return false;
}

void joint_give_number(Joint *joint, uint32_t number) {
  JointCursor *cursor = joint->cursor;
  joint->number = number;
  for (uint32_t k = 0; k < joint->edge_count; k++)
    if (cursor->wheels[k].count > 1)
      return;
  if (cursor->place)
    *cursor->place = number;
}

void joint_forget_numbers(Joint *joint) {
  memset(joint->cursor->numbers, 0, sizeof(uint32_t) * joint->cursor->number_count);
}

bool joint_next(Joint *joint) {
  mem_tick(joint->cursor->mem);
  joint->ordinal++;
  return (joint->sync != NET_NONE && turn(joint)) || next_sync(joint) || next_async(joint);
}

bool joint_has_async(const Joint *joint) { return joint->cursor->has_async; }

const Edge *const *joint_async(const Joint *joint, ProcessId process, uint32_t *count) {
  const JointCursor *cursor = joint->cursor;
  const Spot *spot = cursor->now[process];
  *count = cursor->committed && !spot->committed ? 0 : spot->async.count;
  return spot->async.edges;
}

bool joint_seek(Joint *joint, const int32_t *state, uint32_t ordinal) {
  joint_begin(joint, state);
  while (joint_next(joint))
    if (joint->ordinal == ordinal)
      return true;
  return false;
}

static VmResult judged(const Net *net, VmResult result) {
  return result == VM_INVALID && net->invalid_is_error ? VM_ERROR : result;
}

VmResult joint_guard(const Joint *joint, Vm *vm, const int32_t *state, ClockTests *tests) {
  const uint32_t size = tests->size;
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Guard *guard = &joint->edges[k]->guard;
    if (!guard->expr)
      continue;
    const VmResult result = vm_guard(vm, guard, state, tests);
    if (result != VM_TRUE) {
      tests->size = size;
      return judged(joint->net, result);
    }
  }
  return VM_TRUE;
}

VmResult joint_fire(const Joint *joint, Vm *vm, int32_t *state, ClockUpdates *updates) {
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Update *update = &joint->edges[k]->update;
    if (!update->stmts)
      continue;
    const VmResult result = vm_update(vm, update, state, updates);
    if (result != VM_TRUE)
      return judged(joint->net, result);
  }
  const Net *net = joint->net;
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Edge *edge = joint->edges[k];
    const LocationId first = joint->cursor->first_locations[edge->process];
    state[net->location_slot + edge->process] = (int32_t)(edge->target - first);
  }
  return VM_TRUE;
}

VmResult joint_invariant(const Net *net, Vm *vm, const int32_t *state, ClockTests *tests) {
  const uint32_t size = tests->size;
  const int32_t *locations = state + net->location_slot;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location = net->processes.items[p].first_location + (uint32_t)locations[p];
    const Guard *invariant = net->invariants[location];
    if (!invariant)
      continue;
    const VmResult result = vm_guard(vm, invariant, state, tests);
    if (result != VM_TRUE) {
      tests->size = size;
      return judged(net, result);
    }
  }
  return VM_TRUE;
}

void joint_print(Text *text, const Joint *joint) {
  const Net *net = joint->net;
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Edge *edge = joint->edges[k];
    text_addf(text, "%s%s.%s->%s", k ? ", " : "<", net->processes.items[edge->process].name,
              net->locations.items[edge->source].name, net->locations.items[edge->target].name);
  }
  text_add(text, "> via ");
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const EventId event = joint->edges[k]->event;
    bool shown = false; // most synchronisations have one event for all
    for (uint32_t i = 0; i < k; i++)
      shown |= joint->edges[i]->event == event;
    if (!shown)
      text_addf(text, "%s%s", k ? "/" : "", net->events.items[event].name);
  }
}
