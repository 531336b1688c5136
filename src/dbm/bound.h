// Bounds: an upper bound `< c`, `<= c` or infinity on a clock difference, in one int32_t.
//
// Representation: (c << 1) | 1 for `<= c`, (c << 1) for `< c`, BOUND_INF for none. The order
// of the integers is the order of the bounds. Finite constants stay within +-BOUND_MAX, so
// that the sum of three bounds does not reach BOUND_INF; operations keep to that range or say
// so (dbm_in_range), they never wrap.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef int32_t Bound;

// Its low half is INT16_MAX, so that cutting a bound to 16 bits keeps infinity
// (dbm/stored/packed.h).
#define BOUND_INF ((Bound)0x3fff7fff)
#define BOUND_LE_ZERO ((Bound)1)
#define BOUND_LT_ZERO ((Bound)0)
// Largest constant of a finite bound in a stored matrix.
#define BOUND_MAX ((int32_t)1 << 27)

static inline Bound bound_le(int32_t c) { return (Bound)((uint32_t)c << 1 | 1u); }
static inline Bound bound_lt(int32_t c) { return (Bound)((uint32_t)c << 1); }
static inline Bound bound_make(int32_t c, bool strict) {
  return strict ? bound_lt(c) : bound_le(c);
}
static inline int32_t bound_constant(Bound b) { return b >> 1; }
static inline bool bound_is_strict(Bound b) { return !(b & 1); }

// Sum without the test for infinity: right when both are finite.
static inline Bound bound_sum_finite(Bound a, Bound b) { return a + b - ((a | b) & 1); }

static inline Bound bound_sum(Bound a, Bound b) {
  return a == BOUND_INF || b == BOUND_INF ? BOUND_INF : bound_sum_finite(a, b);
}

// The bound on y - x of the complement of `x - y <= b`; b finite.
static inline Bound bound_negate(Bound b) { return 1 - b; }

// Moved by the constant c.
static inline Bound bound_shift(Bound b, int32_t c) { return b == BOUND_INF ? b : b + 2 * c; }

static inline Bound bound_min(Bound a, Bound b) { return a < b ? a : b; }
