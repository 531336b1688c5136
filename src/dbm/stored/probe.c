#include "dbm/stored/probe.h"

#include "dbm/simulation.h"
#include "dbm/stored/packed_lanes.h"

#include <assert.h>
#include <string.h>

// The general test in both directions, for what the kernels cannot do.
static bool covered_any(Probe *, const StoredZone *);
static bool covers_any(Probe *, const StoredZone *);

#define NARROW_T int16_t
#define NARROW_UT uint16_t
#define NARROW_SIZE 2
#define NARROW_LEAST INT16_MIN
#define NARROW_MAX INT16_MAX
#define NARROW_NAME(name) name##_16
#include "dbm/kernel/narrow.h"

#define NARROW_T int8_t
#define NARROW_UT uint8_t
#define NARROW_SIZE 1
#define NARROW_LEAST INT8_MIN
#define NARROW_MAX INT8_MAX
#define NARROW_NAME(name) name##_8
#include "dbm/kernel/narrow.h"

// Room for one image: rows are written whole.
static size_t image_entries(uint32_t n) { return (size_t)n * dbm_stride(n) + PACKED_SLACK; }

static size_t whole_entries(uint32_t n) { return (size_t)n * n + DBM_LANES; }

size_t probe_bytes(uint32_t n) {
  return whole_entries(n) * sizeof(Bound) +
         image_entries(n) * (2 * sizeof(int16_t) + 3 * sizeof(int8_t));
}

