#include "dbm/synced.h"

#include "dbm/lanes.h"

#include <assert.h>
#include <string.h>

#define INF16 INT16_MAX
// Entries of 16-bit zones: the sum of two of them fits too. A sum with INF16 is above
// SMALL_MOST + 2 * PACKED_MOST_BOUND, and so never below a(x) + 2 L.
enum { SMALL_MOST = 0x3fff };
enum { INF8 = INT8_MAX, TINY_MOST = INF8 - 1 }; // entries of 8-bit zones

static size_t head_entries(ProbeKind kind, const OffsetShape *shape, bool has_high) {
  const size_t k = shape->clocks;
  return kind == PROBE_INCLUSION ? (k + 1) * (k + 1) : has_high ? 2 * k : k;
}

static size_t entries(ProbeKind kind, const OffsetShape *shape, bool has_high) {
  return head_entries(kind, shape, has_high) + (size_t)shape->row_count * shape->n;
}

size_t synced_body_bytes(ProbeKind kind, const OffsetShape *shape, bool has_high,
                         PackedFormat format) {
  return entries(kind, shape, has_high) << format;
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
  probe_init(&probe->inner, at, clocks + 1);
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

// What a cut lost: lanes become negative if an entry does not fit into 16 bits, or into 8.
typedef struct Lost {
  Lanes32 small, tiny;
} Lost;

// Cuts `count` bounds to 16 bits, whole vectors at a time.
DBM_INLINE void cut(int16_t *to, const Bound *from, size_t count, Lost *lost) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7};
  for (size_t j = 0; j < count; j += LANES) {
    const Lanes32 v = *(const Lanes32At *)(from + j);
    const Lanes32 valid = (index < (int32_t)(count - j)) & (v != BOUND_INF);
    lost->small |= ((v + SMALL_MOST) | (SMALL_MOST - v)) & valid;
    lost->tiny |= ((v + TINY_MOST) | (TINY_MOST - v)) & valid;
    *(Lanes16At *)(to + j) = __builtin_convertvector(v, Lanes16);
  }
}

DBM_INLINE bool is_lost(Lanes32 lost) {
  lost = lost < 0;
  return lanes_any32(&lost);
}

// Rows are written whole, each over the padding of the one before. Gives the smallest format.
DBM_CLONES static PackedFormat cut_zone(SyncedProbe *probe) {
  const OffsetShape *shape = probe->shape;
  int16_t *to = probe->image;
  Lost lost = {0};
  if (probe->kind == PROBE_ALU) {
    cut(to, probe->low, shape->clocks, &lost);
    if (probe->has_high)
      cut(to + shape->clocks, probe->high, shape->clocks, &lost);
  }
  to += head_entries(probe->kind, shape, probe->has_high);
  for (uint32_t r = 0; r < shape->row_count; r++, to += shape->n)
    cut(to, probe->matrix + shape->rows[r] * shape->stride, shape->n, &lost);
  return is_lost(lost.small) ? PACKED_32 : is_lost(lost.tiny) ? PACKED_16 : PACKED_8;
}

// What the 16-bit test looks at; false if it does not fit.
DBM_INLINE bool cut_near(SyncedProbe *probe, uint32_t padded) {
  const OffsetShape *shape = probe->shape;
  const uint32_t k = shape->clocks;
  int16_t *low = probe->near, *high = low + padded, *row = high + padded;
  Lost lost = {0};
  cut(low, probe->low, k, &lost);
  if (probe->has_high)
    cut(high, probe->high, k, &lost);
  for (uint32_t x = 0; x < k; x++, row += padded) {
    cut(row, probe->matrix + x * shape->stride, k, &lost);
    for (uint32_t b = 0; probe->has_high && b < padded; b += LANES)
      *(Lanes16At *)(row + b) = least(load(row + b), sum(low[x], load(high + b)));
  }
  return !is_lost(lost.small);
}

DBM_CLONES static bool make_near(SyncedProbe *probe) {
  return probe->shape->clocks <= LANES ? cut_near(probe, LANES)
                                       : cut_near(probe, dbm_stride(probe->shape->clocks));
}

static const PackedBounds no_bounds; // for inclusion, which does not look at them

