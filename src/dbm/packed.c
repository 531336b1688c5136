#include "dbm/packed.h"

#include "dbm/lanes.h"

#include <assert.h>
#include <string.h>

#define INF16 INT16_MAX // what BOUND_INF becomes when cut to 16 bits

size_t probe_bytes(uint32_t n) { return sizeof(int16_t) * n * dbm_stride(n); }

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

// Cuts the zone to 16 bits; false if that loses something.
DBM_INLINE bool cut_rows(int16_t *image, const Bound *zone, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t b = 0; b < stride; b += LANES) {
    Lanes32 lost = {0};
    for (uint32_t y = 0; y < k; y++) {
      const Lanes32 v = *(const Lanes32At *)(zone + y * stride + b);
      // Negative unless -32767 <= v <= 32765.
      lost |= ((v + 32767) | (32765 - v)) & (v != BOUND_INF);
      *(Lanes16At *)(image + y * stride + b) = __builtin_convertvector(v, Lanes16);
    }
    lost = (lost < 0) & (index < (int32_t)(k - b));
    if (lanes_any32(&lost))
      return false;
  }
  return true;
}

DBM_CLONES static bool cut_to_16(int16_t *image, const Bound *zone, uint32_t k) {
  return k <= LANES ? cut_rows(image, zone, k, LANES) : cut_rows(image, zone, k, dbm_stride(k));
}

void probe_make(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                const PackedBounds *bounds) {
  probe->kind = kind;
  probe->k = k;
  probe->stride = dbm_stride(k);
  probe->zone = zone;
  probe->bounds = bounds;
  const bool fits = cut_to_16(probe->image, zone, k);
  probe->format = fits ? PACKED_16 : PACKED_32;
  probe->is_narrow = fits && (kind == PROBE_INCLUSION || bounds->is_small);
}

// Whether a zone is not inside another, in 16 bits: `small` and `big` are the two, with the
// given strides; one is the probe's image, whose rows are padded, the other a stored zone,
// whose rows are followed by the next. Lanes beyond k are masked.
//
// For raw v the test v + (<, -L) < z is (v & ~1) < z + 2 L.
DBM_INLINE bool is_outside(const Probe *p, uint32_t stride, const int16_t *small,
                           uint32_t small_stride, const int16_t *big, uint32_t big_stride,
                           bool is_alu) {
  const Lanes16 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes16 valid = index < (int16_t)(p->k - b);
    const int16_t *inner = small + b, *outer = big + b;
    for (uint32_t y = 0; y < p->k; y++, inner += small_stride, outer += big_stride) {
      const Lanes16 ours = *(const Lanes16At *)inner, theirs = *(const Lanes16At *)outer;
      Lanes16 found = (theirs < ours) & valid;
      if (!lanes_any16(&found))
        continue;
      if (!is_alu)
        return true;
      const int16_t twice = p->bounds->twice_lower[y];
      const Lanes16 zero = *(const Lanes16At *)(small + b);
      const Lanes16 use = *(const Lanes16At *)(p->bounds->use + b);
      const Lanes16 limit = (Lanes16)((Unsigned16)zero + (uint16_t)twice);
      found &= (use <= zero) & ((theirs & ~1) < limit);
      if (twice >= 0 && lanes_any16(&found))
        return true;
    }
  }
  return false;
}

DBM_INLINE uint32_t scan_covered(const Probe *p, uint32_t stride, const int16_t *zones,
                                 uint32_t count, bool is_alu) {
  const uint32_t k = p->k;
  for (uint32_t i = 0; i < count; i++, zones += k * k)
    if (!is_outside(p, stride, p->image, stride, zones, k, is_alu))
      return i;
  return count;
}

DBM_INLINE uint32_t scan_covers(const Probe *p, uint32_t stride, const int16_t *zones,
                                uint32_t from, uint32_t count, bool is_alu) {
  const uint32_t k = p->k;
  zones += (size_t)from * k * k;
  for (uint32_t i = from; i < count; i++, zones += k * k)
    if (!is_outside(p, stride, zones, k, p->image, stride, is_alu))
      return i;
  return count;
}

DBM_CLONES static uint32_t narrow_covered(const Probe *p, const int16_t *zones, uint32_t count) {
  if (p->kind == PROBE_INCLUSION)
    return p->stride == LANES ? scan_covered(p, LANES, zones, count, false)
                              : scan_covered(p, p->stride, zones, count, false);
  return p->stride == LANES ? scan_covered(p, LANES, zones, count, true)
                            : scan_covered(p, p->stride, zones, count, true);
}

DBM_CLONES static uint32_t narrow_covers(const Probe *p, const int16_t *zones, uint32_t from,
                                         uint32_t count) {
  if (p->kind == PROBE_INCLUSION)
    return p->stride == LANES ? scan_covers(p, LANES, zones, from, count, false)
                              : scan_covers(p, p->stride, zones, from, count, false);
  return p->stride == LANES ? scan_covers(p, LANES, zones, from, count, true)
                            : scan_covers(p, p->stride, zones, from, count, true);
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

// Each row is written whole, padding included, and the next one over the padding; the last
// one to its end only: behind it lies another's memory.
DBM_INLINE void write_rows(int16_t *restrict to, const int16_t *restrict image, uint32_t k,
                           uint32_t stride) {
  for (uint32_t y = 0; y + 1 < k; y++)
    memcpy(to + y * k, image + y * stride, stride * sizeof(int16_t));
  for (uint32_t x = 0; x < k; x++)
    to[(k - 1) * k + x] = image[(k - 1) * stride + x];
}

static void write_narrow(int16_t *to, const int16_t *image, uint32_t k, uint32_t stride) {
  // Padding that reaches past the next row would leave the zone: k >= stride / 2 except for
  // tiny ones.
  if (stride == DBM_LANES && k >= 4)
    write_rows(to, image, k, DBM_LANES);
  else
    for (uint32_t y = 0; y < k; y++)
      memcpy(to + y * k, image + y * stride, k * sizeof(int16_t));
}

void probe_write(const Probe *probe, void *to, PackedFormat format) {
  const uint32_t k = probe->k, stride = probe->stride;
  assert(format >= probe->format);
  if (format == PACKED_16)
    write_narrow(to, probe->image, k, stride);
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
