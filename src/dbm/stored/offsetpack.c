#include "dbm/stored/offsetpack.h"

#include "base/testbuild.h"
#include "dbm/kernel/offsetstep.h"

#include <string.h>

#define INF16 INT16_MAX
enum { SMALL_MAX = OFFSETSTEP_MAX16, INF8 = INT8_MAX, TINY_MAX = INF8 - 1 };

static size_t entry_count(const OffsetShape *shape) {
  return shape->clocks + (size_t)shape->row_count * shape->n;
}

size_t offsetpack_bytes(const OffsetShape *shape, PackedFormat format) {
  return entry_count(shape) << format;
}

static size_t rounded(size_t bytes) { return (bytes + PACKED_SLACK + 63) / 64 * 64; }

size_t offsetpack_room(size_t max) {
  return rounded(max) + rounded(max * sizeof(int16_t)) + rounded(max * sizeof(Bound));
}

void offsetpack_init(OffsetPack *pack, void *memory, size_t max) {
  char *at = memory;
  *pack = (OffsetPack){.image8 = (int8_t *)at};
  at += rounded(max);
  pack->image16 = (int16_t *)(void *)at;
  at += rounded(max * sizeof(int16_t));
  pack->image32 = (Bound *)(void *)at;
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
    lost->small |= ((v + SMALL_MAX) | (SMALL_MAX - v)) & valid;
    lost->tiny |= ((v + TINY_MAX) | (TINY_MAX - v)) & valid;
    *(Lanes16At *)(to + j) = __builtin_convertvector(v, Lanes16);
  }
}

DBM_INLINE bool is_lost(Lanes32 lost) {
  lost = lost < 0;
  return lanes_any32(&lost);
}

// Rows are written whole, each over the padding of the one before. Gives the smallest format.
DBM_CLONES static PackedFormat cut_zone(int16_t *to, const OffsetShape *shape,
                                        const Bound *matrix, const Bound *low) {
  Lost lost = {0};
  cut(to, low, shape->clocks, &lost);
  to += shape->clocks;
  for (uint32_t r = 0; r < shape->row_count; r++, to += shape->n)
    cut(to, matrix + shape->rows[r] * shape->stride, shape->n, &lost);
  return is_lost(lost.small) ? PACKED_32 : is_lost(lost.tiny) ? PACKED_16 : PACKED_8;
}

DBM_CLONES static void write_tiny(int8_t *to, const int16_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = (int8_t)(from[i] == INF16 ? INF8 : from[i]);
}

static void pack_wide(Bound *to, const OffsetShape *shape, const Bound *matrix,
                      const Bound *low) {
  memcpy(to, low, shape->clocks * sizeof *to);
  to += shape->clocks;
  for (uint32_t r = 0; r < shape->row_count; r++, to += shape->n)
    memcpy(to, matrix + shape->rows[r] * shape->stride, shape->n * sizeof *to);
}

void offsetpack_narrow(OffsetPack *pack, const OffsetShape *shape) {
  write_tiny(pack->image8, pack->image16, entry_count(shape));
  pack->entries = pack->image8;
  pack->format = PACKED_8;
}

void offsetpack_make(OffsetPack *pack, const OffsetShape *shape, const Bound *matrix,
                     const Bound *low) {
  pack->format = pack->only_32 ? PACKED_32 : cut_zone(pack->image16, shape, matrix, low);
  pack->entries = pack->image16;
  if (pack->format == PACKED_8)
    offsetpack_narrow(pack, shape);
  if (pack->format != PACKED_32)
    return;
  pack_wide(pack->image32, shape, matrix, low);
  pack->entries = pack->image32;
}

DBM_INLINE Lanes32 choose(Lanes32 mask, Lanes32 a, Lanes32 b) { return (a & mask) | (b & ~mask); }

// Some entries of a packed zone.
DBM_INLINE Lanes32 load(const void *entries, PackedFormat format, size_t at) {
  const Lanes32 infinite = (Lanes32){0} + BOUND_INF;
  if (format == PACKED_32)
    return *(const Lanes32At *)((const Bound *)entries + at);
  if (format == PACKED_16) {
    const Lanes16 narrow = *(const Lanes16At *)((const int16_t *)entries + at);
    const Lanes32 v = __builtin_convertvector(narrow, Lanes32);
    return choose(v == INF16, infinite, v);
  }
  const Lanes8 tiny = *(const Lanes8At *)((const int8_t *)entries + at);
  const Lanes32 v = __builtin_convertvector(tiny, Lanes32);
  return choose(v == INF8, infinite, v);
}

