// Firing: the discrete and the matrix work of transitions, for the space of zones of global time
// (zone/zones.h), whose data this is.
#ifndef TARN_ZONE_FIRING_H
#define TARN_ZONE_FIRING_H

#include "base/random.h"
#include "dbm/stored/zonetable.h"
#include "space/needs.h"
#include "space/options.h"
#include "space/shuffle.h"
#include "space/space.h"
#include "zone/abstraction.h"
#include "zone/keys.h"
#include "zone/memo.h"
#include "zone/scene.h"

// Whether a zone is true under bounds with this PackedBounds.number: the last ones asked for.
typedef struct TrueEntry {
  ZoneRef zone; // ZONE_NONE: free
  uint32_t bounds;
  bool is_true;
} TrueEntry;
enum { TRUE_ENTRIES = 1 << 11 };

typedef struct Zones {
  Space space; // first: a Space * is a Zones *
  Mem *mem;
  Arena arena;
  const Net *net;
  const Goal *goal;
  Vm vm;
  StateLayout layout;
  ClockBounds bounds;
  Abstraction abstraction;
  Scenes scenes;
  ProbeKind kind;
  uint32_t n;           // clocks, clock 0 included
  bool is_extrapolated; // stored zones are not exact
  // Moves between zones of up to so many dimensions: by dbm/kernel/step.h, the second as long
  // steps.
  uint32_t step_most, step_long;
  bool is_large;  // constants so large that every step must be checked for overflow
  bool is_before; // zones are those on entry: time passes when a node is opened
  // Zones are extrapolated, though they are compared modulo a simulation: of those that are
  // equivalent most become equal, and there are far fewer to keep and to work on.
  bool is_smoothed;
  bool has_memo;   // what moves make of zones is remembered
  Options options; // for siblings
  ZoneTable table;
  Memo memo;
  CoverMemo *covers; // NULL: tests are too cheap to be remembered
  TrueEntry *trues;  // by hash
  uint32_t written;  // nodes ever stored
  Needs needs;       // with bounds that are found during the search

  Keys keys; // the states of the opened and of the current node
  // The opened node, and the next of its moves to be tried.
  const Scene *source_scene;
  ZoneRef source_ref;
  const KeptZone *source_kept; // the same
  void *source_room, *room;    // of a compact table: for this zone, for the current one
  bool has_source;             // `source_zone` holds it
  bool is_source_own;          // several workers search, and it is this one's
  Bound *source_zone;
  uint32_t move;

  // The current node.
  const Scene *scene;
  uint32_t left_map, left_transition; // of an unfinished node
  // Space.zone is its zone, ZONE_NONE if that is not in the table; then there is its matrix or a
  // probe of it.
  bool has_zone; // `zone` holds it
  Bound *zone;
  Probe probe;
  struct Sketcher *sketcher; // NULL: there are no sketches yet
  bool has_probe;            // it is made for the zone

  Bound *scratch;
  Bound *elapsed; // the current zone after delay, if that is not what is stored
  ClockTests tests;
  VEC(Constraint) constraints, guard;
  ClockUpdates updates;
  // Where clocks come from when updates depend on variables, per clock of the net.
  ClockId *origin;
  int32_t *offset;
  Random random; // with a seed: the moves in the order of `shuffled`
  bool is_random;
  Ordinals shuffled;
  // The moves of the opened node that the cheap tests allow, if they were looked for beforehand.
  bool has_ahead;
  Ordinals ahead;
  uint64_t *ahead_keys; // SPACE_AHEAD
  SceneAhead expected;
} Zones;

const KeptZone *firing_kept(Zones *); // the current zone, which is in the table
// The matrix of the opened node, and of the current one: read from the table if need be.
const Bound *firing_source(Zones *);
Bound *firing_zone(Zones *);
// Puts the current zone, a matrix, into the table, unless that would fill up with zones that no
// node has.
void firing_keep(Zones *);
ZoneRef firing_ref(Zones *); // the current zone, in any case

// The opened node is to be the one with this stored zone, in `source_scene`; false on failure.
bool firing_open(Zones *, ZoneRef);
// The zone of all clocks 0 as the current node's: invariant, delay, abstraction; false if empty.
bool firing_begin(Zones *);
// Fires a move from the source to the current node; false if it is not enabled.
bool firing_try(Zones *, Move *);
bool firing_next(Zones *);        // the next enabled one of the opened node
uint32_t firing_foresee(Zones *); // as Space.foresee: fills ahead_keys
// Finishes a move that another worker began: from this zone, in a scene with this map, it leads
// to the current node, whose zone is still to be found. Numbers are those of all workers.
bool firing_finish(Zones *, ZoneRef, uint32_t map, uint32_t transition);

// With bounds found during the search: the needs are those of the current node.
void firing_announce(Zones *);

// A VM result as "go on"; errors of the model are recorded.
bool firing_holds(Zones *, VmResult);
// Whether all bounds are representable; else the failure is recorded.
bool firing_in_range(Zones *, const Bound *zone, uint32_t k);
// The tests collected by the VM, as constraints over the clocks of a frame.
void firing_convert_tests(Zones *, const Frame *);
// Intersects with constraints; false if empty. With large constants one by one, each checked.
bool firing_constrain(Zones *, Bound *zone, uint32_t k, const Constraint *, uint32_t count);
bool firing_meets_all(const Bound *zone, uint32_t k, const Constraint *, uint32_t count);
// Collects the invariant of a scene if it depends on variables; false if its integer part
// fails. Then the invariant as constraints.
bool firing_find_invariant(Zones *, const Scene *, const int32_t *state);
const Constraint *firing_invariant(const Zones *, const Scene *, uint32_t *count);
// Delay in a zone stored before it.
bool firing_pass_time(Zones *, const Scene *, const int32_t *state, Bound *zone);

#endif
