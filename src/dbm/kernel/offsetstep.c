// Sums of two paths fit into 16 bits: links are at most LINK8 if entries have 8 bits, else
// entries are at most OFFSETSTEP_MAX16 and links at most LINK16.
#include "dbm/kernel/offsetstep.h"

#include "base/lanes.h"

enum { INF8 = INT8_MAX, INF16 = INT16_MAX, TINY_MAX = INF8 - 1, BLOCK = 16 };

typedef int16_t Wide __attribute__((vector_size(32)));
typedef int16_t WideAt __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint16_t Unsigned __attribute__((vector_size(32)));
typedef int8_t Tiny __attribute__((vector_size(16)));
typedef int8_t TinyAt __attribute__((vector_size(16), aligned(1), may_alias));
enum { LINK8 = 16000, LINK16 = 8000 };

static bool are_small(const OffsetLink *links, uint32_t count, Bound max) {
  for (uint32_t i = 0; i < count; i++)
    if (links[i].bound > max || links[i].bound < -max)
      return false;
  return true;
}

bool offsetstep_can(const OffsetAction *action, PackedFormat format) {
  const Bound max = format == PACKED_8 ? LINK8 : LINK16;
  return format != PACKED_32 && !action->origin && !action->shift && !action->between_count &&
         are_small(action->in, action->in_count, max) &&
         are_small(action->out, action->out_count, max);
}

DBM_INLINE Wide choose(Wide mask, Wide a, Wide b) { return (a & mask) | (b & ~mask); }
DBM_INLINE Wide least(Wide a, Wide b) { return choose(a < b, a, b); }
DBM_INLINE Wide all(int16_t v) { return (Wide){0} + v; }
DBM_INLINE Wide load(const int16_t *at) { return *(const WideAt *)at; }

// Some entries of a packed zone, and one.
DBM_INLINE Wide load_at(const void *entries, size_t at, PackedFormat format) {
  if (format == PACKED_16)
    return load((const int16_t *)entries + at);
  const Wide v = __builtin_convertvector(*(const TinyAt *)((const int8_t *)entries + at), Wide);
  return choose(v == INF8, all(INF16), v);
}

DBM_INLINE int16_t entry(const void *entries, size_t at, PackedFormat format) {
  if (format == PACKED_16)
    return ((const int16_t *)entries)[at];
  const int8_t v = ((const int8_t *)entries)[at];
  return v == INF8 ? (int16_t)INF16 : v;
}

DBM_INLINE void store_at(void *entries, size_t at, Wide v, PackedFormat format) {
  if (format == PACKED_16)
    *(WideAt *)((int16_t *)entries + at) = v;
  else
    *(TinyAt *)((int8_t *)entries + at) =
        __builtin_convertvector(choose(v == INF16, all(INF8), v), Tiny);
}

DBM_INLINE void store_low(void *entries, size_t at, int16_t v, PackedFormat format) {
  if (format == PACKED_16)
    ((int16_t *)entries)[at] = v;
  else
    ((int8_t *)entries)[at] = (int8_t)v;
}

// bound_sum for a finite `a`.
DBM_INLINE Wide sums(int16_t a, Wide b) {
  // Unsigned, as the sum with infinity wraps.
  const Unsigned kept = (Unsigned)(b & (int16_t)(a | ~1));
  const Wide both = (Wide)(kept + (uint16_t)(a & ~1));
  return choose(b == INF16, b, both);
}

DBM_INLINE int16_t sum(int16_t a, int16_t b) {
  const int16_t both = (int16_t)((a & ~1) + (b & (a | ~1)));
  return b == INF16 ? (int16_t)INF16 : both;
}

DBM_INLINE size_t row_at(const OffsetShape *shape, size_t row) {
  return shape->clocks + row * shape->n;
}

// The row of the instant; false if there is none.
DBM_INLINE bool leave(const void *from, const OffsetShape *shape, const OffsetAction *action,
                      size_t stride, int16_t *instant, PackedFormat format) {
  for (size_t j = 0; j < stride; j += BLOCK) {
    Wide v = all(INF16);
    for (uint32_t o = 0; o < action->out_count; o++) {
      const size_t row = row_at(shape, shape->place[action->out[o].variable]);
      v = least(v, sums((int16_t)action->out[o].bound, load_at(from, row + j, format)));
    }
    *(WideAt *)(instant + j) = v;
  }
  for (uint32_t i = 0; i < action->in_count; i++)
    if (sum((int16_t)action->in[i].bound, instant[action->in[i].variable]) < BOUND_LE_ZERO)
      return false;
  return true;
}

DBM_INLINE int16_t since(const void *from, size_t row, const OffsetAction *action,
                         PackedFormat format) {
  int16_t result = INF16;
  for (uint32_t i = 0; i < action->in_count; i++) {
    const int16_t s =
        sum((int16_t)action->in[i].bound, entry(from, row + action->in[i].variable, format));
    result = s < result ? s : result;
  }
  return result;
}

typedef struct Pass {
  const int16_t *columns, *times, *becomes, *kept;
  const int16_t *instant;
  size_t stride;
} Pass;

DBM_INLINE int16_t least_lane(Wide v) {
  const Lanes16 by_4 = {4, 5, 6, 7, 0, 1, 2, 3}, by_2 = {2, 3, 0, 1, 6, 7, 4, 5};
  Lanes16 halves[2], a, b;
  memcpy(halves, &v, sizeof v);
  a = halves[0];
  b = halves[1];
  a = ((a < b) & a) | (~(a < b) & b);
  b = LANES_PERMUTE(a, by_4);
  a = ((a < b) & a) | (~(a < b) & b);
  b = LANES_PERMUTE(a, by_2);
  a = ((a < b) & a) | (~(a < b) & b);
  return a[0] < a[1] ? a[0] : a[1];
}

