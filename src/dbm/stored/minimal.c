// The constraints that do not follow from others (Larsen, Larsson, Pettersson, Yi: LLPY97), and
// what can be said of covering by looking at these alone. Z is the zone that is given as a
// matrix, S the string's; S[y][x] stands for the entry of its tight matrix, the length of the
// shortest path from y to x over the constraints that are kept. `fails(y, x)` are conditions (1)
// to (3) of dbm/simulation.c for one pair.
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
#include "dbm/stored/minimal.h"

#include "dbm/remap.h"
#include "dbm/rows.h"
#include "dbm/stored/bits.h"

#include <assert.h>
#include <string.h>

enum { WIDTH_BITS = 5, FLAG_BITS = 3 };

size_t minimal_room_bytes(uint32_t n) {
  const size_t stride = dbm_stride(n);
  return dbm_bytes(n) + 2 * stride * sizeof(Bound) + (size_t)n * (n + 1) * sizeof(Constraint) +
         3 * stride * sizeof(ClockId);
}

void minimal_init(MinimalRoom *room, void *memory, uint32_t n) {
  const size_t stride = dbm_stride(n);
  room->work = memory;
  room->row = room->work + n * stride;
  room->list = (Constraint *)(room->row + 2 * stride);
  room->firsts = (ClockId *)(room->list + (size_t)n * (n + 1));
  room->origin = room->firsts + stride;
  room->distance = (int32_t *)(room->origin + stride);
}

// What the first fields say, and where the others are, in bits.
typedef struct Header {
  bool is_matrix, is_closed;
  uint32_t width, count;
  uint32_t members, member_width, firsts;
  uint32_t index_bits; // of a first clock's number
  size_t flags, links, counter, shape, records, end;
} Header;

static void place_members(Header *h, uint32_t n) {
  const size_t head = WIDTH_BITS + FLAG_BITS;
  h->firsts = n - h->members;
  h->index_bits = bits_of(h->firsts - 1);
  h->flags = head + WIDTH_BITS;
  h->links = h->flags + n - 1;
  h->counter =
      h->members ? h->links + (size_t)h->members * (h->index_bits + h->member_width) : head;
}

static void place_constraints(Header *h) {
  const size_t record = h->width + (h->is_matrix ? 0 : h->index_bits);
  h->shape = h->counter + 2 * h->index_bits;
  h->records = h->shape + (h->is_matrix ? (size_t)h->firsts * h->firsts : h->firsts + h->count);
  h->end = h->records + h->count * record;
}

size_t minimal_most_bytes(uint32_t n) {
  // No width is above 31; a member has fewer bits than two constraints and their flags.
  const size_t head = 2 * WIDTH_BITS + FLAG_BITS + n + 64;
  return (head + (size_t)n * n * 32 + 7) / 8 + MINIMAL_SLACK;
}

static uint32_t count_ones(const uint8_t *bytes, size_t at, uint32_t count) {
  uint32_t result = 0;
  for (; count > 32; count -= 32)
    result += (uint32_t)__builtin_popcount(bits_get(bytes, &at, 32));
  return result + (uint32_t)__builtin_popcount(bits_get(bytes, &at, count));
}

static inline void read_header(Header *h, const uint8_t *bytes, uint32_t n) {
  const uint64_t head = bits_window(bytes, 0);
  h->width = head & 31;
  h->is_matrix = head >> 5 & 1;
  h->is_closed = head >> 6 & 1;
  h->members = h->member_width = 0;
  if (head >> 7 & 1) {
    h->member_width = head >> 8 & 31;
    h->members = count_ones(bytes, WIDTH_BITS * 2 + FLAG_BITS, n - 1);
  }
  place_members(h, n);
  size_t at = h->counter;
  h->count = bits_get(bytes, &at, 2 * h->index_bits);
  place_constraints(h);
}

size_t minimal_bytes(const void *from, uint32_t n) {
  Header h;
  read_header(&h, from, n);
  return (h.end + 7) / 8;
}

// Whether x_i - x_f is fixed. A look at rows i and 0, which lie in a line, comes first: then
// [0][f] = [0][i] + [i][f]. Both bounds are odd if one is and their sum is 2, that is (<=, 0);
// infinity is far off.
static inline bool is_fixed(const Bound *zone, size_t stride, ClockId i, ClockId f) {
  const Bound there = zone[i * stride + f];
  return zone[f] == zone[i] + there - 1 && there & 1 && there + zone[f * stride + i] == 2;
}

