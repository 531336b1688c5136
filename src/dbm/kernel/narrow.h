// The covering kernels for one width of entries. A template: dbm/stored/packed.c includes it once
// for each width, with NARROW_T (the entry), NARROW_UT (the same, unsigned), NARROW_SIZE (its
// bytes), NARROW_LEAST and NARROW_MAX (its range) and NARROW_NAME(name), which marks the names,
// defined; otherwise it is empty.
//
// Scans look first where the last zone failed: the next one is likely to fail there too.

#ifdef NARROW_T

#include "base/lanes.h"

enum {
  NARROW_NAME(ROW_LANES) = PACKED_ROW_BYTES / NARROW_SIZE,
  NARROW_NAME(VECTOR_LANES) = PACKED_VECTOR_BYTES / NARROW_SIZE
};

typedef NARROW_T NARROW_NAME(Row) __attribute__((vector_size(16)));
typedef NARROW_UT NARROW_NAME(UnsignedRow) __attribute__((vector_size(16)));
typedef NARROW_T NARROW_NAME(RowAt) __attribute__((vector_size(16), aligned(1), may_alias));
typedef NARROW_T NARROW_NAME(Vector) __attribute__((vector_size(32)));
typedef NARROW_UT NARROW_NAME(UnsignedVector) __attribute__((vector_size(32)));
typedef NARROW_T NARROW_NAME(VectorAt) __attribute__((vector_size(32), aligned(1), may_alias));

#define ROW_LANES NARROW_NAME(ROW_LANES)
#define VECTOR_LANES NARROW_NAME(VECTOR_LANES)
#define Row NARROW_NAME(Row)
#define UnsignedRow NARROW_NAME(UnsignedRow)
#define RowAt NARROW_NAME(RowAt)
#define Vector NARROW_NAME(Vector)
#define UnsignedVector NARROW_NAME(UnsignedVector)
#define VectorAt NARROW_NAME(VectorAt)

// The probe in this width. The test of a_LU fails for y and x where
//   Z'[y][x] < Z[y][x],  (Z'[y][x] & ~1) < Z[0][x] + 2 L_y  and  (<=, -U_x) <= Z[0][x].
// The second part is Z'[y][x] < the least even number that is not below the sum. So where the
// third holds Z *demands* that Z'[y][x] is at least the smaller one of two numbers: with these
// the test is one of inclusion.
typedef struct NARROW_NAME(Image) {
  uint32_t k;
  const NARROW_T *inner; // when it is tested for being covered: the zone, or what it demands
  const NARROW_T *outer; // when it covers: the zone
  const NARROW_T *twice_lower, *use; // PackedBounds
  const PackedEntryBounds *entries;
} NARROW_NAME(Image);
#define Image NARROW_NAME(Image)

// Whether a piece of `small` from `at` on is not all inside `big`. What lies behind the last
// entry is masked, unless it is known to be equal in both (`is_padded`).
DBM_INLINE bool NARROW_NAME(piece_fails)(const NARROW_T *small, const NARROW_T *big, uint32_t at,
                                         uint32_t size, bool is_padded) {
  const Vector inner = *(const VectorAt *)(small + at);
  Vector found = *(const VectorAt *)(big + at) < inner;
  if (!is_padded && size - at < VECTOR_LANES)
    found &= *(const VectorAt *)(packed_tails + 32 - (size - at) * NARROW_SIZE);
  return lanes_has(&found);
}

// Whether `small` is not inside `big`: the entries compared one after the other, whatever
// their row.
DBM_INLINE bool NARROW_NAME(is_outside)(uint32_t size, const NARROW_T *small, const NARROW_T *big,
                                        bool is_padded, uint32_t *hint) {
  if (NARROW_NAME(piece_fails)(small, big, *hint, size, is_padded))
    return true;
  for (uint32_t at = 0; at < size; at += VECTOR_LANES)
    if (NARROW_NAME(piece_fails)(small, big, at, size, is_padded)) {
      *hint = at;
      return true;
    }
  return false;
}

