// Transitions: joint transitions, prepared once for all states in which they are taken. The parts
// that do not depend on variables are lists of numbers: tests and updates of packed states, clock
// constraints, clock updates.
#pragma once

#include "base/arena.h"
#include "dbm/dbm.h"
#include "model/joint.h"
#include "model/state.h"

enum { TRANSITION_LARGE = 1 << 20 }; // a few constants up to this, in one step, stay in range

// Slots in a word of the packed state get new values.
typedef struct WordPatch {
  uint32_t word;
  uint64_t keep, set; // bits of it
} WordPatch;

// A slot gets another value relative to its old one, which must stay in the range: else the Vm
// says what happens.
typedef struct Shift {
  uint32_t word, shift;
  int32_t delta, low, high;
  int32_t base;  // what the packed form counts from
  uint64_t keep; // bits of the word
} Shift;

// Whether a slot is in a range: any comparison with a constant, for packed states. Numbers go
// round from the largest to the smallest, so that values outside of a range are a range, too.
typedef struct SlotTest {
  uint32_t word;
  uint32_t shift;
  uint32_t mask; // after the shift
  uint32_t base; // what the packed form counts from, less the lowest
  uint32_t span; // highest - lowest
} SlotTest;

static inline bool transition_test(const SlotTest *test, const uint64_t *packed) {
  const uint32_t value = (uint32_t)(packed[test->word] >> test->shift) & test->mask;
  return value + test->base <= test->span;
}

// A joint transition as far as it does not depend on where it starts. What depends on variables
// is left to the Vm: guards if `needs_guard`, updates of variables if `needs_update`, of clocks
// if `needs_clocks`, which is also set if the zone decides whether they are possible.
typedef struct Transition {
  const Edge *const *edges;
  uint32_t edge_count;
  bool needs_guard, needs_update, needs_clocks;
  bool has_copies;       // clocks get values other than 0
  bool may_stray;        // where it leads to in NetSlots.control depends on other variables
  ClockTestList extra;   // clock tests beyond the guards, see model/joint.h; `guard` has them too
  ClockTestList after;   // without edges: tests that hold after the delay
  const SlotTest *tests; // integer conditions
  uint32_t test_count, guard_count;
  const Constraint *guard; // over the clocks of the net
  const WordPatch *words;  // constant updates of variables, then the locations
  const Shift *shifts;
  const ClockUpdate *clocks;
  uint32_t word_count, shift_count, clock_count;
  void *more; // what the notion of time adds; NULL at first
} Transition;

// Where the value of a clock comes from by some updates, which are followed from the last one
// back: a clock (0: none), and what was added to it.
static inline ClockIndex transition_trace(const ClockUpdate *updates, uint32_t count,
                                          ClockIndex clock, int64_t *added) {
  *added = 0;
  for (uint32_t u = count; u-- > 0 && clock;)
    if (updates[u].x == clock) {
      clock = updates[u].y;
      *added += updates[u].constant;
    }
  return clock;
}

// That of some edges, which must last as long as it does, and so must the tests.
Transition transition_make(Arena *, const Net *, const StateLayout *, const Edge *const *edges,
                           uint32_t count, ClockTestList extra, ClockTestList after);
