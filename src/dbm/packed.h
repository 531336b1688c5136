// Packed zones: how the store keeps matrices, and the covering tests on them.
//
// A packed zone is a matrix of k x k entries, row major, without padding, in 16 bits while they
// fit and in 32 otherwise. Blocks of packed zones must have PACKED_SLACK readable bytes
// after the last one: the kernels read whole vectors.
//
// A Probe holds a new zone Z prepared for both tests against stored zones Z':
//   covered: Z included in the abstraction of Z',  covers: Z' included in that of Z.
// For inclusion modulo a_LU (see dbm/simulation.h) with y and x ranging over the clocks:
//   Z  is not in a_LU(Z') iff some Z'[y][x] < forward[y][x], where
//     forward[y][x] = min(Z[y][x], Z[0][x] - (<, -L_y)) if Z[0][x] >= (<=, -U_x), else -inf;
//   Z' is not in a_LU(Z)  iff some back[y][x] < Z'[y][x], low[y][x] < Z'[0][x] and
//     use[x] <= Z'[0][x], where back = Z, low[y][x] = Z[y][x] + (<, -L_y), use[x] = (<=, -U_x).
// So each is one comparison per entry of two matrices, whole vectors at a time. Values that do
// not fit into 16 bits are clipped in the probe in a way that keeps every comparison exact.
// Plain inclusion uses forward = back = Z and no other test.
#ifndef TARN_DBM_PACKED_H
#define TARN_DBM_PACKED_H

#include "dbm/extra.h"

enum { PACKED_SLACK = 64 };

typedef enum PackedFormat { PACKED_16, PACKED_32 } PackedFormat;

typedef enum ProbeKind { PROBE_INCLUSION, PROBE_ALU } ProbeKind;

// Which of the images are made: each when it is first needed.
enum { PROBE_FORWARD = 1, PROBE_BACK = 2, PROBE_WIDE = 4 };

typedef struct Probe {
  ProbeKind kind;
  uint32_t k;      // dimension, clock 0 included
  uint32_t stride; // of the zone and of the arrays below: dbm_stride(k)
  PackedFormat format; // smallest that holds Z
  int made;
  int16_t *forward, *back, *low, *use;
  int32_t *wide_forward, *wide_back, *wide_low, *wide_use; // for 32-bit blocks
  // What the probe was made from.
  const Bound *zone;
  const int32_t *lower, *upper;
} Probe;

static inline size_t packed_bytes(uint32_t k, PackedFormat format) {
  return (size_t)k * k * (format == PACKED_16 ? sizeof(int16_t) : sizeof(int32_t));
}
// Bytes that a probe for up to n clocks needs, all its arrays together.
size_t probe_bytes(uint32_t n);
// Lays the arrays of a probe out in `memory` (probe_bytes(n), aligned to 64).
void probe_init(Probe *, void *memory, uint32_t n);

// Prepares for the zone (tight, non-empty, dimension k). The bounds are indexed by clock, as in
// dbm/extra.h, with dbm_stride(k) readable entries; not used for PROBE_INCLUSION. Zone and bounds
// must stay until the last test.
void probe_make(Probe *, ProbeKind, const Bound *zone, uint32_t k, const int32_t *lower,
                const int32_t *upper);

// Index of the first of `count` stored zones that covers the probe's zone, or count.
uint32_t probe_covered(Probe *, const void *zones, uint32_t count, PackedFormat);
// First index >= from whose zone is covered by the probe's zone, or count.
uint32_t probe_covers(Probe *, const void *zones, uint32_t from, uint32_t count, PackedFormat);

// The zone must fit into the format.
void packed_write(void *to, PackedFormat, const Bound *zone, uint32_t k);
// The padding of the matrix is left as it is.
void packed_read(Bound *zone, uint32_t k, const void *from, PackedFormat);

#endif
