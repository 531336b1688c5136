#include "dbm/packed.h"

#include "dbm/clones.h"

#include <assert.h>
#include <string.h>

// 16-bit image of a bound: infinity is INF16, finite bounds are strictly inside
// (LEAST16, MOST16); the two values at the rim are for clipped probe entries.
#define INF16 INT16_MAX
#define MOST16 (INT16_MAX - 1)
#define LEAST16 INT16_MIN
#define NEVER32 INT32_MIN // below every stored bound

size_t probe_bytes(uint32_t n) {
  const size_t stride = dbm_stride(n), matrix = n * stride;
  return (sizeof(int16_t) + sizeof(int32_t)) * (3 * matrix + stride);
}

void probe_init(Probe *probe, void *memory, uint32_t n) {
  const size_t stride = dbm_stride(n), matrix = n * stride;
  *probe = (Probe){.wide_forward = memory};
  probe->wide_back = probe->wide_forward + matrix;
  probe->wide_low = probe->wide_back + matrix;
  probe->wide_use = probe->wide_low + matrix;
  probe->forward = (int16_t *)(probe->wide_use + stride);
  probe->back = probe->forward + matrix;
  probe->low = probe->back + matrix;
  probe->use = probe->low + matrix;
}

DBM_INLINE int32_t clamp16(int32_t v) {
  v = v < LEAST16 ? LEAST16 : v;
  return v > INF16 ? INF16 : v;
}

// For the test `stored < v`: a finite v too large is above every finite stored bound and not
// above infinity; one too small is below every stored bound.
DBM_INLINE int16_t clip_above(int32_t v) { return (int16_t)clamp16(v); }

// For the test `v < stored`: a finite v too large is below infinity only.
DBM_INLINE int16_t clip_below(int32_t v) {
  const int32_t finite = v > MOST16 ? MOST16 : v < LEAST16 ? LEAST16 : v;
  return (int16_t)(v == BOUND_INF ? INF16 : finite);
}

// The largest v with v + (<, -L) < z, plus one. For raw v the test is (v & ~1) - 2 L < z, that
// is v < z + 2 L rounded up to even.
DBM_INLINE int32_t alu_limit(Bound z, int32_t twice_lower) {
  const int32_t limit = z + twice_lower;
  return limit + (limit & 1);
}

DBM_INLINE int32_t alu_low(Bound v, int32_t twice_lower) {
  return v == BOUND_INF ? BOUND_INF : (v & ~1) - twice_lower;
}

// Bounds are at most BOUND_MOST, so that twice one never overflows.
DBM_INLINE int32_t use_limit(int32_t upper) {
  return upper == CLOCK_NO_BOUND ? INT32_MAX : 1 - 2 * upper; // (<=, -U)
}

DBM_INLINE bool rows_fit16(const Bound *zone, uint32_t k, uint32_t stride) {
  int outside = 0;
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < stride; x++) {
      const Bound v = zone[y * stride + x];
      outside |= (x < k) & (v != BOUND_INF) & ((v >= MOST16) | (v <= LEAST16));
    }
  return !outside;
}

DBM_INLINE void forward_rows(Probe *p, uint32_t stride) {
  const uint32_t k = p->k;
  const Bound *zone = p->zone;
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < stride; x++)
      p->forward[y * stride + x] = x < k ? clip_above(zone[y * stride + x]) : LEAST16;
}

DBM_INLINE void forward_rows_alu(Probe *p, uint32_t stride) {
  const uint32_t k = p->k;
  const Bound *zone = p->zone;
  // Whether x can serve as the x of the test, as a mask; kept in `use`, which comes later.
  int16_t *usable = p->use;
  for (uint32_t x = 0; x < stride; x++)
    usable[x] = (int16_t) - ((x < k) & (zone[x] >= use_limit(p->upper[x])));
  for (uint32_t y = 0; y < k; y++) {
    int16_t *forward = p->forward + y * stride;
    const bool never = p->lower[y] == CLOCK_NO_BOUND;
    const int32_t twice = never ? 0 : 2 * p->lower[y];
    const int16_t mask = (int16_t)-!never;
    for (uint32_t x = 0; x < stride; x++) {
      const int32_t limit = alu_limit(zone[x], twice), v = zone[y * stride + x];
      const int16_t image = clip_above(v < limit ? v : limit);
      const int16_t used = usable[x] & mask;
      forward[x] = (int16_t)((image & used) | (LEAST16 & ~used));
    }
  }
}

DBM_INLINE void back_rows(Probe *p, uint32_t stride) {
  const uint32_t k = p->k;
  const Bound *zone = p->zone;
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < stride; x++)
      p->back[y * stride + x] = x < k ? clip_below(zone[y * stride + x]) : INF16;
}

