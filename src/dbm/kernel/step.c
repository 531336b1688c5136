#include "dbm/kernel/step.h"

#include "base/lanes.h"
#include "dbm/rows.h"

#include <string.h>

#define INF16 INT16_MAX

DBM_INLINE Bound wide(int16_t v) { return v == INF16 ? BOUND_INF : v; }

DBM_INLINE int16_t least_8(Lanes16 v) {
  const Lanes16 by_4 = LANES_PERMUTE(v, ((Lanes16){4, 5, 6, 7, 0, 1, 2, 3}));
  v = (v & (v < by_4)) | (by_4 & ~(v < by_4));
  const Lanes16 by_2 = LANES_PERMUTE(v, ((Lanes16){2, 3, 0, 1, 6, 7, 4, 5}));
  v = (v & (v < by_2)) | (by_2 & ~(v < by_2));
  return v[0] < v[1] ? v[0] : v[1];
}

DBM_INLINE int16_t least_16(Wide16 v) {
  Lanes16 halves[2];
  memcpy(halves, &v, sizeof v);
  const Lanes16 less = halves[0] < halves[1];
  return least_8((halves[0] & less) | (halves[1] & ~less));
}

#define STEP_ROW Lanes16
#define STEP_AT Lanes16At
#define STEP_UNSIGNED Unsigned16
#define STEP_ANY lanes_any_half
#define STEP_LEAST least_8
#define STEP_INDEX 0, 1, 2, 3, 4, 5, 6, 7
#define STEP_NAME(name) name##_8
#include "dbm/kernel/steprows.h"

#define STEP_ROW Wide16
#define STEP_AT Wide16At
#define STEP_UNSIGNED WideUnsigned16
#define STEP_ANY lanes_any
#define STEP_LEAST least_16
#define STEP_INDEX 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define STEP_NAME(name) name##_16
#include "dbm/kernel/steprows.h"

DBM_CLONES static StepResult run_narrow(const Step *step) { return run_8(step); }

DBM_CLONES static StepResult run_wide(const Step *step) { return run_16(step); }

static bool are_small(const Constraint *list, uint32_t count) {
  for (uint32_t c = 0; c < count; c++)
    if (list[c].bound > STEP_CONSTANT || list[c].bound < -STEP_CONSTANT)
      return false;
  return true;
}

// MODE=paranoid: whether the result is tight.
#ifdef TARN_PARANOID
void step_look(const Step *step, StepResult result) {
  _Alignas(DBM_ALIGN) Bound d[STEP_LONG * STEP_LONG];
  if (result == STEP_EMPTY || result == STEP_REFUSED)
    return;
  packed_read(d, step->k, step->image, PACKED_16);
  rows_paranoid(d, step->k);
}
#else
void step_look(const Step *step, StepResult result) { (void)step, (void)result; }
#endif

bool step_is_small(const Step *step) {
  return step->format == PACKED_16 && are_small(step->guard, step->guard_count) &&
         are_small(step->invariant, step->invariant_count);
}

StepResult step_run(const Step *step) {
  if (!step_is_small(step))
    return STEP_REFUSED;
  const StepResult result =
      step->n <= LANES && step->k <= LANES ? run_narrow(step) : run_wide(step);
  step_look(step, result);
  return result;
}
