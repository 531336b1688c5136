#include "dbm/packed.h"

#include "dbm/cut.h"
#include "dbm/simulation.h"

#include <assert.h>
#include <string.h>

#define INF8 INT8_MAX   // infinity in 8 bits
#define INF16 INT16_MAX // what BOUND_INF becomes when cut to 16 bits

// From 32 - c on: c bytes of ones, then zeros.
static const int8_t packed_tails[64] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};

#define NARROW_T int16_t
#define NARROW_UT uint16_t
#define NARROW_SIZE 2
#define NARROW_NAME(name) name##_16
#include "dbm/narrow.h"

#define NARROW_T int8_t
#define NARROW_UT uint8_t
#define NARROW_SIZE 1
#define NARROW_NAME(name) name##_8
#include "dbm/narrow.h"

// Room for one image: rows are written whole.
static size_t image_entries(uint32_t n) { return (size_t)n * dbm_stride(n) + PACKED_SLACK; }

size_t probe_bytes(uint32_t n) {
  return image_entries(n) * (sizeof(int16_t) + 2 * sizeof(int8_t));
}

void probe_init(Probe *probe, void *memory, uint32_t n) {
  *probe = (Probe){.image = memory};
  probe->inner8 = (int8_t *)(probe->image + image_entries(n));
  probe->outer8 = probe->inner8 + image_entries(n);
}

void packed_bounds(PackedBounds *bounds, uint32_t k) {
  bounds->is_small = bounds->is_tiny = true;
  for (uint32_t x = 0; x < k; x++) {
    const int32_t lower = bounds->lower[x], upper = bounds->upper[x];
    bounds->is_small &= lower <= PACKED_MOST_BOUND && upper <= PACKED_MOST_BOUND;
    bounds->is_tiny &= lower <= PACKED_TINY_BOUND && upper <= PACKED_TINY_BOUND;
    bounds->twice_lower8[x] = lower == CLOCK_NO_BOUND ? -1 : (int8_t)(2 * lower);
    bounds->use8[x] = upper == CLOCK_NO_BOUND ? INF8 : (int8_t)(1 - 2 * upper);
    bounds->twice_lower[x] = lower == CLOCK_NO_BOUND ? -1 : (int16_t)(2 * lower);
    bounds->use[x] = upper == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * upper);
  }
}

DBM_CLONES static bool cut_to_16(int16_t *image, const Bound *zone, uint32_t k) {
  return k <= LANES ? cut_rows(image, zone, k, LANES) : cut_rows(image, zone, k, dbm_stride(k));
}

// The 8-bit image of a zone that fits into 16 bits; false if it does not fit into 8.
DBM_CLONES static bool cut_to_8(int8_t *image8, const int16_t *image, uint32_t size) {
  Lanes16 lost = {0};
  for (uint32_t at = 0; at < size; at += LANES) {
    const Lanes16 v = *(const Lanes16At *)(image + at), infinite = v == INF16;
    Lanes16 found = ((v < -127) | (v > 125)) & ~infinite;
    if (size - at < LANES)
      found &= *(const Lanes16At *)(packed_tails + 32 - (size - at) * 2);
    lost |= found;
    *(Lanes8At *)(image8 + at) =
        __builtin_convertvector((v & ~infinite) | (INF8 & infinite), Lanes8);
  }
  return !lanes_any16(&lost);
}

// If it does not fit it is clipped so that no comparison with an 8-bit zone changes: as `inner`,
// on the greater side of the test, a finite bound too large is above all finite ones but not
// above infinity; as `outer`, on the smaller side, it is below infinity only.
static void clip_to_8(int8_t *inner, int8_t *outer, const int16_t *image, uint32_t size) {
  for (uint32_t at = 0; at < size; at++) {
    const int16_t v = image[at];
    inner[at] = (int8_t)(v < INT8_MIN ? INT8_MIN : v > INF8 ? INF8 : v);
    outer[at] = (int8_t)(v == INF16 ? INF8 : v < INT8_MIN ? INT8_MIN : v >= INF8 ? INF8 - 1 : v);
  }
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
  probe->format = fits ? PACKED_16 : PACKED_32;
  probe->fits_16 = fits;
  probe_bounds(probe, bounds);
  if (!fits || !probe->allows_8)
    return;
  if (cut_to_8(probe->outer8, probe->image, k * k))
    probe->format = PACKED_8;
  else
    clip_to_8(probe->inner8, probe->outer8, probe->image, k * k);
}

void probe_bounds(Probe *probe, const PackedBounds *bounds) {
  probe->bounds = bounds;
  probe->is_narrow = probe->fits_16 && (probe->kind == PROBE_INCLUSION ||
                                        (probe->kind == PROBE_ALU && bounds->is_small));
}

