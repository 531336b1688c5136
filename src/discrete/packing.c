#include "discrete/packing.h"

#include <assert.h>
#include <string.h>

uint32_t packing_bits(uint32_t most) { return most ? 32u - (uint32_t)__builtin_clz(most) : 0; }

// Bits of the last word of a state that are in use.
static uint32_t used_bits(const StateLayout *layout) {
  uint32_t used = 0;
  for (uint32_t slot = layout->first[layout->words - 1]; slot < layout->slots; slot++) {
    const StateField *field = &layout->fields[slot];
    const uint32_t end = field->shift + packing_bits((uint32_t)field->mask);
    used = end > used ? end : used;
  }
  return used;
}

void packing_init(Packing *packing, Arena *arena, const Net *net, const int32_t *most) {
  *packing = (Packing){.fields = ARENA_ARRAY(arena, ClockField, net->clock_count)};
  state_layout(&packing->layout, arena, net);
  uint32_t word = packing->layout.words - 1, used = used_bits(&packing->layout);
  for (ClockIndex x = 1; x <= net->clock_count; x++) {
    const uint32_t bits = packing_bits((uint32_t)most[x]);
    if (!bits)
      continue;
    if (used + bits > 64) {
      word++;
      used = 0;
    }
    packing->fields[packing->field_count++] =
        (ClockField){x, word, used, ((uint64_t)1 << bits) - 1};
    used += bits;
  }
  packing->words = word + 1;
  packing->bytes = word * 8 + (used > 8 ? (used + 7) / 8 : 1);
}

void packing_state(const Packing *packing, uint64_t *key, const int32_t *state) {
  state_pack(&packing->layout, key, state);
  for (uint32_t word = packing->layout.words; word < packing->words; word++)
    key[word] = 0;
}

void packing_values(const Packing *packing, uint64_t *key, const uint64_t *state_key,
                    const int32_t *values) {
  const ClockField *field = packing->fields, *end = field + packing->field_count;
  for (uint32_t word = 0; word < packing->words; word++) {
    uint64_t bits = state_key[word];
    for (; field < end && field->word == word; field++) {
      assert(values[field->clock] >= 0 && (uint64_t)values[field->clock] <= field->mask);
      bits |= (uint64_t)(uint32_t)values[field->clock] << field->shift;
    }
    key[word] = bits;
  }
}

void packing_read(const Packing *packing, const uint64_t *key, int32_t *state, int32_t *values,
                  uint32_t clocks) {
  state_unpack(&packing->layout, state, key);
  memset(values, 0, clocks * sizeof *values);
  for (uint32_t i = 0; i < packing->field_count; i++) {
    const ClockField *field = &packing->fields[i];
    values[field->clock] = (int32_t)(key[field->word] >> field->shift & field->mask);
  }
}