DBM_INLINE void read_rows(Bound *matrix, const OffsetShape *shape, const void *entries,
                          PackedFormat format) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7}, infinite = (Lanes32){0} + BOUND_INF;
  const size_t n = shape->n, stride = dbm_stride(shape->stride);
  size_t at = shape->clocks;
  for (uint32_t r = 0; r < shape->row_count; r++, at += n) {
    Bound *row = matrix + shape->rows[r] * stride;
    for (size_t j = 0; j < stride; j += LANES)
      *(Lanes32At *)(row + j) =
          choose(index < (int32_t)(n - j), load(entries, format, at + j), infinite);
  }
}

DBM_CLONES static void read_any(Bound *matrix, const OffsetShape *shape, const void *entries,
                                PackedFormat format) {
  if (format == PACKED_8)
    read_rows(matrix, shape, entries, PACKED_8);
  else if (format == PACKED_16)
    read_rows(matrix, shape, entries, PACKED_16);
  else
    read_rows(matrix, shape, entries, PACKED_32);
}

void offsetpack_read(Bound *matrix, const OffsetShape *shape, const void *entries,
                     PackedFormat format) {
  read_any(matrix, shape, entries, format);
}

// bound_sum for a finite `a`.
DBM_INLINE Lanes32 sums(Bound a, Lanes32 b) {
  return choose(b == BOUND_INF, b, (a & ~1) + (b & (a | ~1)));
}

DBM_INLINE Lanes32 least(Lanes32 a, Lanes32 b) { return choose(a < b, a, b); }

DBM_INLINE size_t row_at(const OffsetShape *shape, size_t row) {
  return shape->clocks + row * shape->n;
}

DBM_INLINE void find_high(Bound *high, const OffsetShape *shape, const void *entries,
                          PackedFormat format, const Constraint *ceilings, uint32_t count) {
  for (size_t x = 0; x < shape->clocks; x += LANES) {
    Lanes32 b = (Lanes32){0} + BOUND_INF;
    for (uint32_t i = 0; i < count; i++) {
      const size_t at = row_at(shape, shape->place[ceilings[i].j]) + x;
      b = least(b, sums(ceilings[i].bound, load(entries, format, at)));
    }
    for (uint32_t r = shape->frozen_from; r < shape->row_count; r++)
      b = least(b, load(entries, format, row_at(shape, r) + x));
    *(Lanes32At *)(high + x) = b;
  }
}

// Row x of the offsets is column x of the zone.
DBM_INLINE void synchronise(Bound *zone, const OffsetShape *shape, const void *entries,
                            PackedFormat format, Bound *row, const Bound *high) {
  const size_t k = shape->clock_rows, stride = dbm_stride((uint32_t)k + 1);
  const uint32_t *rows = shape->rows;
  for (size_t i = 0; i < k + 1; i++) // the padding
    *(Lanes32At *)(zone + (i + 1) * stride - LANES) = (Lanes32){0} + BOUND_INF;
  zone[0] = BOUND_LE_ZERO;
  for (size_t i = 0; i < k; i++) {
    const Bound low = packed_entry(entries, format, rows[i]);
    for (size_t y = 0; y < shape->clocks; y += LANES) {
      Lanes32 v = load(entries, format, row_at(shape, i) + y);
      if (high)
        v = least(v, sums(low, *(const Lanes32At *)(high + y)));
      *(Lanes32At *)(row + y) = v;
    }
    zone[i + 1] = low;
    zone[(i + 1) * stride] = high ? high[rows[i]] : BOUND_INF;
    Bound *to = zone + stride + i + 1;
    for (size_t j = 0; j < k; j++, to += stride)
      *to = row[rows[j]];
  }
}

// Whether something bounds the clocks from above.
DBM_INLINE bool has_high(const OffsetShape *shape, uint32_t count) {
  return (count || shape->frozen_from < shape->row_count) && !PLANTED("local-whole");
}

DBM_INLINE void synchronise_in(Bound *zone, const OffsetShape *shape, const void *entries,
                               PackedFormat format, const Constraint *ceilings, uint32_t count,
                               Bound *rows) {
  Bound *high = rows + dbm_stride(shape->clocks);
  if (!has_high(shape, count)) {
    synchronise(zone, shape, entries, format, rows, NULL);
    return;
  }
  find_high(high, shape, entries, format, ceilings, count);
  synchronise(zone, shape, entries, format, rows, high);
}

