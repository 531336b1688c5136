// Covering between a zone and one in minimal form (dbm/stored/minimal.h).
#pragma once

#include "dbm/stored/minimal.h"

// Covering between a zone and a string, as in dbm/stored/packed.h, without making the matrix of
// the string. In doubt it has to be made; there is none when `minimal_covers` is asked for
// inclusion.
typedef enum MinimalAnswer { MINIMAL_NO, MINIMAL_YES, MINIMAL_DOUBT } MinimalAnswer;

// What is asked: lower and upper are not used for PROBE_INCLUSION.
typedef struct MinimalTest {
  ProbeKind kind;
  uint32_t n;
  const Bound *zone; // tight, non-empty, in range
  const int32_t *lower, *upper;
} MinimalTest;

// Is the zone included in the abstraction of the string's?
MinimalAnswer minimal_covers(MinimalScratch *, const void *big, const MinimalTest *small);
// Is the string's zone included in the abstraction of the zone?
MinimalAnswer minimal_is_covered(MinimalScratch *, const void *small, const MinimalTest *big);
