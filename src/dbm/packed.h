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
//   Z' is not in a_LU(Z)  iff some Z[y][x] < Z'[y][x] with Z[y][x] + (<, -L_y) < Z'[0][x]
//     and (<=, -U_x) <= Z'[0][x].
// So each is a few comparisons of rows, whole vectors at a time. Plain inclusion uses
// forward = Z and only the first comparison.
#ifndef TARN_DBM_PACKED_H
#define TARN_DBM_PACKED_H

#include "dbm/extra.h"

enum { PACKED_SLACK = 64 };
// Bounds up to this can be added to any 16-bit entry of row 0 without overflow.
enum { PACKED_MOST_BOUND = 8000 };

typedef enum PackedFormat { PACKED_16, PACKED_32 } PackedFormat;

typedef enum ProbeKind { PROBE_INCLUSION, PROBE_ALU } ProbeKind;

typedef struct Probe {
  ProbeKind kind;
  uint32_t k;          // dimension, clock 0 included
  uint32_t stride;     // of the zone and of the images: dbm_stride(k)
  PackedFormat format; // smallest that holds Z
  bool is_narrow;      // zone and bounds are small: the 16-bit images below are made
  bool has_forward, has_back;
  int16_t *image;      // Z, padding INT16_MAX
  int16_t *forward;    // made when first needed
  int16_t *twice_lower, *use; // per clock: 2 L, (<=, -U)
  const Bound *zone;   // what the probe was made from
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
// dbm/extra.h; not used for PROBE_INCLUSION. `is_small`: no bound is above PACKED_MOST_BOUND.
// Zone and bounds must stay until the last test.
void probe_make(Probe *, ProbeKind, const Bound *zone, uint32_t k, const int32_t *lower,
                const int32_t *upper, bool is_small);

// Index of the first of `count` stored zones that covers the probe's zone, or count.
uint32_t probe_covered(Probe *, const void *zones, uint32_t count, PackedFormat);
// First index >= from whose zone is covered by the probe's zone, or count.
uint32_t probe_covers(Probe *, const void *zones, uint32_t from, uint32_t count, PackedFormat);

// Writes the probe's zone; the format must hold it.
void probe_write(const Probe *, void *to, PackedFormat);
// Reads a packed zone; the padding of the matrix becomes infinite.
void packed_read(Bound *zone, uint32_t k, const void *from, PackedFormat);

#endif
