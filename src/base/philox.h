// Random numbers by counter: Philox4x32 with ten rounds. A stream depends on its seed and its
// number alone, so run i of seed s is the same on any thread, in any order.
//
// A block of four words is the cipher of the counter (block number, stream number) under the key
// (seed). Blocks are made one after the other; nothing else is kept.
#pragma once

#include <stdint.h>

typedef struct Philox {
  uint64_t seed, number;
  uint64_t block;    // the next one
  uint64_t words[2]; // of the present block
  uint32_t left;     // words that were not given out
} Philox;

// Ciphers the counter in place.
void philox_cipher(uint32_t counter[4], uint32_t key_low, uint32_t key_high);

static inline void philox_start(Philox *stream, uint64_t seed, uint64_t number) {
  *stream = (Philox){.seed = seed, .number = number};
}
void philox_fill(Philox *); // makes the next block

static inline uint64_t philox_next(Philox *stream) {
  if (!stream->left)
    philox_fill(stream);
  return stream->words[--stream->left];
}

// Uniform in (0, 1), without the ends: the logarithm is finite.
static inline double philox_real(Philox *stream) {
  return ((double)(philox_next(stream) >> 11) + 0.5) * 0x1p-53;
}

// Uniform in 0..n-1; n must not be 0. The bias is below n / 2^32.
static inline uint32_t philox_below(Philox *stream, uint32_t n) {
  return (uint32_t)(((philox_next(stream) >> 32) * n) >> 32);
}
