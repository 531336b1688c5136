// What can be said of covering by looking at the constraints of a minimal form alone. Z is the
// zone that is given as a matrix, S the string's; S[y][x] stands for the entry of its tight
// matrix, the length of the shortest path from y to x over the constraints that are kept.
// `fails(y, x)` are conditions (1) to (3) of dbm/simulation.c for one pair.
//
// Is Z inside S? If every kept constraint is at or above its entry in Z, then so is every
// path, as Z is tight; and a kept constraint is an entry of S. So they decide.
//
// Is Z inside a_LU(S)? A path that is shorter than the entry of Z has a step that is: without
// one, yes. A kept constraint with `fails` says no. Otherwise there is doubt: one that is
// shorter, but between clocks for which `fails` is never true, may be a step of a path between
// clocks for which it is. (Paths of two steps would decide nearly all cases that are left, but
// looking for them takes as long as making the matrix.)
//
// Is S inside Z, or a_LU(Z)? A kept constraint S[a][b] = w that exceeds the entry of Z says no
// (to a_LU, if `fails`). The entry S[b][a] is not known, but S[b][a] + w > (<=, 0), for else a
// and b were in one class. So if Z[b][a] + w <= (<=, 0), then S[b][a] exceeds the entry of Z as
// well. `fails` needs row 0 of S, which is found from the constraints when it is needed. A yes
// needs all entries.
#include "dbm/stored/minimal_cover.h"

#include "dbm/stored/minimal_bits.h"

// A test, and the string that it is about.
typedef struct Case {
  const MinimalTest *test;
  MinimalScratch *scratch;
  const uint8_t *bytes;
  MinimalHeader header;
  size_t stride;
  const Bound *zero; // row 0 of the string's matrix; NULL: not known yet
} Case;

static inline Case case_begin(MinimalScratch *scratch, const uint8_t *bytes,
                              const MinimalTest *test) {
  Case now = {.test = test, .scratch = scratch, .bytes = bytes, .stride = dbm_stride(test->n)};
  minimal_read_header(&now.header, bytes, test->n);
  if (now.header.members)
    minimal_number_firsts(scratch, &now.header, bytes, test->n);
  return now;
}

static inline Bound zone_at(const Case *now, ClockId i, ClockId j) {
  return now->test->zone[i * now->stride + j];
}

// The clock with a number.
static inline ClockId clock_of(const Case *now, uint32_t number) {
  return now->header.members ? now->scratch->firsts[number] : number;
}

// The two constraints of a member and its first clock.
static inline void constrain_pair(const Case *now, const MinimalLink *link, Constraint pair[2]) {
  const ClockId first = clock_of(now, link->first);
  pair[0] = (Constraint){link->member, first, bound_le(link->distance)};
  pair[1] = (Constraint){first, link->member, bound_le(-link->distance)};
}

// Conditions (1) and (3) of a_LU for big[y][x] and small[0][x]; where (2) holds.
static inline bool is_fatal(const MinimalTest *t, ClockId y, ClockId x, Bound big, Bound zero) {
  return t->lower[y] >= 0 && t->upper[x] >= 0 && zero >= bound_le(-t->upper[x]) &&
         (big & ~1) - 2 * t->lower[y] < zero;
}

// What a constraint of the string says. In doubt it is tighter than the zone's.
static inline MinimalAnswer judge(const Case *now, Constraint c) {
  const MinimalTest *test = now->test;
  if (c.bound >= zone_at(now, c.i, c.j))
    return MINIMAL_YES;
  if (test->kind == PROBE_INCLUSION)
    return MINIMAL_NO;
  return test->kind == PROBE_ALU && is_fatal(test, c.i, c.j, c.bound, test->zone[c.j])
             ? MINIMAL_NO
             : MINIMAL_DOUBT;
}

