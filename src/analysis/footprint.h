// Footprints: what each edge reads and writes, and what can follow it in zero time. For partial
// order reduction (doc/notes/partial-order.md), whose words are used here.
//
// A *cell* is as in model/access.h: a slot, a clock, the location of a process. A footprint is a
// row of bits: several sets beside each other, so that rows are united word by word. Writes are
// sorted by kind, as some kinds commute: counting in one direction, and setting the same
// constant. A pair of a cell and a constant that some edge sets it to has a number.
#pragma once

#include "model/access.h"
#include "model/query.h"

typedef uint64_t Word;

enum {
  FOOT_CAN_STICK = 1, // enters a committed location that may have no way out
  FOOT_FAULT = 2,     // can have an error at run time
  FOOT_MOVES = 4,     // some edge
};

typedef struct FootConstant {
  CellId cell;
  uint32_t slot; // UINT32_MAX: a clock
  int64_t value;
} FootConstant;

// A clock test y >= bound, or y > bound, of a guard. Bounds that depend on variables are the
// smallest ones (model/ranges.h). A guard that can fail at run time has none: it is evaluated
// where the edge cannot be taken, too.
typedef struct FootLower {
  ClockIndex clock;
  int64_t bound;
  bool strict;
} FootLower;

typedef struct Footprint {
  const Net *net;
  CellId first_location, first_clock;
  uint32_t cell_words, set_words, event_words, row_words;
  // Where in a row the sets begin. Cells: read; written in any other way than the next three;
  // counted up; counted down. Constants that are set. Events. Flags. Locations of the goal that
  // are entered.
  uint32_t reads, writes, ups, downs, sets, events, flags, targets;
  Word *own;             // rows by edge
  Word *guards;          // by edge: cells of its guard
  Word *needs;           // by edge: cells of its guard, updates and target invariant
  Word *harms;           // by edge: cells of invariants that it may make false by writing them
  bool *has_harm;        // by edge
  bool can_fail;         // some edge, at run time
  Word *invariants;      // by location: cells of its invariant
  uint32_t *first_lower; // by edge, and one more: of `lowers`, clocks that are only ever reset
  VEC(FootLower) lowers;
  VEC(FootConstant) constants;
  Word **rivals;              // by constant: the other constants of its cell
  const CellId *slot_cells;   // by slot; UINT32_MAX: one of many slots, or none
  uint32_t **syncs;           // by process * events + event: how many, then these; NULL: none
  Word *clauses;              // by clause of the goal: cells that it reads
  uint32_t *watched;          // by location: 1 + its number among the targets; 0: none
  struct FootprintWork *work; // what was asked for
} Footprint;

static inline bool foot_has(const Word *set, uint32_t bit) {
  return set[bit / 64] >> bit % 64 & 1;
}
static inline void foot_add(Word *set, uint32_t bit) { set[bit / 64] |= (Word)1 << bit % 64; }
static inline void foot_unite(Word *to, const Word *from, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    to[i] |= from[i];
}
static inline bool foot_meets(const Word *a, const Word *b, uint32_t words) {
  Word all = 0;
  for (uint32_t i = 0; i < words; i++)
    all |= a[i] & b[i];
  return all;
}

// Why there is no reduction for a net and a goal; NULL: there is.
const char *footprint_obstacle(const Net *, const Goal *);
// For a net and a goal without obstacle. In the arena, but for the lists.
void footprint_make(Footprint *, Arena *, const Net *, const Goal *);

// The next two are found when they are asked for first: short searches ask for few.
// The row of an edge and all that can follow it in zero time. Behind it: cells that these write,
// but for `sets`.
const Word *footprint_follow(Footprint *, EdgeId);
// Whether a run can take an edge again and again in zero time.
bool footprint_recurs(Footprint *, EdgeId);
