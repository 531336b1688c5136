#include "dbm/delay.h"

#include "dbm/rows.h"

void dbm_delay(Bound *d, uint32_t n, const Constraint *upper, uint32_t count) {
  const size_t stride = dbm_stride(n);
  for (size_t k = 1; k < n; k++) {
    Bound *row = d + k * stride;
    Bound first = BOUND_INF;
    for (uint32_t c = 0; c < count; c++) {
      const Bound sum = bound_sum(row[upper[c].i], upper[c].bound);
      first = sum < first ? sum : first;
    }
    row[0] = first;
  }
  rows_paranoid(d, n);
}
