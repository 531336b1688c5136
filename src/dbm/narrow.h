// The covering kernels for one width of entries. A template: dbm/packed.c includes it once for
// each width, with NARROW_T (the entry), NARROW_UT (the same, unsigned), NARROW_SIZE (its bytes)
// and NARROW_NAME(name), which marks the names, defined; otherwise it is empty.
//
// Scans look first where the last zone failed: the next one is likely to fail there too.

#ifdef NARROW_T

#include "dbm/lanes.h"

enum { NARROW_NAME(ROW_LANES) = 16 / NARROW_SIZE, NARROW_NAME(FLAT_LANES) = 32 / NARROW_SIZE };

typedef NARROW_T NARROW_NAME(Row) __attribute__((vector_size(16)));
typedef NARROW_UT NARROW_NAME(UnsignedRow) __attribute__((vector_size(16)));
typedef NARROW_T NARROW_NAME(RowAt) __attribute__((vector_size(16), aligned(1), may_alias));
typedef NARROW_T NARROW_NAME(Flat) __attribute__((vector_size(32)));
typedef NARROW_T NARROW_NAME(FlatAt) __attribute__((vector_size(32), aligned(1), may_alias));

#define ROW_LANES NARROW_NAME(ROW_LANES)
#define FLAT_LANES NARROW_NAME(FLAT_LANES)
#define Row NARROW_NAME(Row)
#define UnsignedRow NARROW_NAME(UnsignedRow)
#define RowAt NARROW_NAME(RowAt)
#define Flat NARROW_NAME(Flat)
#define FlatAt NARROW_NAME(FlatAt)

// The probe in this width: `inner` when it is tested for being covered, `outer` when it covers.
typedef struct NARROW_NAME(Image) {
  uint32_t k;
  const NARROW_T *inner, *outer;
  const NARROW_T *twice_lower, *use; // PackedBounds
} NARROW_NAME(Image);
#define Image NARROW_NAME(Image)

// Whether a piece of `small` from `at` on is not all inside `big`. What lies behind the last
// entry is masked, unless it is known to be equal in both (`is_padded`).
DBM_INLINE bool NARROW_NAME(piece_fails)(const NARROW_T *small, const NARROW_T *big, uint32_t at,
                                         uint32_t size, bool is_padded) {
  const Flat inner = *(const FlatAt *)(small + at);
  Flat found = *(const FlatAt *)(big + at) < inner;
  if (!is_padded && size - at < FLAT_LANES)
    found &= *(const FlatAt *)(packed_tails + 32 - (size - at) * NARROW_SIZE);
  return lanes_any(&found);
}

// Whether `small` is not inside `big`: the entries compared one after the other, whatever
// their row.
DBM_INLINE bool NARROW_NAME(is_outside)(uint32_t size, const NARROW_T *small, const NARROW_T *big,
                                        bool is_padded, uint32_t *hint) {
  if (NARROW_NAME(piece_fails)(small, big, *hint, size, is_padded))
    return true;
  for (uint32_t at = 0; at < size; at += FLAT_LANES)
    if (NARROW_NAME(piece_fails)(small, big, at, size, is_padded)) {
      *hint = at;
      return true;
    }
  return false;
}

// The columns that can serve as x in the test of a_LU, as a mask: those with (<=, -U_x) <=
// [0][x]. What lies behind the last column is masked.
DBM_INLINE void NARROW_NAME(find_used)(const Image *p, const NARROW_T *small, uint32_t block,
                                       Row *used) {
  *used = *(const RowAt *)(p->use + block) <= *(const RowAt *)(small + block);
  if (p->k - block < ROW_LANES)
    *used &= *(const RowAt *)(packed_tails + 32 - (p->k - block) * NARROW_SIZE);
}

