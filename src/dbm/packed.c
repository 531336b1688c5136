#include "dbm/packed.h"

#include "dbm/lanes.h"

#include <assert.h>
#include <string.h>

#define INF16 INT16_MAX // what BOUND_INF becomes when cut to 16 bits

size_t probe_bytes(uint32_t n) {
  const size_t stride = dbm_stride(n);
  return sizeof(int16_t) * (2 * n * stride + 2 * stride);
}

void probe_init(Probe *probe, void *memory, uint32_t n) {
  const size_t stride = dbm_stride(n);
  *probe = (Probe){.image = memory};
  probe->forward = probe->image + n * stride;
  probe->twice_lower = probe->forward + n * stride;
  probe->use = probe->twice_lower + stride;
}

// Cuts the zone to 16 bits; false if that loses something.
DBM_INLINE bool cut_rows(int16_t *image, const Bound *zone, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  Lanes32 lost = {0};
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes32 padding = index >= (int32_t)(k - b);
      Lanes32 v = *(const Lanes32At *)(zone + y * stride + b);
      v = (v & ~padding) | (BOUND_INF & padding);
      // Negative unless -32767 <= v <= 32765.
      lost |= ((v + 32767) | (32765 - v)) & (v != BOUND_INF);
      *(Lanes16At *)(image + y * stride + b) = __builtin_convertvector(v, Lanes16);
    }
  lost = lost < 0;
  return !lanes_any32(&lost);
}

DBM_CLONES static bool cut_to_16(int16_t *image, const Bound *zone, uint32_t k) {
  return k <= DBM_LANES ? cut_rows(image, zone, k, DBM_LANES)
                        : cut_rows(image, zone, k, dbm_stride(k));
}

// For raw v the test v + (<, -L) < z is (v & ~1) - 2 L < z, that is v < z + 2 L rounded up
// to even.
DBM_INLINE void forward_rows(Probe *p, uint32_t stride) {
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes16 zero = *(const Lanes16At *)(p->image + b);
    const Lanes16 use = *(const Lanes16At *)(p->use + b);
    // Padding of row 0 is INF16: never used either.
    const Lanes16 unused = (zero < use) | (zero > BOUND_LE_ZERO);
    for (uint32_t y = 0; y < p->k; y++) {
      const Lanes16 row = *(const Lanes16At *)(p->image + y * stride + b);
      const int16_t twice = p->twice_lower[y], never = (int16_t)-(twice < 0);
      const Lanes16 sum = zero + twice, limit = sum + (sum & 1), above = limit < row;
      const Lanes16 skip = unused | never;
      const Lanes16 least = (limit & above) | (row & ~above);
      *(Lanes16At *)(p->forward + y * stride + b) = (least & ~skip) | (INT16_MIN & skip);
    }
  }
}

DBM_INLINE void forward_rows_plain(Probe *p, uint32_t stride) {
  const Lanes16 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes16 padding = index >= (int16_t)(p->k - b);
    for (uint32_t y = 0; y < p->k; y++) {
      const Lanes16 row = *(const Lanes16At *)(p->image + y * stride + b);
      *(Lanes16At *)(p->forward + y * stride + b) = (row & ~padding) | (INT16_MIN & padding);
    }
  }
}

DBM_CLONES static void make_forward(Probe *p) {
  if (p->kind == PROBE_INCLUSION)
    p->stride == DBM_LANES ? forward_rows_plain(p, DBM_LANES) : forward_rows_plain(p, p->stride);
  else
    p->stride == DBM_LANES ? forward_rows(p, DBM_LANES) : forward_rows(p, p->stride);
}

// Per clock 2 L and (<=, -U); -1 and INF16 where there is no bound, and in the padding.
static void convert_bounds(Probe *p) {
  for (uint32_t x = 0; x < p->k; x++) {
    p->twice_lower[x] = p->lower[x] == CLOCK_NO_BOUND ? -1 : (int16_t)(2 * p->lower[x]);
    p->use[x] = p->upper[x] == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * p->upper[x]);
  }
  for (uint32_t x = p->k; x < p->stride; x++)
    p->use[x] = INF16;
}

void probe_make(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                const int32_t *lower, const int32_t *upper, bool is_small) {
  probe->kind = kind;
  probe->k = k;
  probe->stride = dbm_stride(k);
  probe->zone = zone;
  probe->lower = lower;
  probe->upper = upper;
  probe->has_forward = probe->has_back = false;
  probe->format = cut_to_16(probe->image, zone, k) ? PACKED_16 : PACKED_32;
  probe->is_narrow = probe->format == PACKED_16 && (is_small || kind == PROBE_INCLUSION);
}

