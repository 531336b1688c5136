// A whole transition on small matrices: guard, clock updates, invariant, delay, extrapolation
// and the 16-bit image, in one function. With at most 8 clocks a row is one vector, and what the
// separate operations spend on being called would outweigh their work.
#ifndef TARN_DBM_STEP_H
#define TARN_DBM_STEP_H

#include "dbm/extra.h"

enum { STEP_MOST = DBM_LANES }; // dimensions of both zones

typedef struct Step {
  const Bound *from; // tight, non-empty, dimension n
  uint32_t n;
  const Constraint *guard; // each meets the zone, none is diagonal
  uint32_t guard_count;
  const ClockId *origin;       // dbm/remap.h; NULL: the clocks stay as they are
  uint32_t k;                  // dimension of the result
  const Constraint *invariant; // upper bounds of clocks
  uint32_t invariant_count;
  bool can_delay;
  // Extra_LU+ with these bounds (STEP_MOST readable entries); NULL: no extrapolation.
  const int32_t *lower, *upper;
} Step;

// False if the result is empty. `to` and `scratch` have STEP_MOST rows; the image has room for
// STEP_MOST whole rows more; *fits tells whether the image holds the zone (dbm/packed.h).
bool step_run(const Step *, Bound *to, Bound *scratch, int16_t *image, bool *fits);

#endif