// Numbers the first clocks; every clock's origin and distance. Returns the number of members.
static uint32_t find_classes(MinimalRoom *room, const Bound *zone, uint32_t n) {
  const size_t stride = dbm_stride(n);
  uint32_t firsts = 0;
  for (ClockId i = 0; i < n; i++) {
    uint32_t f = 0;
    while (f < firsts && !is_fixed(zone, stride, i, room->firsts[f]))
      f++;
    room->origin[i] = f;
    room->distance[i] = f < firsts ? bound_constant(zone[i * stride + room->firsts[f]]) : 0;
    if (f == firsts)
      room->firsts[firsts++] = i;
  }
  for (uint32_t i = firsts; i < dbm_stride(firsts); i++)
    room->firsts[i] = 0;
  return n - firsts;
}

// The matrix between first clocks, the diagonal infinite: no path stays where it is.
static void copy_firsts(MinimalRoom *room, const Bound *zone, uint32_t n, uint32_t r) {
  const uint32_t stride = dbm_stride(r);
  if (r == n)
    dbm_copy(room->work, zone, n);
  else
    dbm_remap(room->work, r, zone, n, room->firsts, NULL);
  for (uint32_t i = 0; i < r; i++) {
    room->work[i * stride + i] = BOUND_INF;
    for (uint32_t j = r; j < stride; j++)
      room->work[i * stride + j] = BOUND_INF;
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
DBM_INLINE void reduce_row(const MinimalRoom *room, uint32_t i, size_t stride) {
  Bound *left = room->row, *rest = room->row + stride;
  const Bound *row = room->work + i * stride, *zero = room->work;
  DBM_WHOLE for (size_t j = 0; j < stride; j++) {
    left[j] = row[j];
    rest[j] = row[j] == BOUND_INF ? INT32_MAX : row[j] - (j ? zero[j] : BOUND_LE_ZERO);
  }
  for (Bound least; (least = least_of(rest, stride)) != INT32_MAX;) {
    uint32_t k = 0;
    while (rest[k] != least)
      k++;
    rest[k] = INT32_MAX;
    const Bound *via = room->work + k * stride;
    const Bound even = row[k] & ~1, keep = row[k] | ~1;
    DBM_WHOLE for (size_t j = 0; j < stride; j++) {
      const Bound sum = via[j] == BOUND_INF ? INT32_MAX : even + (via[j] & keep);
      rest[j] = sum <= row[j] ? INT32_MAX : rest[j];
      left[j] = sum <= row[j] ? BOUND_INF : left[j];
    }
  }
}

DBM_INLINE uint32_t reduce_rows(const MinimalRoom *room, uint32_t r, size_t stride) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r; i++) {
    const Bound *left = room->row;
    reduce_row(room, i, stride);
    for (uint32_t j = 0; j < r; j++)
      if (left[j] != BOUND_INF && (i || left[j] != BOUND_LE_ZERO))
        room->list[count++] = (Constraint){i, j, left[j]};
  }
  return count;
}

DBM_CLONES static uint32_t reduce(const MinimalRoom *room, uint32_t r) {
  return r <= DBM_LANES ? reduce_rows(room, r, DBM_LANES) : reduce_rows(room, r, dbm_stride(r));
}

static void choose_widths(Header *h, const MinimalRoom *room, uint32_t n) {
  uint32_t bounds = 0, constants = 0, distances = 0;
  h->is_closed = true;
  for (uint32_t c = 0; c < h->count; c++) {
    const Bound b = room->list[c].bound;
    h->is_closed &= !bound_is_strict(b);
    bounds |= bits_spread(b);
    constants |= bits_spread(bound_constant(b));
  }
  for (uint32_t i = 0; i < n; i++)
    distances |= bits_spread(room->distance[i]);
  h->width = bits_of(h->is_closed ? constants : bounds);
  h->member_width = bits_of(distances);
}

static void write_members(uint8_t *bytes, const Header *h, const MinimalRoom *room, uint32_t n) {
  size_t at = WIDTH_BITS + FLAG_BITS, link = h->links;
  bits_put(bytes, &at, WIDTH_BITS, h->member_width);
  for (uint32_t i = 1; i < n; i++) {
    const bool is_member = room->firsts[room->origin[i]] != i;
    bits_put(bytes, &at, 1, is_member);
    if (!is_member)
      continue;
    bits_put(bytes, &link, h->index_bits, room->origin[i]);
    bits_put(bytes, &link, h->member_width, (uint32_t)room->distance[i]);
  }
}

