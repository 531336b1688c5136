// The covering kernels, on entries of 16 bits: a part of dbm/stored/probe.c.
//
// Scans look first where the last zone failed: the next one is likely to fail there too.
#pragma once

#include "base/lanes.h"
#include "dbm/stored/packed_lanes.h"
#include "dbm/stored/probe.h"

enum { ROW_LANES = PACKED_ROW_BYTES / 2, VECTOR_LANES = PACKED_VECTOR_BYTES / 2 };

// The probe. The test of a_LU fails for y and x where
//   Z'[y][x] < Z[y][x],  (Z'[y][x] & ~1) < Z[0][x] + 2 L_y  and  (<=, -U_x) <= Z[0][x].
// The second part is Z'[y][x] < the least even number that is not below the sum. So where the
// third holds Z *demands* that Z'[y][x] is at least the smaller one of two numbers: with these
// the test is one of inclusion.
typedef struct Image {
  uint32_t k;
  const int16_t *inner; // when it is tested for being covered: the zone, or what it demands
  const int16_t *outer; // when it covers: the zone
  const int16_t *twice_lower, *use; // PackedBounds
  const PackedEntryBounds *entries;
} Image;

// Whether a piece of `small` from `at` on is not all inside `big`. What lies behind the last
// entry is masked, unless it is known to be equal in both (`is_padded`).
DBM_INLINE bool piece_fails(const int16_t *small, const int16_t *big, uint32_t at, uint32_t size,
                            bool is_padded) {
  const Wide16 inner = *(const Wide16At *)(small + at);
  Wide16 found = *(const Wide16At *)(big + at) < inner;
  if (!is_padded && size - at < VECTOR_LANES)
    found &= *(const Wide16At *)(packed_tails + 16 - (size - at));
  return lanes_has(&found);
}

// Whether `small` is not inside `big`: the entries compared one after the other, whatever
// their row.
DBM_INLINE bool is_outside(uint32_t size, const int16_t *small, const int16_t *big,
                           bool is_padded, uint32_t *hint) {
  if (piece_fails(small, big, *hint, size, is_padded))
    return true;
  for (uint32_t at = 0; at < size; at += VECTOR_LANES)
    if (piece_fails(small, big, at, size, is_padded)) {
      *hint = at;
      return true;
    }
  return false;
}

// What a zone demands in one vector, from its entries there, [0][x], 2 L + 1 and (<=, -U).
DBM_INLINE void find_demand(const Lanes16 *own, const Lanes16 *zero, const Lanes16 *plus,
                            const Lanes16 *use, Lanes16 *demand) {
  const Lanes16 least = (Lanes16){0} + (int16_t)INT16_MIN;
  const Lanes16 used = *use <= *zero;
  // The sum may wrap in lanes that are not used: unsigned, lest it be undefined.
  const Lanes16 max = (Lanes16)((Unsigned16)*zero + (Unsigned16)*plus) & ~1;
  const Lanes16 less = *own < max;
  *demand = (((*own & less) | (max & ~less)) & used) | (least & ~used);
}

// The same for entries from `at` on, whatever their rows, if a row is one vector.
DBM_INLINE void demand_at(const PackedEntryBounds *entries, const int16_t *zone,
                          const Lanes16 *zero, uint32_t at, Lanes16 *demand) {
  const Lanes16 own = *(const Lanes16At *)(zone + at);
  const Lanes16 plus = *(const Lanes16At *)((const int16_t *)entries->plus + at);
  const Lanes16 use = *(const Lanes16At *)((const int16_t *)entries->use + at);
  const Bytes columns = *(const BytesAt *)(entries->columns + at * 2);
  const Lanes16 zeros = (Lanes16)LANES_PERMUTE((Bytes)*zero, columns);
  find_demand(&own, &zeros, &plus, &use, demand);
}

// Lanes16 0 from `block` on; behind the last column it is so small that nothing is used.
DBM_INLINE void take_zero(const int16_t *zone, uint32_t k, uint32_t block, Wide16 *zero) {
  *zero = *(const Wide16At *)(zone + block);
  if (k - block >= VECTOR_LANES)
    return;
  const Wide16 columns = *(const Wide16At *)(packed_tails + 16 - (k - block));
  *zero = (*zero & columns) | (INT16_MIN & ~columns);
}

