#include "base/bitsets.h"

#include "base/lanes.h"

// Words are read in whole vectors.
DBM_INLINE uint32_t find(const uint32_t *sets, uint32_t from, uint32_t end, uint32_t set,
                         bool is_within, uint32_t *found) {
  const Lanes32 given = (Lanes32){0} + (int32_t)set;
  uint32_t size = 0;
  for (uint32_t i = from; i < end; i += LANES) {
    const Lanes32 word = *(const Lanes32At *)(sets + i);
    const Lanes32 passed = (is_within ? word & ~given : given & ~word) == 0;
    for (uint32_t left = lanes_bits32(&passed); left; left &= left - 1)
      found[size++] = i + (uint32_t)__builtin_ctz(left);
  }
  while (size && found[size - 1] >= end)
    size--;
  return size;
}

DBM_CLONES static uint32_t find_including(const uint32_t *sets, uint32_t from, uint32_t end,
                                          uint32_t set, uint32_t *found) {
  return find(sets, from, end, set, false, found);
}

DBM_CLONES static uint32_t find_within(const uint32_t *sets, uint32_t from, uint32_t end,
                                       uint32_t set, uint32_t *found) {
  return find(sets, from, end, set, true, found);
}

uint32_t bitsets_including(const uint32_t *sets, uint32_t from, uint32_t end, uint32_t set,
                           uint32_t *found) {
  return find_including(sets, from, end, set, found);
}

uint32_t bitsets_within(const uint32_t *sets, uint32_t from, uint32_t end, uint32_t set,
                        uint32_t *found) {
  return find_within(sets, from, end, set, found);
}