MinimalAnswer minimal_covers(MinimalScratch *scratch, const void *big, const MinimalTest *small) {
  const Case now = case_begin(scratch, big, small);
  MinimalAnswer result = MINIMAL_YES;
  MinimalWalk walk = minimal_walk(&now.header, big);
  for (Constraint c; minimal_next(&walk, &now.header, &c);) {
    c.i = clock_of(&now, c.i);
    c.j = clock_of(&now, c.j);
    const MinimalAnswer answer = judge(&now, c);
    if (answer == MINIMAL_NO)
      return MINIMAL_NO;
    result = answer == MINIMAL_DOUBT ? MINIMAL_DOUBT : result;
  }
  MinimalLinks links = minimal_links(&now.header);
  for (MinimalLink link; minimal_next_link(&links, &now.header, big, &link);) {
    Constraint pair[2];
    constrain_pair(&now, &link, pair);
    const MinimalAnswer one = judge(&now, pair[0]), other = judge(&now, pair[1]);
    if (one == MINIMAL_NO || other == MINIMAL_NO)
      return MINIMAL_NO;
    result = one == MINIMAL_DOUBT || other == MINIMAL_DOUBT ? MINIMAL_DOUBT : result;
  }
  return result;
}

// Row 0 of the string's matrix, by number: shortest paths from clock 0, in turns over all
// constraints to and fro, so that no order of the clocks takes many.
static const Bound *find_zero(const Case *now) {
  MinimalScratch *scratch = now->scratch;
  Bound *zero = scratch->row;
  uint32_t count = 0;
  MinimalWalk walk = minimal_walk(&now->header, now->bytes);
  while (minimal_next(&walk, &now->header, &scratch->list[count]))
    count++;
  for (uint32_t i = 0; i < now->header.firsts; i++)
    zero[i] = BOUND_LE_ZERO;
  bool is_done = false;
  for (uint32_t turn = 0; !is_done; turn++) {
    is_done = true;
    for (uint32_t i = 0; i < count; i++) {
      const Constraint c = scratch->list[turn % 2 ? i : count - 1 - i];
      const Bound length = bound_sum_finite(zero[c.i], c.bound);
      is_done &= length >= zero[c.j];
      zero[c.j] = bound_min(zero[c.j], length);
    }
  }
  return zero;
}

// Whether the entry of the zone for y and x, known to be less than the string's, shows that the
// string's zone is not covered. x is at this distance from the first clock with this number. Row
// 0 is at most (<=, 0).
static inline bool entry_fails(Case *now, ClockId y, ClockId x, uint32_t number,
                               int32_t distance) {
  if (now->test->kind == PROBE_INCLUSION)
    return true;
  const Bound big = zone_at(now, y, x);
  if (!is_fatal(now->test, y, x, big, BOUND_LE_ZERO))
    return false;
  if (!now->zero)
    now->zero = find_zero(now);
  return is_fatal(now->test, y, x, big, bound_shift(now->zero[number], -distance));
}

static inline bool constraint_fails(Case *now, Constraint c) {
  const ClockId i = clock_of(now, c.i), j = clock_of(now, c.j);
  if (zone_at(now, i, j) < c.bound && entry_fails(now, i, j, c.j, 0))
    return true;
  const Bound back = zone_at(now, j, i);
  return back != BOUND_INF && bound_sum_finite(back, c.bound) <= BOUND_LE_ZERO &&
         entry_fails(now, j, i, c.i, 0);
}

static inline bool link_fails(Case *now, const MinimalLink *link) {
  Constraint pair[2];
  constrain_pair(now, link, pair);
  const ClockId member = link->member, first = pair[0].j;
  return (zone_at(now, member, first) < pair[0].bound &&
          entry_fails(now, member, first, link->first, 0)) ||
         (zone_at(now, first, member) < pair[1].bound &&
          entry_fails(now, first, member, link->first, link->distance));
}

MinimalAnswer minimal_is_covered(MinimalScratch *scratch, const void *small,
                                 const MinimalTest *big) {
  if (big->kind == PROBE_CLOSURE_LU)
    return MINIMAL_DOUBT;
  Case now = case_begin(scratch, small, big);
  MinimalWalk walk = minimal_walk(&now.header, small);
  for (Constraint c; minimal_next(&walk, &now.header, &c);)
    if (constraint_fails(&now, c))
      return MINIMAL_NO;
  MinimalLinks links = minimal_links(&now.header);
  for (MinimalLink link; minimal_next_link(&links, &now.header, small, &link);)
    if (link_fails(&now, &link))
      return MINIMAL_NO;
  return MINIMAL_DOUBT;
}
