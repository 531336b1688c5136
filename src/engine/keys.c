#include "engine/keys.h"

#include <string.h>

void keys_init(Keys *keys, Arena *arena, const StateLayout *layout, Vm *vm) {
  *keys = (Keys){.layout = layout, .vm = vm};
  keys->source_key = ARENA_ARRAY(arena, uint64_t, layout->words);
  keys->key = ARENA_ARRAY(arena, uint64_t, layout->words);
  keys->source = ARENA_ARRAY(arena, int32_t, layout->slots);
  keys->state = ARENA_ARRAY(arena, int32_t, layout->slots);
}

static void copy(const Keys *keys, uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  for (uint32_t i = 1; i < keys->layout->words; i++)
    to[i] = from[i];
}

void keys_open(Keys *keys, const uint64_t *source) {
  copy(keys, keys->source_key, source);
  keys->has_source = false;
}

void keys_load(Keys *keys, const uint64_t *key) {
  copy(keys, keys->key, key);
  keys->has_state = false;
}

void keys_pack(Keys *keys) {
  state_pack(keys->layout, keys->key, keys->state);
  keys->has_state = true;
}

const int32_t *keys_source(Keys *keys) {
  if (!keys->has_source)
    state_unpack(keys->layout, keys->source, keys->source_key);
  keys->has_source = true;
  return keys->source;
}

const int32_t *keys_state(Keys *keys) {
  if (!keys->has_state)
    state_unpack(keys->layout, keys->state, keys->key);
  keys->has_state = true;
  return keys->state;
}

// Counts variables up or down; false if one would leave its range.
static bool shift_slots(Keys *keys, const Transition *t) {
  for (uint32_t i = 0; i < t->shift_count; i++) {
    const Shift *shift = &t->shifts[i];
    const uint64_t old = (keys->source_key[shift->word] & ~shift->keep) >> shift->shift;
    const int64_t value = (int64_t)old + shift->base + shift->delta;
    if (value < shift->low || value > shift->high)
      return false;
    keys->key[shift->word] =
        (keys->key[shift->word] & shift->keep) | (uint64_t)(value - shift->base) << shift->shift;
  }
  return true;
}

static VmResult run_updates(Keys *keys, const Transition *t, ClockUpdates *updates) {
  memcpy(keys->state, keys_source(keys), keys->layout->slots * sizeof(int32_t));
  vec_clear(updates);
  for (uint32_t i = 0; i < t->edge_count; i++) {
    const VmResult result = vm_update(keys->vm, &t->edges[i]->update, keys->state, updates);
    if (result != VM_TRUE)
      return result;
  }
  for (uint32_t i = 0; i < t->patch_count; i++)
    keys->state[t->patches[i].slot] = t->patches[i].value;
  keys_pack(keys);
  return VM_TRUE;
}

VmResult keys_move(Keys *keys, const Transition *t, ClockUpdates *updates) {
  keys->has_state = false;
  if (t->needs_update || t->needs_clocks)
    return run_updates(keys, t, updates);
  copy(keys, keys->key, keys->source_key);
  for (uint32_t i = 0; i < t->word_count; i++) {
    const WordPatch *patch = &t->words[i];
    keys->key[patch->word] = (keys->key[patch->word] & patch->keep) | patch->set;
  }
  return shift_slots(keys, t) ? VM_TRUE : run_updates(keys, t, updates); // which says why not
}
