#include "dbm/synced.h"

#include "dbm/lanes.h"

#include <assert.h>
#include <string.h>

#define INF16 INT16_MAX
// Entries of 16-bit zones: the sum of two of them fits too. A sum with INF16 is above
// SMALL_MOST + 2 * PACKED_MOST_BOUND, and so never below a(x) + 2 L.
enum { SMALL_MOST = 0x3fff };

static size_t head_entries(ProbeKind kind, const OffsetShape *shape, bool has_high) {
  const size_t k = shape->clocks;
  return kind == PROBE_INCLUSION ? (k + 1) * (k + 1) : has_high ? 2 * k : k;
}

static size_t entries(ProbeKind kind, const OffsetShape *shape, bool has_high) {
  return head_entries(kind, shape, has_high) + (size_t)shape->row_count * shape->n;
}

size_t synced_body_bytes(ProbeKind kind, const OffsetShape *shape, bool has_high,
                         PackedFormat format) {
  return entries(kind, shape, has_high) *
         (format == PACKED_16 ? sizeof(int16_t) : sizeof(int32_t));
}

void synced_bounds(SyncedBounds *bounds, uint32_t clocks) {
  bounds->is_small = true;
  for (uint32_t x = 0; x < clocks; x++) {
    const int32_t lower = bounds->lower[x], upper = bounds->upper[x];
    bounds->is_small &= lower <= PACKED_MOST_BOUND && upper <= PACKED_MOST_BOUND;
    bounds->has_lower[x] = lower == CLOCK_NO_BOUND ? 0 : -1;
    bounds->twice_lower[x] = lower == CLOCK_NO_BOUND ? 0 : (int16_t)(2 * lower);
    bounds->use[x] = upper == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * upper);
  }
}

static size_t rounded(size_t bytes) { return (bytes + PACKED_SLACK + 63) / 64 * 64; }

static size_t most_entries(uint32_t n, uint32_t rows, uint32_t clocks) {
  return (size_t)(clocks + 1) * (clocks + 2) + (size_t)rows * n;
}

size_t synced_bytes(uint32_t n, uint32_t rows, uint32_t clocks) {
  const size_t most = most_entries(n, rows, clocks);
  return rounded(most * sizeof(int16_t)) + rounded(most * sizeof(Bound)) +
         2 * rounded(dbm_stride(clocks) * sizeof(Bound)) + rounded(dbm_bytes(clocks + 1)) +
         rounded((clocks + 2) * dbm_stride(clocks) * sizeof(int16_t)) +
         rounded(probe_bytes(clocks + 1));
}

void synced_init(SyncedProbe *probe, void *memory, uint32_t n, uint32_t rows, uint32_t clocks) {
  const size_t most = most_entries(n, rows, clocks);
  char *at = memory;
  *probe = (SyncedProbe){.image = (int16_t *)(void *)at};
  at += rounded(most * sizeof(int16_t));
  probe->wide = (Bound *)(void *)at;
  at += rounded(most * sizeof(Bound));
  probe->low = (Bound *)(void *)at;
  at += rounded(dbm_stride(clocks) * sizeof(Bound));
  probe->high = (Bound *)(void *)at;
  at += rounded(dbm_stride(clocks) * sizeof(Bound));
  probe->zone = (Bound *)(void *)at;
  at += rounded(dbm_bytes(clocks + 1));
  probe->near = (int16_t *)(void *)at;
  at += rounded((clocks + 2) * dbm_stride(clocks) * sizeof(int16_t));
  probe_init(&probe->inner, at);
}

DBM_INLINE Lanes16 load(const int16_t *at) { return *(const Lanes16At *)at; }

// bound_sum of one bound with several; infinity stays above all that matters.
DBM_INLINE Lanes16 sum(int16_t a, Lanes16 b) {
  const Unsigned16 kept = (Unsigned16)(b & (int16_t)(a | ~1));
  return (Lanes16)(kept + (uint16_t)(a & ~1));
}

DBM_INLINE Lanes16 least(Lanes16 a, Lanes16 b) {
  const Lanes16 less = a < b;
  return (a & less) | (b & ~less);
}

// Cuts `count` bounds to 16 bits, whole vectors at a time; `lost` becomes negative in some lane
// if that loses something.
DBM_INLINE Lanes32 cut(int16_t *to, const Bound *from, size_t count) {
  Lanes32 lost = {0};
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (size_t j = 0; j < count; j += LANES) {
    const Lanes32 v = *(const Lanes32At *)(from + j);
    const Lanes32 valid = index < (int32_t)(count - j);
    lost |= ((v + SMALL_MOST) | (SMALL_MOST - v)) & (v != BOUND_INF) & valid;
    *(Lanes16At *)(to + j) = __builtin_convertvector(v, Lanes16);
  }
  return lost;
}

