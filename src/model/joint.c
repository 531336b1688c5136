#include "model/joint.h"

#include "base/testbuild.h"
#include "model/meta.h"
#include "model/state.h"

#include <assert.h>
#include <string.h>

// In most synchronisations the locations of the parts leave one choice of edges at most. What was
// found once is kept in a small table by these locations: that there is none, or the number
// that the owner has given it.
//
// All edges of a part start in the present location of its process. So whether a committed
// process takes part does not depend on the choice of edges.
//
// Where the joint transitions depend on more than locations, joint_begin lists all of them
// (model/enabled.h), and the list is walked.

#define NOT_ENABLED UINT32_MAX // as a number

typedef struct Wheel { // a participant's place in the product of the edges
  const Edge *const *edges;
  uint32_t count, at;
} Wheel;

struct JointCursor {
  Mem *mem; // its watch: the product of the edges can have no end in sight
  JointTable table;
  JointPlace place; // the present vector; its candidates are those still to be tried
  JointPlace other; // of joint_delay
  uint32_t word;
  Wheel *wheels;     // of the present synchronisation
  bool has_choice;   // some wheel has several edges
  uint32_t *number;  // where its number is; NULL: it has none
  ProcessId process; // of the next asynchronous edge
  uint32_t async;
  Enabled *enabled; // NULL: the net needs no list
  bool is_listed;   // the joint transitions are those of `enabled`
};

void joint_init(Joint *joint, const Net *net, Arena *arena) {
  JointCursor *cursor = ARENA_NEW(arena, JointCursor);
  cursor->mem = arena->mem;
  jointtable_init(&cursor->table, arena, net);
  jointtable_place(&cursor->table, arena, &cursor->place);
  cursor->wheels = ARENA_ARRAY(arena, Wheel, net->processes.size);
  if (net->traits.is_listed || cursor->table.urgent) {
    jointtable_place(&cursor->table, arena, &cursor->other);
    cursor->enabled = ARENA_NEW(arena, Enabled);
    enabled_init(cursor->enabled, arena->mem, net, &cursor->table);
    cursor->is_listed = net->traits.is_listed;
  }
  *joint = (Joint){.net = net,
                   .edges = ARENA_ARRAY(arena, const Edge *, net->processes.size),
                   .sync = NET_NONE,
                   .cursor = cursor};
}

void joint_release(Joint *joint) {
  if (joint->cursor && joint->cursor->enabled)
    enabled_release(joint->cursor->enabled);
}

void joint_begin(Joint *joint, const int32_t *state) {
  JointCursor *cursor = joint->cursor;
  mem_tick(cursor->mem);
  jointtable_find(&cursor->table, &cursor->place, state + joint->net->location_slot);
  cursor->word = 0;
  cursor->process = 0;
  cursor->async = 0;
  joint->edge_count = 0;
  joint->sync = NET_NONE;
  joint->ordinal = UINT32_MAX; // the first joint_next makes it 0
  if (cursor->is_listed)
    enabled_find(cursor->enabled, &cursor->place, state);
}

// The next combination that is admitted, from part k on, whose wheel is turned first. Not
// inlined: few callers refuse any.
__attribute__((noinline)) static bool turn_admitted(Joint *joint, uint32_t k) {
  Wheel *wheels = joint->cursor->wheels;
  for (;;) {
    mem_tick(joint->cursor->mem);
    if (++wheels[k].at >= wheels[k].count) { // an unsigned -1 begins anew
      if (!k)
        return false;
      k--;
      continue;
    }
    joint->edges[k] = wheels[k].edges[wheels[k].at];
    if (!joint->admits(joint->admits_context, joint, k))
      continue;
    if (++k == joint->edge_count)
      return true;
    wheels[k].at = UINT32_MAX;
  }
}

