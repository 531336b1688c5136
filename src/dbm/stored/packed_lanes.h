// What packed zones (dbm/stored/packed.h) and the kernels for tests on them share.
#pragma once

#include "base/lanes.h"

#define INF16 INT16_MAX // what BOUND_INF becomes when cut to 16 bits

enum {
  PACKED_ROW_BYTES = 16,
  PACKED_VECTOR_BYTES = 32
}; // of vectors: for one row, for any entries

// From 16 - c on: c entries of ones, then zeros.
static const int16_t packed_tails[32] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};

DBM_INLINE uint32_t round_up(uint32_t size, uint32_t to) { return (size + to - 1) / to * to; }