// Rows are written whole, each over the padding of the one before.
DBM_CLONES static bool cut_zone(SyncedProbe *probe) {
  const OffsetShape *shape = probe->shape;
  int16_t *to = probe->image;
  Lanes32 lost = {0};
  if (probe->kind == PROBE_ALU) {
    lost |= cut(to, probe->low, shape->clocks);
    if (probe->has_high)
      lost |= cut(to + shape->clocks, probe->high, shape->clocks);
  }
  to += head_entries(probe->kind, shape, probe->has_high);
  for (uint32_t r = 0; r < shape->row_count; r++, to += shape->n)
    lost |= cut(to, probe->matrix + shape->rows[r] * shape->stride, shape->n);
  lost = lost < 0;
  return lanes_any32(&lost);
}

// What the 16-bit test looks at; false if it does not fit.
DBM_INLINE bool cut_near(SyncedProbe *probe, uint32_t padded) {
  const OffsetShape *shape = probe->shape;
  const uint32_t k = shape->clocks;
  int16_t *low = probe->near, *high = low + padded, *row = high + padded;
  Lanes32 lost = cut(low, probe->low, k);
  if (probe->has_high)
    lost |= cut(high, probe->high, k);
  for (uint32_t x = 0; x < k; x++, row += padded) {
    lost |= cut(row, probe->matrix + x * shape->stride, k);
    for (uint32_t b = 0; probe->has_high && b < padded; b += LANES)
      *(Lanes16At *)(row + b) = least(load(row + b), sum(low[x], load(high + b)));
  }
  lost = lost < 0;
  return !lanes_any32(&lost);
}

DBM_CLONES static bool make_near(SyncedProbe *probe) {
  return probe->shape->clocks <= LANES ? cut_near(probe, LANES)
                                       : cut_near(probe, dbm_stride(probe->shape->clocks));
}

void synced_make(SyncedProbe *probe, const Bound *matrix) {
  probe->matrix = matrix;
  probe->is_packed = false;
  probe->is_narrow = false;
  if (probe->kind == PROBE_INCLUSION)
    probe_make(&probe->inner, PROBE_INCLUSION, probe->zone, probe->shape->clocks + 1, NULL);
  else if (probe->bounds->is_small && !probe->is_short)
    probe->is_narrow = make_near(probe);
}

static void pack_wide(SyncedProbe *probe) {
  const OffsetShape *shape = probe->shape;
  Bound *to = probe->wide;
  if (probe->kind == PROBE_ALU) {
    memcpy(to, probe->low, shape->clocks * sizeof *to);
    if (probe->has_high)
      memcpy(to + shape->clocks, probe->high, shape->clocks * sizeof *to);
  } else {
    probe_write(&probe->inner, to, PACKED_32);
  }
  to += head_entries(probe->kind, shape, probe->has_high);
  for (uint32_t r = 0; r < shape->row_count; r++, to += shape->n)
    memcpy(to, probe->matrix + shape->rows[r] * shape->stride, shape->n * sizeof *to);
}

PackedFormat synced_format(SyncedProbe *probe) {
  if (probe->is_packed)
    return probe->format;
  probe->is_packed = true;
  probe->format = PACKED_16;
  if (cut_zone(probe) ||
      (probe->kind == PROBE_INCLUSION && probe->inner.format == PACKED_32)) {
    probe->format = PACKED_32;
    pack_wide(probe);
  } else if (probe->kind == PROBE_INCLUSION) {
    // The head comes second: writing it must not touch the rows.
    const uint32_t k = probe->shape->clocks + 1, stride = probe->inner.stride;
    for (uint32_t y = 0; y < k; y++)
      memcpy(probe->image + y * k, probe->inner.image + y * stride, k * sizeof(int16_t));
  }
  return probe->format;
}

void synced_write(SyncedProbe *probe, void *body, PackedFormat format) {
  const size_t count = entries(probe->kind, probe->shape, probe->has_high);
  synced_format(probe);
  assert(format >= probe->format);
  if (format == PACKED_16)
    memcpy(body, probe->image, count * sizeof(int16_t));
  else if (probe->format == PACKED_32)
    memcpy(body, probe->wide, count * sizeof(Bound));
  else // into a block of wide ones
    for (size_t i = 0; i < count; i++)
      ((Bound *)body)[i] = probe->image[i] == INF16 ? BOUND_INF : probe->image[i];
}

