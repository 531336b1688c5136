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
typedef int16_t Wide16 __attribute__((vector_size(32))); // two of them
typedef int8_t Lanes8 __attribute__((vector_size(8)));
typedef int8_t Bytes __attribute__((vector_size(16)));
// For sums that may wrap, in lanes that nobody looks at.
typedef uint16_t Unsigned16 __attribute__((vector_size(16)));
typedef uint16_t WideUnsigned16 __attribute__((vector_size(32)));
typedef int32_t Lanes32At __attribute__((vector_size(32), aligned(4), may_alias));
typedef int16_t Lanes16At __attribute__((vector_size(16), aligned(2), may_alias));
typedef int16_t Wide16At __attribute__((vector_size(32), aligned(2), may_alias));
typedef int8_t BytesAt __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t Lanes8At __attribute__((vector_size(8), aligned(1), may_alias));

// 8 numbers of 8 bits, of 16 that can be read: each byte twice, then shifted back. Converting
// vectors that are not whole registers takes gcc more.
DBM_INLINE Lanes16 lanes_widen(const int8_t *from) {
  const Bytes v = *(const BytesAt *)from;
#ifdef __clang__
  const Bytes twice =
      __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
#else
  const Bytes twice =
      __builtin_shuffle(v, (Bytes){0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7});
#endif
  return (Lanes16)twice >> 8;
}

DBM_INLINE Wide16 lanes_widen_wide(const int8_t *from) {
  return __builtin_convertvector(*(const BytesAt *)from, Wide16);
}

// Lane i of the result is lane index[i] of v, modulo the number of lanes.
#ifdef __clang__
#define LANES_PERMUTE(v, index) lanes_permute((v), (index))
#define LANES_DEFINE_PERMUTE(Vector, count)                                                      \
  static inline __attribute__((always_inline, overloadable)) Vector lanes_permute(               \
      Vector v, Vector index) {                                                                  \
    Vector result;                                                                               \
    for (int i = 0; i < (count); i++)                                                            \
      result[i] = v[index[i] & ((count)-1)];                                                     \
    return result;                                                                               \
  }
LANES_DEFINE_PERMUTE(Lanes32, LANES)
LANES_DEFINE_PERMUTE(Lanes16, LANES)
LANES_DEFINE_PERMUTE(Wide16, 2 * LANES)
#else
#define LANES_PERMUTE(v, index) __builtin_shuffle((v), (index))
#endif

// The same for bytes.
typedef int8_t LanesBytes __attribute__((vector_size(16)));
typedef int8_t LanesBytesAt __attribute__((vector_size(16), aligned(1), may_alias));
#ifdef __clang__
DBM_INLINE LanesBytes lanes_shuffle(LanesBytes v, LanesBytes index) {
  LanesBytes result;
  for (int i = 0; i < 16; i++)
    result[i] = v[index[i] & 15];
  return result;
}
#define LANES_SHUFFLE(v, index) lanes_shuffle((v), (index))
#else
#define LANES_SHUFFLE(v, index) __builtin_shuffle((v), (index))
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
