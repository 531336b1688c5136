#include "dbm/stored/probe.h"

#include "dbm/simulation.h"

#include <assert.h>
#include <string.h>

// The general test in both directions, for what the kernels cannot do.
static bool covered_any(Probe *, const StoredZone *);
static bool covers_any(Probe *, const StoredZone *);

#include "dbm/kernel/narrow.h"

// Room for one image: rows are written whole.
static size_t image_entries(uint32_t n) { return (size_t)n * dbm_stride(n) + PACKED_SLACK; }

static size_t whole_entries(uint32_t n) { return (size_t)n * n + DBM_LANES; }

size_t probe_bytes(uint32_t n) {
  return whole_entries(n) * sizeof(Bound) + image_entries(n) * 2 * sizeof(int16_t);
}

void probe_init(Probe *probe, void *memory, uint32_t n) {
  *probe = (Probe){.buffer32 = memory};
  probe->buffer16 = (int16_t *)(probe->buffer32 + whole_entries(n));
  probe->demand = probe->buffer16 + image_entries(n);
}

void probe_take(Probe *probe, ProbeKind kind, const void *entries, uint32_t k,
                PackedFormat format, const PackedBounds *bounds) {
  probe->kind = kind;
  probe->k = k;
  probe->format = format;
  probe->entries = entries;
  probe->bounds = bounds;
  probe->has_demand = probe->has_whole = false;
  probe->covered_hint = probe->covers_hint = 0;
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
    probe_accept(probe, kind, k, bounds);
}

void probe_accept(Probe *probe, ProbeKind kind, uint32_t k, const PackedBounds *bounds) {
  memset(probe->buffer16 + (size_t)k * k, 0, PACKED_PADDING);
  probe_take(probe, kind, probe->buffer16, k, PACKED_16, bounds);
}

// Whether the kernels can be used: the zones and the bounds fit into 16 bits.
DBM_INLINE bool has_kernel(const Probe *probe, PackedFormat format) {
  return probe->format == PACKED_16 && format == PACKED_16 &&
         (probe->kind == PROBE_INCLUSION ||
          (probe->kind == PROBE_ALU && probe->bounds->is_small));
}

DBM_INLINE Image image_of(const Probe *p) {
  return (Image){.k = p->k,
                 .inner = p->entries,
                 .outer = p->entries,
                 .twice_lower = p->bounds->twice_lower,
                 .use = p->bounds->use,
                 .entries = &p->bounds->entries};
}

// The image for many tests of being covered: all demands are found once.
DBM_INLINE Image demanding_image(Probe *p) {
  Image image = image_of(p);
  if (p->kind == PROBE_INCLUSION)
    return image;
  if (!p->has_demand)
    write_demands(&image, image.inner, p->demand);
  p->has_demand = true;
  image.inner = p->demand;
  return image;
}

DBM_CLONES static const int16_t *find_demand_of(Probe *probe) {
  return has_kernel(probe, probe->format) ? demanding_image(probe).inner : NULL;
}

const int16_t *probe_demand(Probe *probe) { return find_demand_of(probe); }

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

// Whether `small` is in the abstraction of `big`. One of the two is the probe's zone.
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

// Whether a packed zone covers the probe's, or is covered by it.
DBM_INLINE bool is_covered(Probe *probe, const void *zone, PackedFormat format, bool covers) {
  const void *small = covers ? zone : probe->entries, *big = covers ? probe->entries : zone;
  const PackedFormat small_format = covers ? format : probe->format;
  const bool is_alu = probe->kind != PROBE_INCLUSION;
  uint32_t none = 0, *hint = covers ? &probe->covers_hint : &probe->covered_hint;
  if (!has_kernel(probe, format))
    return is_inside(probe, small, small_format, big, covers ? probe->format : format);
  const Image image = image_of(probe);
  return is_inside_packed(&image, small, big, is_alu, false,
                          image.entries->use || !is_alu ? &none : hint);
}