// Whether row y, in one block of columns, shows that `small` is not inside a_LU of `big`. For raw
// v the test v + (<, -L) < z is (v & ~1) < z + 2 L.
DBM_INLINE bool NARROW_NAME(row_fails)(const Image *p, const NARROW_T *small, const NARROW_T *big,
                                       uint32_t y, uint32_t block, const Row *used) {
  const uint32_t at = y * p->k + block;
  const Row outer = *(const RowAt *)(big + at);
  Row found = (outer < *(const RowAt *)(small + at)) & *used;
  if (!lanes_any_half(&found))
    return false;
  const NARROW_T twice = p->twice_lower[y];
  // The sum may wrap in lanes that are not used: unsigned, lest it be undefined.
  const UnsignedRow zero = (UnsignedRow) * (const RowAt *)(small + block);
  const Row limit = (Row)(zero + (NARROW_UT)twice);
  found &= (outer & ~1) < limit;
  return twice >= 0 && lanes_any_half(&found);
}

DBM_INLINE bool NARROW_NAME(is_outside_alu)(const Image *p, const NARROW_T *small,
                                            const NARROW_T *big, uint32_t *hint) {
  Row used;
  NARROW_NAME(find_used)(p, small, 0, &used);
  if (NARROW_NAME(row_fails)(p, small, big, *hint, 0, &used))
    return true;
  for (uint32_t block = 0; block < p->k; block += ROW_LANES) {
    if (block)
      NARROW_NAME(find_used)(p, small, block, &used);
    for (uint32_t y = 0; y < p->k; y++)
      if (NARROW_NAME(row_fails)(p, small, big, y, block, &used)) {
        *hint = block ? *hint : y;
        return true;
      }
  }
  return false;
}

// Whether a packed zone covers the probe's, or is covered by it.
DBM_INLINE bool NARROW_NAME(covered)(const Image *p, const NARROW_T *zone, bool is_alu,
                                     bool is_padded, uint32_t *hint) {
  return is_alu ? !NARROW_NAME(is_outside_alu)(p, p->inner, zone, hint)
                : !NARROW_NAME(is_outside)(p->k * p->k, p->inner, zone, is_padded, hint);
}

DBM_INLINE bool NARROW_NAME(covers)(const Image *p, const NARROW_T *zone, bool is_alu,
                                    bool is_padded, uint32_t *hint) {
  return is_alu ? !NARROW_NAME(is_outside_alu)(p, zone, p->outer, hint)
                : !NARROW_NAME(is_outside)(p->k * p->k, zone, p->outer, is_padded, hint);
}

// Scans of zones of a table; see dbm/zonetable.h. Most zones fail where the last one did: a look
// there, with all that is known of the probe made before, passes over them. Rows must be one
// vector for a_LU. Zones in other formats are rare.
typedef struct NARROW_NAME(Look) {
  uint32_t at;    // where to look
  Row own, even;  // the probe's row there; the same without strictness
  Row limit;      // for a probe that is to be covered: [0][x] + 2 L
  Row plus;       // 2 L
  Row use, valid; // (<=, -U); the columns
  Flat piece;     // for inclusion
} NARROW_NAME(Look);
#define Look NARROW_NAME(Look)

// `own` is the probe's image for the direction of the test.
DBM_INLINE void NARROW_NAME(aim)(const Image *p, const NARROW_T *own, uint32_t hint, bool is_alu,
                                 Look *look) {
  if (!is_alu) {
    look->at = hint;
    look->piece = *(const FlatAt *)(own + hint);
    return;
  }
  look->at = hint * p->k;
  memset(&look->valid, 0xff, sizeof look->valid);
  if (p->k < ROW_LANES)
    look->valid = *(const RowAt *)(packed_tails + 32 - p->k * NARROW_SIZE);
  look->use = *(const RowAt *)p->use;
  look->own = *(const RowAt *)(own + look->at);
  look->even = look->own & ~1;
  look->plus = (Row){0} + p->twice_lower[hint];
  // Sums may wrap in lanes that are not used: unsigned, lest it be undefined.
  look->limit = (Row)((UnsignedRow) * (const RowAt *)own + (UnsignedRow)look->plus);
}