DBM_CLONES static void synchronise_any(Bound *zone, const OffsetShape *shape, const void *entries,
                                       PackedFormat format, const Constraint *ceilings,
                                       uint32_t count, Bound *rows) {
  if (format == PACKED_8)
    synchronise_in(zone, shape, entries, PACKED_8, ceilings, count, rows);
  else if (format == PACKED_16)
    synchronise_in(zone, shape, entries, PACKED_16, ceilings, count, rows);
  else
    synchronise_in(zone, shape, entries, PACKED_32, ceilings, count, rows);
}

void offsetpack_synchronise(Bound *zone, const OffsetShape *shape, const void *entries,
                            PackedFormat format, const Constraint *ceilings, uint32_t count,
                            Bound *rows) {
  synchronise_any(zone, shape, entries, format, ceilings, count, rows);
}

// The same in 16 bits. A minimum and the sum of a ceiling and an entry fit together.
enum { CEILING16 = 8000 };

DBM_INLINE Lanes16 least16(Lanes16 a, Lanes16 b) {
  const Lanes16 less = a < b;
  return (a & less) | (b & ~less);
}

DBM_INLINE Lanes16 sums16(int16_t a, Lanes16 b) {
  const Lanes16 infinite = b == INF16;
  // Unsigned, as the sum with infinity wraps.
  const Unsigned16 sum = (Unsigned16)(b & (int16_t)(a | ~1)) + (uint16_t)(a & ~1);
  return (b & infinite) | ((Lanes16)sum & ~infinite);
}

DBM_INLINE Lanes16 load16(const void *entries, PackedFormat format, size_t at) {
  if (format == PACKED_16)
    return *(const Lanes16At *)((const int16_t *)entries + at);
  const Lanes16 v = lanes_widen((const int8_t *)entries + at);
  return v | ((v == INF8) & (int16_t)INF16);
}

DBM_INLINE void find_high16(int16_t *high, const OffsetShape *shape, const void *entries,
                            PackedFormat format, const Constraint *ceilings, uint32_t count) {
  for (size_t x = 0; x < shape->clocks; x += LANES) {
    Lanes16 b = (Lanes16){0} + (int16_t)INF16;
    for (uint32_t i = 0; i < count; i++) {
      const size_t at = row_at(shape, shape->place[ceilings[i].j]) + x;
      b = least16(b, sums16((int16_t)ceilings[i].bound, load16(entries, format, at)));
    }
    for (uint32_t r = shape->frozen_from; r < shape->row_count; r++)
      b = least16(b, load16(entries, format, row_at(shape, r) + x));
    *(Lanes16At *)(high + x) = b;
  }
}

// Some rows of the offsets, which become columns of the zone: where they are, and their minima.
typedef struct Strip {
  size_t at[LANES];
  int16_t low[LANES];
} Strip;

DBM_INLINE void find_strip(Strip *strip, const OffsetShape *shape, const void *entries,
                           PackedFormat format, uint32_t row) {
  for (uint32_t r = 0; r < LANES; r++) {
    const uint32_t i = row + r < shape->clock_rows ? row + r : shape->clock_rows - 1;
    strip->at[r] = row_at(shape, i);
    strip->low[r] = (int16_t)packed_entry(entries, format, shape->rows[i]);
  }
}

// From column y on.
DBM_INLINE void find_tile(Lanes16 tile[LANES], const Strip *strip, const void *entries,
                          PackedFormat format, uint32_t y, const int16_t *high) {
  Lanes16 from = {0};
  if (high)
    from = *(const Lanes16At *)(high + y);
  for (uint32_t r = 0; r < LANES; r++) {
    tile[r] = load16(entries, format, strip->at[r] + y);
    if (high)
      tile[r] = least16(tile[r], sums16(strip->low[r], from));
  }
  lanes_transpose(tile);
}

// Rows of the zone are written in whole vectors, last columns first: what they write too much is
// in the next row, and written over.
DBM_INLINE void synchronise16(int16_t *zone, const OffsetShape *shape, const void *entries,
                              PackedFormat format, const int16_t *high) {
  const uint32_t clocks = shape->clocks, k = shape->clock_rows + 1, *rows = shape->rows;
  for (uint32_t i = (k + LANES - 2) / LANES * LANES; i;) {
    i -= LANES;
    Strip strip;
    find_strip(&strip, shape, entries, format, i);
    int16_t *row = zone + k + 1 + i;
    for (uint32_t y = 0, j = 0; y < clocks; y += LANES) {
      Lanes16 tile[LANES];
      find_tile(tile, &strip, entries, format, y, high);
      for (; j < k - 1 && rows[j] < y + LANES; j++, row += k)
        *(Lanes16At *)row = tile[rows[j] - y];
    }
  }
  zone[0] = BOUND_LE_ZERO;
  for (uint32_t i = 1; i < k; i++) {
    zone[i] = (int16_t)packed_entry(entries, format, rows[i - 1]);
    zone[i * k] = high ? high[rows[i - 1]] : (int16_t)INF16;
  }
}