static void write_constraints(uint8_t *bytes, const Header *h, const MinimalRoom *room) {
  size_t at = h->records;
  for (uint32_t c = 0; c < h->count; c++) {
    const Constraint now = room->list[c];
    size_t flag = h->shape + (h->is_matrix ? (size_t)now.i * h->firsts + now.j : now.i + c);
    bits_put(bytes, &flag, 1, 1);
    if (!h->is_matrix)
      bits_put(bytes, &at, h->index_bits, now.j);
    bits_put(bytes, &at, h->width,
             (uint32_t)(h->is_closed ? bound_constant(now.bound) : now.bound));
  }
}

size_t minimal_make(MinimalRoom *room, void *to, const Bound *zone, uint32_t n) {
  Header h = {.members = find_classes(room, zone, n)};
  const uint32_t r = n - h.members;
  copy_firsts(room, zone, n, r);
  h.count = reduce(room, r);
  choose_widths(&h, room, n);
  place_members(&h, n);
  h.is_matrix = (size_t)r * r < r + h.count * (size_t)(1 + h.index_bits);
  place_constraints(&h);
  const size_t size = (h.end + 7) / 8;
  memset(to, 0, size);
  size_t at = 0;
  bits_put(to, &at, WIDTH_BITS, h.width);
  bits_put(to, &at, 1, h.is_matrix);
  bits_put(to, &at, 1, h.is_closed);
  bits_put(to, &at, 1, h.members != 0);
  if (h.members)
    write_members(to, &h, room, n);
  at = h.counter;
  bits_put(to, &at, 2 * h.index_bits, h.count);
  write_constraints(to, &h, room);
  return size;
}

// Walks over the constraints between first clocks, by rows.
typedef struct Walk {
  const uint8_t *bytes;
  size_t shape, record;
  uint32_t left, i, j;
} Walk;

static inline Walk walk_begin(const Header *h, const uint8_t *bytes) {
  return (Walk){.bytes = bytes, .left = h->count, .shape = h->shape, .record = h->records};
}

static inline bool walk_next(Walk *walk, const Header *h, Constraint *c) {
  if (!walk->left)
    return false;
  walk->left--;
  const uint32_t zeros = bits_next_one(walk->bytes, &walk->shape);
  uint64_t field = bits_window(walk->bytes, walk->record);
  if (h->is_matrix) {
    walk->j += zeros;
    for (; walk->j >= h->firsts; walk->j -= h->firsts)
      walk->i++;
    c->j = walk->j++;
  } else {
    walk->i += zeros;
    c->j = (uint32_t)field & ((1u << h->index_bits) - 1);
    field >>= h->index_bits;
    walk->record += h->index_bits;
  }
  walk->record += h->width;
  c->i = walk->i;
  const int32_t value =
      bits_signed((uint32_t)field & (uint32_t)(((uint64_t)1 << h->width) - 1), h->width);
  c->bound = h->is_closed ? bound_le(value) : value;
  return true;
}

// Walks over the members, in their order.
typedef struct Links {
  size_t flag, record;
  uint32_t left;
  ClockId next;
} Links;

typedef struct Link {
  ClockId member;
  uint32_t first; // its number
  int32_t distance;
} Link;

static inline Links links_begin(const Header *h) {
  return (Links){.left = h->members, .flag = h->flags, .record = h->links, .next = 1};
}

static inline bool links_next(Links *links, const Header *h, const uint8_t *bytes, Link *link) {
  if (!links->left)
    return false;
  links->left--;
  link->member = links->next + bits_next_one(bytes, &links->flag);
  links->next = link->member + 1;
  link->first = bits_get(bytes, &links->record, h->index_bits);
  link->distance = bits_signed(bits_get(bytes, &links->record, h->member_width), h->member_width);
  return true;
}

// Without branches on the flags, which are hard to foresee: each clock is written where the next
// first one belongs.
static void number_firsts(MinimalRoom *room, const Header *h, const uint8_t *bytes, uint32_t n) {
  uint32_t count = 1;
  room->firsts[0] = 0;
  for (uint32_t i = 1; i < n;) {
    uint64_t flags = bits_window(bytes, h->flags + i - 1);
    for (const uint32_t end = n - i < BITS_MOST ? n : i + BITS_MOST; i < end; i++, flags >>= 1) {
      room->firsts[count] = i;
      count += !(flags & 1);
    }
  }
}

