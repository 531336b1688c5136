// Sums of two paths fit into 16 bits: entries are at most 126 and links at most MOST_LINK.
#include "dbm/offset8.h"

#include "dbm/lanes.h"

enum { INF8 = INT8_MAX, INF16 = INT16_MAX, TINY_MOST = INF8 - 1, BLOCK = 16 };

typedef int16_t Wide __attribute__((vector_size(32)));
typedef int16_t WideAt __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint16_t Unsigned __attribute__((vector_size(32)));
typedef int8_t Tiny __attribute__((vector_size(16)));
typedef int8_t TinyAt __attribute__((vector_size(16), aligned(1), may_alias));
enum { MOST_LINK = 16000 };

static bool are_small(const OffsetLink *links, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (links[i].bound > MOST_LINK || links[i].bound < -MOST_LINK)
      return false;
  return true;
}

bool offset8_can(const OffsetAction *action) {
  return !action->origin && !action->shift && !action->between_count &&
         are_small(action->in, action->in_count) && are_small(action->out, action->out_count);
}

DBM_INLINE Wide choose(Wide mask, Wide a, Wide b) { return (a & mask) | (b & ~mask); }
DBM_INLINE Wide least(Wide a, Wide b) { return choose(a < b, a, b); }
DBM_INLINE Wide all(int16_t v) { return (Wide){0} + v; }
DBM_INLINE Wide load(const int16_t *at) { return *(const WideAt *)at; }

DBM_INLINE Wide load_tiny(const int8_t *at) {
  const Wide v = __builtin_convertvector(*(const TinyAt *)at, Wide);
  return choose(v == INF8, all(INF16), v);
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

DBM_INLINE const int8_t *row_of(const int8_t *body, const OffsetShape *shape, uint32_t row) {
  return body + shape->clocks + row * shape->n;
}

// The row of the instant; false if there is none.
DBM_INLINE bool leave(const int8_t *from, const OffsetShape *shape, const OffsetAction *action,
                      size_t stride, int16_t *instant) {
  for (size_t j = 0; j < stride; j += BLOCK) {
    Wide v = all(INF16);
    for (uint32_t o = 0; o < action->out_count; o++) {
      const int8_t *row = row_of(from, shape, shape->place[action->out[o].variable]);
      v = least(v, sums((int16_t)action->out[o].bound, load_tiny(row + j)));
    }
    *(WideAt *)(instant + j) = v;
  }
  for (uint32_t i = 0; i < action->in_count; i++)
    if (sum((int16_t)action->in[i].bound, instant[action->in[i].variable]) < BOUND_LE_ZERO)
      return false;
  return true;
}

DBM_INLINE int16_t since(const int8_t *row, const OffsetAction *action) {
  int16_t result = INF16;
  for (uint32_t i = 0; i < action->in_count; i++) {
    const int8_t v = row[action->in[i].variable];
    const int16_t s = v == INF8 ? (int16_t)INF16 : sum((int16_t)action->in[i].bound, v);
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

// A row of the result. Gives the least of its times, lane by lane; lanes of `lost` become
// non-zero if an entry does not fit.
DBM_INLINE Wide pass_row(const Pass *p, int8_t *to, const int8_t *from, int16_t bound,
                         Origin origin, bool has_kept, Wide *lost) {
  const Wide infinite = all(INF16), own = all(bound);
  Wide times = infinite;
  for (size_t j = 0; j < p->stride; j += BLOCK) {
    Wide v = infinite;
    if (origin == FROM_ROW || origin == FROM_BOTH)
      v = load_tiny(from + j);
    if (origin == FROM_INSTANT)
      v = load(p->instant + j);
    if (origin == FROM_BOTH)
      v = least(v, sums(bound, load(p->instant + j)));
    v = choose(load(p->becomes + j), own, v);
    if (has_kept)
      v = choose(load(p->kept + j), least(v, own), v);
    v = choose(load(p->columns + j), v, infinite);
    times = least(times, choose(load(p->times + j), v, infinite));
    const Wide is_infinite = v == INF16;
    *lost |= ((v > TINY_MOST) | (v < -TINY_MOST)) & ~is_infinite;
    *(TinyAt *)(to + j) = __builtin_convertvector(choose(is_infinite, all(INF8), v), Tiny);
  }
  return times;
}

DBM_INLINE Offset8Result fire(Pass p, int8_t *to, const OffsetShape *to_shape, const int8_t *from,
                              const OffsetShape *old, const OffsetAction *action, bool has_row,
                              bool has_kept) {
  const OffsetShape shape = *to_shape; // stores of bytes could change anything else
  const uint32_t *place = old->place;
  int8_t *row = to + shape.clocks;
  Wide lost = {0};
  bool is_behind = false;
  for (uint32_t x = 0; x < shape.clocks; x++)
    to[x] = BOUND_LE_ZERO;
  for (uint32_t r = 0; r < shape.row_count; r++, row += shape.n) {
    const uint32_t i = shape.rows[r];
    Wide times;
    if (p.becomes[i]) {
      times = pass_row(&p, row, NULL, BOUND_LE_ZERO, has_row ? FROM_INSTANT : FROM_NOWHERE,
                       has_kept, &lost);
    } else {
      const int8_t *source = from + shape.clocks + place[i] * shape.n;
      const int16_t bound = since(source, action);
      times = has_row && bound != INF16
                  ? pass_row(&p, row, source, bound, FROM_BOTH, has_kept, &lost)
                  : pass_row(&p, row, source, bound, FROM_ROW, has_kept, &lost);
    }
    if (r < shape.clock_rows)
      to[i] = (int8_t)least_lane(times);
    else if (r >= shape.frozen_from)
      is_behind |= least_lane(times) < BOUND_LE_ZERO;
  }
  return lanes_any(&lost) ? OFFSET8_LARGE : is_behind ? OFFSET8_BEHIND : OFFSET8_DONE;
}

DBM_CLONES static Offset8Result run(int8_t *to, Offset8Zone zone, const int8_t *from,
                                    const OffsetShape *old, const OffsetAction *action,
                                    const Offset8Action *masks, int16_t *instant) {
  const Pass pass = {.columns = zone.masks->columns,
                     .times = zone.masks->times,
                     .becomes = masks->becomes,
                     .kept = masks->kept,
                     .instant = instant,
                     .stride = offset8_stride(old->n)};
  const bool has_row = action->out_count;
  if (has_row && !leave(from, old, action, pass.stride, instant))
    return OFFSET8_EMPTY;
  if (masks->kept)
    return has_row ? fire(pass, to, zone.shape, from, old, action, true, true)
                   : fire(pass, to, zone.shape, from, old, action, false, true);
  return has_row ? fire(pass, to, zone.shape, from, old, action, true, false)
                 : fire(pass, to, zone.shape, from, old, action, false, false);
}

Offset8Result offset8_fire(int8_t *to, Offset8Zone zone, const int8_t *from,
                           const OffsetShape *shape, const OffsetAction *action,
                           const Offset8Action *masks, int16_t *instant) {
  return run(to, zone, from, shape, action, masks, instant);
}
