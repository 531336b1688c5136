#include "zone/states.h"

#include "model/joint.h"

#include <string.h>

void states_init(States *states, Arena *arena, const Net *net, const StateLayout *layout,
                 Vm *vm) {
  *states = (States){.net = net, .layout = layout, .vm = vm};
  states->source_key = ARENA_ARRAY(arena, uint64_t, layout->words);
  states->key = ARENA_ARRAY(arena, uint64_t, layout->words);
  states->source = ARENA_ARRAY(arena, int32_t, layout->slots);
  states->state = ARENA_ARRAY(arena, int32_t, layout->slots);
  states->initial_choice = ARENA_ARRAY(arena, uint32_t, net->processes.size);
}

static void copy(const States *states, uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  for (uint32_t i = 1; i < states->layout->words; i++)
    to[i] = from[i];
}

static void set_other(States *states, bool is_packed) {
  states->is_packed = is_packed;
  states->pending = NULL;
}

void states_open(States *states, const uint64_t *source) {
  copy(states, states->source_key, source);
  states->has_source = false;
  set_other(states, false);
}

void states_load(States *states, const uint64_t *key) {
  copy(states, states->key, key);
  set_other(states, true);
}

bool states_initial(States *states, uint32_t *ordinal) {
  if (!state_initial(states->net, states->state, states->initial_choice,
                     &states->initial_started))
    return false;
  *ordinal = states->initial_count++;
  state_pack(states->layout, states->key, states->state);
  set_other(states, false);
  return true;
}

void states_rewind(States *states) {
  states->initial_started = false;
  states->initial_count = 0;
  memset(states->initial_choice, 0, states->net->processes.size * sizeof(uint32_t));
}

const int32_t *states_source(States *states) {
  if (!states->has_source)
    state_unpack(states->layout, states->source, states->source_key);
  states->has_source = true;
  return states->source;
}

// `state` becomes the source's.
static void begin_state(States *states) {
  memcpy(states->state, states_source(states), states->layout->slots * sizeof(int32_t));
  set_other(states, false);
}

const int32_t *states_state(States *states) {
  const Transition *t = states->pending;
  if (!t && states->is_packed)
    state_unpack(states->layout, states->state, states->key);
  states->is_packed = false;
  if (!t)
    return states->state;
  begin_state(states);
  for (uint32_t i = 0; i < t->patch_count; i++)
    states->state[t->patches[i].slot] = t->patches[i].value;
  for (uint32_t i = 0; i < t->shift_count; i++)
    states->state[t->shifts[i].slot] += t->shifts[i].delta;
  return states->state;
}

VmResult states_run(States *states, const Transition *t, ClockUpdates *updates) {
  begin_state(states);
  vec_clear(updates);
  const VmResult result =
      joint_run(states->net, states->vm, t->edges, t->edge_count, states->state, updates);
  if (result == VM_TRUE)
    state_pack(states->layout, states->key, states->state);
  return result;
}
