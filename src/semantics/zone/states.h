// Keys: the discrete states of the opened node and of the current one, in packed form. The states
// themselves are unpacked on demand.
#pragma once

#include "model/expr/vm.h"
#include "semantics/zone/transition.h"

typedef struct States {
  const StateLayout *layout;
  Vm *vm;
  uint64_t *source_key, *key;
  int32_t *source, *state; // states_source, states_state
  bool has_source;         // `source` is unpacked
  bool is_packed;          // `state` is still to be made from the key
  const Net *net;
} States;

void states_init(States *, Arena *, const Net *, const StateLayout *, Vm *);

bool states_initial(States *,
                    uint32_t ordinal); // becomes the current one; false if there is none
void states_open(States *, const uint64_t *source); // the current state is lost
void states_load(States *, const uint64_t *key);
const int32_t *states_source(States *);
const int32_t *states_state(States *);

static inline bool states_meet(const States *states, const Transition *t) {
  for (uint32_t i = 0; i < t->test_count; i++)
    if (!transition_test(&t->tests[i], states->source_key))
      return false;
  return true;
}

// The state after a transition as the Vm finds it.
VmResult states_run(States *, const Transition *, ClockUpdates *);

static inline void states_copy(const States *states, uint64_t *to, const uint64_t *from) {
  to[0] = from[0];
  for (uint32_t i = 1; i < states->layout->words; i++)
    to[i] = from[i];
}

// The key after a transition that the Vm need not run; false if a variable leaves its range, of
// which the key has some bits only.
static inline bool states_guess(const States *states, const Transition *t, uint64_t *key) {
  bool is_inside = true;
  states_copy(states, key, states->source_key);
  for (uint32_t i = 0; i < t->word_count; i++) {
    const WordPatch *patch = &t->words[i];
    key[patch->word] = (key[patch->word] & patch->keep) | patch->set;
  }
  for (uint32_t i = 0; i < t->shift_count; i++) {
    const Shift *shift = &t->shifts[i];
    const uint64_t old = (states->source_key[shift->word] & ~shift->keep) >> shift->shift;
    const int64_t value = (int64_t)old + shift->base + shift->delta;
    is_inside &= value >= shift->low && value <= shift->high;
    key[shift->word] = (key[shift->word] & shift->keep) |
                       ((uint64_t)(value - shift->base) << shift->shift & ~shift->keep);
  }
  return is_inside;
}

// The current state becomes that after the transition from the opened node; if the Vm has to
// run, it appends the clock updates to the (then cleared) list.
static inline VmResult states_fire(States *states, const Transition *t, ClockUpdates *updates) {
  if (t->needs_update || t->needs_clocks)
    return states_run(states, t, updates);
  states->is_packed = true;
  return states_guess(states, t, states->key) ? VM_TRUE
                                              : states_run(states, t, updates); // says why not
}
