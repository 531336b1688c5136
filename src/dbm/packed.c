#include "dbm/packed.h"

#include "dbm/cut.h"

#include <assert.h>
#include <string.h>

#define INF16 INT16_MAX // what BOUND_INF becomes when cut to 16 bits

enum { WIDE_LANES = 16 };
typedef int16_t WideLanes16 __attribute__((vector_size(32)));
typedef int16_t WideLanes16At __attribute__((vector_size(32), aligned(2), may_alias));

DBM_INLINE bool lanes_any_wide(const WideLanes16 *mask) {
  Lanes16 halves[2];
  memcpy(halves, mask, sizeof halves);
  halves[0] |= halves[1];
  return lanes_any16(&halves[0]);
}

// From WIDE_LANES - c on: c ones, then zeros.
static const int16_t packed_tails[2 * WIDE_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                     -1, -1, -1, -1, -1, -1, -1, -1};

size_t probe_bytes(uint32_t n) { return sizeof(int16_t) * n * dbm_stride(n) + PACKED_SLACK; }

void probe_init(Probe *probe, void *memory) { *probe = (Probe){.image = memory}; }

void packed_bounds(PackedBounds *bounds, uint32_t k) {
  bounds->is_small = true;
  for (uint32_t x = 0; x < k; x++) {
    const int32_t lower = bounds->lower[x], upper = bounds->upper[x];
    bounds->is_small &= lower <= PACKED_MOST_BOUND && upper <= PACKED_MOST_BOUND;
    bounds->twice_lower[x] = lower == CLOCK_NO_BOUND ? -1 : (int16_t)(2 * lower);
    bounds->use[x] = upper == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * upper);
  }
}

DBM_CLONES static bool cut_to_16(int16_t *image, const Bound *zone, uint32_t k) {
  return k <= LANES ? cut_rows(image, zone, k, LANES) : cut_rows(image, zone, k, dbm_stride(k));
}

void probe_make(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                const PackedBounds *bounds) {
  probe_accept(probe, kind, zone, k, bounds, cut_to_16(probe->image, zone, k));
}

void probe_accept(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                  const PackedBounds *bounds, bool fits) {
  probe->kind = kind;
  probe->k = k;
  probe->stride = dbm_stride(k);
  probe->zone = zone;
  probe->bounds = bounds;
  probe->format = fits ? PACKED_16 : PACKED_32;
  probe->is_narrow = fits && (kind == PROBE_INCLUSION || bounds->is_small);
}

// Scans look first where the last zone failed: the next one is likely to fail there too.

// Whether 16 entries of `small` from `at` on are not all inside `big`. What lies behind the last
// entry is masked.
DBM_INLINE bool piece_fails(const int16_t *small, const int16_t *big, uint32_t at,
                            uint32_t size) {
  const WideLanes16 inner = *(const WideLanes16At *)(small + at);
  WideLanes16 found = *(const WideLanes16At *)(big + at) < inner;
  if (size - at < WIDE_LANES)
    found &= *(const WideLanes16At *)(packed_tails + WIDE_LANES - (size - at));
  return lanes_any_wide(&found);
}

// Whether `small` is not inside `big`: the entries compared one after the other, whatever
// their row.
DBM_INLINE bool is_outside(const Probe *p, const int16_t *small, const int16_t *big,
                           uint32_t *hint) {
  const uint32_t size = p->k * p->k;
  if (piece_fails(small, big, *hint, size))
    return true;
  for (uint32_t at = 0; at < size; at += WIDE_LANES)
    if (piece_fails(small, big, at, size)) {
      *hint = at;
      return true;
    }
  return false;
}

// The columns that can serve as x in the test of a_LU, as a mask: those with (<=, -U_x) <= [0][x].
DBM_INLINE Lanes16 used_columns(const Probe *p, const int16_t *small, uint32_t block) {
  const Lanes16 index = {0, 1, 2, 3, 4, 5, 6, 7};
  const Lanes16 zero = *(const Lanes16At *)(small + block);
  const Lanes16 use = *(const Lanes16At *)(p->bounds->use + block);
  return (use <= zero) & (index < (int16_t)(p->k - block));
}

// Whether row y, in one block of columns, shows that `small` is not inside a_LU of `big`. For raw
// v the test v + (<, -L) < z is (v & ~1) < z + 2 L.
DBM_INLINE bool row_fails(const Probe *p, const int16_t *small, const int16_t *big, uint32_t y,
                          uint32_t block, const Lanes16 *used) {
  const uint32_t at = y * p->k + block;
  const Lanes16 outer = *(const Lanes16At *)(big + at);
  Lanes16 found = (outer < *(const Lanes16At *)(small + at)) & *used;
  if (!lanes_any16(&found))
    return false;
  const int16_t twice = p->bounds->twice_lower[y];
  // The sum may wrap in lanes that are not used: unsigned, lest it be undefined.
  const Unsigned16 zero = (Unsigned16)*(const Lanes16At *)(small + block);
  const Lanes16 limit = (Lanes16)(zero + (uint16_t)twice);
  found &= (outer & ~1) < limit;
  return twice >= 0 && lanes_any16(&found);
}

DBM_INLINE bool is_outside_alu(const Probe *p, const int16_t *small, const int16_t *big,
                               uint32_t *hint) {
  Lanes16 used = used_columns(p, small, 0);
  if (row_fails(p, small, big, *hint, 0, &used))
    return true;
  for (uint32_t block = 0; block < p->k; block += LANES) {
    used = block ? used_columns(p, small, block) : used;
    for (uint32_t y = 0; y < p->k; y++)
      if (row_fails(p, small, big, y, block, &used)) {
        *hint = block ? *hint : y;
        return true;
      }
  }
  return false;
}