// What a zone demands in one vector, from its entries there, [0][x], 2 L + 1 and (<=, -U).
DBM_INLINE void NARROW_NAME(find_demand)(const Row *own, const Row *zero, const Row *plus,
                                         const Row *use, Row *demand) {
  const Row least = (Row){0} + (NARROW_T)NARROW_LEAST;
  const Row used = *use <= *zero;
  // The sum may wrap in lanes that are not used: unsigned, lest it be undefined.
  const Row max = (Row)((UnsignedRow)*zero + (UnsignedRow)*plus) & ~1;
  const Row less = *own < max;
  *demand = (((*own & less) | (max & ~less)) & used) | (least & ~used);
}

// The same for entries from `at` on, whatever their rows, if a row is one vector.
DBM_INLINE void NARROW_NAME(demand_at)(const PackedEntryBounds *entries, const NARROW_T *zone,
                                       const Row *zero, uint32_t at, Row *demand) {
  const Row own = *(const RowAt *)(zone + at);
  const Row plus = *(const RowAt *)((const NARROW_T *)entries->plus + at);
  const Row use = *(const RowAt *)((const NARROW_T *)entries->use + at);
  const Bytes columns = *(const BytesAt *)(entries->columns + at * NARROW_SIZE);
  const Row zeros = (Row)LANES_PERMUTE((Bytes)*zero, columns);
  NARROW_NAME(find_demand)(&own, &zeros, &plus, &use, demand);
}

// Row 0 from `block` on; behind the last column it is so small that nothing is used.
DBM_INLINE void NARROW_NAME(take_zero)(const NARROW_T *zone, uint32_t k, uint32_t block,
                                       Vector *zero) {
  *zero = *(const VectorAt *)(zone + block);
  if (k - block >= VECTOR_LANES)
    return;
  const Vector columns = *(const VectorAt *)(packed_tails + 32 - (k - block) * NARROW_SIZE);
  *zero = (*zero & columns) | (NARROW_LEAST & ~columns);
}

// All that a zone demands, row by row: each is written as whole vectors and ends in the next one,
// which is written later, as earlier blocks of columns are.
DBM_INLINE void NARROW_NAME(write_rows)(const Image *p, const NARROW_T *zone, NARROW_T *demands) {
  const uint32_t k = p->k;
  const Vector least = (Vector){0} + (NARROW_T)NARROW_LEAST;
  for (uint32_t block = round_up(k, VECTOR_LANES); block;) {
    block -= VECTOR_LANES;
    Vector zero;
    NARROW_NAME(take_zero)(zone, k, block, &zero);
    const Vector used = *(const VectorAt *)(p->use + block) <= zero, unused = least & ~used;
    for (uint32_t y = 0; y < k; y++) {
      VectorAt *demand = (VectorAt *)(demands + y * k + block);
      const NARROW_T twice = p->twice_lower[y];
      if (twice < 0) {
        *demand = least;
        continue;
      }
      // The sum may wrap, as in find_demand.
      const Vector own = *(const VectorAt *)(zone + y * k + block);
      const Vector max = (Vector)((UnsignedVector)zero + (NARROW_UT)(twice + 1)) & ~1;
      const Vector less = own < max;
      *demand = (((own & less) | (max & ~less)) & used) | unused;
    }
  }
}

// Nothing is demanded behind the last entry.
DBM_INLINE void NARROW_NAME(write_demands)(const Image *p, const NARROW_T *zone,
                                           NARROW_T *demands) {
  const uint32_t size = p->k * p->k;
  if (!p->entries->use) {
    NARROW_NAME(write_rows)(p, zone, demands);
    *(VectorAt *)(demands + size) = (Vector){0} + (NARROW_T)NARROW_LEAST;
    return;
  }
  const Row zero = *(const RowAt *)zone;
  for (uint32_t at = 0; at < size; at += ROW_LANES) {
    Row demand;
    NARROW_NAME(demand_at)(p->entries, zone, &zero, at, &demand);
    *(RowAt *)(demands + at) = demand;
  }
  *(VectorAt *)(demands + round_up(size, ROW_LANES)) = (Vector){0} + (NARROW_T)NARROW_LEAST;
}