// Next combination of the edges of the present synchronisation, the last part fastest.
static bool turn_wheels(Joint *joint) {
  mem_tick(joint->cursor->mem);
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

static inline bool turn(Joint *joint) {
  if (!joint->cursor->has_choice)
    return false;
  return joint->admits ? turn_admitted(joint, joint->edge_count - 1) : turn_wheels(joint);
}

// Positions on the first combination of a synchronisation if it is enabled.
static bool engage(Joint *joint, uint32_t sync) {
  JointCursor *cursor = joint->cursor;
  const Parts *parts = &cursor->table.syncs[sync];
  bool allowed = !cursor->place.committed, has_choice = false;
  uint32_t count = 0;
  for (uint32_t k = 0; k < parts->count; k++) {
    const Part *part = &parts->items[k];
    const Spot *spot = cursor->place.now[part->process];
    const Choices *choices = &part->choices[spot->index];
    if (choices->count) {
      allowed |= spot->committed;
      has_choice |= choices->count > 1;
      cursor->wheels[count] = (Wheel){choices->edges, choices->count, 0};
      joint->edges[count++] = choices->edges[0];
    } else if (!part->weak)
      return false;
  }
  if (!allowed)
    return false;
  assert(count); // the pivot offers an edge
  cursor->has_choice = has_choice;
  joint->edge_count = count;
  joint->sync = sync;
  if (!joint->admits)
    return true;
  cursor->wheels[0].at = UINT32_MAX;
  return turn_admitted(joint, 0);
}

// The next candidate, or NET_NONE.
static inline uint32_t next_candidate(JointCursor *cursor) {
  for (; cursor->word < cursor->table.word_count; cursor->word++) {
    uint64_t *bits = &cursor->place.candidates[cursor->word];
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
  for (; cursor->process < cursor->table.process_count; cursor->process++) {
    const Spot *spot = cursor->place.now[cursor->process];
    if (cursor->async < spot->async.count && (!cursor->place.committed || spot->committed)) {
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
  if (!parts->numbers || cursor->place.committed)
    return NULL;
  uint32_t at = 0;
  for (uint32_t k = 0; k < parts->count; k++)
    at += cursor->place.now[parts->items[k].process]->index * parts->items[k].stride;
  return &parts->numbers[at];
}

// Positions on the joint transition with the present ordinal in the list.
static bool take_listed(Joint *joint) {
  const Enabled *enabled = joint->cursor->enabled;
  joint->cursor->number = NULL;
  joint->edge_count = 0;
  joint->extra = joint->after = (ClockTestList){0};
  if (joint->ordinal >= enabled->transitions.size)
    return false;
  const EnabledTransition *offer = &enabled->transitions.items[joint->ordinal];
  joint->sync = offer->sync;
  joint->edge_count = offer->edge_count;
  for (uint32_t k = 0; k < offer->edge_count; k++)
    joint->edges[k] = enabled->edges.items[offer->first_edge + k];
  joint->extra = (ClockTestList){enabled->tests.items + offer->first_test, offer->test_count};
  joint->after = (ClockTestList){enabled->tests.items + offer->first_after, offer->after_count};
  return true;
}

bool joint_next_number(Joint *joint) {
  JointCursor *cursor = joint->cursor;
  joint->ordinal++;
  joint->number = 0;
  if (cursor->is_listed)
    return take_listed(joint);
  if (joint->sync != NET_NONE && turn(joint)) {
    cursor->number = NULL;
    return true;
  }
  joint->sync = NET_NONE;
  for (uint32_t sync; (sync = next_candidate(cursor)) != NET_NONE;) {
    uint32_t *place = cursor->number = place_of(cursor, &cursor->table.syncs[sync]);
    if (place && *place && *place != NOT_ENABLED) {
      joint->number = *place;
      return true;
    }
    if ((!place || !*place) && engage(joint, sync))
      return true;
    if (place && !joint->admits) // what is admitted may depend on others
      *place = NOT_ENABLED;
  }
  return false;
}

void joint_give_number(Joint *joint, uint32_t number) {
  JointCursor *cursor = joint->cursor;
  joint->number = number;
  if (cursor->number && !cursor->has_choice)
    *cursor->number = number;
}

void joint_forget_numbers(Joint *joint) {
  memset(joint->cursor->table.numbers, 0, sizeof(uint32_t) * joint->cursor->table.number_count);
}

bool joint_next(Joint *joint) {
  joint->ordinal++;
  if (joint->cursor->is_listed)
    return take_listed(joint);
  return (joint->sync != NET_NONE && turn(joint)) || next_sync(joint) || next_async(joint);
}

bool joint_has_async(const Joint *joint) {
  return joint->cursor->place.has_async && !joint->cursor->is_listed;
}

const Edge *const *joint_async(const Joint *joint, ProcessId process, uint32_t *count) {
  const JointCursor *cursor = joint->cursor;
  const Spot *spot = cursor->place.now[process];
  *count = cursor->place.committed && !spot->committed ? 0 : spot->async.count;
  return spot->async.edges;
}

bool joint_seek(Joint *joint, const int32_t *state, uint32_t ordinal) {
  joint_begin(joint, state);
  if (joint->cursor->is_listed) {
    joint->ordinal = ordinal;
    return take_listed(joint);
  }
  while (joint_next(joint))
    if (joint->ordinal == ordinal)
      return true;
  return false;
}

// Comparisons with constants, of all edges; the clock tests among them are appended. Not inlined:
// it is for errors.
__attribute__((noinline)) static bool constants_hold(const Joint *joint, Vm *vm,
                                                     const int32_t *state, ClockTests *tests) {
  for (uint32_t k = 0; k < joint->edge_count; k++) {
    const Guard *guard = &joint->edges[k]->guard;
    for (uint32_t i = 0; i < guard->test_count; i++)
      if (!vm_test(&guard->tests[i], state))
        return false;
    for (uint32_t i = 0; i < guard->clock_test_count; i++)
      vec_push(vm->mem, tests, guard->clock_tests[i]);
  }
  return true;
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
      return result == VM_ERROR && !constants_hold(joint, vm, state, tests) ? VM_FALSE : result;
    }
  }
  for (uint32_t k = 0; k < joint->extra.count; k++)
    vec_push(vm->mem, tests, joint->extra.items[k]);
  return VM_TRUE;
}

VmResult joint_run(const Net *net, Vm *vm, const Edge *const *edges, uint32_t count,
                   int32_t *state, ClockUpdates *updates) {
  VmResult result = VM_TRUE;
  if (!count)
    return VM_TRUE;
  if (net->hooks.before.stmts)
    result = vm_update(vm, &net->hooks.before, state, updates);
  for (uint32_t k = 0; k < count && result == VM_TRUE; k++) {
    const Update *update = &edges[PLANTED("order") ? count - 1 - k : k]->update;
    if (update->stmts)
      result = vm_update(vm, update, state, updates);
  }
  if (net->hooks.after.stmts && result == VM_TRUE)
    result = vm_update(vm, &net->hooks.after, state, updates);
  if (result != VM_TRUE)
    return result;
  for (uint32_t k = 0; k < count; k++)
    state[net->location_slot + edges[k]->process] = net_index(net, edges[k]->target);
  return VM_TRUE;
}

VmResult joint_fire(const Joint *joint, Vm *vm, int32_t *state, ClockUpdates *updates) {
  const VmResult result =
      joint_run(joint->net, vm, joint->edges, joint->edge_count, state, updates);
  meta_forget(joint->net, state);
  return result;
}

JointDelay joint_delay(Joint *joint, const int32_t *state) {
  JointCursor *cursor = joint->cursor;
  const Net *net = joint->net;
  if (!state_may_delay(net, state))
    return JOINT_STILL;
  if (!cursor->table.urgent || PLANTED("urgent"))
    return JOINT_FLOWS;
  jointtable_find(&cursor->table, &cursor->other, state + net->location_slot);
  return enabled_delay(cursor->enabled, &cursor->other, state);
}

bool joint_has_urgent(const Joint *joint) { return joint->cursor->table.urgent; }

bool joint_stops(Joint *joint, const int32_t *state, bool *stops) {
  JointCursor *cursor = joint->cursor;
  if (!cursor->table.urgent || PLANTED("stops"))
    return false;
  jointtable_find(&cursor->table, &cursor->other, state + joint->net->location_slot);
  enabled_stops(cursor->enabled, &cursor->other, state, stops);
  return true;
}

VmResult joint_invariant(const Net *net, Vm *vm, const int32_t *state, ClockTests *tests) {
  const uint32_t size = tests->size;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const LocationId location = net_location_at(net, p, state);
    const Guard *invariant = net->by_location.invariants[location];
    if (!invariant)
      continue;
    const VmResult result = vm_guard(vm, invariant, state, tests);
    if (result != VM_TRUE) {
      tests->size = size;
      return result;
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