// Whether the look shows that the zone does not cover the probe's. Columns that cannot serve as x
// never do: the probe's entries there are as small as can be.
DBM_INLINE bool NARROW_NAME(misses)(const Look *look, const NARROW_T *zone, bool is_alu) {
  if (!is_alu) {
    const Flat found = *(const FlatAt *)(zone + look->at) < look->piece;
    return lanes_any(&found);
  }
  const Row outer = *(const RowAt *)(zone + look->at);
  const Row found = (outer < look->own) & ((outer & ~1) < look->limit);
  return lanes_any_half(&found);
}

// Whether it shows that the probe's zone does not cover this one.
DBM_INLINE bool NARROW_NAME(escapes)(const Look *look, const NARROW_T *zone, bool is_alu) {
  if (!is_alu) {
    const Flat found = look->piece < *(const FlatAt *)(zone + look->at);
    return lanes_any(&found);
  }
  const Row zero = *(const RowAt *)zone;
  const Row limit = (Row)((UnsignedRow)zero + (UnsignedRow)look->plus);
  const Row found = (look->own < *(const RowAt *)(zone + look->at)) & (look->even < limit) &
                    (look->use <= zero) & look->valid;
  return lanes_any_half(&found);
}

DBM_INLINE uint32_t NARROW_NAME(scan_covered)(const ZoneTable *table, const Image *p,
                                              Probe *probe, const ZoneRef *refs, uint32_t count,
                                              uint32_t format, bool is_alu) {
  const ZoneTable zones = *table; // not read again for each zone
  const bool has_look = !is_alu || p->k <= ROW_LANES;
  Look look;
  uint32_t hint = 0;
  for (uint32_t i = 0;; i++) {
    const KeptZone *zone = NULL;
    if (has_look) {
      NARROW_NAME(aim)(p, p->inner, hint, is_alu, &look);
      if (is_alu) {
        const Row used = look.valid & (look.use <= *(const RowAt *)p->inner);
        look.own = (look.own & used) | (~used & NARROW_LEAST);
      }
    }
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const NARROW_T *body = (const NARROW_T *)(const void *)zone->body;
      if (!has_look || zone->format != format || !NARROW_NAME(misses)(&look, body, is_alu))
        break;
    }
    if (i >= count)
      return count;
    const NARROW_T *body = (const NARROW_T *)(const void *)zone->body;
    if (zone->format == format ? NARROW_NAME(covered)(p, body, is_alu, true, &hint)
                               : covered_any(probe, zone))
      return i;
  }
}

DBM_INLINE uint32_t NARROW_NAME(scan_covers)(const ZoneTable *table, const Image *p, Probe *probe,
                                             const ZoneRef *refs, uint32_t i, uint32_t count,
                                             uint32_t format, bool is_alu) {
  const ZoneTable zones = *table;
  const bool has_look = !is_alu || p->k <= ROW_LANES;
  Look look;
  uint32_t hint = 0;
  for (;; i++) {
    const KeptZone *zone = NULL;
    if (has_look)
      NARROW_NAME(aim)(p, p->outer, hint, is_alu, &look);
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const NARROW_T *body = (const NARROW_T *)(const void *)zone->body;
      if (!has_look || zone->format != format || !NARROW_NAME(escapes)(&look, body, is_alu))
        break;
    }
    if (i >= count)
      return count;
    const NARROW_T *body = (const NARROW_T *)(const void *)zone->body;
    if (zone->format == format ? NARROW_NAME(covers)(p, body, is_alu, true, &hint)
                               : covers_any(probe, zone))
      return i;
  }
}

#undef Look
#undef ROW_LANES
#undef FLAT_LANES
#undef Row
#undef UnsignedRow
#undef RowAt
#undef Flat
#undef FlatAt
#undef Image
#undef NARROW_T
#undef NARROW_UT
#undef NARROW_SIZE
#undef NARROW_LEAST
#undef NARROW_NAME

#endif