// All that a zone demands, row by row: each is written as whole vectors and ends in the next one,
// which is written later, as earlier blocks of columns are.
DBM_INLINE void write_rows(const Image *p, const int16_t *zone, int16_t *demands) {
  const uint32_t k = p->k;
  const Wide16 least = (Wide16){0} + (int16_t)INT16_MIN;
  for (uint32_t block = round_up(k, VECTOR_LANES); block;) {
    block -= VECTOR_LANES;
    Wide16 zero;
    take_zero(zone, k, block, &zero);
    const Wide16 used = *(const Wide16At *)(p->use + block) <= zero, unused = least & ~used;
    for (uint32_t y = 0; y < k; y++) {
      Wide16At *demand = (Wide16At *)(demands + y * k + block);
      const int16_t twice = p->twice_lower[y];
      if (twice < 0) {
        *demand = least;
        continue;
      }
      // The sum may wrap, as in find_demand.
      const Wide16 own = *(const Wide16At *)(zone + y * k + block);
      const Wide16 max = (Wide16)((WideUnsigned16)zero + (uint16_t)(twice + 1)) & ~1;
      const Wide16 less = own < max;
      *demand = (((own & less) | (max & ~less)) & used) | unused;
    }
  }
}

// Nothing is demanded behind the last entry.
DBM_INLINE void write_demands(const Image *p, const int16_t *zone, int16_t *demands) {
  const uint32_t size = p->k * p->k;
  if (!p->entries->use) {
    write_rows(p, zone, demands);
    *(Wide16At *)(demands + size) = (Wide16){0} + (int16_t)INT16_MIN;
    return;
  }
  const PackedEntryBounds entries = *p->entries; // not read again for each vector
  const Lanes16 zero = *(const Lanes16At *)zone;
  for (uint32_t at = 0; at < size; at += ROW_LANES) {
    Lanes16 demand;
    demand_at(&entries, zone, &zero, at, &demand);
    *(Lanes16At *)(demands + at) = demand;
  }
  *(Wide16At *)(demands + round_up(size, ROW_LANES)) = (Wide16){0} + (int16_t)INT16_MIN;
}

// Whether row y, in one block of columns, shows that `small` is not inside a_LU of `big`. The
// first comparison, which is that of inclusion, is false for nearly all rows.
DBM_INLINE bool row_fails(const Image *p, const int16_t *small, const int16_t *big, uint32_t y,
                          uint32_t block, const Wide16 *zero, const Wide16 *used) {
  const uint32_t at = y * p->k + block;
  const Wide16 outer = *(const Wide16At *)(big + at);
  Wide16 found = (outer < *(const Wide16At *)(small + at)) & *used;
  if (!lanes_has(&found))
    return false;
  const int16_t twice = p->twice_lower[y];
  // The sum may wrap, as above.
  const Wide16 max = (Wide16)((WideUnsigned16)*zero + (uint16_t)(twice + 1)) & ~1;
  found &= outer < max;
  return lanes_has(&found);
}

// The first of the rows from..to-1 that shows it, in one block of columns, or `to`. Rows without
// L cannot.
DBM_INLINE uint32_t failing_row(const Image *p, const int16_t *small, const int16_t *big,
                                uint32_t block, uint32_t from, uint32_t to) {
  Wide16 zero;
  take_zero(small, p->k, block, &zero);
  const Wide16 used = *(const Wide16At *)(p->use + block) <= zero;
  uint32_t y = from;
  while (y < to && (p->twice_lower[y] < 0 || !row_fails(p, small, big, y, block, &zero, &used)))
    y++;
  return y;
}

// Lanes16 by row: if a row is more than a vector, or it is not worth while to find all demands.
// The hint is a row, and a block of columns in its upper half.
DBM_INLINE bool is_outside_alu(const Image *p, const int16_t *small, const int16_t *big,
                               uint32_t *hint) {
  const uint32_t row = *hint & 0xffff, k = p->k;
  if (failing_row(p, small, big, *hint >> 16, row, row + 1) == row)
    return true;
  for (uint32_t block = 0; block < k; block += VECTOR_LANES) {
    const uint32_t y = failing_row(p, small, big, block, 0, k);
    if (y < k) {
      *hint = k <= 0xffff ? block << 16 | y : 0;
      return true;
    }
  }
  return false;
}

