#include "zone/keys.h"

#include "model/joint.h"

#include <string.h>

void keys_init(Keys *keys, Arena *arena, const Net *net, const StateLayout *layout, Vm *vm) {
  *keys = (Keys){.net = net, .layout = layout, .vm = vm, .is_other = true};
  keys->source_key = ARENA_ARRAY(arena, uint64_t, layout->words);
  keys->key = ARENA_ARRAY(arena, uint64_t, layout->words);
  keys->source = ARENA_ARRAY(arena, int32_t, layout->slots);
  keys->state = ARENA_ARRAY(arena, int32_t, layout->slots);
  keys->initial_choice = ARENA_ARRAY(arena, uint32_t, net->processes.size);
}

static void copy(const Keys *keys, uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  for (uint32_t i = 1; i < keys->layout->words; i++)
    to[i] = from[i];
}

// `state` is no longer the source's with patches.
static void set_other(Keys *keys, bool is_packed) {
  keys->is_other = true;
  keys->is_packed = is_packed;
  keys->patched = keys->pending = NULL;
}

void keys_open(Keys *keys, const uint64_t *source) {
  copy(keys, keys->source_key, source);
  keys->has_source = false;
  set_other(keys, false);
}

void keys_load(Keys *keys, const uint64_t *key) {
  copy(keys, keys->key, key);
  set_other(keys, true);
}

bool keys_initial(Keys *keys, uint32_t *ordinal) {
  if (!state_initial(keys->net, keys->state, keys->initial_choice, &keys->initial_started))
    return false;
  *ordinal = keys->initial_count++;
  state_pack(keys->layout, keys->key, keys->state);
  set_other(keys, false);
  return true;
}

void keys_rewind(Keys *keys) {
  keys->initial_started = false;
  keys->initial_count = 0;
  memset(keys->initial_choice, 0, keys->net->processes.size * sizeof(uint32_t));
}

const int32_t *keys_source(Keys *keys) {
  if (!keys->has_source)
    state_unpack(keys->layout, keys->source, keys->source_key);
  keys->has_source = true;
  return keys->source;
}

// `state` becomes the source's.
static void begin_state(Keys *keys) {
  const int32_t *source = keys_source(keys);
  const Transition *t = keys->patched;
  if (keys->is_other)
    memcpy(keys->state, source, keys->layout->slots * sizeof(int32_t));
  for (uint32_t i = 0; t && i < t->patch_count; i++)
    keys->state[t->patches[i].slot] = source[t->patches[i].slot];
  for (uint32_t i = 0; t && i < t->shift_count; i++)
    keys->state[t->shifts[i].slot] = source[t->shifts[i].slot];
  keys->patched = keys->pending = NULL;
  keys->is_other = keys->is_packed = false;
}

static void patch_state(Keys *keys, const Transition *t) {
  for (uint32_t i = 0; i < t->patch_count; i++)
    keys->state[t->patches[i].slot] = t->patches[i].value;
  for (uint32_t i = 0; i < t->shift_count; i++)
    keys->state[t->shifts[i].slot] += t->shifts[i].delta;
  keys->patched = t;
}

const int32_t *keys_state(Keys *keys) {
  const Transition *t = keys->pending;
  if (t) {
    begin_state(keys);
    patch_state(keys, t);
  } else if (keys->is_packed) {
    state_unpack(keys->layout, keys->state, keys->key);
    keys->is_packed = false;
  }
  return keys->state;
}

VmResult keys_run(Keys *keys, const Transition *t, ClockUpdates *updates) {
  begin_state(keys);
  keys->is_other = true;
  vec_clear(updates);
  const VmResult result =
      joint_run(keys->net, keys->vm, t->edges, t->edge_count, keys->state, updates);
  if (result == VM_TRUE)
    state_pack(keys->layout, keys->key, keys->state);
  return result;
}
