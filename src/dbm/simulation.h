// Inclusion of a zone in a non-convex abstraction of another, without building it: one
// O(n^2) pass over two tight plain zones. Bounds as in dbm/extra.h.
//
// simulation_alu(big, small): small is included in a_LU(big) (paper key HSW12). With lower
// == upper == M it is a_M. These are the reference versions on unpacked matrices; the store
// scans packed ones (dbm/packed.h) and is tested against them.
#ifndef TARN_DBM_SIMULATION_H
#define TARN_DBM_SIMULATION_H

#include "dbm/extra.h"

bool simulation_alu(const Bound *big, const Bound *small, uint32_t n, const int32_t *lower,
                    const int32_t *upper);
// Whether every valuation is included in a_LU(zone): simulation_alu with the universal zone.
bool simulation_alu_is_true(const Bound *zone, uint32_t n, const int32_t *lower,
                            const int32_t *upper);

#endif
