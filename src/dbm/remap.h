// Updates of many clocks at once, as a change of names: one pass over the matrix.
//
// Clock i of the result is clock origin[i] of the source plus offset[i]. Several clocks may have
// the same origin, and origin 0 with offset c sets the constant c. A clock that is no origin is
// forgotten. So resets, copies and the projection to the active clocks are one operation.
#pragma once

#include "dbm/dbm.h"

// `to` has dimension k, `from` dimension n; they do not overlap. origin[0] = offset[0] = 0;
// origin has dbm_stride(k) entries, those from k on any valid clock; offset may be NULL, for all
// 0. No clock becomes negative.
void dbm_remap(Bound *to, uint32_t k, const Bound *from, uint32_t n, const ClockId *origin,
               const int32_t *offset);
