// The zones of a certificate: matrices of k x k entries over the clocks of a node (NodeBounds),
// and what the checker computes with them. Written from the definitions; shares nothing with dbm.
//
// Nothing here overflows. A finite entry of a file is at most NODEBOUND_MAX = 2^40 by absolute
// value, and so are the tests. An entry that is computed is the length of a simple path through
// at most NET_MAX_CLOCKS + 1 < 2^15 clocks, hence below 2^55. Where constants are large an entry
// is at most 2^50, which as a bound is 2^51, and a path has at most 1,000 steps. With the d of an
// Origin, at most 2^50 (check/statetransitions.c), entries stay below 2^61, sums of two below
// 2^62.
#pragma once

#include "check/certificate_reader.h"
#include "model/expr/vm.h"

typedef struct Origin { // a clock is clock y + d of before
  ClockIndex y;
  int64_t d;
} Origin;

static inline NodeBound nodebound_sum(NodeBound a, NodeBound b) {
  return a >= NODEBOUND_INFINITE || b >= NODEBOUND_INFINITE ? NODEBOUND_INFINITE
                                                            : a + b - ((a | b) & 1);
}

static inline NodeBound nodebound_moved(NodeBound bound, int64_t by) {
  return bound >= NODEBOUND_INFINITE ? NODEBOUND_INFINITE : bound + 2 * by;
}

static inline NodeBound nodebound_of(const ClockTest *test) {
  return 2 * (int64_t)test->constant + !test->strict;
}

// Whether every entry is the least that follows from the others, no clock is negative, and there
// is a point.
bool nodezone_is_tight(const NodeBound *, uint32_t k);

// All valuations of k - 1 clocks.
void nodezone_universal(NodeBound *, uint32_t k);

// Intersects with x_i - x_j <= bound, of two positions; false if nothing is left.
bool nodezone_constrain(NodeBound *, uint32_t k, uint32_t i, uint32_t j, NodeBound bound);

// Whether the node sees x_i - x_j <= bound, of two positions that are clocks: it lists it, or all
// bounds of both are infinite.
bool nodezone_sees_diagonal(const NodeBounds *, uint32_t i, uint32_t j, NodeBound bound);

// Intersects with the tests that the bounds make the node see (check/certify.h); false if nothing
// is left.
bool nodezone_meet(NodeBound *, const NodeBounds *, const ClockTest *, uint32_t count);
// Whether one of these tests misses the zone altogether.
bool nodezone_misses(const NodeBound *, const NodeBounds *, const ClockTest *, uint32_t count);

// Lets time pass; clocks that stand still, by clock of the net, keep their values. The zone then
// has all that can be, and more.
void nodezone_delay(NodeBound *, const NodeBounds *, const bool *stands_still);

// Whether `small` is a subset of a_LU(big).
bool nodezone_is_covered(const NodeBound *small, const NodeBound *big, const NodeBounds *);

// Whether the bounds of the covering node ask for no more than those of the source can promise.
bool nodezone_carries(const NodeBounds *from, const NodeBounds *to, const Origin *);

// The zone after updates, over the clocks of the covering node, as far as nodezone_is_covered
// looks at it; all of it if the node lists differences of clocks. `columns` is room for an entry
// per clock.
void nodezone_enter(const NodeBound *, const NodeBounds *from, const NodeBounds *to,
                    const Origin *, Origin *columns, NodeBound *entry);