// Whether row y, in one block of columns, shows that `small` is not inside a_LU of `big`. The
// first comparison, which is that of inclusion, is false for nearly all rows.
DBM_INLINE bool NARROW_NAME(row_fails)(const Image *p, const NARROW_T *small, const NARROW_T *big,
                                       uint32_t y, uint32_t block, const Vector *zero,
                                       const Vector *used) {
  const uint32_t at = y * p->k + block;
  const Vector outer = *(const VectorAt *)(big + at);
  Vector found = (outer < *(const VectorAt *)(small + at)) & *used;
  if (!lanes_has(&found))
    return false;
  const NARROW_T twice = p->twice_lower[y];
  // The sum may wrap, as above.
  const Vector max = (Vector)((UnsignedVector)*zero + (NARROW_UT)(twice + 1)) & ~1;
  found &= outer < max;
  return lanes_has(&found);
}

// The first of the rows from..to-1 that shows it, in one block of columns, or `to`. Rows without
// L cannot.
DBM_INLINE uint32_t NARROW_NAME(failing_row)(const Image *p, const NARROW_T *small,
                                             const NARROW_T *big, uint32_t block, uint32_t from,
                                             uint32_t to) {
  Vector zero;
  NARROW_NAME(take_zero)(small, p->k, block, &zero);
  const Vector used = *(const VectorAt *)(p->use + block) <= zero;
  uint32_t y = from;
  while (y < to && (p->twice_lower[y] < 0 ||
                    !NARROW_NAME(row_fails)(p, small, big, y, block, &zero, &used)))
    y++;
  return y;
}

// Row by row: if a row is more than a vector, or it is not worth while to find all demands. The
// hint is a row, and a block of columns in its upper half.
DBM_INLINE bool NARROW_NAME(is_outside_alu)(const Image *p, const NARROW_T *small,
                                            const NARROW_T *big, uint32_t *hint) {
  const uint32_t row = *hint & 0xffff, k = p->k;
  if (NARROW_NAME(failing_row)(p, small, big, *hint >> 16, row, row + 1) == row)
    return true;
  for (uint32_t block = 0; block < k; block += VECTOR_LANES) {
    const uint32_t y = NARROW_NAME(failing_row)(p, small, big, block, 0, k);
    if (y < k) {
      *hint = k <= 0xffff ? block << 16 | y : 0;
      return true;
    }
  }
  return false;
}

// Whether a zone is not inside a_LU of the probe's, if a row is one vector.
DBM_INLINE bool NARROW_NAME(escapes)(const Image *p, const NARROW_T *zone) {
  const Row zero = *(const RowAt *)zone;
  for (uint32_t at = 0; at < p->k * p->k; at += ROW_LANES) {
    Row demand;
    NARROW_NAME(demand_at)(p->entries, zone, &zero, at, &demand);
    const Row found = *(const RowAt *)(p->outer + at) < demand;
    if (lanes_has_half(&found))
      return true;
  }
  return false;
}

// Whether a packed zone covers the probe's, or is covered by it.
DBM_INLINE bool NARROW_NAME(covered)(const Image *p, const NARROW_T *zone, bool is_alu,
                                     uint32_t *hint) {
  return is_alu && !p->entries->use
             ? !NARROW_NAME(is_outside_alu)(p, p->inner, zone, hint)
             : !NARROW_NAME(is_outside)(p->k * p->k, p->inner, zone, is_alu, hint);
}

