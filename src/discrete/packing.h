// Packing: a discrete state and one small number per clock in the bits that they need, as a key
// of base/keytable.h. The clocks follow the state; a field never crosses a 64-bit word.
#ifndef TARN_DISCRETE_PACKING_H
#define TARN_DISCRETE_PACKING_H

#include "model/state.h"

typedef struct ClockField {
  ClockIndex clock;
  uint32_t word, shift;
  uint64_t mask; // unshifted
} ClockField;

typedef struct Packing {
  StateLayout layout;
  uint32_t words, bytes; // bytes in use: the rest of the last word is zero
  ClockField *fields;    // of the clocks that need bits
  uint32_t field_count;
} Packing;

uint32_t packing_bits(uint32_t most); // that numbers from 0 to `most` need

// Values of clock x range from 0 to most[x]; most[0] is not looked at.
void packing_init(Packing *, Arena *, const Net *, const int32_t *most);
// In two steps, as many values follow one state.
void packing_state(const Packing *, uint64_t *key, const int32_t *state);
void packing_values(const Packing *, uint64_t *key, const uint64_t *state_key,
                    const int32_t *values);
// Clocks without bits become 0.
void packing_read(const Packing *, const uint64_t *key, int32_t *state, int32_t *values,
                  uint32_t clocks);

#endif