DBM_INLINE void back_rows_alu(Probe *p, uint32_t stride) {
  const uint32_t k = p->k;
  const Bound *zone = p->zone;
  back_rows(p, stride);
  for (uint32_t y = 0; y < k; y++) {
    int16_t *low = p->low + y * stride;
    const bool never = p->lower[y] == CLOCK_NO_BOUND;
    const int32_t twice = never ? 0 : 2 * p->lower[y];
    for (uint32_t x = 0; x < stride; x++)
      low[x] = never ? INF16 : clip_below(alu_low(zone[y * stride + x], twice));
  }
  for (uint32_t x = 0; x < stride; x++)
    p->use[x] = x < k ? clip_below(use_limit(p->upper[x])) : INF16;
}

// Each for the smallest stride, a constant, and for any.
DBM_CLONES static bool fits16(const Bound *zone, uint32_t k, uint32_t stride) {
  return stride == DBM_LANES ? rows_fit16(zone, k, DBM_LANES) : rows_fit16(zone, k, stride);
}

DBM_CLONES static void make_forward(Probe *p) {
  const bool narrow = p->stride == DBM_LANES;
  if (p->kind == PROBE_INCLUSION)
    narrow ? forward_rows(p, DBM_LANES) : forward_rows(p, p->stride);
  else
    narrow ? forward_rows_alu(p, DBM_LANES) : forward_rows_alu(p, p->stride);
}

DBM_CLONES static void make_back(Probe *p) {
  const bool narrow = p->stride == DBM_LANES;
  if (p->kind == PROBE_INCLUSION)
    narrow ? back_rows(p, DBM_LANES) : back_rows(p, p->stride);
  else
    narrow ? back_rows_alu(p, DBM_LANES) : back_rows_alu(p, p->stride);
}

// The 32-bit images, entry by entry: wide blocks are rare.
static void make_wide(Probe *p) {
  for (uint32_t y = 0; y < p->k; y++)
    for (uint32_t x = 0; x < p->stride; x++) {
      const uint32_t at = y * p->stride + x;
      const Bound v = p->zone[at];
      p->wide_forward[at] = NEVER32;
      p->wide_back[at] = p->wide_low[at] = INT32_MAX;
      if (x >= p->k)
        continue;
      if (p->kind == PROBE_INCLUSION) {
        p->wide_forward[at] = p->wide_back[at] = v;
      } else if (p->lower[y] != CLOCK_NO_BOUND) {
        const int32_t limit = alu_limit(p->zone[x], 2 * p->lower[y]);
        if (p->zone[x] >= use_limit(p->upper[x]))
          p->wide_forward[at] = v < limit ? v : limit;
        p->wide_back[at] = v;
        p->wide_low[at] = alu_low(v, 2 * p->lower[y]);
      }
    }
  for (uint32_t x = 0; x < p->stride; x++)
    p->wide_use[x] =
        x < p->k && p->kind == PROBE_ALU ? use_limit(p->upper[x]) : INT32_MAX;
}

void probe_make(Probe *probe, ProbeKind kind, const Bound *zone, uint32_t k,
                const int32_t *lower, const int32_t *upper) {
  probe->kind = kind;
  probe->k = k;
  probe->stride = dbm_stride(k);
  probe->zone = zone;
  probe->lower = lower;
  probe->upper = upper;
  probe->made = 0;
  probe->format = fits16(zone, k, probe->stride) ? PACKED_16 : PACKED_32;
}

// The three kernels, for one width of entries and one number of lanes. `some` collects a
// whole row, so that the loops have no branch inside a vector.
#define KERNELS(suffix, type, lanes)                                                             \
  static inline bool below_##suffix(const type *stored, const type *probe, uint32_t k,           \
                                    uint32_t stride) {                                           \
    for (uint32_t y = 0; y < k; y++, stored += k, probe += stride)                               \
      for (uint32_t b = 0; b < stride; b += lanes) {                                             \
        type some = 0;                                                                           \
        for (uint32_t x = 0; x < lanes; x++)                                                     \
          some |= (type) - (stored[b + x] < probe[b + x]);                                       \
        if (some)                                                                                \
          return true;                                                                           \
      }                                                                                          \
    return false;                                                                                \
  }                                                                                              \
  static inline bool above_##suffix(const type *stored, const type *probe, uint32_t k,           \
                                    uint32_t stride) {                                           \
    for (uint32_t y = 0; y < k; y++, stored += k, probe += stride)                               \
      for (uint32_t b = 0; b < stride; b += lanes) {                                             \
        type some = 0;                                                                           \
        for (uint32_t x = 0; x < lanes; x++)                                                     \
          some |= (type) - (probe[b + x] < stored[b + x]);                                       \
        if (some)                                                                                \
          return true;                                                                           \
      }                                                                                          \
    return false;                                                                                \
  }                                                                                              \
  static inline bool above_alu_##suffix(const type *zone, const type *back, const type *low,     \
                                        const type *use, uint32_t k, uint32_t stride) {          \
    const type *stored = zone;                                                                   \
    for (uint32_t y = 0; y < k; y++, stored += k, back += stride, low += stride)                 \
      for (uint32_t b = 0; b < stride; b += lanes) {                                             \
        type some = 0;                                                                           \
        for (uint32_t x = 0; x < lanes; x++)                                                     \
          some |= (type)((type) - (back[b + x] < stored[b + x]) &                                \
                         (type) - (low[b + x] < zone[b + x]) &                                   \
                         (type) - (use[b + x] <= zone[b + x]));                                  \
        if (some)                                                                                \
          return true;                                                                           \
      }                                                                                          \
    return false;                                                                                \
  }