void probe_init(Probe *probe, void *memory, uint32_t n) {
  *probe = (Probe){.buffer32 = memory};
  probe->buffer16 = (int16_t *)(probe->buffer32 + whole_entries(n));
  probe->demand16 = probe->buffer16 + image_entries(n);
  probe->inner_buffer8 = (int8_t *)(probe->demand16 + image_entries(n));
  probe->outer_buffer8 = probe->inner_buffer8 + image_entries(n);
  probe->demand8 = probe->outer_buffer8 + image_entries(n);
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

void probe_take(Probe *probe, ProbeKind kind, const void *entries, uint32_t k,
                PackedFormat format, const PackedBounds *bounds) {
  probe->kind = kind;
  probe->k = k;
  probe->format = format;
  probe->entries = entries;
  probe->bounds = bounds;
  probe->has_8 = probe->has_16 = probe->has_whole = false;
  probe->has_demand8 = probe->has_demand16 = false;
  memset(probe->covered_hints, 0, sizeof probe->covered_hints);
  memset(probe->covers_hints, 0, sizeof probe->covers_hints);
  if (format == PACKED_8) {
    probe->inner8 = probe->outer8 = entries;
    probe->has_8 = true;
  } else if (format == PACKED_16) {
    probe->image = entries;
    probe->has_16 = true;
  }
}

static const void *copy_rows(Bound *to, const Bound *zone, uint32_t k) {
  for (uint32_t y = 0; y < k; y++)
    memcpy(to + y * k, zone + y * dbm_stride(k), k * sizeof(Bound));
  return to;
}

void probe_make(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                const PackedBounds *bounds) {
  if (probe->only_32 || !packed_cut(probe->buffer16, zone, k))
    probe_take(probe, kind, copy_rows(probe->buffer32, zone, k), k, PACKED_32, bounds);
  else
    probe_shrink(probe, kind, k, bounds);
}

void probe_shrink(Probe *probe, ProbeKind kind, uint32_t k, const PackedBounds *bounds) {
  const bool is_tiny = probe->allows_8 && packed_shrink(probe->outer_buffer8, probe->buffer16, k);
  probe_accept(probe, kind, k, is_tiny ? PACKED_8 : PACKED_16, bounds);
}

void probe_accept(Probe *probe, ProbeKind kind, uint32_t k, PackedFormat format,
                  const PackedBounds *bounds) {
  char *entries = format == PACKED_8 ? (char *)probe->outer_buffer8 : (char *)probe->buffer16;
  memset(entries + packed_bytes(k, format), 0, PACKED_PADDING);
  probe_take(probe, kind, entries, k, format, bounds);
}

// The images that are not there yet, for a zone that is not in 32 bits.
static void make_image_8(Probe *probe) {
  clip_to_8(probe->inner_buffer8, probe->outer_buffer8, probe->image, probe->k * probe->k);
  probe->inner8 = probe->inner_buffer8;
  probe->outer8 = probe->outer_buffer8;
  probe->has_8 = true;
}

static void make_image_16(Probe *probe) {
  const int8_t *from = probe->entries;
  for (uint32_t at = 0; at < probe->k * probe->k; at++)
    probe->buffer16[at] = from[at] == INF8 ? INF16 : from[at];
  probe->image = probe->buffer16;
  probe->has_16 = true;
}

// Whether the kernels for a width can be used: the zone fits into 16 bits, which makes the
// images, and the bounds into the width.
DBM_INLINE bool has_kernel(const Probe *probe, PackedFormat format) {
  if (probe->format == PACKED_32 || format == PACKED_32 || probe->kind == PROBE_CLOSURE_LU)
    return false;
  return probe->kind == PROBE_INCLUSION ||
         (format == PACKED_8 ? probe->bounds->is_tiny : probe->bounds->is_small);
}

DBM_INLINE Image_16 image_16(Probe *p) {
  if (!p->has_16)
    make_image_16(p);
  return (Image_16){.k = p->k,
                    .inner = p->image,
                    .outer = p->image,
                    .twice_lower = p->bounds->twice_lower,
                    .use = p->bounds->use,
                    .entries = &p->bounds->entries16};
}

DBM_INLINE Image_8 image_8(Probe *p) {
  if (!p->has_8)
    make_image_8(p);
  return (Image_8){.k = p->k,
                   .inner = p->inner8,
                   .outer = p->outer8,
                   .twice_lower = p->bounds->twice_lower8,
                   .use = p->bounds->use8,
                   .entries = &p->bounds->entries8};
}

// The images for tests of being covered. All demands are found once where that is quick, or for
// many tests.
DBM_INLINE Image_16 inner_image_16(Probe *p, bool is_long) {
  Image_16 image = image_16(p);
  if (p->kind == PROBE_INCLUSION || (!is_long && !image.entries->use))
    return image;
  if (!p->has_demand16)
    write_demands_16(&image, image.inner, p->demand16);
  p->has_demand16 = true;
  image.inner = p->demand16;
  return image;
}

DBM_INLINE Image_8 inner_image_8(Probe *p, bool is_long) {
  Image_8 image = image_8(p);
  if (p->kind == PROBE_INCLUSION || (!is_long && !image.entries->use))
    return image;
  if (!p->has_demand8)
    write_demands_8(&image, image.inner, p->demand8);
  p->has_demand8 = true;
  image.inner = p->demand8;
  return image;
}

DBM_CLONES static const void *find_demand(Probe *probe) {
  if (!has_kernel(probe, probe->format))
    return NULL;
  return probe->format == PACKED_8 ? (const void *)inner_image_8(probe, true).inner
                                   : (const void *)inner_image_16(probe, true).inner;
}

const void *probe_demand(Probe *probe) { return find_demand(probe); }

// The general tests, entry by entry, for what the kernels cannot do: rare.

// Whether the entries for y and x show that `small` is not in Closure_LU+ of `big`.
static bool closure_fails(const Probe *p, const void *small, PackedFormat small_format,
                          const void *big, PackedFormat big_format, uint32_t y, uint32_t x) {
  const int32_t *lower = p->bounds->lower, *upper = p->bounds->upper;
  const uint32_t at = y * p->k + x;
  return simulation_closure_lu_fails(
      packed_entry(big, big_format, at), packed_entry(small, small_format, at),
      packed_entry(big, big_format, y), packed_entry(big, big_format, x),
      packed_entry(small, small_format, x), y, lower[y], upper[y], lower[x], upper[x]);
}

// Whether `small` is in the abstraction of `big`, one of which is the probe's zone.
static bool is_inside(const Probe *p, const void *small, PackedFormat small_format,
                      const void *big, PackedFormat big_format) {
  for (uint32_t y = 0; y < p->k; y++)
    for (uint32_t x = 0; x < p->k; x++) {
      const Bound outer = packed_entry(big, big_format, y * p->k + x);
      if (outer >= packed_entry(small, small_format, y * p->k + x))
        continue;
      if (p->kind == PROBE_INCLUSION)
        return false;
      if (p->kind == PROBE_CLOSURE_LU) {
        if (closure_fails(p, small, small_format, big, big_format, y, x))
          return false;
        continue;
      }
      const int32_t lower = p->bounds->lower[y], upper = p->bounds->upper[x];
      if (lower == CLOCK_NO_BOUND || upper == CLOCK_NO_BOUND)
        continue;
      const Bound zero = packed_entry(small, small_format, x);
      if (zero >= bound_le(-upper) && (outer & ~1) - 2 * lower < zero)
        return false;
    }
  return true;
}

DBM_INLINE bool is_covered(Probe *probe, const void *zone, PackedFormat format, bool is_alu) {
  uint32_t none = 0;
  if (!has_kernel(probe, format))
    return is_inside(probe, probe->entries, probe->format, zone, format);
  if (format == PACKED_8) {
    const Image_8 image = inner_image_8(probe, false);
    return covered_8(&image, zone, is_alu,
                     image.entries->use || !is_alu ? &none : &probe->covered_hints[PACKED_8]);
  }
  const Image_16 image = inner_image_16(probe, false);
  return covered_16(&image, zone, is_alu,
                    image.entries->use || !is_alu ? &none : &probe->covered_hints[PACKED_16]);
}

DBM_INLINE bool is_covering(Probe *probe, const void *zone, PackedFormat format, bool is_alu) {
  uint32_t none = 0;
  if (!has_kernel(probe, format))
    return is_inside(probe, zone, format, probe->entries, probe->format);
  if (format == PACKED_8) {
    const Image_8 image = image_8(probe);
    return covers_8(&image, zone, is_alu, false,
                    image.entries->use || !is_alu ? &none : &probe->covers_hints[PACKED_8]);
  }
  const Image_16 image = image_16(probe);
  return covers_16(&image, zone, is_alu, false,
                   image.entries->use || !is_alu ? &none : &probe->covers_hints[PACKED_16]);
}

static bool covers_any(Probe *probe, const StoredZone *zone) {
  return probe_covers(probe, zone->entries, (PackedFormat)zone->format);
}

static bool covered_any(Probe *probe, const StoredZone *zone) {
  return probe_is_covered(probe, zone->entries, (PackedFormat)zone->format);
}

enum { LONG_SCAN = 8 }; // zones

// Scans with the kernels for the width of the probe's zone.
DBM_CLONES static uint32_t scan_covered(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                                        uint32_t count) {
  const bool is_long = count >= LONG_SCAN, is_alu = probe->kind != PROBE_INCLUSION;
  if (probe->format == PACKED_8 && has_kernel(probe, PACKED_8)) {
    const Image_8 image = inner_image_8(probe, is_long);
    return is_alu && !is_long && !image.entries->use
               ? scan_covered_rows_8(table, &image, probe, refs, count, PACKED_8)
               : scan_covered_8(table, &image, probe, refs, count, PACKED_8);
  }
  if (probe->format == PACKED_16 && has_kernel(probe, PACKED_16)) {
    const Image_16 image = inner_image_16(probe, is_long);
    return is_alu && !is_long && !image.entries->use
               ? scan_covered_rows_16(table, &image, probe, refs, count, PACKED_16)
               : scan_covered_16(table, &image, probe, refs, count, PACKED_16);
  }
  uint32_t i = 0;
  while (i < count && !covered_any(probe, zonetable_at(table, refs[i])))
    i++;
  return i;
}

DBM_CLONES static uint32_t scan_covers(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                                       uint32_t i, uint32_t count) {
  const bool is_alu = probe->kind != PROBE_INCLUSION;
  if (probe->format == PACKED_8 && has_kernel(probe, PACKED_8)) {
    const Image_8 image = image_8(probe);
    return !is_alu ? scan_covers_8(table, &image, probe, refs, i, count, PACKED_8)
           : image.entries->use
               ? scan_covers_alu_8(table, &image, probe, refs, i, count, PACKED_8, true)
               : scan_covers_alu_8(table, &image, probe, refs, i, count, PACKED_8, false);
  }
  if (probe->format == PACKED_16 && has_kernel(probe, PACKED_16)) {
    const Image_16 image = image_16(probe);
    return !is_alu ? scan_covers_16(table, &image, probe, refs, i, count, PACKED_16)
           : image.entries->use
               ? scan_covers_alu_16(table, &image, probe, refs, i, count, PACKED_16, true)
               : scan_covers_alu_16(table, &image, probe, refs, i, count, PACKED_16, false);
  }
  while (i < count && !covers_any(probe, zonetable_at(table, refs[i])))
    i++;
  return i;
}

uint32_t probe_scan_covered(Probe *probe, const ZoneTable *table, const ZoneRef *refs,
                            uint32_t count) {
  return scan_covered(table, probe, refs, count);
}

uint32_t probe_scan_covers(Probe *probe, const ZoneTable *table, const ZoneRef *refs,
                           uint32_t from, uint32_t count) {
  return scan_covers(table, probe, refs, from, count);
}

DBM_CLONES static bool test_covered(Probe *probe, const void *zone, PackedFormat format) {
  return is_covered(probe, zone, format, probe->kind != PROBE_INCLUSION);
}

DBM_CLONES static bool test_covers(Probe *probe, const void *zone, PackedFormat format) {
  return is_covering(probe, zone, format, probe->kind != PROBE_INCLUSION);
}

bool probe_is_covered(Probe *probe, const void *zone, PackedFormat format) {
  return test_covered(probe, zone, format);
}

bool probe_covers(Probe *probe, const void *zone, PackedFormat format) {
  return test_covers(probe, zone, format);
}

// The universal zone has (<=, 0) in row 0 and infinity in the others; see dbm/simulation.c.
DBM_INLINE bool is_true(const Probe *p, PackedFormat format) {
  const int32_t *lower = p->bounds->lower, *upper = p->bounds->upper;
  const bool is_alu = p->kind == PROBE_ALU;
  for (uint32_t x = 1; x < p->k; x++)
    if ((!is_alu || upper[x] >= 0) && packed_entry(p->entries, format, x) < BOUND_LE_ZERO)
      return false;
  for (uint32_t y = 1; y < p->k; y++) {
    if (is_alu && lower[y] < 0)
      continue;
    const Bound max = is_alu ? bound_le(lower[y]) : BOUND_INF - 1;
    for (uint32_t x = 0; x < p->k; x++)
      if (packed_entry(p->entries, format, y * p->k + x) <= max && x != y &&
          (!is_alu || upper[x] >= 0))
        return false;
  }
  return true;
}

bool probe_is_true(const Probe *probe) {
  assert(probe->kind != PROBE_CLOSURE_LU);
  return probe->format == PACKED_8 ? is_true(probe, PACKED_8) : is_true(probe, probe->format);
}
