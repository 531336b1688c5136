#include "dbm/stored/packed.h"

#include "dbm/stored/packed_lanes.h"

#include <string.h>

enum { ROW_16 = PACKED_ROW_BYTES / 2, ROW_8 = PACKED_ROW_BYTES }; // entries of a vector

// Entries of an array for each entry of a matrix in vectors of `lanes`.
static uint32_t padded_entries(uint32_t k, uint32_t lanes) {
  return round_up(k < lanes ? k * k : lanes * lanes, lanes);
}

// Whole vectors of 8-bit entries.
static uint32_t readable_clocks(uint32_t k) { return round_up(k, PACKED_VECTOR_BYTES); }

size_t packed_bounds_bytes(uint32_t k, bool has_entry_bounds) {
  const size_t entries16 = padded_entries(k, ROW_16) * 3 * sizeof(int16_t);
  const size_t entries8 = padded_entries(k, ROW_8) * 3 * sizeof(int8_t);
  const size_t entries = entries16 > entries8 ? entries16 : entries8;
  return 2 * readable_clocks(k) * (sizeof(int16_t) + sizeof(int8_t)) +
         (has_entry_bounds ? entries : 0);
}

void packed_bounds_init(PackedBounds *bounds, void *memory, uint32_t k, bool has_entry_bounds) {
  const uint32_t clocks = readable_clocks(k);
  bounds->twice_lower = memory;
  bounds->use = bounds->twice_lower + clocks;
  bounds->twice_lower8 = (int8_t *)(bounds->use + clocks);
  bounds->use8 = bounds->twice_lower8 + clocks;
  bounds->entry_room = has_entry_bounds ? bounds->use8 + clocks : NULL;
}

static PackedEntryBounds lay_entry_bounds(const PackedBounds *bounds, bool is_made, uint32_t k,
                                          uint32_t lanes) {
  const uint32_t bytes = padded_entries(k, lanes) * (ROW_8 / lanes);
  int8_t *room = bounds->entry_room;
  return is_made ? (PackedEntryBounds){room, room + bytes, room + 2 * bytes}
                 : (PackedEntryBounds){0};
}

static void make_entry_bounds_16(PackedBounds *bounds, uint32_t k) {
  int16_t *plus = bounds->entries16.plus, *use = bounds->entries16.use;
  int8_t *columns = bounds->entries16.columns;
  const uint32_t size = padded_entries(k, ROW_16);
  for (uint32_t at = 0, y = 0, x = 0; at < size; at++, x++) {
    if (x == k)
      x = 0, y++;
    const int16_t twice = y < k ? bounds->twice_lower[y] : -1;
    plus[at] = (int16_t)(twice + 1);
    use[at] = twice < 0 ? INF16 : bounds->use[x];
    columns[2 * at] = (int8_t)(2 * x);
    columns[2 * at + 1] = (int8_t)(2 * x + 1);
  }
}

static void make_entry_bounds_8(PackedBounds *bounds, uint32_t k) {
  int8_t *plus = bounds->entries8.plus, *use = bounds->entries8.use,
         *columns = bounds->entries8.columns;
  const uint32_t size = padded_entries(k, ROW_8);
  for (uint32_t at = 0, y = 0, x = 0; at < size; at++, x++) {
    if (x == k)
      x = 0, y++;
    const int8_t twice = y < k ? bounds->twice_lower8[y] : -1;
    plus[at] = (int8_t)(twice + 1);
    use[at] = twice < 0 ? INF8 : bounds->use8[x];
    columns[at] = (int8_t)x;
  }
}

static void make_entry_bounds(PackedBounds *bounds, uint32_t k) {
  const bool is_wide = !bounds->is_tiny && bounds->is_small;
  bounds->entries16 = lay_entry_bounds(bounds, is_wide && k <= ROW_16, k, ROW_16);
  bounds->entries8 = lay_entry_bounds(bounds, bounds->is_tiny && k <= ROW_8, k, ROW_8);
  if (bounds->entries16.use)
    make_entry_bounds_16(bounds, k);
  if (bounds->entries8.use)
    make_entry_bounds_8(bounds, k);
}

void packed_bounds(PackedBounds *bounds, uint32_t k) {
  bounds->is_small = bounds->is_tiny = true;
  for (uint32_t x = 0; x < k; x++) {
    const int32_t lower = bounds->lower[x], upper = bounds->upper[x];
    bounds->is_small &= lower <= PACKED_MAX_BOUND && upper <= PACKED_MAX_BOUND;
    bounds->is_tiny &= lower <= PACKED_TINY_BOUND && upper <= PACKED_TINY_BOUND;
    bounds->twice_lower8[x] = lower == CLOCK_NO_BOUND ? -1 : (int8_t)(2 * lower);
    bounds->use8[x] = upper == CLOCK_NO_BOUND ? INF8 : (int8_t)(1 - 2 * upper);
    bounds->twice_lower[x] = lower == CLOCK_NO_BOUND ? -1 : (int16_t)(2 * lower);
    bounds->use[x] = upper == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * upper);
  }
  if (bounds->entry_room)
    make_entry_bounds(bounds, k);
}

// Cuts a tight matrix to 16 bits, rows without padding; false if that loses something. Rows
// are written whole, each over the padding of the one before; behind the last there is room.
// Small entries need a look in row 0 only: [i][j] >= [0][j] - [0][i] >= [0][j].
DBM_INLINE bool cut_rows(int16_t *image, const Bound *zone, uint32_t k, uint32_t stride) {
  const Lanes32 index = {0, 1, 2, 3, 4, 5, 6, 7}, valid = index < (int32_t)(k - stride + LANES);
  Lanes32 lost = {0}, lost_last = {0}; // in the last block of a row there may be padding
  for (const Bound *row = zone, *end = zone + k * stride; row < end; row += stride, image += k)
    for (uint32_t b = 0; b < stride; b += LANES) {
      const Lanes32 v = *(const Lanes32At *)(row + b);
      Lanes32 outside = (v > 32765) ^ (v == BOUND_INF);
      if (row == zone)
        outside |= v < -32767;
      if (b + LANES < stride)
        lost |= outside;
      else
        lost_last |= outside;
      *(Lanes16At *)(image + b) = __builtin_convertvector(v, Lanes16);
    }
  lost |= lost_last & valid;
  return !lanes_any32(&lost);
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

bool packed_cut(int16_t *to, const Bound *zone, uint32_t k) { return cut_to_16(to, zone, k); }

bool packed_shrink(int8_t *to, const int16_t *from, uint32_t k) {
  return cut_to_8(to, from, k * k);
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

void packed_write(void *to, const Bound *zone, uint32_t k, PackedFormat format) {
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++) {
    const Bound *row = zone + y * stride;
    if (format == PACKED_8)
      for (uint32_t x = 0; x < k; x++)
        ((int8_t *)to)[y * k + x] = row[x] == BOUND_INF ? INF8 : (int8_t)row[x];
    else if (format == PACKED_16)
      for (uint32_t x = 0; x < k; x++)
        ((int16_t *)to)[y * k + x] = (int16_t)row[x]; // infinity too
    else
      memcpy((Bound *)to + y * k, row, k * sizeof(Bound));
  }
  memset((char *)to + packed_bytes(k, format), 0, PACKED_PADDING);
}