KERNELS(16x8, int16_t, 8)
KERNELS(16x16, int16_t, 16)
KERNELS(32x8, int32_t, 8)

DBM_CLONES static uint32_t covered16(const Probe *p, const int16_t *zones, uint32_t count) {
  const uint32_t k = p->k, size = k * k;
  if (p->stride % 16) {
    for (uint32_t i = 0; i < count; i++)
      if (!below_16x8(zones + (size_t)i * size, p->forward, k, p->stride))
        return i;
  } else {
    for (uint32_t i = 0; i < count; i++)
      if (!below_16x16(zones + (size_t)i * size, p->forward, k, p->stride))
        return i;
  }
  return count;
}

DBM_CLONES static uint32_t covers16(const Probe *p, const int16_t *zones, uint32_t from,
                                    uint32_t count) {
  const uint32_t k = p->k, size = k * k;
  for (uint32_t i = from; i < count; i++) {
    const int16_t *zone = zones + (size_t)i * size;
    bool fails;
    if (p->kind == PROBE_INCLUSION)
      fails = p->stride % 16 ? above_16x8(zone, p->back, k, p->stride)
                             : above_16x16(zone, p->back, k, p->stride);
    else
      fails = p->stride % 16 ? above_alu_16x8(zone, p->back, p->low, p->use, k, p->stride)
                             : above_alu_16x16(zone, p->back, p->low, p->use, k, p->stride);
    if (!fails)
      return i;
  }
  return count;
}

DBM_CLONES static uint32_t covered32(const Probe *p, const int32_t *zones, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!below_32x8(zones + (size_t)i * p->k * p->k, p->wide_forward, p->k, p->stride))
      return i;
  return count;
}

DBM_CLONES static uint32_t covers32(const Probe *p, const int32_t *zones, uint32_t from,
                                    uint32_t count) {
  for (uint32_t i = from; i < count; i++) {
    const int32_t *zone = zones + (size_t)i * p->k * p->k;
    const bool fails =
        p->kind == PROBE_INCLUSION
            ? above_32x8(zone, p->wide_back, p->k, p->stride)
            : above_alu_32x8(zone, p->wide_back, p->wide_low, p->wide_use, p->k, p->stride);
    if (!fails)
      return i;
  }
  return count;
}

uint32_t probe_covered(Probe *probe, const void *zones, uint32_t count, PackedFormat format) {
  if (format == PACKED_16) {
    if (!(probe->made & PROBE_FORWARD))
      make_forward(probe);
    probe->made |= PROBE_FORWARD;
    return covered16(probe, zones, count);
  }
  if (!(probe->made & PROBE_WIDE))
    make_wide(probe);
  probe->made |= PROBE_WIDE;
  return covered32(probe, zones, count);
}

uint32_t probe_covers(Probe *probe, const void *zones, uint32_t from, uint32_t count,
                      PackedFormat format) {
  if (format == PACKED_16) {
    if (!(probe->made & PROBE_BACK))
      make_back(probe);
    probe->made |= PROBE_BACK;
    return covers16(probe, zones, from, count);
  }
  if (!(probe->made & PROBE_WIDE))
    make_wide(probe);
  probe->made |= PROBE_WIDE;
  return covers32(probe, zones, from, count);
}

// Rows of k entries in blocks of 8; the last block is shortened.
DBM_CLONES static void narrow_rows(int16_t *to, const Bound *zone, uint32_t k) {
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < k; x++)
      to[y * k + x] = clip_below(zone[y * stride + x]);
}

DBM_CLONES static void widen_rows(Bound *zone, const int16_t *from, uint32_t k) {
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++)
    for (uint32_t x = 0; x < k; x++)
      zone[y * stride + x] = from[y * k + x] == INF16 ? BOUND_INF : from[y * k + x];
}

void packed_write(void *to, PackedFormat format, const Bound *zone, uint32_t k) {
  if (format == PACKED_16) {
    narrow_rows(to, zone, k);
    return;
  }
  for (uint32_t y = 0; y < k; y++)
    memcpy((Bound *)to + y * k, zone + y * dbm_stride(k), k * sizeof(Bound));
}

void packed_read(Bound *zone, uint32_t k, const void *from, PackedFormat format) {
  if (format == PACKED_16) {
    widen_rows(zone, from, k);
    return;
  }
  for (uint32_t y = 0; y < k; y++)
    memcpy(zone + y * dbm_stride(k), (const Bound *)from + y * k, k * sizeof(Bound));
}