DBM_INLINE void synchronise16_in(int16_t *zone, const OffsetShape *shape, const void *entries,
                                 PackedFormat format, const Constraint *ceilings, uint32_t count,
                                 int16_t *high) {
  if (!has_high(shape, count)) {
    synchronise16(zone, shape, entries, format, NULL);
    return;
  }
  find_high16(high, shape, entries, format, ceilings, count);
  synchronise16(zone, shape, entries, format, high);
}

DBM_CLONES static void synchronise16_any(int16_t *zone, const OffsetShape *shape,
                                         const void *entries, PackedFormat format,
                                         const Constraint *ceilings, uint32_t count,
                                         int16_t *high) {
  if (format == PACKED_8)
    synchronise16_in(zone, shape, entries, PACKED_8, ceilings, count, high);
  else
    synchronise16_in(zone, shape, entries, PACKED_16, ceilings, count, high);
}

bool offsetpack_synchronise16(int16_t *zone, const OffsetShape *shape, const void *entries,
                              PackedFormat format, const Constraint *ceilings, uint32_t count,
                              int16_t *high) {
  for (uint32_t i = 0; i < count; i++)
    if (ceilings[i].bound > CEILING16 || ceilings[i].bound < -CEILING16)
      return false;
  synchronise16_any(zone, shape, entries, format, ceilings, count, high);
  return true;
}

typedef int8_t Piece __attribute__((vector_size(32)));
typedef int8_t PieceAt __attribute__((vector_size(32), aligned(1), may_alias));

DBM_INLINE Piece less(const int8_t *a, const int8_t *b) {
  return *(const PieceAt *)a < *(const PieceAt *)b;
}

// Both have the same entries in 8 bits; what lies behind them differs. The last vector has some
// entries of the one before, or, if it is the first, some that do not count.
DBM_INLINE bool includes(const int8_t *big, const int8_t *small, size_t count) {
  size_t i = 0;
  for (; i + sizeof(Piece) <= count; i += sizeof(Piece)) {
    const Piece found = less(big + i, small + i);
    if (lanes_has(&found))
      return false;
  }
  if (i == count)
    return true;
  if (i) {
    const Piece found = less(big + count - sizeof(Piece), small + count - sizeof(Piece));
    return !lanes_has(&found);
  }
  const Piece index = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
  const Piece found = less(big, small) & (index < (int8_t)count);
  return !lanes_has(&found);
}

DBM_CLONES static uint32_t find_tiny(const ZoneTable *table, size_t size, const int8_t *entries,
                                     const ZoneRef *refs, uint32_t from, uint32_t count,
                                     bool is_inner) {
  uint32_t i = from;
  for (; i < count; i++) {
    const StoredZone *zone = zonetable_at(table, refs[i]);
    const int8_t *other = (const int8_t *)zone->entries;
    if (zone->format == PACKED_8 &&
        (is_inner ? includes(entries, other, size) : includes(other, entries, size)))
      break;
  }
  return i;
}

uint32_t offsetpack_find(const ZoneTable *table, const OffsetShape *shape, const void *entries,
                         PackedFormat format, const ZoneRef *refs, uint32_t from, uint32_t count,
                         bool is_inner) {
  return format == PACKED_8
             ? find_tiny(table, entry_count(shape), entries, refs, from, count, is_inner)
             : count;
}

bool offsetpack_can_meet(const void *entries, PackedFormat format, const Constraint *ceilings,
                         uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (bound_sum(packed_entry(entries, format, ceilings[i].j), ceilings[i].bound) <
        BOUND_LE_ZERO)
      return false;
  return true;
}

// Whether both are strict or not, their sum is at least (<=, 0) iff the minimum is at least
// 2 - bound. Minima are finite.
void offsetpack_least(int8_t *least, uint32_t clocks, const Constraint *ceilings,
                      uint32_t count) {
  memset(least, INT8_MIN, offsetpack_padded(clocks));
  for (uint32_t i = 0; i < count; i++) {
    const Bound wanted = 2 - ceilings[i].bound;
    int8_t *to = &least[ceilings[i].j];
    if (wanted > *to)
      *to = (int8_t)(wanted < INF8 ? wanted : INF8);
  }
}
