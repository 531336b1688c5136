// Packed local zones: how they are kept in a table (dbm/stored/zonetable.h), as strings of bytes.
//
// Layout: first the minima `low` of all clocks (dbm/offset.h), which say under which ceilings the
// zone has synchronised valuations; then the rows of the shape with n entries each. Entries have
// 8 or 16 bits if they fit (16 bits hold values up to OFFSETSTEP_MAX16, dbm/kernel/offsetstep.h)
// and 32 bits otherwise. PACKED_SLACK bytes after the end must be readable.
#pragma once

#include "base/lanes.h"
#include "dbm/offset.h"
#include "dbm/stored/zonetable.h"

typedef struct OffsetPack {
  bool only_32;
  PackedFormat format;
  const void *entries; // one of the images, or what the owner put here
  int8_t *image8;
  int16_t *image16;
  Bound *image32;
} OffsetPack;

// Entries of the largest zone of shapes with n variables and up to `rows` rows.
static inline size_t offsetpack_max(uint32_t n, uint32_t rows, uint32_t clocks) {
  return clocks + (size_t)rows * n;
}
// Memory for such zones, aligned to 64.
size_t offsetpack_room(size_t max);
void offsetpack_init(OffsetPack *, void *memory, size_t max);

size_t offsetpack_bytes(const OffsetShape *, PackedFormat);
// Packs a zone in the smallest format that holds it.
void offsetpack_make(OffsetPack *, const OffsetShape *, const Bound *matrix, const Bound *low);
// The zone in image16, which fits into 8 bits, becomes one of these.
void offsetpack_narrow(OffsetPack *, const OffsetShape *);
// Reads the rows of a packed zone; the padding becomes infinite.
void offsetpack_read(Bound *matrix, const OffsetShape *, const void *entries, PackedFormat);
// The zone of the synchronised valuations of a packed zone that has some: a matrix of clock_rows
// + 1, clock 0 first. With a = low and b(x) = min of [t][x], which follows from the ceilings and
// the frozen times, it has the bounds a, b, and of y - x min([x][y], a(x) + b(y)). `rows` is room
// for two times dbm_stride(clocks).
void offsetpack_synchronise(Bound *zone, const OffsetShape *, const void *entries, PackedFormat,
                            const Constraint *ceilings, uint32_t count, Bound *rows);
// The same in 16 bits without padding (dbm/stored/packed.h), with room for a vector behind it,
// from a zone in 8 or 16. False if a ceiling is too large for that. `high` is room for the
// clocks, and a vector more.
bool offsetpack_synchronise16(int16_t *zone, const OffsetShape *, const void *entries,
                              PackedFormat, const Constraint *ceilings, uint32_t count,
                              int16_t *high);
// The first index >= from of a zone in a table, of the same shape, that includes a packed zone
// entry by entry, or, with `is_inner`, is so included in it; or count. Then the synchronised
// valuations are included too, under any ceilings. Looks only at zones of the same format.
uint32_t offsetpack_find(const ZoneTable *, const OffsetShape *, const void *entries,
                         PackedFormat, const ZoneRef *, uint32_t from, uint32_t count,
                         bool is_inner);
// As offset_can_meet for a packed zone that can meet without ceilings.
bool offsetpack_can_meet(const void *entries, PackedFormat, const Constraint *ceilings,
                         uint32_t count);
// The same for zones in 8 bits in one step, with what the ceilings ask of the minima: `least`, of
// offsetpack_padded(clocks) bytes.
static inline uint32_t offsetpack_padded(uint32_t clocks) { return (clocks + 15) / 16 * 16; }
void offsetpack_least(int8_t *least, uint32_t clocks, const Constraint *ceilings, uint32_t count);
static inline bool offsetpack_is_least(const void *entries, const int8_t *least,
                                       uint32_t clocks) {
  for (uint32_t x = 0; x < clocks; x += 16) {
    const Bytes low = *(const BytesAt *)((const int8_t *)entries + x);
    const Bytes less = low < *(const BytesAt *)(least + x);
    if (lanes_has_half(&less))
      return false;
  }
  return true;
}
