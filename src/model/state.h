// Discrete states: int32 slots, variables first, then the location of each process as its local
// index (Net.location_slot). States are stored packed: each slot takes the bits that its range
// needs, and the whole state takes StateLayout.bytes.
#pragma once

#include "model/net.h"

typedef struct StateField {
  uint32_t word, shift; // in 64-bit words; a field never crosses a word
  uint64_t mask;        // unshifted
  int32_t low;          // value stored as value - low
} StateField;

typedef struct StateLayout {
  uint32_t slots;
  uint32_t words;           // packed size in 64-bit words
  uint32_t bytes;           // bytes of it in use: the rest of the last word is zero
  const StateField *fields; // by slot; words ascend
  const uint32_t *first;    // by word, and one more: its first slot
} StateLayout;

uint32_t state_bits(uint32_t max); // that numbers from 0 to `max` need

void state_layout(StateLayout *, Arena *, const Net *);
// With more slots behind those of the net, for values from 0 to most[i].
void state_layout_with(StateLayout *, Arena *, const Net *, const int32_t *max, uint32_t more);
void state_pack(const StateLayout *, uint64_t *packed, const int32_t *state);
void state_unpack(const StateLayout *, int32_t *state, const uint64_t *packed);
// Whether all values of a packed state from an untrusted source are in their ranges.
bool state_is_in_range(const StateLayout *, const Net *, const uint64_t *packed);

// The initial state with this number; false if there are fewer. They are the product of the
// initial locations of the processes, the last process fastest.
bool state_initial(const Net *, int32_t *state, uint32_t ordinal);

bool state_may_delay(const Net *, const int32_t *state); // none is urgent or committed

// `P1.cs,P2.A,id=0`: locations and variables, as errors and tools show them.
void state_print(Text *, const Net *, const int32_t *state);
// The same for people, with folded arrays: `queue=[2,1,0*8]` ends with eight zeros. With the
// state `before`, only the variables that have changed.
void state_show(Text *, const Net *, const int32_t *state, const int32_t *before);
