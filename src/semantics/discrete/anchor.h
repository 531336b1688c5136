// Anchors: finds where the dart through a valuation begins, after values that no test can tell
// apart have been made equal. It works on numbers only; doc/notes/darts.md has the rules and
// their proof.
#pragma once

#include "analysis/diagonallimits.h"

static inline int32_t anchor_smaller(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t anchor_larger(int32_t a, int32_t b) { return a > b ? a : b; }

// What matters of the clocks in one discrete state; arrays by clock, [0] is not used.
typedef struct Horizon {
  uint32_t n;             // clocks, clock 0 included
  int32_t *lower, *upper; // largest constants of tests from below and above; -1: none
  int32_t *limit;         // from here on all values are alike
  int32_t max;            // the largest limit
  bool can_delay;
  const DiagonalLimits *diagonals; // clocks that are cut together
  ClockIndex *sorted;              // scratch
} Horizon;

// Replaces a valuation by the anchor of its dart and returns its distance from it. In a state
// without delay the anchor is the (cut) valuation itself.
int32_t anchor_find(const Horizon *, int32_t *values);