void synced_make(SyncedProbe *probe, const Bound *matrix) {
  probe->matrix = matrix;
  probe->is_packed = false;
  probe->is_narrow = false;
  if (probe->kind == PROBE_INCLUSION)
    probe_make(&probe->inner, PROBE_INCLUSION, probe->zone, probe->shape->clocks + 1, &no_bounds);
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
  probe->format = cut_zone(probe);
  if (probe->kind == PROBE_INCLUSION) {
    probe->format = probe->inner.format == PACKED_32 ? PACKED_32
                    : probe->format == PACKED_8      ? PACKED_16
                                                     : probe->format;
    if (probe->format != PACKED_32)
      probe_write(&probe->inner, probe->image, PACKED_16);
  }
  if (probe->format == PACKED_32)
    pack_wide(probe);
  return probe->format;
}

DBM_CLONES static void write_tiny(int8_t *to, const int16_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = (int8_t)(from[i] == INF16 ? INF8 : from[i]);
}

void synced_write(SyncedProbe *probe, void *body, PackedFormat format) {
  const size_t count = entries(probe->kind, probe->shape, probe->has_high);
  synced_format(probe);
  assert(format >= probe->format);
  if (format == PACKED_8)
    write_tiny(body, probe->image, count);
  else if (format == PACKED_16)
    memcpy(body, probe->image, count * sizeof(int16_t));
  else if (probe->format == PACKED_32)
    memcpy(body, probe->wide, count * sizeof(Bound));
  else // into a block of wide ones
    for (size_t i = 0; i < count; i++)
      ((Bound *)body)[i] = probe->image[i] == INF16 ? BOUND_INF : probe->image[i];
}

DBM_INLINE Lanes16 load_tiny(const int8_t *at) {
  const Lanes16 v = __builtin_convertvector(*(const Lanes8At *)at, Lanes16);
  const Lanes16 infinite = v == INF8;
  return (v & ~infinite) | (INF16 & infinite);
}

DBM_INLINE void widen(Bound *row, const void *from, size_t at, size_t stride, bool is_tiny) {
  for (size_t j = 0; j < stride; j += LANES) {
    const Lanes16 narrow =
        is_tiny ? load_tiny((const int8_t *)from + at + j) : load((const int16_t *)from + at + j);
    const Lanes32 v = __builtin_convertvector(narrow, Lanes32);
    const Lanes32 infinite = v == INF16;
    *(Lanes32At *)(row + j) = (v & ~infinite) | (BOUND_INF & infinite);
  }
}

DBM_CLONES static void widen_rows(Bound *matrix, const OffsetShape *shape, const void *body,
                                  size_t at, bool is_tiny) {
  for (uint32_t r = 0; r < shape->row_count; r++, at += shape->n) {
    Bound *row = matrix + shape->rows[r] * shape->stride;
    if (is_tiny)
      widen(row, body, at, shape->stride, true);
    else
      widen(row, body, at, shape->stride, false);
  }
}

void synced_read(Bound *matrix, ProbeKind kind, const OffsetShape *shape, bool has_high,
                 const void *body, PackedFormat format) {
  const size_t head = head_entries(kind, shape, has_high);
  if (format != PACKED_32) {
    widen_rows(matrix, shape, body, head, format == PACKED_8);
    return;
  }
  const Bound *from = (const Bound *)body + head;
  for (uint32_t r = 0; r < shape->row_count; r++, from += shape->n)
    memcpy(matrix + shape->rows[r] * shape->stride, from, shape->n * sizeof *from);
}

// One zone of a test: the probe's, or a stored one in 8 or 16 bits.
typedef struct Side {
  const void *entries;
  uint32_t high, rows; // where they begin; low begins at 0
  uint32_t stride;
  bool is_tiny, is_merged; // in 8 bits; the rows hold S
} Side;

DBM_INLINE Side own_side(const SyncedProbe *p, uint32_t padded) {
  return (Side){p->near, padded, 2 * padded, padded, false, true};
}

DBM_INLINE Side stored_side(const SyncedProbe *p, const void *body, bool has_high, bool is_tiny) {
  const uint32_t k = p->shape->clocks;
  return (Side){body, k, has_high ? 2 * k : k, p->shape->n, is_tiny, !has_high};
}

DBM_INLINE Lanes16 load_side(Side side, size_t at) {
  return side.is_tiny ? load_tiny((const int8_t *)side.entries + at)
                      : load((const int16_t *)side.entries + at);
}

DBM_INLINE int16_t low_at(Side side, uint32_t x) { // never infinite
  return side.is_tiny ? ((const int8_t *)side.entries)[x] : ((const int16_t *)side.entries)[x];
}