DBM_CLONES static void widen_rows(Bound *matrix, const OffsetShape *shape, const int16_t *from) {
  for (uint32_t r = 0; r < shape->row_count; r++, from += shape->n) {
    Bound *row = matrix + shape->rows[r] * shape->stride;
    for (uint32_t j = 0; j < shape->stride; j += LANES) {
      const Lanes32 v = __builtin_convertvector(*(const Lanes16At *)(from + j), Lanes32);
      const Lanes32 infinite = v == INF16;
      *(Lanes32At *)(row + j) = (v & ~infinite) | (BOUND_INF & infinite);
    }
  }
}

void synced_read(Bound *matrix, ProbeKind kind, const OffsetShape *shape, bool has_high,
                 const void *body, PackedFormat format) {
  const size_t head = head_entries(kind, shape, has_high);
  if (format == PACKED_16) {
    widen_rows(matrix, shape, (const int16_t *)body + head);
    return;
  }
  const Bound *from = (const Bound *)body + head;
  for (uint32_t r = 0; r < shape->row_count; r++, from += shape->n)
    memcpy(matrix + shape->rows[r] * shape->stride, from, shape->n * sizeof *from);
}

// One zone of a test in 16 bits: the probe's, or a stored one.
typedef struct Side {
  const int16_t *low, *high, *rows;
  uint32_t stride;
  bool is_merged; // the rows hold S
} Side;

DBM_INLINE Side own_side(const SyncedProbe *p, uint32_t padded) {
  return (Side){p->near, p->near + padded, p->near + 2 * padded, padded, true};
}

DBM_INLINE Side stored_side(const SyncedProbe *p, const int16_t *body, bool has_high) {
  const uint32_t k = p->shape->clocks;
  return (Side){body, body + k, body + (has_high ? 2 * k : k), p->shape->n, !has_high};
}

// Minima: whether `small` has valuations that `big` cannot follow by the bounds of some clock.
DBM_INLINE bool minima_differ(const SyncedProbe *p, Side small, Side big, uint32_t block,
                              Lanes16 valid, bool has_high) {
  const Lanes16 low = load(small.low + block);
  Lanes16 found = (load(big.low + block) < low) & (load(p->bounds->use + block) <= low);
  if (has_high) {
    const Lanes16 high = load(big.high + block);
    found |= (high < load(small.high + block)) & load(p->bounds->has_lower + block) &
             ((high & ~1) < load(p->bounds->twice_lower + block) + 1);
  }
  found &= valid;
  return lanes_any16(&found);
}

DBM_INLINE Lanes16 differences(Side side, uint32_t x, uint32_t block) {
  const Lanes16 row = load(side.rows + (size_t)x * side.stride + block);
  return side.is_merged ? row : least(row, sum(side.low[x], load(side.high + block)));
}

// Row x: whether some difference y - x of `small` is out of reach for `big`.
DBM_INLINE bool row_differs(const SyncedProbe *p, Side small, Side big, uint32_t x,
                            uint32_t block, Lanes16 valid) {
  const Lanes16 theirs = differences(big, x, block), ours = differences(small, x, block);
  Lanes16 found = (theirs < ours) & valid;
  if (!lanes_any16(&found))
    return false;
  const Lanes16 limit = load(p->bounds->twice_lower + block) + small.low[x];
  found &= load(p->bounds->has_lower + block) & ((theirs & ~1) < limit);
  return lanes_any16(&found);
}

DBM_INLINE bool is_outside(const SyncedProbe *p, Side small, Side big, uint32_t padded,
                           bool has_high) {
  const Lanes16 index = {0, 1, 2, 3, 4, 5, 6, 7};
  const uint32_t k = p->shape->clocks;
  for (uint32_t block = 0; block < padded; block += LANES)
    if (minima_differ(p, small, big, block, index < (int16_t)(k - block), has_high))
      return true;
  for (uint32_t x = 0; x < k; x++) {
    if (small.low[x] < p->bounds->use[x])
      continue;
    for (uint32_t block = 0; block < padded; block += LANES)
      if (row_differs(p, small, big, x, block, index < (int16_t)(k - block)))
        return true;
  }
  return false;
}

typedef struct Scan {
  const int16_t *bodies;
  size_t size; // of a body
  uint32_t from, count;
  bool by_probe; // which stored ones does the probe cover, or which cover it
} Scan;

// The first stored zone for which the answer is yes.
DBM_INLINE uint32_t scan(const SyncedProbe *p, Scan s, uint32_t padded, bool has_high) {
  const Side ours = own_side(p, padded);
  const int16_t *body = s.bodies + s.from * s.size;
  for (uint32_t i = s.from; i < s.count; i++, body += s.size) {
    const Side theirs = stored_side(p, body, has_high);
    if (!(s.by_probe ? is_outside(p, theirs, ours, padded, has_high)
                     : is_outside(p, ours, theirs, padded, has_high)))
      return i;
  }
  return s.count;
}

