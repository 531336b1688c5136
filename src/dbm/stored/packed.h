// Packed zones: how the store keeps matrices. dbm/stored/probe.h has the covering tests on them.
//
// A packed zone is a matrix of k x k entries, row major, without padding, in 16 bits if they fit,
// and in 32 otherwise. Local time packs zones in 8 bits, too (dbm/stored/offsetpack.h). Blocks of
// packed zones must have PACKED_SLACK readable bytes after the last one: the kernels read whole
// vectors.
#pragma once

#include "dbm/extra.h"

enum { PACKED_SLACK = 64 };
enum {
  PACKED_PADDING = 32
}; // zero bytes behind a probe's zone and, up to a multiple, zones in a table
// Bounds up to this can be added to any 16-bit entry of row 0 without overflow.
enum { PACKED_MAX_BOUND = 8000 };

typedef enum PackedFormat { PACKED_8, PACKED_16, PACKED_32 } PackedFormat;

// The same bounds for each entry of a matrix: 2 L_y + 1 and (<=, -U_x), the latter infinite if
// there is no L_y, and which bytes of row 0 are [0][x]. Made if a row is one vector; padded to
// whole vectors, in which nothing is used. Else NULL.
typedef struct PackedEntryBounds {
  int16_t *plus, *use;
  int8_t *columns;
} PackedEntryBounds;

// Bounds of the clocks of a zone as the tests want them; padded to a multiple of 32 readable
// entries.
typedef struct PackedBounds {
  bool is_small;        // the arrays are valid: no bound above PACKED_MAX_BOUND
  int16_t *twice_lower; // 2 L; negative: none
  int16_t *use;         // (<=, -U); INT16_MAX: none
  void *entry_room;     // NULL: they are never made
  PackedEntryBounds entries;
  const int32_t *lower, *upper; // as in dbm/extra.h
  uint32_t number;              // of these bounds, for what is remembered of tests; 0: nothing is
} PackedBounds;

// Lays out all arrays but `lower` and `upper`, in memory aligned to 2.
size_t packed_bounds_bytes(uint32_t k, bool has_entry_bounds);
void packed_bounds_init(PackedBounds *, void *memory, uint32_t k, bool has_entry_bounds);
// Fills them from `lower` and `upper`; clock 0 included, for no more clocks than were laid out.
void packed_bounds(PackedBounds *, uint32_t k);

static inline size_t packed_bytes(uint32_t k, PackedFormat format) {
  return (size_t)k * k << format;
}
// Reads a packed zone; the padding of the matrix becomes infinite.
void packed_read(Bound *zone, uint32_t k, const void *from, PackedFormat);
// Packs a matrix into a format that holds it, with PACKED_PADDING zero bytes behind it.
void packed_write(void *to, const Bound *zone, uint32_t k, PackedFormat);

// Cuts a tight matrix to 16 bits and writes whole vectors; false if it does not fit.
bool packed_cut(int16_t *to, const Bound *zone, uint32_t k);

// One entry of a packed zone.
static inline Bound packed_entry(const void *zone, PackedFormat format, uint32_t at) {
  if (format == PACKED_8) {
    const int8_t v = ((const int8_t *)zone)[at];
    return v == INT8_MAX ? BOUND_INF : v;
  }
  if (format == PACKED_32)
    return ((const Bound *)zone)[at];
  const int16_t v = ((const int16_t *)zone)[at];
  return v == INT16_MAX ? BOUND_INF : v;
}