// The matrix over all clocks, from that of the first ones.
static void add_members(MinimalRoom *room, Bound *zone, uint32_t n, const Header *h,
                        const uint8_t *bytes) {
  memset(room->origin, 0, dbm_stride(n) * sizeof *room->origin);
  memset(room->distance, 0, n * sizeof *room->distance);
  number_firsts(room, h, bytes, n);
  for (uint32_t f = 0; f < h->firsts; f++)
    room->origin[room->firsts[f]] = f;
  Links links = links_begin(h);
  for (Link link; links_next(&links, h, bytes, &link);) {
    room->origin[link.member] = link.first;
    room->distance[link.member] = link.distance;
  }
  dbm_remap(zone, n, room->work, h->firsts, room->origin, room->distance);
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

void minimal_read(MinimalRoom *room, Bound *zone, uint32_t n, const void *from) {
  Header h;
  read_header(&h, from, n);
  Bound *work = h.members ? room->work : zone;
  dbm_universal(work, h.firsts);
  Walk walk = walk_begin(&h, from);
  for (Constraint c; walk_next(&walk, &h, &c);)
    work[c.i * (size_t)dbm_stride(h.firsts) + c.j] = c.bound;
  close_any(work, h.firsts);
  if (h.members)
    add_members(room, zone, n, &h, from);
  rows_paranoid(zone, n);
}

// A test, and the string that it is about.
typedef struct Case {
  const MinimalTest *test;
  MinimalRoom *room;
  const uint8_t *bytes;
  Header header;
  size_t stride;
  const Bound *zero; // row 0 of the string's matrix; NULL: not known yet
} Case;

static inline Case case_begin(MinimalRoom *room, const uint8_t *bytes, const MinimalTest *test) {
  Case now = {.test = test, .room = room, .bytes = bytes, .stride = dbm_stride(test->n)};
  read_header(&now.header, bytes, test->n);
  if (now.header.members)
    number_firsts(room, &now.header, bytes, test->n);
  return now;
}

static inline Bound zone_at(const Case *now, ClockId i, ClockId j) {
  return now->test->zone[i * now->stride + j];
}

// The clock with a number.
static inline ClockId clock_of(const Case *now, uint32_t number) {
  return now->header.members ? now->room->firsts[number] : number;
}

// The two constraints of a member and its first clock.
static inline void constrain_pair(const Case *now, const Link *link, Constraint pair[2]) {
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

MinimalAnswer minimal_covers(MinimalRoom *room, const void *big, const MinimalTest *small) {
  const Case now = case_begin(room, big, small);
  MinimalAnswer result = MINIMAL_YES;
  Walk walk = walk_begin(&now.header, big);
  for (Constraint c; walk_next(&walk, &now.header, &c);) {
    c.i = clock_of(&now, c.i);
    c.j = clock_of(&now, c.j);
    const MinimalAnswer answer = judge(&now, c);
    if (answer == MINIMAL_NO)
      return MINIMAL_NO;
    result = answer == MINIMAL_DOUBT ? MINIMAL_DOUBT : result;
  }
  Links links = links_begin(&now.header);
  for (Link link; links_next(&links, &now.header, big, &link);) {
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
  MinimalRoom *room = now->room;
  Bound *zero = room->row;
  uint32_t count = 0;
  Walk walk = walk_begin(&now->header, now->bytes);
  while (walk_next(&walk, &now->header, &room->list[count]))
    count++;
  for (uint32_t i = 0; i < now->header.firsts; i++)
    zero[i] = BOUND_LE_ZERO;
  bool is_done = false;
  for (uint32_t turn = 0; !is_done; turn++) {
    is_done = true;
    for (uint32_t i = 0; i < count; i++) {
      const Constraint c = room->list[turn % 2 ? i : count - 1 - i];
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

static inline bool link_fails(Case *now, const Link *link) {
  Constraint pair[2];
  constrain_pair(now, link, pair);
  const ClockId member = link->member, first = pair[0].j;
  return (zone_at(now, member, first) < pair[0].bound &&
          entry_fails(now, member, first, link->first, 0)) ||
         (zone_at(now, first, member) < pair[1].bound &&
          entry_fails(now, first, member, link->first, link->distance));
}

MinimalAnswer minimal_is_covered(MinimalRoom *room, const void *small, const MinimalTest *big) {
  if (big->kind == PROBE_CLOSURE_LU)
    return MINIMAL_DOUBT;
  Case now = case_begin(room, small, big);
  Walk walk = walk_begin(&now.header, small);
  for (Constraint c; walk_next(&walk, &now.header, &c);)
    if (constraint_fails(&now, c))
      return MINIMAL_NO;
  Links links = links_begin(&now.header);
  for (Link link; links_next(&links, &now.header, small, &link);)
    if (link_fails(&now, &link))
      return MINIMAL_NO;
  return MINIMAL_DOUBT;
}
