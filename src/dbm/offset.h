// Local zones as offset matrices: numbers only, nothing here allocates (paper key GHSW19;
// doc/notes/local-time.md has the proofs).
//
// Representation: the variables are moments in time: for each clock the moment of its last
// reset (its offset), times of events, and reference clocks, the local times of processes
// and resources. Entry [i][j] bounds variable i minus variable j; there is no clock 0. The clocks
// are variables 0 .. clocks-1, so that entry [x][y] of two clocks bounds y - x, and entry [x][t]
// bounds from below, [t][x] from above, the value t - x of clock x for a process with time t.
//
// A matrix is tight in the sense of dbm/dbm.h. Local times have elapsed unless they are frozen:
// only the *ceilings* of the invariant bound such a time from above. So its row is the minimum of
// the rows of these clocks plus the bound, or infinite if there are no ceilings. Hence only the
// rows of `rows` (clocks, events, frozen times) carry information, and only they are stored.
//
// All zones of a network have the same columns; a clock that does not matter has no row, and an
// infinite column. Row r begins at r * stride.
#pragma once

#include "dbm/dbm.h"

enum { OFFSET_SLACK = 64 };

typedef struct OffsetShape {
  uint32_t n;      // variables
  uint32_t stride; // dbm_stride(n)
  uint32_t clocks;
  uint32_t first_time, times; // local times of the processes
  const uint32_t *rows;       // ascending: clocks that matter, events, frozen times
  uint32_t row_count;
  uint32_t clock_rows, frozen_from; // of `rows`: how many are clocks, where the times begin
  const uint32_t *place;            // by variable: its index in `rows`, if it has a row
  const int32_t *columns;           // by column, padded: -1, or 0 for those that are not there
} OffsetShape;

static inline bool offset_has_row(const OffsetShape *shape, uint32_t variable) {
  const uint32_t place = shape->row_count ? shape->place[variable] : 0;
  return place < shape->row_count && shape->rows[place] == variable;
}

// A bound between a variable and the instant of an action.
typedef struct OffsetLink {
  uint32_t variable;
  Bound bound;
} OffsetLink;

// An action: what must hold at its instant, and what the variables become. Links are to
// variables with rows, but those of `in` also to times without: instead of a link from the
// instant to such a time there are links to the clocks of its ceilings.
typedef struct OffsetAction {
  const OffsetLink *in;  // variable - instant within bound
  const OffsetLink *out; // instant - variable within bound
  uint32_t in_count, out_count;
  const Constraint *between; // among old variables: constraints on differences of clocks
  uint32_t between_count;
  const int32_t *becomes; // by variable, padded: -1 if it becomes the instant, else 0
  const uint32_t *origin; // what others come from, padded; NULL: they stay what they are
  const int32_t *shift;   // variables become less by this; NULL: all 0
  const uint32_t *kept;   // columns of the result that become at least the instant
  uint32_t kept_count;
} OffsetAction;

void offset_zero(Bound *, const OffsetShape *); // all variables 0

// The row of the instant of an action, in `instant` (stride entries); false if there is no such
// instant. Does not look at `between`. Without out-links the row is infinite, and not set.
bool offset_instant(const Bound *, const OffsetShape *, const OffsetAction *, Bound *instant);
// The bound of variable i minus the instant.
Bound offset_since(const Bound *, const OffsetShape *, const OffsetAction *, uint32_t i);
// The rows of the result, which has a shape of its own. `instant` is the row of offset_instant,
// `spare` has room for a row; the matrices have OFFSET_SLACK bytes behind them.
void offset_fire(Bound *to, const OffsetShape *, const Bound *from, const OffsetAction *,
                 const Bound *instant, Bound *spare);
// Intersects with variable i - variable j within bound, for two variables that are no times.
bool offset_constrain(Bound *, const OffsetShape *, Constraint);

// Bounds of the clocks in the synchronised valuations, those in which all local times are equal,
// padded to dbm_stride(clocks): low[x] = min of [x][t], that is of 0 - x; (<=, 0) for clocks
// without rows.
void offset_low(const Bound *, const OffsetShape *, Bound *low);
// Whether there are such valuations, for times with these ceilings.
bool offset_can_meet(const Bound *, const OffsetShape *, const Bound *low, const Constraint *,
                     uint32_t count);

// Every finite entry of the rows within +-BOUND_MAX.
bool offset_in_range(const Bound *, const OffsetShape *);
// Whether the rows are as short as they can be.
bool offset_is_tight(const Bound *, const OffsetShape *);