static bool covers_any(Probe *probe, const StoredZone *zone) {
  return probe_covers(probe, zone->entries, (PackedFormat)zone->format);
}

static bool covered_any(Probe *probe, const StoredZone *zone) {
  return probe_is_covered(probe, zone->entries, (PackedFormat)zone->format);
}

enum { LONG_SCAN = 8 }; // zones

// Scans with the kernels.
DBM_CLONES static uint32_t find_covering(const ZoneTable *table, Probe *probe,
                                         const ZoneRef *refs, uint32_t count) {
  const bool is_long = count >= LONG_SCAN, is_alu = probe->kind != PROBE_INCLUSION;
  if (has_kernel(probe, PACKED_16)) {
    const Image image = is_long ? demanding_image(probe) : image_of(probe);
    return is_alu && !is_long ? scan_covered_few(table, &image, probe, refs, count)
                              : scan_covered(table, &image, probe, refs, count);
  }
  uint32_t i = 0;
  while (i < count && !covered_any(probe, zonetable_at(table, refs[i])))
    i++;
  return i;
}

DBM_CLONES static uint32_t find_covered(const ZoneTable *table, Probe *probe, const ZoneRef *refs,
                                        uint32_t i, uint32_t count) {
  const bool is_alu = probe->kind != PROBE_INCLUSION;
  if (has_kernel(probe, PACKED_16)) {
    const Image image = image_of(probe);
    return !is_alu              ? scan_covers(table, &image, probe, refs, i, count)
           : image.entries->use ? scan_covers_alu(table, &image, probe, refs, i, count, true)
                                : scan_covers_alu(table, &image, probe, refs, i, count, false);
  }
  while (i < count && !covers_any(probe, zonetable_at(table, refs[i])))
    i++;
  return i;
}

uint32_t probe_scan_covered(Probe *probe, const ZoneTable *table, const ZoneRef *refs,
                            uint32_t count) {
  return find_covering(table, probe, refs, count);
}

uint32_t probe_scan_covers(Probe *probe, const ZoneTable *table, const ZoneRef *refs,
                           uint32_t from, uint32_t count) {
  return find_covered(table, probe, refs, from, count);
}

DBM_CLONES static bool test_covered(Probe *probe, const void *zone, PackedFormat format) {
  return is_covered(probe, zone, format, false);
}

DBM_CLONES static bool test_covers(Probe *probe, const void *zone, PackedFormat format) {
  return is_covered(probe, zone, format, true);
}

bool probe_is_covered(Probe *probe, const void *zone, PackedFormat format) {
  return test_covered(probe, zone, format);
}

bool probe_covers(Probe *probe, const void *zone, PackedFormat format) {
  return test_covers(probe, zone, format);
}

// The universal zone has (<=, 0) in row 0 and infinity in the others; see dbm/simulation.c. Most
// zones fail in the others.
DBM_INLINE bool is_true(const Probe *p, PackedFormat format) {
  const int32_t *lower = p->bounds->lower, *upper = p->bounds->upper;
  const bool is_alu = p->kind == PROBE_ALU;
  for (uint32_t y = 1; y < p->k; y++) {
    if (is_alu && lower[y] < 0)
      continue;
    const Bound max = is_alu ? bound_le(lower[y]) : BOUND_INF - 1;
    for (uint32_t x = 0; x < p->k; x++)
      if (packed_entry(p->entries, format, y * p->k + x) <= max && x != y &&
          (!is_alu || upper[x] >= 0))
        return false;
  }
  for (uint32_t x = 1; x < p->k; x++)
    if ((!is_alu || upper[x] >= 0) && packed_entry(p->entries, format, x) < BOUND_LE_ZERO)
      return false;
  return true;
}

bool probe_is_true(const Probe *probe) {
  assert(probe->kind != PROBE_CLOSURE_LU);
  return probe->format == PACKED_16 ? is_true(probe, PACKED_16) : is_true(probe, PACKED_32);
}
