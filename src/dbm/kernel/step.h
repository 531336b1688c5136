// SPEED: a third of the instructions of FDDI 8, a tenth of those of Fischer 6. Without it
// (MODE=plain): the separate operations of dbm/dbm.h, as semantics/zone/firing.c calls them.
//
// A whole transition on zones with small numbers: guard, clock updates, invariant, delay,
// extrapolation, from packed zone to packed zone, in one function. With at most 16 clocks a row
// of 16-bit entries is one vector, and what the separate operations spend on being called, and on
// matrices of 32 bits, would outweigh their work. With more clocks (dbm/kernel/longstep.c) it is
// passes over the matrix that are saved.
//
// Entries are bounds as in dbm/bound.h, infinity is INT16_MAX. Sums never wrap, nor become
// infinity, if both operands are within +-STEP_FAR. They are: entries of the source beyond
// STEP_NEAR and constraints beyond STEP_CONSTANT are refused; and in a tight matrix
// - guard and invariant, before and after delay at once (dbm/kernel/steprows.h), let entries grow
// by at
//   most STEP_CONSTANT each. No row is above its entry in column 0, since row 0 is not positive:
//   if [i][0] is infinite still, no path from i meets a constraint, and the row is as it was;
//   else [i][0] is an old entry, or one plus a constraint;
// - extrapolation closes paths of at most k - 1 entries up to (<=, L): see step_max; or sums are
//   looked at;
// - no column is below its entry in row 0, which goes down by the guard only.
#pragma once

#include "dbm/stored/packed.h"

enum { STEP_MAX = 16, STEP_LONG = 128 }; // dimensions of both zones, and of long ones
enum { STEP_NEAR = 8000, STEP_CONSTANT = 4000, STEP_FAR = STEP_NEAR + 2 * STEP_CONSTANT };

typedef struct Step {
  const void *from; // packed, tight, non-empty, dimension n
  PackedFormat format;
  uint32_t n;
  const Constraint *guard; // none is diagonal
  uint32_t guard_count;
  // dbm/remap.h, no offsets; NULL: the clocks stay as they are. STEP_MAX readable entries if
  // n or k is above 8, else 8; of a long step dbm_stride(k).
  const ClockId *origin;
  uint32_t k;                  // dimension of the result
  const Constraint *invariant; // upper bounds of clocks
  uint32_t invariant_count;
  bool can_delay;
  const PackedBounds *bounds; // for Extra_LU+; NULL: no extrapolation
  int16_t *image;             // where the result goes, with room for STEP_MAX entries more
} Step;

typedef enum StepResult { STEP_EMPTY, STEP_REFUSED, STEP_DONE } StepResult;

// The largest dimension for clock bounds up to this one.
static inline uint32_t step_max(int32_t max) {
  const int32_t edges = 2 * max >= STEP_CONSTANT ? 0 : STEP_FAR / (2 * max + 1);
  return edges < STEP_MAX ? (uint32_t)edges : STEP_MAX;
}

// The same for long steps, which look at what is summed up when paths are closed.
static inline uint32_t step_long(int32_t max) { return 2 * max >= STEP_CONSTANT ? 0 : STEP_LONG; }

// STEP_REFUSED: numbers are too large here.
StepResult step_run(const Step *);
// For both kinds: whether format and constraints allow it; and a look at the result, in builds
// with costly assertions.
bool step_is_small(const Step *);
void step_look(const Step *, StepResult);
