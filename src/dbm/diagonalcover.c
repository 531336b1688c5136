#include "dbm/diagonalcover.h"

// Each constraint that splits takes room for a part of each zone.
static size_t matrix_entries(uint32_t n) { return (size_t)n * dbm_stride(n); }

size_t diagonalcover_bytes(uint32_t n, uint32_t count) { return 2 * count * dbm_bytes(n); }

// The part of a zone that meets a constraint; false if there is none, or its bounds are too
// large.
static bool cut(const DiagonalCover *s, Bound *part, const Bound *zone, Constraint c,
                bool *is_large) {
  dbm_copy(part, zone, s->n);
  if (!dbm_constrain(s->mem, part, s->n, c))
    return false;
  *is_large |= !dbm_in_range(part, s->n);
  return true;
}

static bool matters(const DiagonalCover *s, Constraint c, const Bound *big, const Bound *small) {
  const size_t stride = dbm_stride(s->n);
  return diagonalcover_matters(c, small[c.j * stride + c.i], big[c.i * stride + c.j]);
}

static bool covers(const DiagonalCover *s, const Bound *big, const Bound *small, uint32_t from,
                   Bound *scratch) {
  const uint32_t n = s->n;
  for (;; from++) {
    mem_tick(s->mem);
    if (!simulation_alu(big, small, n, s->lower, s->upper))
      return false;
    if (dbm_includes(big, small, n))
      return true;
    while (from < s->count && !matters(s, s->list[from], big, small))
      from++;
    if (from == s->count)
      return true;
    const Constraint c = s->list[from];
    const Constraint outside = {c.j, c.i, bound_negate(c.bound)};
    Bound *const inner = scratch, *const part = scratch + matrix_entries(n);
    bool is_large = false;
    if (!cut(s, inner, big, c, &is_large) || is_large) // but some of small meets c
      return false;
    scratch += 2 * matrix_entries(n);
    if (cut(s, part, small, outside, &is_large)) {
      if (is_large || !covers(s, big, part, from + 1, scratch))
        return false;
      cut(s, part, small, c, &is_large);
      if (is_large)
        return false;
      small = part;
    }
    big = inner;
  }
}

bool diagonalcover_holds(const DiagonalCover *splitting, const Bound *big, const Bound *small,
                         void *scratch) {
  return covers(splitting, big, small, 0, scratch);
}
