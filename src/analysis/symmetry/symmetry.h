// The symmetries of a network: families of ids (analysis/symmetry/family.h) that were proposed
// and verified. Every permutation in the group of a family maps transitions to transitions. So a
// search needs to visit only one of the states that permutations map to each other.
#pragma once

#include "analysis/symmetry/family.h"

typedef struct Symmetry {
  const Family *families;
  uint32_t count;
} Symmetry;

// Finds them; in the arena. Different families do not meet: their permutations commute.
void symmetry_find(Symmetry *, Arena *, const Net *);
// The same without some rules of the verification (analysis/symmetry/rules.h), for tests.
void symmetry_find_with(Symmetry *, Arena *, const Net *, unsigned skip);

// The net to search when the search is reduced: what is known of the values that variables can
// have (model/ranges.h) is closed under the symmetries there, since states are packed by it and
// clock bounds depend on it. It lies in the arena and shares all else with the net.
const Net *symmetry_widen_ranges(const Symmetry *, Arena *, const Net *);

// `S_3 of P1, P2, P3`, one line for each family; `none` if there is none.
void symmetry_print(Text *, const Symmetry *, const Net *);
// `S_3 x C_2`, or nothing.
void symmetry_name(Text *, const Symmetry *);
