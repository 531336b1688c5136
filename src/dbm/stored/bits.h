// Fields of bits in a string of bytes, starting at the lowest bit of each byte. Eight bytes are
// read at once, so eight more bytes must be readable after the end of the string.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { BITS_MAX = 57 }; // of a window, whatever its offset

static inline uint64_t bits_window(const uint8_t *bytes, size_t at) {
  const uint8_t *p = bytes + at / 8;
  const uint64_t eight = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
                         (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                         (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
  return eight >> at % 8;
}

// Fields of up to 32 bits.
static inline uint32_t bits_get(const uint8_t *bytes, size_t *at, uint32_t width) {
  const uint64_t field = bits_window(bytes, *at) & (((uint64_t)1 << width) - 1);
  *at += width;
  return (uint32_t)field;
}

static inline int32_t bits_signed(uint32_t field, uint32_t width) {
  const uint32_t sign = (uint32_t)(((uint64_t)1 << width) >> 1);
  return (int32_t)((field ^ sign) - sign);
}

// Into bytes that are zero.
static inline void bits_put(uint8_t *bytes, size_t *at, uint32_t width, uint32_t value) {
  uint64_t field = (value & (((uint64_t)1 << width) - 1)) << *at % 8;
  for (uint8_t *p = bytes + *at / 8; field; field >>= 8)
    *p++ |= (uint8_t)field;
  *at += width;
}

// Passes zeros and the one behind them, which must be there; returns how many zeros.
static inline uint32_t bits_next_one(const uint8_t *bytes, size_t *at) {
  const uint64_t mask = ((uint64_t)1 << BITS_MAX) - 1;
  uint32_t zeros = 0;
  uint64_t window;
  while (!((window = bits_window(bytes, *at)) & mask)) {
    zeros += BITS_MAX;
    *at += BITS_MAX;
  }
  const uint32_t more = (uint32_t)__builtin_ctzll(window);
  *at += more + 1;
  return zeros + more;
}

// Bits of a number; and of a signed one, if `spread`s of several are or-ed: 0 for 0 alone.
static inline uint32_t bits_of(uint32_t value) {
  return value ? 32 - (uint32_t)__builtin_clz(value) : 0;
}
static inline uint32_t bits_spread(int32_t value) {
  return value < 0 ? (uint32_t)~value << 1 | 1 : (uint32_t)value << 1;
}