DBM_INLINE bool NARROW_NAME(covers)(const Image *p, const NARROW_T *zone, bool is_alu,
                                    bool is_padded, uint32_t *hint) {
  if (is_alu)
    return p->entries->use ? !NARROW_NAME(escapes)(p, zone)
                           : !NARROW_NAME(is_outside_alu)(p, zone, p->outer, hint);
  return !NARROW_NAME(is_outside)(p->k * p->k, zone, p->outer, is_padded, hint);
}

// Scans of zones of a table; see dbm/stored/zonetable.h. Zones in other formats are rare.
DBM_INLINE uint32_t NARROW_NAME(scan_covered_rows)(const ZoneTable *table, const Image *p,
                                                   Probe *probe, const ZoneRef *refs,
                                                   uint32_t count, uint32_t format) {
  uint32_t hint = 0, i = 0;
  for (; i < count; i++) {
    const StoredZone *zone = zonetable_at(table, refs[i]);
    const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
    if (zone->format == format ? !NARROW_NAME(is_outside_alu)(p, p->inner, entries, &hint)
                               : covered_any(probe, zone))
      break;
  }
  return i;
}

// Most zones fail where the last one did: a look there, at a piece of the probe that is at hand,
// passes over them.
DBM_INLINE uint32_t NARROW_NAME(scan_covered)(const ZoneTable *table, const Image *p,
                                              Probe *probe, const ZoneRef *refs, uint32_t count,
                                              uint32_t format) {
  const ZoneTable zones = *table; // not read again for each zone
  uint32_t hint = 0;
  for (uint32_t i = 0;; i++) {
    const StoredZone *zone = NULL;
    const Vector piece = *(const VectorAt *)(p->inner + hint);
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
      const Vector found = *(const VectorAt *)(entries + hint) < piece;
      if (zone->format != format || !lanes_has(&found))
        break;
    }
    if (i >= count)
      return count;
    const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
    if (zone->format == format
            ? !NARROW_NAME(is_outside)(p->k * p->k, p->inner, entries, true, &hint)
            : covered_any(probe, zone))
      return i;
  }
}

DBM_INLINE uint32_t NARROW_NAME(scan_covers_alu)(const ZoneTable *table, const Image *p,
                                                 Probe *probe, const ZoneRef *refs, uint32_t i,
                                                 uint32_t count, uint32_t format,
                                                 bool has_entry_bounds) {
  const ZoneTable zones = *table;
  uint32_t hint = 0;
  for (; i < count; i++) {
    const StoredZone *zone = zonetable_at(&zones, refs[i]);
    const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
    if (zone->format != format ? covers_any(probe, zone)
        : has_entry_bounds     ? !NARROW_NAME(escapes)(p, entries)
                               : !NARROW_NAME(is_outside_alu)(p, entries, p->outer, &hint))
      break;
  }
  return i;
}

DBM_INLINE uint32_t NARROW_NAME(scan_covers)(const ZoneTable *table, const Image *p, Probe *probe,
                                             const ZoneRef *refs, uint32_t i, uint32_t count,
                                             uint32_t format) {
  const ZoneTable zones = *table;
  uint32_t hint = 0;
  for (;; i++) {
    const StoredZone *zone = NULL;
    const Vector piece = *(const VectorAt *)(p->outer + hint);
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
      const Vector found = piece < *(const VectorAt *)(entries + hint);
      if (zone->format != format || !lanes_has(&found))
        break;
    }
    if (i >= count)
      return count;
    const NARROW_T *entries = (const NARROW_T *)(const void *)zone->entries;
    if (zone->format == format ? NARROW_NAME(covers)(p, entries, false, true, &hint)
                               : covers_any(probe, zone))
      return i;
  }
}

#undef ROW_LANES
#undef VECTOR_LANES
#undef Row
#undef UnsignedRow
#undef RowAt
#undef Vector
#undef UnsignedVector
#undef VectorAt
#undef Image
#undef NARROW_T
#undef NARROW_UT
#undef NARROW_SIZE
#undef NARROW_LEAST
#undef NARROW_MAX
#undef NARROW_NAME

#endif
