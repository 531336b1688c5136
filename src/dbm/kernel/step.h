// SPEED: a third of the instructions of FDDI 8, a tenth of those of Fischer 6. Without it
// (MODE=plain): the separate operations of dbm/dbm.h, as semantics/zone/firing.c calls them.
//
// One function for a whole transition on zones with small numbers: guard, clock updates,
// invariant, delay and extrapolation, from packed zone to packed zone. With at most 16 clocks, a
// row of 16-bit entries is one vector. The separate operations would spend more on calls and on
// 32-bit matrices than on their work. With more clocks (dbm/kernel/longstep.c) the function saves
// passes over the matrix.
//
// Entries are bounds as in dbm/bound.h; infinity is INT16_MAX. A sum never wraps nor becomes
// infinity if both operands are within +-STEP_FAR. All operands are, because source entries
// beyond STEP_NEAR and constraints beyond STEP_CONSTANT are refused, and because in a tight
// matrix:
// - Guard and invariant let an entry grow by at most STEP_CONSTANT each. (The invariant is used
//   before and after the delay at once; see dbm/kernel/steprows.h.) No row exceeds its entry in
//   column 0, since row 0 is not positive. If [i][0] is still infinite, no path from i meets a
//   constraint, and the row is unchanged. Otherwise [i][0] is an old entry, or an old entry plus
//   a constraint.
// - Extrapolation closes paths of at most k - 1 entries up to (<=, L): see step_max. Long steps
//   look at each sum instead.
// - No column is below its entry in row 0, and only the guard lowers that entry.
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
