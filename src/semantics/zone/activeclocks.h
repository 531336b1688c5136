// Active clocks: those that matter in a discrete state, and their bounds.
//
// A clock that no test can look at before it is set again (both bounds missing) needs no row in
// the matrix: zones are kept and computed over the active clocks of their state only. Different
// clocks may have the same bounds.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "dbm/stored/packed.h"
#include "model/expr/code.h"

enum { ACTIVE_NONE = 0 }; // position of a clock that is not active

typedef struct ActiveBounds {
  int32_t *lower, *upper; // per index; CLOCK_NO_BOUND (dbm/extra.h) for none; padded
  PackedBounds packed;    // the same
  uint32_t number;        // 0 at first: where search/passed/fly.c keeps what it finds for them
} ActiveBounds;

typedef struct ActiveClocks {
  uint32_t k;         // active clocks, clock 0 included
  ClockId *clocks;    // ascending, clocks[0] = 0; padded
  uint32_t *position; // per clock of the net: its index in `clocks`, or ACTIVE_NONE
  ActiveBounds *bounds;
} ActiveClocks;

// Bounds of k clocks, all 0; dbm/stored/packed.h has PackedEntryBounds.
ActiveBounds *activeclocks_new_bounds(Arena *, uint32_t k, bool has_entry_bounds);

// With memory of its own, for any clocks of a net with n of them, clock 0 included.
void activeclocks_init(ActiveClocks *, Arena *, uint32_t n);
// The clocks with some bound in the dense arrays, and those that are `needed` without. With
// `is_m` both bounds are the larger one. `packed` is not set.
void activeclocks_set(ActiveClocks *, uint32_t n, const int32_t *lower, const int32_t *upper,
                      const bool *needed, bool is_m);

// A constraint of the net over the active clocks. Tested clocks are always active.
static inline Constraint activeclocks_translate(const ActiveClocks *active, Constraint c) {
  return (Constraint){active->position[c.i], active->position[c.j], c.bound};
}
static inline Constraint activeclocks_constraint(const ActiveClocks *active,
                                                 const ClockTest *test) {
  return (Constraint){active->position[test->i], active->position[test->j],
                      bound_make(code_narrow(test->constant), test->strict)};
}

typedef struct ConstraintList {
  const Constraint *items;
  uint32_t count;
} ConstraintList;

// Appends tests as constraints over the active clocks.
typedef VEC(Constraint) Constraints;
static inline void activeclocks_add(const ActiveClocks *active, Mem *mem, Constraints *list,
                                    const ClockTest *tests, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    vec_push(mem, list, activeclocks_constraint(active, &tests[i]));
}
