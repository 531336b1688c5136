#include "semantics/zone/abstraction.h"

#include "analysis/diagonals.h"
#include "dbm/extra.h"

static const struct {
  ProbeKind covering;
  bool is_maximal;
} rules[] = {
    [ABSTRACTION_ALU] = {PROBE_ALU, false},
    [ABSTRACTION_AM] = {PROBE_ALU, true},
    [ABSTRACTION_CLOSURE] = {PROBE_ALU, true},
    [ABSTRACTION_CLOSURE_LU_PLUS] = {PROBE_CLOSURE_LU, false},
    [ABSTRACTION_EXTRA_LU_PLUS] = {PROBE_INCLUSION, false},
    [ABSTRACTION_EXTRA_LU] = {PROBE_INCLUSION, false},
    [ABSTRACTION_EXTRA_M_PLUS] = {PROBE_INCLUSION, true},
    [ABSTRACTION_EXTRA_M] = {PROBE_INCLUSION, true},
    [ABSTRACTION_NONE] = {PROBE_INCLUSION, false},
};

ProbeKind abstraction_covering(Abstraction abstraction) { return rules[abstraction].covering; }

bool abstraction_is_maximal(Abstraction abstraction) { return rules[abstraction].is_maximal; }

// With both bounds the larger one, Extra_M is Extra_LU, and Extra_M+ is Extra_LU+.
void abstraction_apply(Abstraction extrapolation, Mem *mem, Bound *zone,
                       const ActiveClocks *active) {
  const int32_t *lower = active->bounds->lower, *upper = active->bounds->upper;
  if (extrapolation == ABSTRACTION_EXTRA_LU_PLUS || extrapolation == ABSTRACTION_EXTRA_M_PLUS)
    extra_lu_plus(mem, zone, active->k, lower, upper);
  else if (extrapolation == ABSTRACTION_EXTRA_LU || extrapolation == ABSTRACTION_EXTRA_M)
    extra_lu(mem, zone, active->k, lower, upper);
}

bool abstraction_is_sound(Abstraction abstraction, const Net *net, const Goal *goal,
                          bool knows_diagonals) {
  return abstraction == ABSTRACTION_NONE || !diagonals_occur(net, goal) ||
         (knows_diagonals && abstraction_covering(abstraction) == PROBE_ALU);
}

bool abstraction_admits(const Options *options, const Net *net, const Goal *goal,
                        bool knows_diagonals, Report *report) {
  const Abstraction abstraction = (Abstraction)options->abstraction;
  const bool is_early = options->bounds == BOUNDS_FLY || options->bounds == BOUNDS_LAZY;
  const bool is_sound = abstraction_is_sound(abstraction, net, goal, knows_diagonals);
  if (!diagonals_occur(net, goal) || abstraction == ABSTRACTION_NONE || (is_sound && !is_early) ||
      options->may_exceed)
    return true;
  const Place place =
      net->traits.has_diagonals ? net->traits.diagonal_place : goal->diagonal_place;
  if (is_sound)
    report_error(report, place,
                 "a constraint on the difference of two clocks: --bounds %s does not find which "
                 "differences matter; use local or global",
                 options->bounds == BOUNDS_LAZY ? "lazy" : "fly");
  else
    report_error(report, place,
                 "a constraint on the difference of two clocks makes %s unsound; %s",
                 knows_diagonals ? "this abstraction" : "abstraction by clock bounds",
                 knows_diagonals ? "use --abstraction alu, am, closure or none"
                                 : "use --engine zones, or --abstraction none");
  return false;
}

int32_t abstraction_max(const ClockBounds *bounds, uint32_t n) {
  int64_t max = 0;
  for (uint32_t x = 0; x < n; x++) {
    max = bounds->global_lower[x] > max ? bounds->global_lower[x] : max;
    max = bounds->global_upper[x] > max ? bounds->global_upper[x] : max;
  }
  return code_narrow(max);
}
