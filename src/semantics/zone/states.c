#include "semantics/zone/states.h"

#include "model/joint.h"
#include "model/meta.h"

#include <string.h>

void states_init(States *states, Arena *arena, const Net *net, const StateLayout *layout,
                 Vm *vm) {
  *states = (States){.net = net, .layout = layout, .vm = vm};
  states->source_key = ARENA_ARRAY(arena, uint64_t, layout->words);
  states->key = ARENA_ARRAY(arena, uint64_t, layout->words);
  states->source = ARENA_ARRAY(arena, int32_t, layout->slots);
  states->state = ARENA_ARRAY(arena, int32_t, layout->slots);
}

void states_open(States *states, const uint64_t *source) {
  states_copy(states, states->source_key, source);
  states->has_source = false;
  states->is_packed = false;
}

void states_load(States *states, const uint64_t *key) {
  states_copy(states, states->key, key);
  states->is_packed = true;
}

bool states_initial(States *states, uint32_t ordinal) {
  if (!state_initial(states->net, states->state, ordinal))
    return false;
  state_pack(states->layout, states->key, states->state);
  states->is_packed = false;
  return true;
}

const int32_t *states_source(States *states) {
  if (!states->has_source)
    state_unpack(states->layout, states->source, states->source_key);
  states->has_source = true;
  return states->source;
}

const int32_t *states_state(States *states) {
  if (states->is_packed)
    state_unpack(states->layout, states->state, states->key);
  states->is_packed = false;
  return states->state;
}

VmResult states_run(States *states, const Transition *t, ClockUpdates *updates) {
  memcpy(states->state, states_source(states), states->layout->slots * sizeof(int32_t));
  states->is_packed = false;
  vec_clear(updates);
  const VmResult result =
      joint_run(states->net, states->vm, t->edges, t->edge_count, states->state, updates);
  meta_forget(states->net, states->state);
  if (result == VM_TRUE)
    state_pack(states->layout, states->key, states->state);
  return result;
}
