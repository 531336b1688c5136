#include "dbm/federation.h"

#include <string.h>

static size_t size_of(const Federation *f) { return dbm_bytes(f->n) / sizeof(Bound); }

void federation_init(Federation *f, Mem *mem, uint32_t n) {
  *f = (Federation){.mem = mem, .n = n};
  f->scratch = mem_alloc(mem, 2 * dbm_bytes(n));
}

void federation_release(Federation *f) {
  mem_free(f->mem, f->zones);
  mem_free(f->mem, f->scratch);
  *f = (Federation){0};
}

enum { DOUBLED = 1 << 24 }; // bytes up to which the memory is doubled when it is full

// Room for one more; its place. Much memory grows by less at once: it is cleared then, and limits
// of time wait for that.
static Bound *grow(Federation *f) {
  if (f->count == f->capacity) {
    const size_t bytes = dbm_bytes(f->n);
    const uint32_t more = f->capacity * bytes < DOUBLED ? f->capacity + 4 : f->capacity / 8 + 1;
    f->zones = mem_resize(f->mem, f->zones, (f->capacity + more) * bytes);
    f->capacity += more;
  }
  return f->zones + f->count * size_of(f);
}

void federation_add(Federation *f, const Bound *zone) {
  dbm_copy(grow(f), zone, f->n);
  f->count++;
}

void federation_copy(Federation *to, const Federation *from) {
  to->count = 0;
  for (uint32_t i = 0; i < from->count; i++)
    federation_add(to, federation_zone(from, i));
}

bool federation_common(Mem *mem, Bound *to, const Bound *a, const Bound *b, uint32_t n) {
  const uint32_t stride = dbm_stride(n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i != j && bound_sum(a[i * stride + j], b[j * stride + i]) < BOUND_LE_ZERO)
        return false;
  dbm_copy(to, a, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i != j && b[i * stride + j] < to[i * stride + j] &&
          !dbm_constrain(mem, to, n, (Constraint){i, j, b[i * stride + j]}))
        return false;
  return true;
}

// Appends what of the zone in `rest` is not in `taken`; `rest` is lost. The parts are disjoint:
// what lies beyond a constraint is put aside before the next is looked at.
static void append_difference(Federation *f, Bound *rest, const Bound *taken) {
  const uint32_t n = f->n, stride = dbm_stride(n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      const Bound bound = taken[i * stride + j];
      if (i == j || bound >= rest[i * stride + j])
        continue;
      Bound *part = grow(f);
      dbm_copy(part, rest, n);
      f->count += dbm_constrain(f->mem, part, n, (Constraint){j, i, bound_negate(bound)});
      if (!dbm_constrain(f->mem, rest, n, (Constraint){i, j, bound}))
        return;
    }
}

void federation_subtract(Federation *f, const Bound *zone) {
  const uint32_t before = f->count;
  Bound *common = f->scratch, *rest = f->scratch + size_of(f);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < before; i++) {
    mem_tick(f->mem); // n zones can leave 2^n parts
    dbm_copy(rest, federation_zone(f, i), f->n);
    if (federation_common(f->mem, common, rest, zone, f->n))
      append_difference(f, rest, zone);
    else
      dbm_copy(f->zones + kept++ * size_of(f), rest, f->n);
  }
  const uint32_t made = f->count - before;
  memmove(f->zones + kept * size_of(f), f->zones + before * size_of(f), made * dbm_bytes(f->n));
  f->count = kept + made;
}

void federation_subtract_all(Federation *f, const Federation *other) {
  for (uint32_t i = 0; i < other->count && f->count; i++)
    federation_subtract(f, federation_zone(other, i));
}

void federation_intersect(Federation *f, const Bound *zone) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (federation_common(f->mem, f->scratch, federation_zone(f, i), zone, f->n))
      dbm_copy(f->zones + kept++ * size_of(f), f->scratch, f->n);
  f->count = kept;
}

bool federation_meets(const Federation *f, const Bound *zone) {
  for (uint32_t i = 0; i < f->count; i++)
    if (federation_common(f->mem, f->scratch, federation_zone(f, i), zone, f->n))
      return true;
  return false;
}

void federation_down(Federation *f) {
  for (uint32_t i = 0; i < f->count; i++)
    dbm_down(f->zones + i * size_of(f), f->n);
}

bool federation_contains(const Federation *f, const int64_t *point, int64_t scale) {
  for (uint32_t i = 0; i < f->count; i++)
    if (dbm_contains(federation_zone(f, i), f->n, point, scale))
      return true;
  return false;
}
