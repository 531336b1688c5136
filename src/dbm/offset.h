// Local zones as offset matrices: numbers only, nothing here allocates (paper key GHSW19;
// doc/local-time.md has the proofs).
//
// Representation: the variables are moments in time: for each clock the moment of its last
// reset (its offset), times of events, and reference clocks, the local times of processes
// and resources. Entry [i][j] bounds variable i minus variable j; there is no clock 0. The clocks
// are variables 0 .. clocks-1, so that entry [x][y] of two clocks bounds y - x, and entry [x][t]
// bounds from below, [t][x] from above, the value t - x of clock x for a process with time t.
//
// A matrix is tight like one of dbm/dbm.h. Local times have elapsed, unless they are frozen: a
// time is bounded from above by the *ceilings* of its invariant only, so that its row is the
// least of the rows of these clocks plus the bound, and infinite if there are none. Hence only
// the rows of `rows` (clocks, events, frozen times) carry information; rows of `elapsed` follow
// from them, all other rows are infinite and never touched. Row r begins at r * stride; column n
// stands for the instant at which an action happens; what the rows hold there does not matter.
#ifndef TARN_DBM_OFFSET_H
#define TARN_DBM_OFFSET_H

#include "dbm/dbm.h"

enum { OFFSET_SLACK = 64 };

typedef struct OffsetShape {
  uint32_t n;      // variables
  uint32_t stride; // offset_stride(n)
  uint32_t clocks;
  uint32_t first_time, times; // local times of the processes
  const uint32_t *rows;       // ascending, the clocks first
  uint32_t row_count;
  const uint32_t *elapsed; // times with a ceiling, perhaps
  uint32_t elapsed_count;
} OffsetShape;

static inline uint32_t offset_stride(uint32_t n) { return dbm_stride(n + 1); }

// A bound between a variable and the instant of an action.
typedef struct OffsetLink {
  uint32_t variable;
  Bound bound;
} OffsetLink;

// An action: what must hold at its instant, and what the variables become.
typedef struct OffsetAction {
  const OffsetLink *in;  // variable - instant within bound
  const OffsetLink *out; // instant - variable within bound
  uint32_t in_count, out_count;
  const Constraint *between; // among old variables: constraints on differences of clocks
  uint32_t between_count;
  // Variable i of the result is old variable origin[i] (the old n: the instant) less shift[i].
  const uint32_t *origin; // padded to the stride of the result, with i or something valid
  // If is_near, each origin[i] is the instant, i, or i + step: then the rows are loaded whole.
  bool is_near;
  int32_t step;
  const int32_t *shift; // NULL: all 0
  const uint32_t *kept; // columns of the result that become at least the instant
  uint32_t kept_count;
} OffsetAction;

// All variables 0 and no time passed; elapsed rows are not set.
void offset_zero(Bound *, const OffsetShape *);

// Sets the rows of `elapsed` from the ceilings: [time][j] = min of bound + [clock][j]. Both are
// in ascending order of times; ceilings of other times do not count.
void offset_elapse(Bound *, const OffsetShape *, const Constraint *ceilings, uint32_t count);

// The row of the instant of an action, in `instant` (stride entries); false if there is no such
// instant. Does not look at `between`. Without out-links the row is infinite, and not set.
bool offset_instant(const Bound *, const OffsetShape *, const OffsetAction *, Bound *instant);
// The bound of variable i minus the instant.
Bound offset_since(const Bound *, const OffsetShape *, const OffsetAction *, uint32_t i);
// The rows of the result. `instant` is the row of offset_instant, `spare` has room for a row; the
// matrices have OFFSET_SLACK bytes before and after them.
void offset_fire(Bound *to, const OffsetShape *to_shape, const Bound *from,
                 const OffsetShape *shape, const OffsetAction *, Bound *instant, Bound *spare);
// Intersects with variable i - variable j within bound, for two variables that are no times.
bool offset_constrain(Bound *, const OffsetShape *, Constraint);

// Whether some valuation has all local times of processes equal; if so, the bounds of the clocks
// in these valuations: low[x] = min of [x][t], that is of 0 - x; high[x] = min of [t][x], that of
// x. Both are padded to dbm_stride(clocks).
bool offset_minima(const Bound *, const OffsetShape *, Bound *low, Bound *high);
// The zone of the synchronised valuations: a matrix of clocks + 1, clock 0 first.
void offset_synchronise(Bound *zone, const Bound *, const OffsetShape *, const Bound *low,
                        const Bound *high);

// Every finite entry of the rows within +-BOUND_MOST.
bool offset_in_range(const Bound *, const OffsetShape *);
// Whether the rows, with those of `elapsed`, are as short as they can be.
bool offset_is_tight(const Bound *, const OffsetShape *);

#endif