// Whether `small` is not inside a_LU of `big`, if a row is one vector. Most entries are not below
// those of `small`, and then not below what it demands.
DBM_INLINE bool escapes(const Image *p, const int16_t *small, const int16_t *big) {
  const Lanes16 zero = *(const Lanes16At *)small;
  for (uint32_t at = 0; at < p->k * p->k; at += ROW_LANES) {
    Lanes16 demand, found = *(const Lanes16At *)(big + at) < *(const Lanes16At *)(small + at);
    if (!lanes_has_half(&found))
      continue;
    demand_at(p->entries, small, &zero, at, &demand);
    found = *(const Lanes16At *)(big + at) < demand;
    if (lanes_has_half(&found))
      return true;
  }
  return false;
}

// Whether `small` is inside `big` or, modulo a_LU, its abstraction.
DBM_INLINE bool is_inside_packed(const Image *p, const int16_t *small, const int16_t *big,
                                 bool is_alu, bool is_padded, uint32_t *hint) {
  return !is_alu           ? !is_outside(p->k * p->k, small, big, is_padded, hint)
         : p->entries->use ? !escapes(p, small, big)
                           : !is_outside_alu(p, small, big, hint);
}

// Scans of zones of a table; see dbm/stored/zonetable.h. Zones in other formats are rare.
DBM_INLINE uint32_t scan_covered_few(const ZoneTable *table, const Image *p, Probe *probe,
                                     const ZoneRef *refs, uint32_t count) {
  uint32_t hint = 0, i = 0;
  for (; i < count; i++) {
    const StoredZone *zone = zonetable_at(table, refs[i]);
    const int16_t *entries = (const int16_t *)(const void *)zone->entries;
    if (zone->format == PACKED_16 ? is_inside_packed(p, p->inner, entries, true, true, &hint)
                                  : covered_any(probe, zone))
      break;
  }
  return i;
}

// Most zones fail where the last one did: a look there, at a piece of the probe that is at hand,
// passes over them.
DBM_INLINE uint32_t scan_covered(const ZoneTable *table, const Image *p, Probe *probe,
                                 const ZoneRef *refs, uint32_t count) {
  const ZoneTable zones = *table; // not read again for each zone
  uint32_t hint = 0;
  for (uint32_t i = 0;; i++) {
    const StoredZone *zone = NULL;
    const Wide16 piece = *(const Wide16At *)(p->inner + hint);
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const int16_t *entries = (const int16_t *)(const void *)zone->entries;
      const Wide16 found = *(const Wide16At *)(entries + hint) < piece;
      if (zone->format != PACKED_16 || !lanes_has(&found))
        break;
    }
    if (i >= count)
      return count;
    const int16_t *entries = (const int16_t *)(const void *)zone->entries;
    if (zone->format == PACKED_16 ? !is_outside(p->k * p->k, p->inner, entries, true, &hint)
                                  : covered_any(probe, zone))
      return i;
  }
}

DBM_INLINE uint32_t scan_covers_alu(const ZoneTable *table, const Image *p, Probe *probe,
                                    const ZoneRef *refs, uint32_t i, uint32_t count,
                                    bool has_entry_bounds) {
  const ZoneTable zones = *table;
  uint32_t hint = 0;
  for (; i < count; i++) {
    const StoredZone *zone = zonetable_at(&zones, refs[i]);
    const int16_t *entries = (const int16_t *)(const void *)zone->entries;
    if (zone->format != PACKED_16 ? covers_any(probe, zone)
        : has_entry_bounds        ? !escapes(p, entries, p->outer)
                                  : !is_outside_alu(p, entries, p->outer, &hint))
      break;
  }
  return i;
}

DBM_INLINE uint32_t scan_covers(const ZoneTable *table, const Image *p, Probe *probe,
                                const ZoneRef *refs, uint32_t i, uint32_t count) {
  const ZoneTable zones = *table;
  uint32_t hint = 0;
  for (;; i++) {
    const StoredZone *zone = NULL;
    const Wide16 piece = *(const Wide16At *)(p->outer + hint);
    for (; i < count; i++) {
      zone = zonetable_at(&zones, refs[i]);
      const int16_t *entries = (const int16_t *)(const void *)zone->entries;
      const Wide16 found = piece < *(const Wide16At *)(entries + hint);
      if (zone->format != PACKED_16 || !lanes_has(&found))
        break;
    }
    if (i >= count)
      return count;
    const int16_t *entries = (const int16_t *)(const void *)zone->entries;
    if (zone->format == PACKED_16 ? is_inside_packed(p, entries, p->outer, false, true, &hint)
                                  : covers_any(probe, zone))
      return i;
  }
}
