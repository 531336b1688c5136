// Packed local zones: how the store keeps offset matrices, and the covering tests on them.
//
// Local zones are compared by their synchronised valuations, which are a global zone. With a_LU
// (dbm/simulation.h) that zone is never computed. With low = a and high = b (dbm/offset.h), and
// S[x][y] = min([x][y], a(x) + b(y)), Z is not covered by Z' iff
//   b'(y) < b(y) and b'(y) + (<, -L_y) < (<=, 0) for some y; or, for some x with a(x) >= (<=,
//   -U_x), a'(x) < a(x), or S'[x][y] < S[x][y] and S'[x][y] + (<, -L_y) < a(x) for some y.
// The minima a and b head each packed zone: they decide most tests. For covering by inclusion,
// after an extrapolation, the synchronised zone itself is the head.
//
// Layout: the head, then the rows of the shape with n entries each, in 8 or 16 bits while they
// fit and in 32 otherwise. Blocks must have PACKED_SLACK readable bytes after the last one.
#ifndef TARN_DBM_SYNCED_H
#define TARN_DBM_SYNCED_H

#include "dbm/offset.h"
#include "dbm/packed.h"

// Bounds of the clocks of a shape; arrays padded to dbm_stride(clocks).
typedef struct SyncedBounds {
  bool is_small;                // the 16-bit arrays are valid
  int16_t *twice_lower;         // 2 L, 0 for none
  int16_t *has_lower;           // -1 or 0
  int16_t *use;                 // (<=, -U); INT16_MAX: none
  const int32_t *lower, *upper; // CLOCK_NO_BOUND for none
} SyncedBounds;

void synced_bounds(SyncedBounds *, uint32_t clocks); // fills the 16-bit arrays

typedef struct SyncedProbe {
  ProbeKind kind;
  const OffsetShape *shape;
  const SyncedBounds *bounds;
  bool has_high; // some time has a row: b is part of the head
  bool is_short; // for tests only: leave out b and S, which is wrong
  const Bound *matrix;
  bool is_narrow; // the 16-bit test serves
  bool is_packed; // format and image are valid
  PackedFormat format;
  Bound *low, *high; // of the current zone
  int16_t *near;     // in 16 bits: low, high, then S, all padded to dbm_stride(clocks)
  int16_t *image;    // the current zone, packed
  Bound *wide;       // the same in 32 bits, if it needs them
  Bound *zone;       // PROBE_INCLUSION: the synchronised zone, extrapolated by the caller
  Probe inner;       // on it
} SyncedProbe;

// Memory for shapes of up to n variables and `rows` rows, `clocks` clocks among them.
size_t synced_bytes(uint32_t n, uint32_t rows, uint32_t clocks);
void synced_init(SyncedProbe *, void *memory, uint32_t n, uint32_t rows, uint32_t clocks);

size_t synced_body_bytes(ProbeKind, const OffsetShape *, bool has_high, PackedFormat);

// Prepares for a zone whose minima are in low and high (and, for PROBE_INCLUSION, whose
// synchronised zone is in `zone`); kind, shape, bounds and has_high are set by the caller.
void synced_make(SyncedProbe *, const Bound *matrix);
// The smallest format that holds the zone; at least 16 bits for PROBE_INCLUSION.
PackedFormat synced_format(SyncedProbe *);
uint32_t synced_covered(SyncedProbe *, const void *bodies, uint32_t count, PackedFormat);
uint32_t synced_covers(SyncedProbe *, const void *bodies, uint32_t from, uint32_t count,
                       PackedFormat);
void synced_write(SyncedProbe *, void *body, PackedFormat);
// Reads the rows of a packed zone.
void synced_read(Bound *matrix, ProbeKind, const OffsetShape *, bool has_high, const void *body,
                 PackedFormat);

#endif
