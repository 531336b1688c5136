// Vectors for the kernels on packed zones: GNU C vector types, which gcc and clang lower to
// whatever the processor (or the clone, dbm/clones.h) has. Values of these types stay inside
// inlined functions; memory is accessed through the unaligned types.
#ifndef TARN_DBM_LANES_H
#define TARN_DBM_LANES_H

#include "dbm/clones.h"

#include <stdbool.h>
#include <string.h>

enum { LANES = 8 };

typedef int32_t Lanes32 __attribute__((vector_size(32)));
typedef int16_t Lanes16 __attribute__((vector_size(16)));
typedef int8_t Lanes8 __attribute__((vector_size(8)));
// For sums that may wrap, in lanes that nobody looks at.
typedef uint16_t Unsigned16 __attribute__((vector_size(16)));
typedef int8_t Lanes8 __attribute__((vector_size(8)));
typedef int8_t Lanes8At __attribute__((vector_size(8), aligned(1), may_alias));
typedef int32_t Lanes32At __attribute__((vector_size(32), aligned(4), may_alias));
typedef int16_t Lanes16At __attribute__((vector_size(16), aligned(2), may_alias));
typedef int8_t Lanes8At __attribute__((vector_size(8), aligned(1), may_alias));

// Lane i of the result is lane index[i] of v.
#ifdef __clang__
DBM_INLINE Lanes32 lanes_permute(Lanes32 v, Lanes32 index) {
  Lanes32 result;
  for (int i = 0; i < LANES; i++)
    result[i] = v[index[i] & (LANES - 1)];
  return result;
}
#define LANES_PERMUTE(v, index) lanes_permute((v), (index))
#else
#define LANES_PERMUTE(v, index) __builtin_shuffle((v), (index))
#endif

// Whether some lane of a mask is set: masks of 16 and of 32 bytes, then typed ones.
DBM_INLINE bool lanes_any_half(const void *mask) {
  uint64_t words[2];
  memcpy(words, mask, sizeof words);
  return (words[0] | words[1]) != 0;
}

DBM_INLINE bool lanes_any(const void *mask) {
  Lanes16 halves[2];
  memcpy(halves, mask, sizeof halves);
  halves[0] |= halves[1];
  return lanes_any_half(&halves[0]);
}

DBM_INLINE bool lanes_any16(const Lanes16 *mask) {
  uint64_t words[2];
  memcpy(words, mask, sizeof words);
  return (words[0] | words[1]) != 0;
}

DBM_INLINE bool lanes_any32(const Lanes32 *mask) {
  uint64_t words[4];
  memcpy(words, mask, sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

#endif
