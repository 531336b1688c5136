// Firing: the matrix work of transitions in global time. An entry [x][y] of a zone bounds the
// difference of two clocks; a transition constrains by its guard, resets clocks, enters the
// target's invariant, lets time pass and extrapolates.
#ifndef TARN_ZONE_FIRING_H
#define TARN_ZONE_FIRING_H

#include "space/needs.h"
#include "zone/engine.h"

// Whether a zone is true under bounds with this PackedBounds.number: the last ones asked for.
typedef struct TrueEntry {
  ZoneRef zone; // ZONE_NONE: free
  uint32_t bounds;
  bool is_true;
} TrueEntry;
enum { TRUE_ENTRIES = 1 << 11 };

typedef struct Global {
  Zones zones;          // first: a Zones * of global time is a Global *
  uint32_t n;           // clocks, clock 0 included
  bool is_extrapolated; // stored zones are not exact
  bool is_large;        // constants so large that every step must be checked for overflow
  bool is_before;       // zones are those on entry: time passes when a node is opened
  uint32_t step_long;   // zones of up to so many dimensions: by dbm/kernel/longstep.h
  TrueEntry *trues;     // by hash
  Needs needs;          // with bounds that are found during the search
  void *source_room;    // of a compact table: for the opened zone
  Bound *matrix;        // of the zone with this number; ZONE_CURRENT: of one that has none
  ZoneRef matrix_of;
  Bound *scratch;
  Bound *elapsed; // the current zone after delay, if that is not what is stored
  VEC(Constraint) constraints, guard;
  // Where clocks come from when updates depend on variables, per clock of the net.
  ClockId *origin;
  int32_t *offset;
} Global;

static inline Global *global_of(const Zones *zones) { return (Global *)(void *)(uintptr_t)zones; }

// The matrix of the opened node, and of the current one: read from the table if need be.
const Bound *firing_source(Zones *);
Bound *firing_zone(Zones *);
// Puts the current zone, a matrix, into the table, unless that would fill up with zones that no
// node has.
void firing_keep(Zones *);
// The opened zone is this one.
void firing_set_opened(Zones *, ZoneRef);

// As the functions of Time.
bool firing_begin(Zones *);
bool firing_open(Zones *, ZoneRef);
void firing_try(Zones *, const Transition *);
bool firing_may_hold(Zones *);
bool firing_can_happen(Zones *);
bool firing_make(Zones *, const Outgoing *, uint32_t ordinal);
ZoneRef firing_number(Zones *);

// Whether all bounds are representable; else the failure is recorded.
bool firing_in_range(Zones *, const Bound *zone, uint32_t k);
// The tests collected by the VM, as constraints over the active clocks.
void firing_convert_tests(Zones *, const ActiveClocks *);
// Intersects with constraints; false if empty. With large constants one by one, each checked.
bool firing_constrain(Zones *, Bound *zone, uint32_t k, const Constraint *, uint32_t count);
bool firing_meets_all(const Bound *zone, uint32_t k, const Constraint *, uint32_t count);
// Collects the invariant of a location vector if it depends on variables; false if its integer
// part fails. Then the invariant as constraints.
bool firing_find_invariant(Zones *, const LocVector *, const int32_t *state);
const Constraint *firing_invariant(const Zones *, const LocVector *, uint32_t *count);
// Delay in a zone stored before it.
bool firing_pass_time(Zones *, const LocVector *, const int32_t *state, Bound *zone);

#endif
