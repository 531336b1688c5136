// Needs: collects the clock bounds that a node needs while a space expands it, for bounds that
// are found during the search (search/passed/fly.h). The space reports the transitions that it
// tries, and the search takes the result.
//
// Constraints and zones are over the active clocks of the opened node unless said otherwise; each
// constraint bounds one clock. doc/notes/lazy-bounds.md has the rules and why they suffice:
//
//   fly   the constants of every transition that the discrete state allows, and of the
//         invariant;
//   lazy  of a transition that the zone disables, those of one contradiction; of one that is
//         enabled, those that cut the zone, once the successor needs some bound (`cut`); of
//         the invariant, those that limit delay, once the node needs some bound (`stay`).
//
// The search reads bounds of clocks here and knows no matrices: types of dbm are only named.
#pragma once

#include "base/arena.h"
#include "base/vec.h"

struct Constraint;   // dbm/dbm.h
struct PackedBounds; // dbm/stored/packed.h

typedef struct NeedsRow { // bounds over the active clocks; CLOCK_NO_BOUND for none
  int32_t *lower, *upper;
  bool is_empty;
} NeedsRow;

typedef VEC(struct Constraint) NeedsList;

typedef struct Needs {
  Mem *mem;
  bool is_lazy;
  bool is_m;      // both bounds of a clock are the larger one
  uint32_t max_k; // of active clocks anywhere
  uint32_t k;
  const int32_t *zone; // of the opened node, elapsed: bounds as in dbm/bound.h
  NeedsRow own;        // needed in any case
  NeedsRow stay;       // lazy: needed if anything is
  // lazy: of the transition tried, its guard, and after needs_follow the target's invariant.
  // fly: what limits delay, until there is a transition.
  NeedsList atoms;

  // The successor found last: what its transition needs if it needs anything itself, and where
  // its clocks come from (search/space/levels.h).
  NeedsRow cut;
  uint32_t child_k;
  const uint32_t *origin;
  const int32_t *offset;
  uint32_t *way; // where the search may keep a number for origin and offset; NULL: nowhere

  // For covering tests: the static local bounds of the current node's active clocks, which are
  // never smaller than those found, and what the search wants to be used (NULL: those).
  uint32_t current_k;
  const struct PackedBounds *limits, *bounds;
  uint32_t *limits_number; // where the search keeps the number of the limits
} Needs;

void needs_init(Needs *, Mem *, Arena *, uint32_t n, bool is_lazy, bool is_m);

// A node is opened: zone (elapsed, tight) and invariant.
void needs_open(Needs *, uint32_t k, const int32_t *zone, const struct Constraint *invariant,
                uint32_t count, bool can_delay);
// A transition that the discrete state allows, with its guard; or a goal's clause, which is
// refused.
void needs_try(Needs *, const struct Constraint *guard, uint32_t count);
// Where the guard holds one more constraint must not: the zone does not meet both.
void needs_forbid(Needs *, struct Constraint);
// The zone does not meet the guard, or, after needs_follow, the target's invariant.
void needs_refuse(Needs *);
// Where the clocks of the target come from, and its invariant, over its active clocks: at least
// what the invariant of the source does not imply.
void needs_follow(Needs *, uint32_t child_k, const uint32_t *origin, const int32_t *offset,
                  const struct Constraint *invariant, uint32_t count);
// After needs_follow, if the transition is a delay (model/joint.h): what limits it.
void needs_delay(Needs *, const struct Constraint *invariant, uint32_t count);
