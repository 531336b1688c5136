// How the string of bits of dbm/stored/minimal.h is read: for the modules that make and test it.
#pragma once

#include "dbm/stored/bits.h"
#include "dbm/stored/minimal.h"

enum { MINIMAL_WIDTH_BITS = 5, MINIMAL_FLAG_BITS = 3 };

// What the first fields say, and where the others are, in bits.
typedef struct MinimalHeader {
  bool is_matrix, is_closed;
  uint32_t width, count;
  uint32_t members, member_width, firsts;
  uint32_t index_bits; // of a first clock's number
  size_t flags, links, counter, shape, records, end;
} MinimalHeader;

static inline void minimal_place_members(MinimalHeader *h, uint32_t n) {
  const size_t head = MINIMAL_WIDTH_BITS + MINIMAL_FLAG_BITS;
  h->firsts = n - h->members;
  h->index_bits = bits_of(h->firsts - 1);
  h->flags = head + MINIMAL_WIDTH_BITS;
  h->links = h->flags + n - 1;
  h->counter =
      h->members ? h->links + (size_t)h->members * (h->index_bits + h->member_width) : head;
}

static inline void minimal_place_constraints(MinimalHeader *h) {
  const size_t record = h->width + (h->is_matrix ? 0 : h->index_bits);
  h->shape = h->counter + 2 * h->index_bits;
  h->records = h->shape + (h->is_matrix ? (size_t)h->firsts * h->firsts : h->firsts + h->count);
  h->end = h->records + h->count * record;
}

static inline uint32_t minimal_count_ones(const uint8_t *bytes, size_t at, uint32_t count) {
  uint32_t result = 0;
  for (; count > 32; count -= 32)
    result += (uint32_t)__builtin_popcount(bits_get(bytes, &at, 32));
  return result + (uint32_t)__builtin_popcount(bits_get(bytes, &at, count));
}

static inline void minimal_read_header(MinimalHeader *h, const uint8_t *bytes, uint32_t n) {
  const uint64_t head = bits_window(bytes, 0);
  h->width = head & 31;
  h->is_matrix = head >> 5 & 1;
  h->is_closed = head >> 6 & 1;
  h->members = h->member_width = 0;
  if (head >> 7 & 1) {
    h->member_width = head >> 8 & 31;
    h->members = minimal_count_ones(bytes, MINIMAL_WIDTH_BITS * 2 + MINIMAL_FLAG_BITS, n - 1);
  }
  minimal_place_members(h, n);
  size_t at = h->counter;
  h->count = bits_get(bytes, &at, 2 * h->index_bits);
  minimal_place_constraints(h);
}

// Walks over the constraints between first clocks, by rows.
typedef struct MinimalWalk {
  const uint8_t *bytes;
  size_t shape, record;
  uint32_t left, i, j;
} MinimalWalk;

static inline MinimalWalk minimal_walk(const MinimalHeader *h, const uint8_t *bytes) {
  return (MinimalWalk){.bytes = bytes, .left = h->count, .shape = h->shape, .record = h->records};
}

static inline bool minimal_next(MinimalWalk *walk, const MinimalHeader *h, Constraint *c) {
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
typedef struct MinimalLinks {
  size_t flag, record;
  uint32_t left;
  ClockId next;
} MinimalLinks;

typedef struct MinimalLink {
  ClockId member;
  uint32_t first; // its number
  int32_t distance;
} MinimalLink;

static inline MinimalLinks minimal_links(const MinimalHeader *h) {
  return (MinimalLinks){.left = h->members, .flag = h->flags, .record = h->links, .next = 1};
}

static inline bool minimal_next_link(MinimalLinks *links, const MinimalHeader *h,
                                     const uint8_t *bytes, MinimalLink *link) {
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
static inline void minimal_number_firsts(MinimalScratch *scratch, const MinimalHeader *h,
                                         const uint8_t *bytes, uint32_t n) {
  uint32_t count = 1;
  scratch->firsts[0] = 0;
  for (uint32_t i = 1; i < n;) {
    uint64_t flags = bits_window(bytes, h->flags + i - 1);
    for (const uint32_t end = n - i < BITS_MAX ? n : i + BITS_MAX; i < end; i++, flags >>= 1) {
      scratch->firsts[count] = i;
      count += !(flags & 1);
    }
  }
}
