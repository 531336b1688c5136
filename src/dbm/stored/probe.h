// SPEED: six dining philosophers in less than a fifth of the instructions. Without it
// (MODE=plain): zones are tested entry by entry (is_inside in probe.c).
//
// Probes: a zone prepared for covering tests against packed zones (dbm/stored/packed.h) by vector
// kernels. dbm/simulation.h has the definition, which the tests compare it with.
//
// A Probe holds a new zone Z prepared for both tests against stored zones Z':
//   covered: Z included in the abstraction of Z',  covers: Z' included in that of Z.
// For inclusion modulo a_LU (see dbm/simulation.h) Z is not in a_LU(Z') iff for some y and x
//   Z'[y][x] < Z[y][x],  Z'[y][x] + (<, -L_y) < Z[0][x]  and  (<=, -U_x) <= Z[0][x].
// Modulo Closure_LU+ (dbm/simulation.h) it is tested entry by entry.
#pragma once

#include "dbm/stored/packed.h"
#include "dbm/stored/storedzone.h"

typedef enum ProbeKind { PROBE_INCLUSION, PROBE_ALU, PROBE_CLOSURE_LU } ProbeKind;

typedef struct Probe {
  ProbeKind kind;
  bool only_32;        // zones are stored in 32 bits even if they fit into fewer
  uint32_t k;          // dimension, clock 0 included
  PackedFormat format; // smallest that holds Z
  const void *entries; // Z in it
  const PackedBounds *bounds;
  int16_t *buffer16; // memory for Z
  int16_t *demand;   // what Z demands modulo a_LU (dbm/kernel/narrow.h), if has_demand
  bool has_demand;
  uint32_t covered_hint, covers_hint; // where the last test by rows failed
  Bound *buffer32;
  // With a table that keeps zones in minimal form (dbm/stored/compact.h), set by the owner; and
  // whether it has the zone as a matrix.
  struct Compact *compact;
  bool has_whole;
} Probe;

// Bytes that a probe for up to n clocks needs; laid out by probe_init (aligned to 64).
size_t probe_bytes(uint32_t n);
void probe_init(Probe *, void *memory, uint32_t n);

// Prepares for the zone (tight, non-empty, dimension k). The bounds are not used for
// PROBE_INCLUSION; they must stay until the last test.
void probe_make(Probe *, ProbeKind, const Bound *zone, uint32_t k, const PackedBounds *);
// The same if the zone is in `buffer16` already; and not only_32.
void probe_accept(Probe *, ProbeKind, uint32_t k, const PackedBounds *);
// For a packed zone, in its smallest format, which must stay.
void probe_take(Probe *, ProbeKind, const void *entries, uint32_t k, PackedFormat,
                const PackedBounds *);
// Other bounds for the next tests, for the same zone.
static inline void probe_bounds(Probe *probe, const PackedBounds *bounds) {
  probe->bounds = bounds;
  probe->has_demand = false;
}

// What the zone demands of one that covers it (dbm/kernel/narrow.h): entry by entry, a vector
// readable behind. NULL if there are no kernels for the tests.
const int16_t *probe_demand(Probe *);

// Whether a stored zone covers the probe's zone, or is covered by it.
bool probe_is_covered(Probe *, const void *zone, PackedFormat);
bool probe_covers(Probe *, const void *zone, PackedFormat);

// Whether the universal zone is covered by it; not for PROBE_CLOSURE_LU.
bool probe_is_true(const Probe *);

// Scans of packed zones in a table: index of the first that covers the probe's zone, or count;
// first index >= from of one that it covers, or count.
uint32_t probe_scan_covered(Probe *, const ZoneTable *, const ZoneRef *, uint32_t count);
uint32_t probe_scan_covers(Probe *, const ZoneTable *, const ZoneRef *, uint32_t from,
                           uint32_t count);
