// The data of global time, and the forms of its zones: the opened zone and the current one, each
// packed, as a matrix, or as a number of the table. A form is made when it is asked for.
#pragma once

#include "search/space/needs.h"
#include "semantics/zone/engine.h"

typedef struct Hulls { // semantics/zone/hulls.h
  Mem *mem;
  Space *zones;
  Intern keys;
  VEC(uint32_t) hulls; // by number of the key - 1: zone
} Hulls;

typedef struct Global {
  Zones zones;        // first: a Zones * of global time is a Global *
  bool is_large;      // constants so large that every step must be checked for overflow
  bool is_before;     // zones are those on entry: time passes when a node is opened
  uint32_t step_long; // zones of up to so many dimensions: by dbm/kernel/longstep.h
  Needs needs;        // with bounds that are found during the search
  void *source_room;  // of a compact table: for the opened zone
  Bound *matrix;      // of the zone with this number; ZONE_CURRENT: of one that has none
  ZoneRef matrix_of;
  Bound *scratch;
  Constraints constraints, guard;
  // Where clocks come from when updates depend on variables, per clock of the net.
  ClockId *origin;
  int32_t *offset;
  bool *stopped, *still; // clocks that stand still, by clock of the net and of the zone
  Hulls hulls;           // if nodes are joined
} Global;

static inline Global *global_of(const Zones *zones) { return (Global *)(void *)(uintptr_t)zones; }

// The matrix of the opened node, and of the current one: read from the table if need be.
const Bound *globalzone_source(Zones *);
Bound *globalzone_matrix(Zones *);
// A zone of the table as a matrix.
void globalzone_read(Zones *, ZoneRef, Bound *matrix);
// Puts the current zone, a matrix, into the table, unless that would fill up with zones that no
// node has.
void globalzone_keep(Zones *);
// The opened zone is this one.
void globalzone_open(Zones *, ZoneRef);

// The current zone will be in the matrix, and has no number yet.
void globalzone_begin(Zones *);
// The number of the current zone, put into the table in any case.
ZoneRef globalzone_number(Zones *);

// Whether all bounds are representable; else the failure is recorded.
bool globalzone_in_range(Zones *, const Bound *zone, uint32_t k);
bool globalzone_outgrow(Zones *); // false
