// Transitions on zones by the separate operations, for the unit tests of dbm/kernel/step and
// dbm/kernel/longstep.
#pragma once

#include "dbm/delay.h"
#include "dbm/extra.h"
#include "dbm/kernel/step.h"
#include "dbm/remap.h"

// From `source`, which is lost, to `d`; false if the result is empty. The bounds are those of the
// step's extrapolation.
static inline bool steps_work_out(const Step *step, Bound *source, Bound *d, const int32_t *lower,
                                  const int32_t *upper) {
  if (!dbm_constrain_all(&(Mem){0}, source, step->n, step->guard, step->guard_count))
    return false;
  if (step->origin)
    dbm_remap(d, step->k, source, step->n, step->origin, NULL);
  else
    dbm_copy(d, source, step->k);
  if (!dbm_constrain_all(&(Mem){0}, d, step->k, step->invariant, step->invariant_count))
    return false;
  if (step->can_delay)
    dbm_delay(d, step->k, step->invariant, step->invariant_count);
  if (step->bounds)
    extra_lu_plus(&(Mem){0}, d, step->k, lower, upper);
  return true;
}