// Whether the kernels for a width can be used: the zone fits into 16 bits, which makes the
// images, and the bounds into the width.
static bool has_kernel(const Probe *probe, PackedFormat format) {
  if (!probe->is_narrow)
    return false;
  return format == PACKED_16 ||
         (format == PACKED_8 && (probe->kind == PROBE_INCLUSION || probe->bounds->is_tiny));
}

static Image_16 image_16(const Probe *p) {
  return (Image_16){.k = p->k,
                    .inner = p->image,
                    .outer = p->image,
                    .twice_lower = p->bounds->twice_lower,
                    .use = p->bounds->use};
}

static Image_8 image_8(const Probe *p) {
  return (Image_8){.k = p->k,
                   .inner = p->format == PACKED_8 ? p->outer8 : p->inner8,
                   .outer = p->outer8,
                   .twice_lower = p->bounds->twice_lower8,
                   .use = p->bounds->use8};
}

// The general tests, entry by entry, for what the kernels cannot do: rare.
static inline Bound stored_at(const void *zone, PackedFormat format, uint32_t at) {
  if (format == PACKED_32)
    return ((const Bound *)zone)[at];
  if (format == PACKED_8) {
    const int8_t v = ((const int8_t *)zone)[at];
    return v == INF8 ? BOUND_INF : v;
  }
  const int16_t v = ((const int16_t *)zone)[at];
  return v == INF16 ? BOUND_INF : v;
}

// Whether the entries for y and x show that `small` is not in Closure_LU+ of `big`.
static bool closure_fails(const Probe *p, const void *zone, PackedFormat format, bool by_probe,
                          uint32_t y, uint32_t x) {
  const int32_t *lower = p->bounds->lower, *upper = p->bounds->upper;
  const Bound ours = p->zone[y * p->stride + x], theirs = stored_at(zone, format, y * p->k + x);
  const Bound *rows = p->zone;
  if (by_probe)
    return simulation_closure_lu_fails(ours, theirs, rows[y], rows[x], stored_at(zone, format, x),
                                       y, lower[y], upper[y], lower[x], upper[x]);
  return simulation_closure_lu_fails(theirs, ours, stored_at(zone, format, y),
                                     stored_at(zone, format, x), rows[x], y, lower[y], upper[y],
                                     lower[x], upper[x]);
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
      if (p->kind == PROBE_CLOSURE_LU) {
        if (closure_fails(p, zone, format, by_probe, y, x))
          return false;
        continue;
      }
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
  const bool is_alu = probe->kind != PROBE_INCLUSION;
  if (has_kernel(probe, format)) {
    if (format == PACKED_16) {
      const Image_16 image = image_16(probe);
      return scan_covered_16(&image, zones, count, is_alu);
    }
    const Image_8 image = image_8(probe);
    return scan_covered_8(&image, zones, count, is_alu);
  }
  for (uint32_t i = 0; i < count; i++)
    if (is_covered(probe, zone_at(probe, zones, i, format), format, false))
      return i;
  return count;
}

uint32_t probe_covers(const Probe *probe, const void *zones, uint32_t from, uint32_t count,
                      PackedFormat format) {
  const bool is_alu = probe->kind != PROBE_INCLUSION;
  if (has_kernel(probe, format)) {
    if (format == PACKED_16) {
      const Image_16 image = image_16(probe);
      return scan_covers_16(&image, zones, from, count, is_alu);
    }
    const Image_8 image = image_8(probe);
    return scan_covers_8(&image, zones, from, count, is_alu);
  }
  for (uint32_t i = from; i < count; i++)
    if (is_covered(probe, zone_at(probe, zones, i, format), format, true))
      return i;
  return count;
}

void probe_write(const Probe *probe, void *to, PackedFormat format) {
  const uint32_t k = probe->k, stride = probe->stride;
  assert(format >= probe->format);
  if (format == PACKED_8)
    memcpy(to, probe->outer8, packed_bytes(k, PACKED_8));
  else if (format == PACKED_16)
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

DBM_CLONES static void widen8(Bound *zone, const int8_t *from, uint32_t k) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  const uint32_t stride = dbm_stride(k);
  for (uint32_t b = 0; b < stride; b += LANES) {
    const Lanes32 padding = index >= (int32_t)(k - b);
    for (uint32_t y = 0; y < k; y++) {
      const Lanes8 row = *(const Lanes8At *)(from + y * k + b);
      const Lanes32 v = __builtin_convertvector(row, Lanes32);
      const Lanes32 infinite = (v == INF8) | padding;
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
  if (format == PACKED_8) {
    widen8(zone, from, k);
    return;
  }
  if (format == PACKED_16) {
    widen(zone, from, k);
    return;
  }
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < stride; x++)
      zone[y * stride + x] = x < k ? ((const Bound *)from)[y * k + x] : BOUND_INF;
}
