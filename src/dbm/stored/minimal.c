// The constraints that do not follow from others (Larsen, Larsson, Pettersson, Yi: LLPY97).
#include "dbm/stored/minimal.h"

#include "dbm/remap.h"
#include "dbm/rows.h"
#include "dbm/stored/minimal_bits.h"

#include <string.h>

size_t minimal_scratch_bytes(uint32_t n) {
  const size_t stride = dbm_stride(n);
  return dbm_bytes(n) + 2 * stride * sizeof(Bound) + (size_t)n * (n + 1) * sizeof(Constraint) +
         3 * stride * sizeof(ClockId);
}

void minimal_init(MinimalScratch *scratch, void *memory, uint32_t n) {
  const size_t stride = dbm_stride(n);
  scratch->work = memory;
  scratch->row = scratch->work + n * stride;
  scratch->list = (Constraint *)(scratch->row + 2 * stride);
  scratch->firsts = (ClockId *)(scratch->list + (size_t)n * (n + 1));
  scratch->origin = scratch->firsts + stride;
  scratch->distance = (int32_t *)(scratch->origin + stride);
}

size_t minimal_max_bytes(uint32_t n) {
  // No width is above 31; a member has fewer bits than two constraints and their flags.
  const size_t head = 2 * MINIMAL_WIDTH_BITS + MINIMAL_FLAG_BITS + n + 64;
  return (head + (size_t)n * n * 32 + 7) / 8 + MINIMAL_SLACK;
}

// Whether x_i - x_f is fixed. A look at rows i and 0, which lie in a line, comes first: then
// [0][f] = [0][i] + [i][f]. Both bounds are odd if one is and their sum is 2, that is (<=, 0);
// infinity is far off.
static inline bool is_fixed(const Bound *zone, size_t stride, ClockId i, ClockId f) {
  const Bound there = zone[i * stride + f];
  return zone[f] == zone[i] + there - 1 && there & 1 && there + zone[f * stride + i] == 2;
}

// Numbers the first clocks; every clock's origin and distance. Returns the number of members.
static uint32_t find_classes(MinimalScratch *scratch, const Bound *zone, uint32_t n) {
  const size_t stride = dbm_stride(n);
  uint32_t firsts = 0;
  for (ClockId i = 0; i < n; i++) {
    uint32_t f = 0;
    while (f < firsts && !is_fixed(zone, stride, i, scratch->firsts[f]))
      f++;
    scratch->origin[i] = f;
    scratch->distance[i] = f < firsts ? bound_constant(zone[i * stride + scratch->firsts[f]]) : 0;
    if (f == firsts)
      scratch->firsts[firsts++] = i;
  }
  for (uint32_t i = firsts; i < dbm_stride(firsts); i++)
    scratch->firsts[i] = 0;
  return n - firsts;
}

// The matrix between first clocks, the diagonal infinite: no path stays where it is.
static void copy_firsts(MinimalScratch *scratch, const Bound *zone, uint32_t n, uint32_t r) {
  const uint32_t stride = dbm_stride(r);
  if (r == n)
    dbm_copy(scratch->work, zone, n);
  else
    dbm_remap(scratch->work, r, zone, n, scratch->firsts, NULL);
  for (uint32_t i = 0; i < r; i++) {
    scratch->work[i * stride + i] = BOUND_INF;
    for (uint32_t j = r; j < stride; j++)
      scratch->work[i * stride + j] = BOUND_INF;
  }
}

// Which entry of `rest` is least, or INT32_MAX if none is left.
DBM_INLINE Bound least_of(const Bound *rest, size_t stride) {
  Bound least = INT32_MAX;
  for (size_t j = 0; j < stride; j++)
    least = rest[j] < least ? rest[j] : least;
  return least;
}

// The constraints of row i that do not follow from others: what stays finite in `left`. One
// that does follow has a path whose first step does not; so only clocks that are still left are
// tried as a first step. The nearest one comes first, by distances made non-negative with
// those from clock 0: it is hardly ever a step that follows from others.
DBM_INLINE void reduce_row(const MinimalScratch *scratch, uint32_t i, size_t stride) {
  Bound *left = scratch->row, *rest = scratch->row + stride;
  const Bound *row = scratch->work + i * stride, *zero = scratch->work;
  DBM_WHOLE for (size_t j = 0; j < stride; j++) {
    left[j] = row[j];
    rest[j] = row[j] == BOUND_INF ? INT32_MAX : row[j] - (j ? zero[j] : BOUND_LE_ZERO);
  }
  for (Bound least; (least = least_of(rest, stride)) != INT32_MAX;) {
    uint32_t k = 0;
    while (rest[k] != least)
      k++;
    rest[k] = INT32_MAX;
    const Bound *via = scratch->work + k * stride;
    const Bound even = row[k] & ~1, keep = row[k] | ~1;
    DBM_WHOLE for (size_t j = 0; j < stride; j++) {
      const Bound sum = via[j] == BOUND_INF ? INT32_MAX : even + (via[j] & keep);
      rest[j] = sum <= row[j] ? INT32_MAX : rest[j];
      left[j] = sum <= row[j] ? BOUND_INF : left[j];
    }
  }
}

DBM_INLINE uint32_t reduce_rows(const MinimalScratch *scratch, uint32_t r, size_t stride) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r; i++) {
    const Bound *left = scratch->row;
    reduce_row(scratch, i, stride);
    for (uint32_t j = 0; j < r; j++)
      if (left[j] != BOUND_INF && (i || left[j] != BOUND_LE_ZERO))
        scratch->list[count++] = (Constraint){i, j, left[j]};
  }
  return count;
}