// Narrow kernels: whether the stored zone does not cover, is not covered, is not covered modulo
// simulation.
DBM_INLINE bool is_below(const int16_t *stored, const int16_t *probe, uint32_t k,
                         uint32_t stride) {
  for (uint32_t y = 0; y < k; y++, stored += k, probe += stride)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes16 found = *(const Lanes16At *)(stored + b) < *(const Lanes16At *)(probe + b);
      if (lanes_any16(&found))
        return true;
    }
  return false;
}

DBM_INLINE bool is_above(const int16_t *stored, const int16_t *probe, uint32_t k,
                         uint32_t stride) {
  for (uint32_t y = 0; y < k; y++, stored += k, probe += stride)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes16 found = *(const Lanes16At *)(stored + b) > *(const Lanes16At *)(probe + b);
      if (lanes_any16(&found))
        return true;
    }
  return false;
}

// In row 0 of a stored zone the entries beyond k are the start of row 1; the padding of the
// probe, INF16, is above them all.
DBM_INLINE bool is_above_alu(const int16_t *zone, const Probe *p, uint32_t stride) {
  const int16_t *stored = zone, *probe = p->image;
  for (uint32_t y = 0; y < p->k; y++, stored += p->k, probe += stride) {
    const int16_t twice = p->twice_lower[y];
    if (twice < 0)
      continue;
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes16 theirs = *(const Lanes16At *)(stored + b);
      const Lanes16 ours = *(const Lanes16At *)(probe + b);
      const Lanes16 zero = *(const Lanes16At *)(zone + b);
      const Lanes16 use = *(const Lanes16At *)(p->use + b);
      const Lanes16 found = (ours < theirs) & (use <= zero) & ((ours & ~1) < zero + twice);
      if (lanes_any16(&found))
        return true;
    }
  }
  return false;
}

DBM_CLONES static uint32_t narrow_covered(const Probe *p, const int16_t *zones, uint32_t count) {
  const uint32_t k = p->k, size = k * k;
  uint32_t i = 0;
  if (p->stride == LANES) {
    while (i < count && is_below(zones + (size_t)i * size, p->forward, k, LANES))
      i++;
  } else {
    while (i < count && is_below(zones + (size_t)i * size, p->forward, k, p->stride))
      i++;
  }
  return i;
}

DBM_CLONES static uint32_t narrow_covers(const Probe *p, const int16_t *zones, uint32_t i,
                                         uint32_t count) {
  const uint32_t k = p->k, size = k * k;
  if (p->kind == PROBE_INCLUSION)
    while (i < count && is_above(zones + (size_t)i * size, p->image, k, p->stride))
      i++;
  else if (p->stride == LANES)
    while (i < count && is_above_alu(zones + (size_t)i * size, p, LANES))
      i++;
  else
    while (i < count && is_above_alu(zones + (size_t)i * size, p, p->stride))
      i++;
  return i;
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
      if (p->lower[y] == CLOCK_NO_BOUND || p->upper[x] == CLOCK_NO_BOUND)
        continue;
      const Bound zero = by_probe ? stored_at(zone, format, x) : p->zone[x];
      if (zero >= bound_le(-p->upper[x]) && (big & ~1) - 2 * p->lower[y] < zero)
        return false;
    }
  return true;
}

static const char *zone_at(const Probe *p, const void *zones, uint32_t i, PackedFormat format) {
  return (const char *)zones + i * packed_bytes(p->k, format);
}

uint32_t probe_covered(Probe *probe, const void *zones, uint32_t count, PackedFormat format) {
  if (!probe->is_narrow || format != PACKED_16) {
    for (uint32_t i = 0; i < count; i++)
      if (is_covered(probe, zone_at(probe, zones, i, format), format, false))
        return i;
    return count;
  }
  if (!probe->has_forward) {
    if (probe->kind == PROBE_ALU)
      convert_bounds(probe);
    make_forward(probe);
    probe->has_forward = true;
  }
  return narrow_covered(probe, zones, count);
}

uint32_t probe_covers(Probe *probe, const void *zones, uint32_t from, uint32_t count,
                      PackedFormat format) {
  if (!probe->is_narrow || format != PACKED_16) {
    for (uint32_t i = from; i < count; i++)
      if (is_covered(probe, zone_at(probe, zones, i, format), format, true))
        return i;
    return count;
  }
  if (!probe->has_forward && !probe->has_back && probe->kind == PROBE_ALU)
    convert_bounds(probe);
  probe->has_back = true;
  return narrow_covers(probe, zones, from, count);
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
