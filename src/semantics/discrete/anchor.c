#include "semantics/discrete/anchor.h"

// Cuts the clocks of tested differences, ascending: the lowest above `max` to most + 1, a
// next one that is too far above its predecessor to what exceeds `max` and the gap. Returns
// the lowest.
static int32_t cut_group(const Horizon *horizon, int32_t *values) {
  const DiagonalLimits *group = horizon->diagonals;
  ClockIndex *sorted = horizon->sorted;
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t at = i;
    for (; at > 0 && values[sorted[at - 1]] > values[group->clocks[i]]; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = group->clocks[i];
  }
  int32_t before = values[sorted[0]], cut = anchor_smaller(before, group->max + 1);
  const int32_t lowest = values[sorted[0]] = cut;
  for (uint32_t i = 1; i < group->count; i++) {
    const int32_t value = values[sorted[i]], difference = value - before;
    before = value;
    cut += anchor_smaller(difference, anchor_larger(group->max + 1 - cut, group->difference + 1));
    values[sorted[i]] = cut;
  }
  return lowest;
}

// The distance from the anchor: the least value below its limit. If no test from above can hold
// from now on, later points can do whatever earlier ones can, and the dart begins where all
// values are cut: at the largest limit. So it does if all values have reached their limits.
static int32_t distance(const Horizon *horizon, const int32_t *values) {
  int32_t least = INT32_MAX;
  bool can_test_above = false;
  for (ClockIndex x = 1; x < horizon->n; x++) {
    can_test_above |= values[x] <= horizon->upper[x];
    least = values[x] < horizon->limit[x] ? anchor_smaller(least, values[x]) : least;
  }
  return can_test_above && least < INT32_MAX ? least : horizon->max;
}

int32_t anchor_find(const Horizon *horizon, int32_t *values) {
  const int32_t lowest = horizon->diagonals->count ? cut_group(horizon, values) : 0;
  const int32_t far = horizon->can_delay && horizon->n > 1 ? distance(horizon, values) : 0;
  // The whole group is moved as one, so that its differences stay.
  const int32_t group_shift = anchor_larger(0, lowest - far) - lowest;
  for (ClockIndex x = 1; x < horizon->n; x++)
    if (horizon->diagonals->count && horizon->diagonals->contains[x])
      values[x] += group_shift;
    else
      values[x] = anchor_larger(0, anchor_smaller(values[x], horizon->limit[x]) - far);
  return far;
}