typedef enum Origin { FROM_NOWHERE, FROM_INSTANT, FROM_ROW, FROM_BOTH } Origin;

typedef struct Row { // of the result, and where it comes from
  void *to;
  size_t at;
  const void *from;
  size_t from_at;
  int16_t bound; // to the instant
} Row;

// Makes a row. Gives the least of its times, lane by lane; `max` becomes no less than any finite
// entry, whatever its sign.
DBM_INLINE Wide pass_row(const Pass *p, Row row, Origin origin, bool has_kept, Wide *max,
                         PackedFormat format) {
  const int16_t bound = row.bound;
  // Not all(bound): gcc would insert it lane by lane, if it has the others, too.
  const Wide infinite = all(INF16), own = all(bound & ~1) | (all(bound | ~1) & 1);
  Wide times = infinite;
  for (size_t j = 0; j < p->stride; j += BLOCK) {
    Wide v = infinite;
    if (origin == FROM_ROW || origin == FROM_BOTH)
      v = load_at(row.from, row.from_at + j, format);
    if (origin == FROM_INSTANT)
      v = load(p->instant + j);
    if (origin == FROM_BOTH)
      v = least(v, sums(bound, load(p->instant + j)));
    v = choose(load(p->becomes + j), own, v);
    if (has_kept)
      v = choose(load(p->kept + j), least(v, own), v);
    v = choose(load(p->columns + j), v, infinite);
    times = least(times, choose(load(p->times + j), v, infinite));
    const Wide sign = v >> 15, size = ((v ^ sign) - sign) & (v != INF16);
    *max = choose(size > *max, size, *max);
    store_at(row.to, row.at + j, v, format);
  }
  return times;
}

DBM_INLINE OffsetStepResult fire(Pass p, void *to, const OffsetShape *to_shape, const void *from,
                                 const OffsetShape *old, const OffsetAction *action, bool has_row,
                                 bool has_kept, PackedFormat format) {
  const OffsetShape shape = *to_shape; // stores of bytes could change anything else
  const uint32_t *place = old->place;
  Wide max = {0};
  bool is_behind = false;
  for (uint32_t x = 0; x < shape.clocks; x++)
    store_low(to, x, BOUND_LE_ZERO, format);
  for (uint32_t r = 0; r < shape.row_count; r++) {
    const uint32_t i = shape.rows[r];
    Row row = {.to = to, .at = row_at(&shape, r), .from = from, .bound = BOUND_LE_ZERO};
    Wide times;
    if (p.becomes[i]) {
      times = pass_row(&p, row, has_row ? FROM_INSTANT : FROM_NOWHERE, has_kept, &max, format);
    } else {
      row.from_at = row_at(&shape, place[i]);
      row.bound = since(from, row.from_at, action, format);
      times = has_row && row.bound != INF16 ? pass_row(&p, row, FROM_BOTH, has_kept, &max, format)
                                            : pass_row(&p, row, FROM_ROW, has_kept, &max, format);
    }
    if (r < shape.clock_rows)
      store_low(to, i, least_lane(times), format);
    else if (r >= shape.frozen_from)
      is_behind |= least_lane(times) < BOUND_LE_ZERO;
  }
  const Wide not_tiny = max > TINY_MAX, not_small = max > OFFSETSTEP_MAX16;
  if (lanes_any(format == PACKED_8 ? &not_tiny : &not_small))
    return OFFSETSTEP_LARGE;
  const bool is_small = format == PACKED_16 && !lanes_any(&not_tiny);
  return (is_behind ? OFFSETSTEP_BEHIND : OFFSETSTEP_DONE) | (is_small ? OFFSETSTEP_FITS : 0);
}

DBM_INLINE OffsetStepResult run(void *to, OffsetStepZone zone, const void *from,
                                const OffsetShape *old, const OffsetAction *action,
                                const OffsetStepAction *masks, int16_t *instant,
                                PackedFormat format) {
  const Pass pass = {.columns = zone.masks->columns,
                     .times = zone.masks->times,
                     .becomes = masks->becomes,
                     .kept = masks->kept,
                     .instant = instant,
                     .stride = offsetstep_stride(old->n)};
  const bool has_row = action->out_count;
  if (has_row && !leave(from, old, action, pass.stride, instant, format))
    return OFFSETSTEP_EMPTY;
  if (masks->kept)
    return has_row ? fire(pass, to, zone.shape, from, old, action, true, true, format)
                   : fire(pass, to, zone.shape, from, old, action, false, true, format);
  return has_row ? fire(pass, to, zone.shape, from, old, action, true, false, format)
                 : fire(pass, to, zone.shape, from, old, action, false, false, format);
}

DBM_CLONES static OffsetStepResult run8(void *to, OffsetStepZone zone, const void *from,
                                        const OffsetShape *old, const OffsetAction *action,
                                        const OffsetStepAction *masks, int16_t *instant) {
  return run(to, zone, from, old, action, masks, instant, PACKED_8);
}

DBM_CLONES static OffsetStepResult run16(void *to, OffsetStepZone zone, const void *from,
                                         const OffsetShape *old, const OffsetAction *action,
                                         const OffsetStepAction *masks, int16_t *instant) {
  return run(to, zone, from, old, action, masks, instant, PACKED_16);
}

OffsetStepResult offsetstep_fire(void *to, OffsetStepZone zone, const void *from,
                                 const OffsetShape *shape, const OffsetAction *action,
                                 const OffsetStepAction *masks, int16_t *instant,
                                 PackedFormat format) {
  return format == PACKED_8 ? run8(to, zone, from, shape, action, masks, instant)
                            : run16(to, zone, from, shape, action, masks, instant);
}