DBM_INLINE uint32_t scan_covered(const Probe *p, const int16_t *zones, uint32_t count,
                                 bool is_alu) {
  const uint32_t size = p->k * p->k;
  uint32_t hint = 0;
  for (uint32_t i = 0; i < count; i++, zones += size)
    if (!(is_alu ? is_outside_alu(p, p->image, zones, &hint)
                 : is_outside(p, p->image, zones, &hint)))
      return i;
  return count;
}

DBM_INLINE uint32_t scan_covers(const Probe *p, const int16_t *zones, uint32_t from,
                                uint32_t count, bool is_alu) {
  const uint32_t size = p->k * p->k;
  uint32_t hint = 0;
  zones += (size_t)from * size;
  for (uint32_t i = from; i < count; i++, zones += size)
    if (!(is_alu ? is_outside_alu(p, zones, p->image, &hint)
                 : is_outside(p, zones, p->image, &hint)))
      return i;
  return count;
}

DBM_CLONES static uint32_t narrow_covered(const Probe *p, const int16_t *zones, uint32_t count) {
  return p->kind == PROBE_INCLUSION ? scan_covered(p, zones, count, false)
                                    : scan_covered(p, zones, count, true);
}

DBM_CLONES static uint32_t narrow_covers(const Probe *p, const int16_t *zones, uint32_t from,
                                         uint32_t count) {
  return p->kind == PROBE_INCLUSION ? scan_covers(p, zones, from, count, false)
                                    : scan_covers(p, zones, from, count, true);
}

// The general tests, entry by entry, for what does not fit into 16 bits: rare.
static inline Bound stored_at(const void *zone, PackedFormat format, uint32_t at) {
  if (format == PACKED_32)
    return ((const Bound *)zone)[at];
  const int16_t v = ((const int16_t *)zone)[at];
  return v == INF16 ? BOUND_INF : v;
}

// Whether `small` is in the abstraction of `big`, one of which is the probe's zone.
static bool is_covered(const Probe *p, const void *zone, PackedFormat format, bool by_probe) {
  for (uint32_t y = 0; y < p->k; y++)
    for (uint32_t x = 0; x < p->k; x++) {
      const Bound ours = p->zone[y * p->stride + x];
      const Bound theirs = stored_at(zone, format, y * p->k + x);
      const Bound big = by_probe ? ours : theirs, small = by_probe ? theirs : ours;
      if (big >= small)
        continue;
      if (p->kind == PROBE_INCLUSION)
        return false;
      const int32_t lower = p->bounds->lower[y], upper = p->bounds->upper[x];
      if (lower == CLOCK_NO_BOUND || upper == CLOCK_NO_BOUND)
        continue;
      const Bound zero = by_probe ? stored_at(zone, format, x) : p->zone[x];
      if (zero >= bound_le(-upper) && (big & ~1) - 2 * lower < zero)
        return false;
    }
  return true;
}

static const char *zone_at(const Probe *p, const void *zones, uint32_t i, PackedFormat format) {
  return (const char *)zones + i * packed_bytes(p->k, format);
}

uint32_t probe_covered(const Probe *probe, const void *zones, uint32_t count,
                       PackedFormat format) {
  if (probe->is_narrow && format == PACKED_16)
    return narrow_covered(probe, zones, count);
  for (uint32_t i = 0; i < count; i++)
    if (is_covered(probe, zone_at(probe, zones, i, format), format, false))
      return i;
  return count;
}

uint32_t probe_covers(const Probe *probe, const void *zones, uint32_t from, uint32_t count,
                      PackedFormat format) {
  if (probe->is_narrow && format == PACKED_16)
    return narrow_covers(probe, zones, from, count);
  for (uint32_t i = from; i < count; i++)
    if (is_covered(probe, zone_at(probe, zones, i, format), format, true))
      return i;
  return count;
}

void probe_write(const Probe *probe, void *to, PackedFormat format) {
  const uint32_t k = probe->k, stride = probe->stride;
  assert(format >= probe->format);
  if (format == PACKED_16)
    memcpy(to, probe->image, packed_bytes(k, PACKED_16));
  else
    for (uint32_t y = 0; y < k; y++)
      memcpy((Bound *)to + y * k, probe->zone + y * stride, k * sizeof(Bound));
}

DBM_INLINE void widen_rows(Bound *zone, const int16_t *from, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes32 padding = index >= (int32_t)(k - b);
    for (uint32_t y = 0; y < k; y++) {
      const Lanes16 row = *(const Lanes16At *)(from + y * k + b);
      const Lanes32 v = __builtin_convertvector(row, Lanes32);
      const Lanes32 infinite = (v == INF16) | padding;
      *(Lanes32At *)(zone + y * stride + b) = (v & ~infinite) | (BOUND_INF & infinite);
    }
  }
}

DBM_CLONES static void widen(Bound *zone, const int16_t *from, uint32_t k) {
  if (k <= DBM_LANES)
    widen_rows(zone, from, k, DBM_LANES);
  else
    widen_rows(zone, from, k, dbm_stride(k));
}

void packed_read(Bound *zone, uint32_t k, const void *from, PackedFormat format) {
  if (format == PACKED_16) {
    widen(zone, from, k);
    return;
  }
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < stride; x++)
      zone[y * stride + x] = x < k ? ((const Bound *)from)[y * k + x] : BOUND_INF;
}
