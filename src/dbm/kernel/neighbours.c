#include "dbm/kernel/neighbours.h"

#include "base/lanes.h"

// For entries of any size, one by one.
#define FIND_ALL(Type)                                                                           \
  do {                                                                                           \
    const Type *const d = entries;                                                               \
    for (uint32_t i = 0; i < k; i++)                                                             \
      for (uint32_t p = 0; p + 1 < k; p++) {                                                     \
        if (i == p || i == p + 1)                                                                \
          continue;                                                                              \
        columns[p] |= d[i * k + p] != d[i * k + p + 1];                                          \
        rows[p] |= d[p * k + i] != d[(p + 1) * k + i];                                           \
      }                                                                                          \
  } while (0)

// Entries of two rows that differ, in some lane. The last vector overlaps the one before.
DBM_INLINE bool differ(const int16_t *a, const int16_t *b, uint32_t k) {
  Lanes16 differs = {0};
  for (uint32_t j = 0; j + LANES <= k; j += LANES)
    differs |= *(const Lanes16At *)(a + j) ^ *(const Lanes16At *)(b + j);
  differs |= *(const Lanes16At *)(a + k - LANES) ^ *(const Lanes16At *)(b + k - LANES);
  return lanes_any_half(&differs);
}

// What a row tells of neighbouring columns, whole vectors at a time: `columns` has room for one
// more, and the row can be read that far.
DBM_INLINE void add_columns(uint16_t *columns, const int16_t *row, uint32_t k) {
  for (uint32_t p = 0; p < k; p += LANES)
    *(Lanes16At *)(void *)(columns + p) |=
        *(const Lanes16At *)(row + p) ^ *(const Lanes16At *)(row + p + 1);
}

// What a row has at its own clock and the next does not count: the columns are put back, and in
// `row`, a copy, these entries are those of the next row.
DBM_CLONES static void find_16(const int16_t *d, uint32_t k, uint16_t *rows, uint16_t *columns,
                               int16_t *row) {
  for (uint32_t i = 0; i < k; i++, d += k) {
    const uint16_t before = i ? columns[i - 1] : 0, own = columns[i];
    add_columns(columns, d, k);
    columns[i] = own;
    if (i)
      columns[i - 1] = before;
    if (i + 1 == k)
      break;
    memcpy(row, d, k * sizeof *d);
    row[i] = d[k + i];
    row[i + 1] = d[k + i + 1];
    rows[i] = differ(row, d + k, k);
  }
}

void neighbours_find(const void *entries, PackedFormat format, uint32_t k, uint16_t *rows,
                     uint16_t *columns, int16_t *spare) {
  memset(columns, 0, k * sizeof *columns);
  memset(rows, 0, k * sizeof *rows);
  if (format == PACKED_16 && k >= LANES)
    find_16(entries, k, rows, columns, spare);
  else if (format == PACKED_16)
    FIND_ALL(int16_t);
  else
    FIND_ALL(Bound);
}