DBM_CLONES static uint32_t scan_narrow(const SyncedProbe *p, Scan s) {
  const uint32_t padded = dbm_stride(p->shape->clocks);
  if (padded == LANES)
    return p->has_high ? scan(p, s, LANES, true) : scan(p, s, LANES, false);
  return p->has_high ? scan(p, s, padded, true) : scan(p, s, padded, false);
}

// The general test, entry by entry, for what does not fit into 16 bits.
typedef struct Wide {
  const SyncedProbe *probe;
  const void *body; // NULL: the probe's own zone
  PackedFormat format;
} Wide;

static Bound entry(const Wide *w, size_t at) {
  if (w->format == PACKED_32)
    return ((const Bound *)w->body)[at];
  const int16_t v = ((const int16_t *)w->body)[at];
  return v == INF16 ? BOUND_INF : v;
}

static Bound low_of(const Wide *w, uint32_t x) {
  return w->body ? entry(w, x) : w->probe->low[x];
}

static Bound high_of(const Wide *w, uint32_t x) {
  const SyncedProbe *p = w->probe;
  if (!p->has_high || p->is_short)
    return BOUND_INF;
  return w->body ? entry(w, p->shape->clocks + x) : p->high[x];
}

static Bound difference_of(const Wide *w, uint32_t x, uint32_t y) {
  const OffsetShape *shape = w->probe->shape;
  const size_t head = head_entries(PROBE_ALU, shape, w->probe->has_high);
  const Bound direct = w->body ? entry(w, head + (size_t)x * shape->n + y)
                               : w->probe->matrix[x * shape->stride + y];
  return bound_min(direct, bound_sum(low_of(w, x), high_of(w, y)));
}

// b + (<, -L) < limit, if there is an L.
static bool sinks_below(const SyncedProbe *p, Bound b, uint32_t y, Bound limit) {
  const int32_t lower = p->bounds->lower[y];
  return lower != CLOCK_NO_BOUND && (b & ~1) - 2 * lower < limit;
}

static bool differs_at(const Wide *small, const Wide *big, uint32_t x) {
  const SyncedProbe *p = small->probe;
  const Bound low = low_of(small, x);
  if (p->bounds->upper[x] == CLOCK_NO_BOUND || low < bound_le(-p->bounds->upper[x]))
    return false;
  if (low_of(big, x) < low)
    return true;
  for (uint32_t y = 0; y < p->shape->clocks; y++) {
    const Bound b = difference_of(big, x, y);
    if (b < difference_of(small, x, y) && sinks_below(p, b, y, low))
      return true;
  }
  return false;
}

static bool is_covered(const Wide *small, const Wide *big) {
  const SyncedProbe *p = small->probe;
  for (uint32_t x = 0; x < p->shape->clocks; x++) {
    const Bound high = high_of(big, x);
    if (high < high_of(small, x) && sinks_below(p, high, x, BOUND_LE_ZERO))
      return false;
    if (differs_at(small, big, x))
      return false;
  }
  return true;
}

static bool test_one(const SyncedProbe *p, const char *body, PackedFormat format, bool by_probe) {
  if (p->kind == PROBE_INCLUSION)
    return !(by_probe ? probe_covers(&p->inner, body, 0, 1, format)
                      : probe_covered(&p->inner, body, 1, format));
  const Wide ours = {p, NULL, PACKED_32}, theirs = {p, body, format};
  return by_probe ? is_covered(&theirs, &ours) : is_covered(&ours, &theirs);
}

static uint32_t scan_all(const SyncedProbe *p, const void *bodies, uint32_t from, uint32_t count,
                         PackedFormat format, bool by_probe) {
  if (p->is_narrow && format == PACKED_16) {
    const Scan s = {bodies, entries(p->kind, p->shape, p->has_high), from, count, by_probe};
    return scan_narrow(p, s);
  }
  const size_t bytes = synced_body_bytes(p->kind, p->shape, p->has_high, format);
  for (uint32_t i = from; i < count; i++)
    if (test_one(p, (const char *)bodies + i * bytes, format, by_probe))
      return i;
  return count;
}

uint32_t synced_covered(const SyncedProbe *p, const void *bodies, uint32_t count,
                        PackedFormat format) {
  return scan_all(p, bodies, 0, count, format, false);
}

uint32_t synced_covers(const SyncedProbe *p, const void *bodies, uint32_t from, uint32_t count,
                       PackedFormat format) {
  return scan_all(p, bodies, from, count, format, true);
}