// Minima: whether `small` has valuations that `big` cannot follow by the bounds of some clock.
DBM_INLINE bool minima_differ(const SyncedProbe *p, Side small, Side big, uint32_t block,
                              Lanes16 valid, bool has_high) {
  const Lanes16 low = load_side(small, block);
  Lanes16 found = (load_side(big, block) < low) & (load(p->bounds->use + block) <= low);
  if (has_high) {
    const Lanes16 high = load_side(big, big.high + block);
    found |= (high < load_side(small, small.high + block)) & load(p->bounds->has_lower + block) &
             ((high & ~1) < load(p->bounds->twice_lower + block) + 1);
  }
  found &= valid;
  return lanes_any16(&found);
}

DBM_INLINE Lanes16 differences(Side side, uint32_t x, uint32_t block) {
  const Lanes16 row = load_side(side, side.rows + (size_t)x * side.stride + block);
  return side.is_merged ? row
                        : least(row, sum(low_at(side, x), load_side(side, side.high + block)));
}

// Row x: whether some difference y - x of `small` is out of reach for `big`.
DBM_INLINE bool row_differs(const SyncedProbe *p, Side small, Side big, uint32_t x,
                            uint32_t block, Lanes16 valid) {
  const Lanes16 theirs = differences(big, x, block), ours = differences(small, x, block);
  Lanes16 found = (theirs < ours) & valid;
  if (!lanes_any16(&found))
    return false;
  const Lanes16 limit = load(p->bounds->twice_lower + block) + low_at(small, x);
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
    if (low_at(small, x) < p->bounds->use[x])
      continue;
    for (uint32_t block = 0; block < padded; block += LANES)
      if (row_differs(p, small, big, x, block, index < (int16_t)(k - block)))
        return true;
  }
  return false;
}

typedef struct Scan {
  const char *bodies;
  size_t bytes; // of a body
  uint32_t from, count;
  bool by_probe; // which stored ones does the probe cover, or which cover it
  bool is_tiny;
} Scan;

// The first stored zone for which the answer is yes.
DBM_INLINE uint32_t scan(const SyncedProbe *p, Scan s, uint32_t padded, bool has_high,
                         bool is_tiny) {
  const Side ours = own_side(p, padded);
  const char *body = s.bodies + s.from * s.bytes;
  for (uint32_t i = s.from; i < s.count; i++, body += s.bytes) {
    const Side theirs = stored_side(p, body, has_high, is_tiny);
    if (!(s.by_probe ? is_outside(p, theirs, ours, padded, has_high)
                     : is_outside(p, ours, theirs, padded, has_high)))
      return i;
  }
  return s.count;
}

DBM_INLINE uint32_t scan_padded(const SyncedProbe *p, Scan s, uint32_t padded) {
  if (s.is_tiny)
    return p->has_high ? scan(p, s, padded, true, true) : scan(p, s, padded, false, true);
  return p->has_high ? scan(p, s, padded, true, false) : scan(p, s, padded, false, false);
}

DBM_CLONES static uint32_t scan_narrow(const SyncedProbe *p, Scan s) {
  const uint32_t padded = dbm_stride(p->shape->clocks);
  return padded == LANES ? scan_padded(p, s, LANES) : scan_padded(p, s, padded);
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
  if (w->format == PACKED_8) {
    const int8_t tiny = ((const int8_t *)w->body)[at];
    return tiny == INF8 ? BOUND_INF : tiny;
  }
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

static bool test_one(SyncedProbe *p, const char *body, PackedFormat format, bool by_probe) {
  if (p->kind == PROBE_INCLUSION)
    return by_probe ? probe_covers(&p->inner, body, format)
                    : probe_is_covered(&p->inner, body, format);
  const Wide ours = {p, NULL, PACKED_32}, theirs = {p, body, format};
  return by_probe ? is_covered(&theirs, &ours) : is_covered(&ours, &theirs);
}

static uint32_t scan_all(SyncedProbe *p, const void *bodies, uint32_t from, uint32_t count,
                         PackedFormat format, bool by_probe) {
  const size_t bytes = synced_body_bytes(p->kind, p->shape, p->has_high, format);
  if (p->is_narrow && format != PACKED_32)
    return scan_narrow(p, (Scan){bodies, bytes, from, count, by_probe, format == PACKED_8});
  for (uint32_t i = from; i < count; i++)
    if (test_one(p, (const char *)bodies + i * bytes, format, by_probe))
      return i;
  return count;
}

uint32_t synced_covered(SyncedProbe *p, const void *bodies, uint32_t count, PackedFormat format) {
  return scan_all(p, bodies, 0, count, format, false);
}

uint32_t synced_covers(SyncedProbe *p, const void *bodies, uint32_t from, uint32_t count,
                       PackedFormat format) {
  return scan_all(p, bodies, from, count, format, true);
}