DBM_CLONES static uint32_t reduce(const MinimalScratch *scratch, uint32_t r) {
  return r <= DBM_LANES ? reduce_rows(scratch, r, DBM_LANES)
                        : reduce_rows(scratch, r, dbm_stride(r));
}

static void choose_widths(MinimalHeader *h, const MinimalScratch *scratch, uint32_t n) {
  uint32_t bounds = 0, constants = 0, distances = 0;
  h->is_closed = true;
  for (uint32_t c = 0; c < h->count; c++) {
    const Bound b = scratch->list[c].bound;
    h->is_closed &= !bound_is_strict(b);
    bounds |= bits_spread(b);
    constants |= bits_spread(bound_constant(b));
  }
  for (uint32_t i = 0; i < n; i++)
    distances |= bits_spread(scratch->distance[i]);
  h->width = bits_of(h->is_closed ? constants : bounds);
  h->member_width = bits_of(distances);
}

static void write_members(uint8_t *bytes, const MinimalHeader *h, const MinimalScratch *scratch,
                          uint32_t n) {
  size_t at = MINIMAL_WIDTH_BITS + MINIMAL_FLAG_BITS, link = h->links;
  bits_put(bytes, &at, MINIMAL_WIDTH_BITS, h->member_width);
  for (uint32_t i = 1; i < n; i++) {
    const bool is_member = scratch->firsts[scratch->origin[i]] != i;
    bits_put(bytes, &at, 1, is_member);
    if (!is_member)
      continue;
    bits_put(bytes, &link, h->index_bits, scratch->origin[i]);
    bits_put(bytes, &link, h->member_width, (uint32_t)scratch->distance[i]);
  }
}

static void write_constraints(uint8_t *bytes, const MinimalHeader *h,
                              const MinimalScratch *scratch) {
  size_t at = h->records;
  for (uint32_t c = 0; c < h->count; c++) {
    const Constraint now = scratch->list[c];
    size_t flag = h->shape + (h->is_matrix ? (size_t)now.i * h->firsts + now.j : now.i + c);
    bits_put(bytes, &flag, 1, 1);
    if (!h->is_matrix)
      bits_put(bytes, &at, h->index_bits, now.j);
    bits_put(bytes, &at, h->width,
             (uint32_t)(h->is_closed ? bound_constant(now.bound) : now.bound));
  }
}

size_t minimal_make(MinimalScratch *scratch, void *to, const Bound *zone, uint32_t n) {
  MinimalHeader h = {.members = find_classes(scratch, zone, n)};
  const uint32_t r = n - h.members;
  copy_firsts(scratch, zone, n, r);
  h.count = reduce(scratch, r);
  choose_widths(&h, scratch, n);
  minimal_place_members(&h, n);
  h.is_matrix = (size_t)r * r < r + h.count * (size_t)(1 + h.index_bits);
  minimal_place_constraints(&h);
  const size_t size = (h.end + 7) / 8;
  memset(to, 0, size);
  size_t at = 0;
  bits_put(to, &at, MINIMAL_WIDTH_BITS, h.width);
  bits_put(to, &at, 1, h.is_matrix);
  bits_put(to, &at, 1, h.is_closed);
  bits_put(to, &at, 1, h.members != 0);
  if (h.members)
    write_members(to, &h, scratch, n);
  at = h.counter;
  bits_put(to, &at, 2 * h.index_bits, h.count);
  write_constraints(to, &h, scratch);
  return size;
}

// The matrix over all clocks, from that of the first ones.
static void add_members(MinimalScratch *scratch, Bound *zone, uint32_t n, const MinimalHeader *h,
                        const uint8_t *bytes) {
  memset(scratch->origin, 0, dbm_stride(n) * sizeof *scratch->origin);
  memset(scratch->distance, 0, n * sizeof *scratch->distance);
  minimal_number_firsts(scratch, h, bytes, n);
  for (uint32_t f = 0; f < h->firsts; f++)
    scratch->origin[scratch->firsts[f]] = f;
  MinimalLinks links = minimal_links(h);
  for (MinimalLink link; minimal_next_link(&links, h, bytes, &link);) {
    scratch->origin[link.member] = link.first;
    scratch->distance[link.member] = link.distance;
  }
  dbm_remap(zone, n, scratch->work, h->firsts, scratch->origin, scratch->distance);
}

// Floyd and Warshall. Clock 0, from which there is a way to all others, comes last: till
// then most rows have few entries, and those without one are skipped.
DBM_INLINE void close_rows(Bound *work, uint32_t r, size_t stride) {
  for (uint32_t turn = 1; turn <= r; turn++) {
    const uint32_t k = turn < r ? turn : 0;
    const Bound *via = work + k * stride;
    for (uint32_t i = 0; i < r; i++) {
      Bound *row = work + i * stride;
      if (i != k && row[k] != BOUND_INF)
        rows_relax(row, via, row[k], stride, ROWS_NO_LEAST);
    }
  }
}

DBM_CLONES static void close_any(Bound *work, uint32_t r) {
  if (r <= DBM_LANES)
    close_rows(work, r, DBM_LANES);
  else
    close_rows(work, r, dbm_stride(r));
}

void minimal_read(MinimalScratch *scratch, Bound *zone, uint32_t n, const void *from) {
  MinimalHeader h;
  minimal_read_header(&h, from, n);
  Bound *work = h.members ? scratch->work : zone;
  dbm_universal(work, h.firsts);
  MinimalWalk walk = minimal_walk(&h, from);
  for (Constraint c; minimal_next(&walk, &h, &c);)
    work[c.i * (size_t)dbm_stride(h.firsts) + c.j] = c.bound;
  close_any(work, h.firsts);
  if (h.members)
    add_members(scratch, zone, n, &h, from);
  rows_paranoid(zone, n);
}
