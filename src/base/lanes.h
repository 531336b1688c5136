// Vectors for the kernels on packed zones: GNU C vector types, which gcc and clang lower to
// whatever the processor (or the clone, base/clones.h) has. Values of these types stay inside
// inlined functions; memory is accessed through the unaligned types.
#pragma once

#include "base/clones.h"

#include <stdbool.h>
#include <string.h>

enum { LANES = 8 };

typedef int32_t Lanes32 __attribute__((vector_size(32)));
typedef int16_t Lanes16 __attribute__((vector_size(16)));
typedef int16_t Wide16 __attribute__((vector_size(32))); // two of them
typedef int8_t Lanes8 __attribute__((vector_size(8)));
typedef int8_t Bytes __attribute__((vector_size(16)));
// For sums that may wrap, in lanes that are never read.
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
LANES_DEFINE_PERMUTE(Bytes, 2 * LANES)
#else
#define LANES_PERMUTE(v, index) __builtin_shuffle((v), (index))
#endif

// Lanes of two vectors in turns: of their lower halves, of their upper ones.
#ifdef __clang__
#define LANES_LOW(a, b) __builtin_shufflevector((a), (b), 0, 8, 1, 9, 2, 10, 3, 11)
#define LANES_HIGH(a, b) __builtin_shufflevector((a), (b), 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LANES_LOW(a, b) __builtin_shuffle((a), (b), (Lanes16){0, 8, 1, 9, 2, 10, 3, 11})
#define LANES_HIGH(a, b) __builtin_shuffle((a), (b), (Lanes16){4, 12, 5, 13, 6, 14, 7, 15})
#endif

// Rows become columns: three times, each row of the first half is shuffled with one of the
// second.
DBM_INLINE void lanes_transpose(Lanes16 tile[LANES]) {
  for (int round = 0; round < 3; round++) {
    Lanes16 next[LANES];
    for (int i = 0; i < LANES / 2; i++) {
      next[2 * i] = LANES_LOW(tile[i], tile[i + LANES / 2]);
      next[2 * i + 1] = LANES_HIGH(tile[i], tile[i + LANES / 2]);
    }
    memcpy(tile, next, sizeof next);
  }
}

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

DBM_INLINE bool lanes_any32(const Lanes32 *mask) {
  uint64_t words[4];
  memcpy(words, mask, sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

// Masks, whose lanes are all ones or all zeros, as bits: of 16 bytes, of 8 words, of twice 8
// short ones. Then whether there is any, quicker than above.
#ifdef __SSE2__
typedef char LanesMaskAt __attribute__((vector_size(16), aligned(1), may_alias));
typedef float LanesFloatAt __attribute__((vector_size(16), aligned(1), may_alias));

DBM_INLINE uint32_t lanes_bits(const void *mask) {
  return (uint32_t)__builtin_ia32_pmovmskb128(*(const LanesMaskAt *)mask);
}

DBM_INLINE uint32_t lanes_bits32(const Lanes32 *mask) {
  const LanesFloatAt *halves = (const LanesFloatAt *)mask;
  return (uint32_t)(__builtin_ia32_movmskps(halves[0]) | __builtin_ia32_movmskps(halves[1]) << 4);
}

DBM_INLINE uint32_t lanes_bits16(const Lanes16 *low, const Lanes16 *high) {
  const LanesMaskAt packed = (LanesMaskAt)__builtin_ia32_packsswb128(*low, *high);
  return lanes_bits(&packed);
}
#else
DBM_INLINE uint32_t lanes_bits(const void *mask) {
  uint64_t words[2];
  memcpy(words, mask, sizeof words);
  for (int i = 0; i < 2; i++) // one bit of each byte, summed up in the last
    words[i] = (words[i] & 0x8040201008040201u) * 0x0101010101010101u >> 56;
  return (uint32_t)(words[0] | words[1] << 8);
}

DBM_INLINE uint32_t lanes_bits32(const Lanes32 *mask) {
  uint32_t words[LANES], bits = 0;
  memcpy(words, mask, sizeof words);
  for (uint32_t i = 0; i < LANES; i++)
    bits |= words[i] & 1u << i;
  return bits;
}

DBM_INLINE uint32_t lanes_bits16(const Lanes16 *low, const Lanes16 *high) {
  const Lanes8 halves[2] = {__builtin_convertvector(*low, Lanes8),
                            __builtin_convertvector(*high, Lanes8)};
  return lanes_bits(halves);
}
#endif

DBM_INLINE bool lanes_has_half(const void *mask) { return lanes_bits(mask) != 0; }

DBM_INLINE bool lanes_has(const void *mask) {
  Lanes16 halves[2];
  memcpy(halves, mask, sizeof halves);
  halves[0] |= halves[1];
  return lanes_has_half(&halves[0]);
}
