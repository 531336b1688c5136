#include "dbm/stored/packed.h"

#include "dbm/stored/packed_lanes.h"

#include <string.h>

enum { ROW = PACKED_ROW_BYTES / 2 }; // entries of a vector

// Entries of an array for each entry of a matrix.
static uint32_t padded_entries(uint32_t k) { return round_up(k < ROW ? k * k : ROW * ROW, ROW); }

static uint32_t readable_clocks(uint32_t k) { return round_up(k, PACKED_VECTOR_BYTES); }

size_t packed_bounds_bytes(uint32_t k, bool has_entry_bounds) {
  return (2 * readable_clocks(k) + (has_entry_bounds ? 3 * padded_entries(k) : 0)) *
         sizeof(int16_t);
}

void packed_bounds_init(PackedBounds *bounds, void *memory, uint32_t k, bool has_entry_bounds) {
  const uint32_t clocks = readable_clocks(k);
  bounds->twice_lower = memory;
  bounds->use = bounds->twice_lower + clocks;
  bounds->entry_room = has_entry_bounds ? bounds->use + clocks : NULL;
}

static void make_entry_bounds(PackedBounds *bounds, uint32_t k) {
  const uint32_t size = padded_entries(k);
  int16_t *plus = bounds->entry_room, *use = plus + size;
  int8_t *columns = (int8_t *)(use + size);
  for (uint32_t at = 0, y = 0, x = 0; at < size; at++, x++) {
    if (x == k)
      x = 0, y++;
    const int16_t twice = y < k ? bounds->twice_lower[y] : -1;
    plus[at] = (int16_t)(twice + 1);
    use[at] = twice < 0 ? INF16 : bounds->use[x];
    columns[2 * at] = (int8_t)(2 * x);
    columns[2 * at + 1] = (int8_t)(2 * x + 1);
  }
  bounds->entries = (PackedEntryBounds){plus, use, columns};
}

void packed_bounds(PackedBounds *bounds, uint32_t k) {
  bounds->is_small = true;
  for (uint32_t x = 0; x < k; x++) {
    const int32_t lower = bounds->lower[x], upper = bounds->upper[x];
    bounds->is_small &= lower <= PACKED_MAX_BOUND && upper <= PACKED_MAX_BOUND;
    bounds->twice_lower[x] = lower == CLOCK_NO_BOUND ? -1 : (int16_t)(2 * lower);
    bounds->use[x] = upper == CLOCK_NO_BOUND ? INF16 : (int16_t)(1 - 2 * upper);
  }
  bounds->entries = (PackedEntryBounds){0};
  if (bounds->entry_room && bounds->is_small && k <= ROW)
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

bool packed_cut(int16_t *to, const Bound *zone, uint32_t k) { return cut_to_16(to, zone, k); }

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

void packed_write(void *to, const Bound *zone, uint32_t k, PackedFormat format) {
  const uint32_t stride = dbm_stride(k);
  for (uint32_t y = 0; y < k; y++) {
    const Bound *row = zone + y * stride;
    if (format == PACKED_16)
      for (uint32_t x = 0; x < k; x++)
        ((int16_t *)to)[y * k + x] = (int16_t)row[x]; // infinity too
    else
      memcpy((Bound *)to + y * k, row, k * sizeof(Bound));
  }
  memset((char *)to + packed_bytes(k, format), 0, PACKED_PADDING);
}
