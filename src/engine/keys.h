// Keys: the discrete states of the opened node and of the current one, in packed form. The states
// themselves are unpacked when they are asked for.
#ifndef TARN_ENGINE_KEYS_H
#define TARN_ENGINE_KEYS_H

#include "engine/scene.h"

typedef struct Keys {
  const StateLayout *layout;
  Vm *vm;
  uint64_t *source_key, *key;
  int32_t *source, *state;    // keys_source, keys_state
  bool has_source, has_state; // they are unpacked
} Keys;

void keys_init(Keys *, Arena *, const StateLayout *, Vm *);

void keys_open(Keys *, const uint64_t *source);
void keys_load(Keys *, const uint64_t *key);
void keys_pack(Keys *); // `state` has been filled: it is the current one
const int32_t *keys_source(Keys *);
const int32_t *keys_state(Keys *);

static inline bool keys_meet(const Keys *keys, const Transition *t) {
  for (uint32_t i = 0; i < t->test_count; i++)
    if (!scene_test(&t->tests[i], keys->source_key))
      return false;
  return true;
}

// The current state becomes that after the transition from the opened node; if the Vm has to
// run, it appends the clock updates to the (then cleared) list.
VmResult keys_move(Keys *, const Transition *, ClockUpdates *);

#endif
